import { GatewayError, messageOf } from '../../errors.js'
import { createGateway, type Gateway, type GatewayOptions } from '../../gateway.js'
import { isErrorAnswer, toText, toValue } from '../../model/answer.js'
import { localCaller } from '../../model/caller.js'
import type { Outcome } from '../../model/outcome.js'
import { fromKwargs } from '../../schema/projections/from-kwargs.js'
import type { Kwargs } from '../../schema/projections/kwargs.js'
import { defineTool } from '../../sources/functions/define-tool.js'
import { asyncify, syncify } from './shift.js'
import { type DescribedFunction, describeFunction, type ToolFuncOptions } from './tool-func.js'

export type AnyFunction = (...args: any[]) => unknown
export type Tags = string | readonly string[] | null | undefined
export type Shift = 'sync' | 'async'

/** What a model is told about a tool (003-02). `returns` is there only if it was given. */
export interface ToolInfo {
  readonly name: string
  readonly desc: string
  readonly kwargs: Kwargs
  readonly returns?: unknown
}

export interface ToolRegistration {
  readonly name: string
  readonly desc?: string | null | undefined
  /** `{param: [type, description]}`, types by their JSON Schema names. */
  readonly kwargs?: Kwargs | null | undefined
  /** Gets the arguments by name in one object. */
  readonly func: (kwargs: any) => unknown
  readonly returns?: unknown
  readonly tags?: Tags
}

export type ToolManagerOptions = Pick<
  GatewayOptions,
  'timeoutMs' | 'limits' | 'retry' | 'breaker' | 'validation' | 'clock' | 'logger'
>

/**
 * Functions for models, by name and tag (document 003). Calls never throw: what fails comes back as a string that starts
 * with `Error:` or `Can not find tool named`, which callers and models read.
 */
export class ToolManager {
  /** The gateway underneath, for what this face does not name. */
  readonly gateway: Gateway
  readonly toolFuncs = new Map<string, AnyFunction>()
  readonly toolInfo = new Map<string, ToolInfo>()
  readonly tagMappings = new Map<string, Set<string>>()

  constructor(options: ToolManagerOptions = {}) {
    this.gateway = createGateway({ validation: 'off', ...options })
  }

  register(tool: ToolRegistration): void
  register(
    name: string,
    desc: string | null | undefined,
    kwargs: Kwargs | null | undefined,
    func: (kwargs: any) => unknown,
    returns?: unknown,
    tags?: Tags,
  ): void
  register(
    first: ToolRegistration | string,
    desc?: string | null,
    kwargs?: Kwargs | null,
    func?: (kwargs: any) => unknown,
    returns?: unknown,
    tags?: Tags,
  ): void {
    const tool =
      typeof first === 'string' ? { name: first, desc, kwargs, func: func as AnyFunction, returns, tags } : first
    this.#add(tool, tool.func, (named) => [named])
  }

  /** Registers a function by its own signature and gives it back. */
  toolFunc<F extends AnyFunction>(fn: F, options: ToolFuncOptions = {}): F {
    const described = describeFunction(fn, options)
    this.#add({ ...described, tags: options.tags }, fn, described.spread)
    return fn
  }

  #add(tool: Omit<ToolRegistration, 'func'>, fn: AnyFunction, spread: DescribedFunction['spread']): void {
    const { name, returns, tags } = tool
    const kwargs = tool.kwargs ?? {}
    const desc = tool.desc ?? ''
    this.gateway.register({
      ...defineTool({
        name,
        description: desc,
        input: fromKwargs(kwargs).schema,
        handler: (named) => fn(...spread(named)),
      }),
      handlerSync: (named: Record<string, unknown>) => syncify(fn)(...spread(named)),
    })
    this.toolFuncs.set(name, fn)
    this.toolInfo.set(name, { name, desc, kwargs, ...(returns === undefined || returns === null ? {} : { returns }) })
    this.#addTags(name, tags)
  }

  /** Adds tags to registered tools. */
  tag(names: string | readonly string[], tags: Tags): void {
    for (const name of list(names)) {
      if (!this.toolInfo.has(name)) throw new GatewayError('TOOL_NOT_FOUND', `Cannot find tool named '${name}'`)
      this.#addTags(name, tags)
    }
  }

  #addTags(name: string, tags: Tags): void {
    for (const tag of list(tags)) {
      const named = this.tagMappings.get(tag)
      if (named) named.add(name)
      else this.tagMappings.set(tag, new Set([name]))
    }
  }

  /** All tools, or those with any of these tags, each once, by name. */
  getToolInfo(tags?: Tags): Record<string, ToolInfo> {
    return Object.fromEntries(this.getToolList(tags).map((info) => [info.name, info]))
  }

  getToolList(tags?: Tags): ToolInfo[] {
    if (tags === undefined || tags === null) return [...this.toolInfo.values()]
    const names = new Set(list(tags).flatMap((tag) => [...(this.tagMappings.get(tag) ?? [])]))
    return [...names].map((name) => this.toolInfo.get(name)).filter((info) => info !== undefined)
  }

  /** The function as registered, or shifted; null when there is none. */
  getToolFunc(name: string, shift?: Shift | null): AnyFunction | null {
    const fn = this.toolFuncs.get(name)
    if (!fn) return null
    return shift === 'sync' ? syncify(fn) : shift === 'async' ? asyncify(fn) : fn
  }

  /** On the stack: for synchronous functions, and for self-contained asynchronous ones (see `syncify`). */
  callTool(name: string, kwargs: Record<string, unknown> = {}): unknown {
    return resultOf(this.gateway.callSync({ tool: name, args: kwargs, caller: localCaller }), name)
  }

  async asyncCallTool(name: string, kwargs: Record<string, unknown> = {}): Promise<unknown> {
    return resultOf(await this.gateway.call({ tool: name, args: kwargs, caller: localCaller }), name)
  }

  /** Imports the tools of an MCP server. There is no synchronous way to connect, so this promises too. */
  useMcp(transport: unknown, tags?: Tags): Promise<never> {
    return this.asyncUseMcp(transport, tags)
  }

  async asyncUseMcp(_transport: unknown, _tags?: Tags): Promise<never> {
    throw new GatewayError(
      'MCP_UNAVAILABLE',
      'This version cannot connect to MCP servers yet; register functions, or mount an embedded module with addSource.',
    )
  }

  close(): Promise<void> {
    return this.gateway.close()
  }

  // The names document 003 uses.
  tool_func = this.toolFunc
  get_tool_info = this.getToolInfo
  get_tool_list = this.getToolList
  get_tool_func = this.getToolFunc
  call_tool = this.callTool
  async_call_tool = this.asyncCallTool
  use_mcp = this.useMcp
  async_use_mcp = this.asyncUseMcp
  get tool_funcs() {
    return this.toolFuncs
  }
  get tool_info() {
    return this.toolInfo
  }
  get tag_mappings() {
    return this.tagMappings
  }
}

const list = (values: Tags): readonly string[] =>
  values === undefined || values === null ? [] : typeof values === 'string' ? [values] : values

/** Document 003's dialect: a value, or a string that says what went wrong. */
const resultOf = (outcome: Outcome, name: string): unknown => {
  if (outcome.ok) return isErrorAnswer(outcome.answer) ? { error: toText(outcome.answer) } : toValue(outcome.answer)
  const { error } = outcome
  if (error.code === 'TOOL_NOT_FOUND') return `Can not find tool named '${name}'`
  return `Error: ${error.code === 'TOOL_FAILED' ? messageOf(error.cause) : error.message}`
}

/** How callers tell a failure from an answer: by the prefixes alone. */
export const isExecutionErrorResult = (result: unknown): boolean =>
  typeof result === 'string' && (result.startsWith('Error:') || result.startsWith('Can not find tool named'))
