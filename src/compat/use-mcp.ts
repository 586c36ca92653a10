import { GatewayError, messageOf } from '../errors.js'
import { isErrorAnswer, toText, toValue } from '../model/answer.js'
import type { JsonObject } from '../model/json.js'
import type { Outcome } from '../model/outcome.js'
import { type Kwargs, toKwargs } from '../schema/projections/kwargs.js'
import { defineTool, type FunctionTool } from '../sources/functions/define-tool.js'
import { type Logger, silentLogger } from '../telemetry/logger.js'
import type { OpenedServers, RemoteTool } from './mcp-servers.js'

/** A remote tool as document 003 registers it (003-08). */
export interface ImportedTool {
  readonly name: string
  readonly desc: string
  readonly kwargs: Kwargs
  readonly returns: Kwargs | null
  readonly tags: readonly string[]
  /** Calls the server and decodes its answer (003-09). Rejects when it cannot be asked. */
  readonly func: (kwargs?: Record<string, unknown>) => Promise<unknown>
  /** The same while the thread waits. Throws TOOL_ASYNC_ONLY where the connection lives in this thread. */
  readonly funcSync: (kwargs?: Record<string, unknown>) => unknown
  /** The same for the gateway. */
  readonly tool: FunctionTool
}

/** The tools of these servers as functions. One whose schema document 003 cannot say is skipped, and the log says so. */
export const importTools = (
  remote: readonly RemoteTool[],
  tags: readonly string[],
  logger: Logger = silentLogger,
): ImportedTool[] =>
  remote.flatMap((each) => {
    try {
      return [importTool(each, tags)]
    } catch (error) {
      logger.log('warn', `The tool '${each.name}' is not imported: ${messageOf(error)}`, { tool: each.name })
      return []
    }
  })

/** What could not be connected, in one error; undefined when all could. */
export const connectFailure = ({ failures }: OpenedServers): GatewayError | undefined => {
  if (failures.length === 0) return undefined
  const words = failures.map(({ server, error }) => `'${server}': ${messageOf(error)}`).join(' ')
  return new GatewayError('MCP_UNAVAILABLE', `Not every MCP server could be connected. ${words}`, {
    details: { servers: failures.map(({ server }) => server) },
    cause: failures[0]!.error,
  })
}

const importTool = (remote: RemoteTool, given: readonly string[]): ImportedTool => {
  const { name, tool } = remote
  const { definition } = tool
  const kwargs = toKwargs(definition.inputSchema).value ?? {}
  const returns = toKwargs(definition.outputSchema).value
  const ask = async (args: Record<string, unknown>, signal?: AbortSignal) => decode(await remote.call(args, signal))
  const askSync = (args: Record<string, unknown> = {}): unknown => {
    if (!remote.callSync) throw asyncOnly(name)
    return decode(remote.callSync(args))
  }
  return {
    name,
    desc: definition.description ?? '',
    kwargs,
    returns,
    tags: [...new Set([...tool.tags, ...given])],
    func: async (args = {}) => ask(args),
    funcSync: askSync,
    tool: {
      ...defineTool({
        name,
        description: definition.description ?? '',
        // The whole schema: kwargs do not say what is required.
        input: definition.inputSchema as JsonObject,
        timeoutMs: tool.timeoutMs,
        handler: (args, { signal }) => ask(args, signal),
      }),
      handlerSync: askSync,
    },
  }
}

/** 003-09: an error as `{error}`, a structure as it is, else the first block. */
const decode = (outcome: Outcome): unknown => {
  if (!outcome.ok) throw outcome.error
  return isErrorAnswer(outcome.answer) ? { error: toText(outcome.answer) } : toValue(outcome.answer)
}

const asyncOnly = (tool: string): GatewayError =>
  new GatewayError(
    'TOOL_ASYNC_ONLY',
    `'${tool}' is remote and its connection lives in this thread: use asyncCallTool, which returns a promise.`,
    {
      details: { tool },
    },
  )
