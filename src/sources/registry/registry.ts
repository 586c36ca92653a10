import { GatewayError, isGatewayError } from '../../errors.js'
import { toToolResult } from '../../model/answer.js'
import type { Caller } from '../../model/caller.js'
import type { JsonObject } from '../../model/json.js'
import { type Answer, resultAnswer } from '../../model/result.js'
import type { Tool } from '../../model/tool.js'
import { namespaceIn } from '../../model/tool-id.js'
import type { Source, SourceCall } from '../source.js'
import { found, foundMany, json, refused } from './answers.js'
import type { CallerNames, RegistryBoard } from './board.js'
import { type ListScope, listByCategory } from './category-list.js'
import { declarationOf } from './declare.js'
import { type RegistryToolName, registryDefinitions } from './definitions.js'
import { registerTool, unregisterTool } from './register.js'
import type { RegisteredSource } from './registered.js'
import { type SearchScope, searchMany, searchTools } from './search-tools.js'
import { createRegistrySurface } from './surface.js'
import { definitionOf, definitionWithin } from './tool-definition.js'
import { checkCursor, checkName, noSuchTool, WrongRequest } from './wrong-request.js'

export interface RegistrySourceOptions {
  readonly board: RegistryBoard
  readonly registered: RegisteredSource
  readonly names: CallerNames
  /** Bytes of a reply, text and structure together. Default 6,000: about 1,500 tokens. */
  readonly budgetBytes?: (() => number) | undefined
  /** Whether this caller writes scripts: then searches declare tools as scripts call them. Default: no. */
  readonly declares?: ((caller: Caller) => boolean) | undefined
  /** What tools were seen to answer, as a type; undefined where nothing is known. */
  readonly answersOf?: ((tool: Tool) => string | undefined) | undefined
  /** The namespace of a source, mounted or not, that a name lies in. Default: those that are mounted, before a dot. */
  readonly namespaceOf?: ((name: string) => string | undefined) | undefined
}

/** The name of the source; its tools are shown by their bare names. */
export const registrySourceName = 'registry'

const standardBudget = 6000

const stillComing =
  'Definitions of earlier runs are still being read, those that are used often first; search again for more.'

type Handler = (args: JsonObject, context: SourceCall) => Promise<Answer> | Answer

/** The board's own tools: how a model finds, reads and calls the others. They go the same path as every call. */
export const createRegistrySource = (options: RegistrySourceOptions): Source => {
  const { board, names, registered, budgetBytes = () => standardBudget } = options
  const namespaceOf =
    options.namespaceOf ?? ((name) => namespaceIn(name, new Set(board.sources().map(({ namespace }) => namespace))))
  const nameFor = (caller: Caller) => (tool: Tool) =>
    // Nobody calls a mere definition, so nothing forbids its own name (D6).
    tool.definitionOnly ? tool.name : names.nameOf(tool, caller)
  const scopeFor = (caller: Caller): ListScope => ({
    board,
    caller,
    nameOf: nameFor(caller),
    budgetBytes: budgetBytes(),
  })
  const searchScope = ({ call: { caller } }: SourceCall): SearchScope => ({
    ...scopeFor(caller),
    notice: registered.isWhole ? undefined : stillComing,
    declare: options.declares?.(caller) ? declare : undefined,
  })
  const declare = (tool: Tool): string => declarationOf(tool, options.answersOf?.(tool))
  const registerScope = ({ call: { caller } }: SourceCall) => ({ board, registered, caller, namespaceOf })
  const lookUp = (name: string, caller: Caller) => board.find(name, caller) ?? names.toolNamed(name, caller)
  const find = async (args: JsonObject, { caller }: SourceCall['call']): Promise<Tool> => {
    const name = checkName(args.tool_name)
    const look = () => lookUp(name, caller)
    // Nothing is absent before everything from earlier runs is here, and what others registered a moment ago.
    const tool =
      look() ??
      (registered.isWhole ? undefined : await registered.whole.then(look)) ??
      (await board.catalog.lookAround()?.then(look))
    // Hidden and absent answer alike.
    if (!tool || tool.own || !board.find(tool.id, caller)) throw noSuchTool(name)
    return tool
  }
  const mayRegister = ({ call: { caller } }: SourceCall): void => {
    if (!caller.rights.includes('register'))
      throw new WrongRequest("Insufficient permissions: the right 'register' is required")
  }

  const search = async (args: JsonObject, context: SourceCall, onlyHot: boolean): Promise<Answer> =>
    args.queries === undefined
      ? found(await searchTools(args, searchScope(context), onlyHot), budgetBytes())
      : foundMany(await searchMany(args, searchScope(context), onlyHot), budgetBytes())

  const handlers: Readonly<Record<RegistryToolName, Handler>> = {
    search_tools: (args, context) => search(args, context, false),
    search_hot_tools: (args, context) => search(args, context, true),
    get_tool_definition: async (args, { call }) => {
      const tool = await find(args, call)
      if (args.format === 'typescript')
        return json({ name: nameFor(call.caller)(tool), declaration: declare(tool) }, budgetBytes())
      const cursor = args.cursor === undefined ? undefined : checkCursor(args.cursor)
      const whole = definitionOf(board, tool, nameFor(call.caller)(tool))
      return json(definitionWithin(whole, cursor, budgetBytes()), budgetBytes())
    },
    list_tools_by_category: async (args, { call }) => {
      await registered.whole
      return json(listByCategory(args, scopeFor(call.caller)), budgetBytes())
    },
    register_tool: async (args, context) => {
      mayRegister(context)
      return json(await registerTool(args, registerScope(context)), budgetBytes())
    },
    unregister_tool: async (args, context) => {
      mayRegister(context)
      return json(await unregisterTool(args, registerScope(context)), budgetBytes())
    },
    // Only for what `carried` did not know: a name that is nobody's, or one that is still being read.
    call_tool: async (args, context) => {
      const { call } = context
      const tool = await find(args, call)
      const outcome = await board.call({
        ...call,
        tool: tool.id,
        args: args.arguments ?? {},
        signal: context.cancel,
        parent: context.link,
        // Whoever called this one was counted for it.
        run: undefined,
        onProgress: (progress) => context.reportProgress(progress),
      })
      if (!outcome.ok) throw outcome.error
      return resultAnswer(toToolResult(outcome.answer))
    },
  }

  return {
    kind: 'registry',
    ...createRegistrySurface(scopeFor),
    watch: async (onTools, signal) => {
      onTools({
        type: 'all',
        tools: Object.values(registryDefinitions).map((definition) => ({ definition, own: true })),
      })
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    },
    carried: (name, args, caller) => {
      if (name !== 'call_tool' || typeof args.tool_name !== 'string') return undefined
      const tool = lookUp(args.tool_name, caller)
      return tool && !tool.own ? { tool, args: args.arguments ?? {} } : undefined
    },
    call: async (name, args, context) => {
      const handler = Object.hasOwn(handlers, name) ? handlers[name as RegistryToolName] : undefined
      if (!handler) throw new GatewayError('TOOL_NOT_FOUND', `Tool not found: ${name}.`, { notSent: true })
      try {
        return await handler(args, context)
      } catch (error) {
        if (error instanceof WrongRequest) return refused(name, error.message)
        // The wrong request to a found tool is that tool's own error, in its own words.
        if (isGatewayError(error) && (error.code === 'TOOL_INVALID' || error.code === 'SCHEMA_INVALID'))
          return refused(name, error.message)
        throw error
      }
    },
    [Symbol.asyncDispose]: async () => {},
  }
}
