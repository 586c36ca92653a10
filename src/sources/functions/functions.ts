import { GatewayError, messageOf } from '../../errors.js'
import type { Call, Progress } from '../../model/call.js'
import type { JsonObject } from '../../model/json.js'
import { type Answer, valueAnswer } from '../../model/result.js'
import type { ToolSpec } from '../../model/tool.js'
import type { Source, SourceCall, SourceUpdate, ToolProblem } from '../source.js'
import type { FunctionTool, ToolContext, ToolHandler } from './define-tool.js'
import { issuePath, type StandardIssue, type StandardResult, type StandardSchema } from './standard-schema.js'

export type OnConflict = 'replace' | 'error'

/** Functions of our own process as tools. */
export interface FunctionsSource extends Source {
  /** Adds a tool. An equal name replaces, or fails with TOOL_CONFLICT, as asked. */
  register(tool: FunctionTool, options?: { readonly onConflict?: OnConflict | undefined }): void
  /** True if there was such a tool. */
  unregister(name: string): boolean
  get(name: string): FunctionTool | undefined
}

export interface FunctionsOptions {
  /** Carries the calls that tools make themselves. */
  readonly callTool?: ((call: Call) => Promise<unknown>) | undefined
}

type Listener = (update: SourceUpdate) => readonly ToolProblem[]

export const createFunctionsSource = ({ callTool }: FunctionsOptions = {}): FunctionsSource => {
  const tools = new Map<string, FunctionTool>()
  const listeners = new Set<Listener>()

  const report = (update: SourceUpdate): readonly ToolProblem[] =>
    [...listeners].flatMap((listener) => listener(update))

  const register: FunctionsSource['register'] = (tool, { onConflict = 'replace' } = {}) => {
    const { name } = tool.definition
    const before = tools.get(name)
    if (before && onConflict === 'error') throw conflict(name)
    tools.set(name, tool)
    const [problem] = report({ type: 'change', changed: [toSpec(tool)], removed: [] })
    if (!problem) return
    // Refused by whoever listens: what was there before stays.
    if (before) tools.set(name, before)
    else tools.delete(name)
    throw problem.error
  }

  return {
    kind: 'functions',
    register,
    unregister: (name) => {
      if (!tools.delete(name)) return false
      report({ type: 'change', changed: [], removed: [name] })
      return true
    },
    get: (name) => tools.get(name),
    watch: (onTools, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve()
        onTools({ type: 'all', tools: [...tools.values()].map(toSpec) })
        listeners.add(onTools)
        signal.addEventListener('abort', () => resolve(void listeners.delete(onTools)), { once: true })
      }),
    call: (name, args, context) => {
      const tool = tools.get(name)
      if (!tool) throw new GatewayError('TOOL_NOT_FOUND', `Tool not found: ${name}.`, { notSent: true })
      return run(tool, args, context, callTool)
    },
    [Symbol.asyncDispose]: async () => void listeners.clear(),
  }
}

const toSpec = ({ handler, handlerSync, parser, ...spec }: FunctionTool): ToolSpec => spec

const run = (tool: FunctionTool, args: JsonObject, call: SourceCall, callTool: FunctionsOptions['callTool']) => {
  const handler = call.sync ? (tool.handlerSync ?? tool.handler) : tool.handler
  const invoke = (parsed: unknown) => answered(handler, parsed, new FunctionContext(call, callTool))
  if (!tool.parser) return invoke(args)
  const parsed = parse(tool.parser, args, tool.definition.name)
  return parsed instanceof Promise ? parsed.then(invoke) : invoke(parsed)
}

const answered = (handler: ToolHandler, args: unknown, context: ToolContext): Answer | Promise<Answer> => {
  const value = handler(args as never, context)
  return isThenable(value) ? Promise.resolve(value).then(valueAnswer) : valueAnswer(value)
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function'

const parse = (parser: StandardSchema, args: unknown, tool: string): unknown => {
  const result = parser['~standard'].validate(args)
  return result instanceof Promise ? result.then((settled) => accepted(settled, tool)) : accepted(result, tool)
}

const accepted = (result: StandardResult<unknown>, tool: string): unknown => {
  if (!result.issues) return result.value
  const problems = result.issues.map(toProblem)
  const words = problems.map(({ path, message }) => (path ? `'${path}': ${message}` : message)).join('; ')
  throw new GatewayError('ARGUMENTS_INVALID', `Invalid arguments for '${tool}': ${words}.`, {
    details: { tool, problems },
    notSent: true,
  })
}

const toProblem = (issue: StandardIssue) => ({
  path: issuePath(issue),
  keyword: 'schema',
  message: messageOf(issue.message),
})

/** A class, so that a call makes one small object and no closures. */
class FunctionContext implements ToolContext {
  readonly #source: SourceCall
  readonly #callTool: FunctionsOptions['callTool']

  constructor(source: SourceCall, callTool: FunctionsOptions['callTool']) {
    this.#source = source
    this.#callTool = callTool
  }

  get signal(): AbortSignal {
    return this.#source.signal
  }

  // Arrow functions in fields would cost a closure each per call; handlers that take them apart bind them.
  reportProgress(progress: Progress): void {
    this.#source.reportProgress(progress)
  }

  async callTool(tool: string, args?: unknown): Promise<unknown> {
    const callTool = this.#callTool
    if (!callTool)
      throw new GatewayError(
        'TOOL_NOT_CALLABLE',
        'These functions are not mounted in a gateway: they cannot call other tools.',
      )
    const { call, signal, link } = this.#source
    return callTool({ tool, args, caller: call.caller, session: call.session, signal, parent: link })
  }
}

const conflict = (name: string): GatewayError =>
  new GatewayError('TOOL_CONFLICT', `A tool named '${name}' is already registered; unregister it or allow replacing.`, {
    details: { tool: name },
  })
