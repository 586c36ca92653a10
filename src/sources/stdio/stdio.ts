import { randomUUID } from 'node:crypto'
import { GatewayError } from '../../errors.js'
import { createMcpSource, type McpSource } from '../mcp-source.js'
import type { McpSourceOptions } from '../mcp-source-options.js'
import type { ChildCommand } from './command.js'
import type { Isolate } from './isolated/isolated-source.js'
import type { Isolation, IsolationBounds } from './isolated/isolation.js'
import { startTimeoutOf } from './launcher.js'
import { isGuarded } from './leash/guards.js'
import type { StdioHost } from './sessions.js'

export interface StdioSourceOptions extends McpSourceOptions, ChildCommand, Omit<IsolationBounds, 'idleStopMs'> {
  /** Whose each process is. Default: all share one. */
  readonly isolation?: Isolation | undefined
  /** What makes a source of several processes; handed over, so that who has none such carries none of it along. */
  readonly isolate?: Isolate | undefined
  /** One per gateway: equal commands share a process, and all of them die with us, however we die. */
  readonly host: StdioHost
  /** Ends what this source alone was made with. */
  readonly dispose?: (() => Promise<void>) | undefined
}

/** An MCP server that we run ourselves, spoken to over its standard input and output. */
export const createStdioSource = (options: StdioSourceOptions): McpSource => {
  const { isolation = 'shared', maxProcesses, spare, idleStopMs, dispose } = options
  if (isolation === 'shared') return createProcessSource(options)
  const make = (common: McpSourceOptions): McpSource =>
    createProcessSource({ ...options, ...common, apart: randomUUID(), dispose: undefined })
  if (!options.isolate)
    throw new GatewayError('SOURCE_INVALID', `'${options.name}' cannot have processes of its callers' own here.`)
  return options.isolate('stdio', { isolation, maxProcesses, spare, idleStopMs, common: options, make, dispose })
}

const createProcessSource = (options: StdioSourceOptions): McpSource => {
  const { command, args, env, cwd, host } = options
  const run: ChildCommand = {
    command,
    args,
    env,
    cwd,
    limits: options.limits,
    sandbox: options.sandbox,
    downloadTimeoutMs: options.downloadTimeoutMs,
    source: options.name,
    apart: options.apart,
  }
  return createMcpSource(
    {
      kind: 'stdio',
      sessionPerCaller: false,
      headerParams: false,
      connect: (peer, _principal, signal) => host.connect(run, peer, signal),
      guards: isGuarded(run) ? () => host.guardsOf?.(run) : undefined,
      dispose: options.dispose,
    },
    { ...options, startTimeoutMs: options.startTimeoutMs ?? startTimeoutOf(run) },
  )
}
