import { createMcpSource, type McpSource } from '../mcp-source.js'
import type { McpSourceOptions } from '../mcp-source-options.js'
import type { ChildCommand } from './command.js'
import { startTimeoutOf } from './launcher.js'
import { isGuarded } from './leash/guards.js'
import type { StdioHost } from './sessions.js'

export interface StdioSourceOptions extends McpSourceOptions, ChildCommand {
  /** One per gateway: equal commands share a process, and all of them die with us, however we die. */
  readonly host: StdioHost
  /** Ends what this source alone was made with. */
  readonly dispose?: (() => Promise<void>) | undefined
}

/** An MCP server that we run ourselves, spoken to over its standard input and output. */
export const createStdioSource = (options: StdioSourceOptions): McpSource => {
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
