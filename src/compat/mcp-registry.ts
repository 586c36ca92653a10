import { isGatewayError, KeyError, PermissionDenied, ValueError } from '../errors.js'
import { createGateway, type Gateway, type GatewayOptions } from '../gateway.js'
import { toValue } from '../model/answer.js'
import { localCaller } from '../model/caller.js'
import { isRecord, type JsonObject, kindOf } from '../model/json.js'
import type { Outcome } from '../model/outcome.js'
import type { ToolAnnotations } from '../model/tool.js'
import { defineTool } from '../sources/functions/define-tool.js'
import type { CallListener } from '../telemetry/calls.js'

/** The four elements of a tool in document 000. Only `name` and `call` are needed; both spellings of the schema work. */
export interface RegistryTool {
  readonly name: string
  readonly description?: string | undefined
  readonly input_schema?: JsonObject | undefined
  readonly inputSchema?: JsonObject | undefined
  /** Hints as MCP has them; `idempotentHint` lets the registry try a failed call again. */
  readonly annotations?: ToolAnnotations | undefined
  /** Calling twice does what calling once does, so that `retry` may. Wins over the hint. */
  readonly idempotent?: boolean | undefined
  /** Time for one call, before the registry's own. */
  readonly timeoutMs?: number | undefined
  readonly tags?: readonly string[] | undefined
  call(args: any): unknown
}

export interface ToolDescription {
  readonly description: string
  readonly input_schema: JsonObject
}

export interface MCPRegistryOptions
  extends Pick<
    GatewayOptions,
    'timeoutMs' | 'retry' | 'limits' | 'breaker' | 'validation' | 'clock' | 'logger' | 'store'
  > {
  /** Globs over names; undefined allows all. */
  readonly allow?: readonly string[] | undefined
  /** Globs over names; deny wins. */
  readonly deny?: readonly string[] | undefined
  /** What an equal name does. Default `replace`, as in the original. */
  readonly onConflict?: 'replace' | 'error' | undefined
  /** Told of every call once. */
  readonly onCall?: CallListener | undefined
}

/**
 * Registers, describes and calls tools in this process (document 000). Arguments are not validated unless asked for,
 * and what a tool throws reaches the caller unchanged, as in the original.
 */
export class MCPRegistry {
  /** The gateway underneath, for what this face does not name. */
  readonly gateway: Gateway
  readonly #schemas = new Map<string, JsonObject>()
  readonly #onConflict: 'replace' | 'error'

  constructor(options: MCPRegistryOptions = {}) {
    const { allow, deny, onConflict = 'replace', onCall, validation = 'off', ...rest } = options
    this.#onConflict = onConflict
    this.gateway = createGateway({
      ...rest,
      validation,
      rules: { allow, deny },
    })
    if (onCall) this.gateway.onCall(onCall)
  }

  /** Throws TypeError for an object without `name` or `call`, or with a schema that is none. */
  register(tool: RegistryTool): void {
    if (!isTool(tool)) throw new TypeError('Tool must have `name` and `call(arguments)`')
    const schema = tool.input_schema ?? tool.inputSchema
    try {
      this.gateway.register(
        defineTool({
          name: tool.name,
          description: tool.description,
          input: schema,
          ...traitsOf(tool),
          // Looked up at each call, so that a tool object may change its own `call`.
          handler: (args: unknown) => tool.call(args),
        }),
        { onConflict: this.#onConflict },
      )
    } catch (error) {
      throw isGatewayError(error) && error.code !== 'TOOL_CONFLICT'
        ? new TypeError(error.message, { cause: error })
        : error
    }
    this.#schemas.set(tool.name, schema ?? {})
  }

  /** True if there was such a tool. */
  unregister(name: string): boolean {
    this.#schemas.delete(name)
    return this.gateway.unregister(name)
  }

  /** What a planner needs, and nothing else: `{name: {description, input_schema}}`. */
  describe(): Record<string, ToolDescription> {
    return Object.fromEntries(
      this.gateway.list().map(({ name, definition }) => [
        name,
        {
          description: definition.description ?? '',
          input_schema: this.#schemas.get(name) ?? definition.inputSchema,
        },
      ]),
    )
  }

  /** Rejects with KeyError for an unknown name and with whatever the tool threw otherwise. */
  async call(name: string, args: unknown = {}): Promise<unknown> {
    return answerOf(await this.gateway.call({ tool: name, args, caller: localCaller }), name)
  }

  /** The same on the stack, for synchronous tools. */
  callSync(name: string, args: unknown = {}): unknown {
    return answerOf(this.gateway.callSync({ tool: name, args, caller: localCaller }), name)
  }

  /** One entry for planners: nothing or `describe` describes, `{name, arguments}` calls. */
  async execute(data?: unknown): Promise<unknown> {
    if (data === undefined || data === null || data === 'describe') return this.describe()
    if (!isRecord(data))
      throw new TypeError(`Cannot execute ${kindOf(data)}: expected nothing, 'describe' or an object.`)
    const { op, name, arguments: args = {} } = data
    if (op === 'describe' && name === undefined) return this.describe()
    if (op !== undefined && op !== 'call') throw new ValueError(`Unsupported op: ${String(op)}`)
    if (typeof name !== 'string' || name === '') throw new ValueError("Missing or invalid 'name' in the request.")
    if (!isRecord(args)) throw new TypeError("'arguments' must be a dict.")
    return this.call(name, args)
  }

  close(): Promise<void> {
    return this.gateway.close()
  }
}

/** What the call path reads of a tool besides its four elements. */
const traitsOf = ({ annotations, idempotent, timeoutMs, tags }: RegistryTool) => ({
  annotations,
  idempotent,
  timeoutMs,
  tags,
})

const isTool = (tool: unknown): tool is RegistryTool =>
  typeof tool === 'object' &&
  tool !== null &&
  typeof (tool as RegistryTool).name === 'string' &&
  (tool as RegistryTool).name !== '' &&
  typeof (tool as RegistryTool).call === 'function'

/** Document 000's dialect of errors. */
const answerOf = (outcome: Outcome, name: string): unknown => {
  if (outcome.ok) return outcome.answer.type === 'value' ? outcome.answer.value : toValue(outcome.answer)
  const { error } = outcome
  if (error.code === 'TOOL_NOT_FOUND') throw new KeyError(`Tool not found: ${name}`, { cause: error })
  if (error.code === 'TOOL_FAILED') throw error.cause
  if (error.code === 'ACCESS_DENIED') throw new PermissionDenied(error.message, { cause: error })
  if (error.code === 'ARGUMENTS_INVALID') throw new TypeError(error.message, { cause: error })
  throw error
}
