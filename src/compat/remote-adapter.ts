import { type GatewayError, messageOf } from '../errors.js'
import { isErrorAnswer, toText, toValue } from '../model/answer.js'
import { type Clock, systemClock } from '../model/clock.js'
import type { JsonObject } from '../model/json.js'
import { type Logger, silentLogger } from '../telemetry/logger.js'
import type { RegistryTool } from './mcp-registry.js'
import { createMcpServers, type McpServersOptions, type RemoteTool } from './mcp-servers.js'
import type { McpTransport } from './mcp-transport.js'
import { createRpcProgram, type RpcProgram } from './rpc-program.js'
import { RuntimeError } from './runtime-error.js'
import { connectFailure } from './use-mcp.js'

export interface RemoteMCPAdapterOptions {
  /** For one call. Default 30,000. */
  readonly timeoutMs?: number | undefined
  /**
   * True: the program reads its input to the end, answers and exits, so it is started for each call. False: it stays.
   * Default: found out. One that exits after its first answer, or answers only once its input has ended, is started for
   * each call from then on; the latter costs a second of silence at its first two calls, which this saves.
   */
  readonly oneShot?: boolean | undefined
  /** Variables for the program, besides the few harmless ones that every child gets. */
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly cwd?: string | undefined
  readonly clock?: Clock | undefined
  readonly logger?: Logger | undefined
}

/**
 * A tool that is a program speaking JSON-RPC lines, in the shape of a local one (000-12). The program is started by the
 * first call and kept; one that answers and exits is started for each. Call `close` when done: a kept program keeps
 * this process alive.
 */
export class RemoteMCPAdapter implements RegistryTool, AsyncDisposable {
  readonly name: string
  readonly description: string
  readonly input_schema: JsonObject
  readonly #program: RpcProgram

  constructor(
    name: string,
    description: string,
    input_schema: JsonObject,
    server_cmd: readonly string[],
    options: RemoteMCPAdapterOptions = {},
  ) {
    if (!Array.isArray(server_cmd) || server_cmd.length === 0 || server_cmd.some((word) => typeof word !== 'string'))
      throw new TypeError('`server_cmd` must be a list of text: the program and its arguments.')
    const [command, ...args] = server_cmd as [string, ...string[]]
    const { timeoutMs = 30_000, oneShot, env, cwd, clock = systemClock, logger = silentLogger } = options
    this.name = name
    this.description = description
    this.input_schema = input_schema
    this.#program = createRpcProgram({
      command: { command, args, env, cwd },
      timeoutMs,
      oneShot,
      clock,
      logger,
    })
  }

  /** Resolves to the answer's `result`, `{}` when there is none; rejects with RuntimeError for its `error`. */
  call(args: unknown = {}): Promise<unknown> {
    return this.#program.ask(this.name, args)
  }

  /** Ends the program; calls that wait are refused. */
  close(): Promise<void> {
    return this.#program.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

/** The tools of an MCP server, ready for `MCPRegistry.register`, and the connection they share. */
export interface McpAdapters extends AsyncDisposable {
  readonly tools: readonly RegistryTool[]
  close(): Promise<void>
}

/** Connects to a real MCP server (a script, a URL, `{command, args}`, `{url}` or `{mcpServers}`) and adapts its tools. */
export const mcpAdapters = async (server: McpTransport, options: McpServersOptions = {}): Promise<McpAdapters> => {
  const servers = createMcpServers(options)
  try {
    const opened = await servers.open(server)
    const failure = connectFailure(opened)
    if (failure) throw failure
    const close = () => servers.close()
    return { tools: opened.tools.map(toRegistryTool), close, [Symbol.asyncDispose]: close }
  } catch (error) {
    await servers.close()
    throw error
  }
}

const toRegistryTool = ({ name, tool, call }: RemoteTool): RegistryTool => ({
  name,
  description: tool.definition.description ?? '',
  input_schema: tool.definition.inputSchema,
  annotations: tool.definition.annotations,
  call: async (args: unknown) => {
    const outcome = await call(args)
    if (!outcome.ok) throw outcome.error.code === 'TOOL_FAILED' ? failed(outcome.error) : outcome.error
    if (isErrorAnswer(outcome.answer)) throw new RuntimeError(toText(outcome.answer))
    return toValue(outcome.answer)
  },
})

const failed = (error: GatewayError): RuntimeError =>
  new RuntimeError(messageOf(error.cause ?? error), { cause: error })
