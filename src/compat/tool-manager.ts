import { GatewayError, messageOf } from '../errors.js'
import { createGateway, type Gateway, type GatewayOptions } from '../gateway.js'
import { isErrorAnswer, toText, toValue } from '../model/answer.js'
import { localCaller } from '../model/caller.js'
import { defined } from '../model/json.js'
import type { Outcome } from '../model/outcome.js'
import { fromKwargs } from '../schema/projections/from-kwargs.js'
import type { Kwargs } from '../schema/projections/kwargs.js'
import { defineTool } from '../sources/functions/define-tool.js'
import type { McpServers } from './mcp-servers.js'
import type { McpTransport } from './mcp-transport.js'
import { asyncify, syncify } from './shift.js'
import { type DescribedFunction, describeFunction, type ToolFuncOptions } from './tool-func.js'
import { connectFailure, importTools } from './use-mcp.js'

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
  readonly tags?: Tags | undefined
}

export interface ToolManagerOptions
  extends Pick<GatewayOptions, 'timeoutMs' | 'limits' | 'retry' | 'breaker' | 'validation' | 'clock' | 'logger'> {
  /**
   * Where the connections of `useMcp` live. In a thread of their own (the default) their tools can be called
   * synchronously too; `here` saves that thread, and synchronous calls of them are refused.
   */
  readonly mcp?: 'thread' | 'here' | undefined
}

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

  readonly #options: ToolManagerOptions
  /** Tools of MCP servers, by name, in their synchronous form. */
  readonly #imported = new Map<string, AnyFunction>()
  #servers: Promise<McpServers> | undefined

  constructor(options: ToolManagerOptions = {}) {
    this.#options = options
    const { mcp: _where, validation = 'off', ...rest } = options
    this.gateway = createGateway({ ...rest, validation })
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
    this.gateway.register({
      ...defineTool({
        name: tool.name,
        description: tool.desc ?? '',
        input: fromKwargs(tool.kwargs ?? {}).schema,
        handler: (named) => fn(...spread(named)),
      }),
      handlerSync: (named: Record<string, unknown>) => this.#inSync(fn)(...spread(named)),
    })
    this.#imported.delete(tool.name)
    this.#remember({ ...tool, func: fn })
  }

  #remember({ name, desc, kwargs, func, returns, tags }: ToolRegistration): void {
    this.toolFuncs.set(name, func)
    this.toolInfo.set(name, {
      name,
      desc: desc ?? '',
      kwargs: kwargs ?? {},
      ...defined({ returns: returns ?? undefined }),
    })
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
    if (shift === 'sync') return this.#imported.get(name) ?? this.#inSync(fn)
    return shift === 'async' ? asyncify(fn) : fn
  }

  #inSync(fn: AnyFunction): AnyFunction {
    return syncify(fn, { timeoutMs: this.#options.timeoutMs })
  }

  /** On the stack: synchronous functions, self-contained asynchronous ones (see `syncify`), tools of MCP servers. */
  callTool(name: string, kwargs: Record<string, unknown> = {}): unknown {
    return this.#resultOf(this.gateway.callSync({ tool: name, args: kwargs, caller: localCaller }), name)
  }

  async asyncCallTool(name: string, kwargs: Record<string, unknown> = {}): Promise<unknown> {
    return this.#resultOf(await this.gateway.call({ tool: name, args: kwargs, caller: localCaller }), name)
  }

  /** Proxies have decoded their answer; what looks like a result in it is data. */
  #resultOf(outcome: Outcome, name: string): unknown {
    const isDecoded = outcome.ok && outcome.answer.type === 'value' && this.#imported.has(name)
    return isDecoded ? outcome.answer.value : resultOf(outcome, name)
  }

  /** Imports the tools of an MCP server. There is no synchronous way to connect, so this promises too. */
  useMcp(transport: McpTransport, tags?: Tags): Promise<readonly string[]> {
    return this.asyncUseMcp(transport, tags)
  }

  /**
   * Connects, registers each tool as a proxy and resolves to their names. The connection is kept until `close`. Never asks
   * on stdin (003-10): what cannot be connected is a rejection, after everything that could be is registered.
   */
  async asyncUseMcp(transport: McpTransport, tags?: Tags): Promise<readonly string[]> {
    const { logger } = this.#options
    this.#servers ??= this.#connections()
    const opened = await (await this.#servers).open(transport)
    const imported = importTools(opened.tools, list(tags), logger)
    for (const { tool, funcSync, ...registration } of imported) {
      this.gateway.register(tool)
      this.#imported.set(registration.name, funcSync)
      this.#remember(registration)
    }
    const failure = connectFailure(opened)
    if (failure) throw failure
    return imported.map(({ name }) => name)
  }

  /** A clock of one's own cannot be shared between threads. */
  #connections(): Promise<McpServers> {
    const { clock, logger, timeoutMs, mcp = clock ? 'here' : 'thread' } = this.#options
    const options = { clock, logger, timeoutMs }
    return mcp === 'here'
      ? import('./mcp-servers.js').then(({ createMcpServers }) => createMcpServers(options))
      : import('./mcp-thread.js').then(({ createThreadedMcpServers }) => createThreadedMcpServers(options))
  }

  /** Ends the connections too. */
  async close(): Promise<void> {
    await this.gateway.close()
    await (await this.#servers)?.close()
  }

  // The names document 003 uses. They keep their manager when taken off it, as its decorators are.
  tool_func = this.toolFunc.bind(this)
  get_tool_info = this.getToolInfo.bind(this)
  get_tool_list = this.getToolList.bind(this)
  get_tool_func = this.getToolFunc.bind(this)
  call_tool = this.callTool.bind(this)
  async_call_tool = this.asyncCallTool.bind(this)
  use_mcp = this.useMcp.bind(this)
  async_use_mcp = this.asyncUseMcp.bind(this)
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
