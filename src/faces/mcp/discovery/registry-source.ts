import { advertisedName, type Naming } from '../../../catalog/names.js'
import { GatewayError, isGatewayError } from '../../../errors.js'
import type { Gateway } from '../../../gateway.js'
import { toToolResult } from '../../../model/answer.js'
import type { Caller } from '../../../model/caller.js'
import type { JsonObject, JsonValue } from '../../../model/json.js'
import { type Answer, resultAnswer, type ToolResult } from '../../../model/result.js'
import type { Tool } from '../../../model/tool.js'
import type { Source, SourceCall } from '../../../sources/source.js'
import { type RegistryToolName, registryDefinitions } from './definitions.js'
import { checkName, noSuchTool, Refusal } from './refusal.js'
import type { RegisteredSource } from './registered.js'
import { definitionOf, listByCategory, registerTool, unregisterTool } from './registry.js'
import { createRegistrySurface } from './registry-surface.js'
import { type Found, searchTools } from './search-tools.js'

export interface RegistrySourceOptions {
  readonly gateway: Gateway
  readonly registered: RegisteredSource
  /** How this caller's client names tools. */
  readonly namingOf: (caller: Caller) => Naming
  /** Bytes of a search's reply. Default 6,000: about 1,500 tokens. */
  readonly budgetBytes?: number
}

/** The name of the source; its tools are shown by their bare names. */
export const registrySourceName = 'registry'

type Handler = (args: JsonObject, context: SourceCall) => Promise<Answer> | Answer

/** The board's own tools: how a model finds, reads and calls the others. They go the same path as every call. */
export const createRegistrySource = (options: RegistrySourceOptions): Source => {
  const { gateway, registered, budgetBytes = 6000 } = options
  const nameFor = (caller: Caller) => {
    const naming = options.namingOf(caller)
    return (tool: Tool) => advertisedName(tool, naming)
  }
  const scopeOf = ({ call: { caller } }: SourceCall) => ({ gateway, caller, nameOf: nameFor(caller), budgetBytes })
  const find = (args: JsonObject, { caller }: SourceCall['call']): Tool => {
    const name = checkName(args.tool_name)
    const tool = gateway.find(name, caller) ?? gateway.catalog.names(options.namingOf(caller)).find(name)
    // Hidden and absent answer alike.
    if (!tool || tool.own || !gateway.find(tool.id, caller)) throw noSuchTool(name)
    return tool
  }
  const mayRegister = ({ call: { caller } }: SourceCall): void => {
    if (!caller.rights.includes('register'))
      throw new Refusal("Insufficient permissions: the right 'register' is required")
  }

  const handlers: Readonly<Record<RegistryToolName, Handler>> = {
    search_tools: async (args, context) => found(await searchTools(args, scopeOf(context))),
    search_hot_tools: async (args, context) => found(await searchTools(args, scopeOf(context), true)),
    get_tool_definition: (args, { call }) => {
      const tool = find(args, call)
      return json(definitionOf(gateway, tool, nameFor(call.caller)(tool)))
    },
    list_tools_by_category: (args, { call }) => json(listByCategory(args, gateway, call.caller, nameFor(call.caller))),
    register_tool: (args, context) => {
      mayRegister(context)
      return json(registerTool(args, registered, gateway))
    },
    unregister_tool: (args, context) => {
      mayRegister(context)
      return json(unregisterTool(args, registered))
    },
    call_tool: async (args, context) => {
      const { call } = context
      const tool = find(args, call)
      const outcome = await gateway.call({
        ...call,
        tool: tool.id,
        args: args.arguments ?? {},
        signal: context.signal,
        parent: context.link,
        onProgress: (progress) => context.reportProgress(progress),
      })
      if (!outcome.ok) throw outcome.error
      return resultAnswer(toToolResult(outcome.answer))
    },
  }

  return {
    kind: 'registry',
    surface: createRegistrySurface(gateway, nameFor),
    watch: async (onTools, signal) => {
      onTools({
        type: 'all',
        tools: Object.values(registryDefinitions).map((definition) => ({ definition, own: true })),
      })
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    },
    call: async (name, args, context) => {
      const handler = Object.hasOwn(handlers, name) ? handlers[name as RegistryToolName] : undefined
      if (!handler) throw new GatewayError('TOOL_NOT_FOUND', `Tool not found: ${name}.`, { notSent: true })
      try {
        return await handler(args, context)
      } catch (error) {
        if (error instanceof Refusal) return refused(name, error.message)
        // The wrong request to a found tool is that tool's own error, in its own words.
        if (isGatewayError(error) && (error.code === 'TOOL_INVALID' || error.code === 'SCHEMA_INVALID'))
          return refused(name, error.message)
        throw error
      }
    },
    [Symbol.asyncDispose]: async () => {},
  }
}

/** Two-space JSON as document 002 writes it, and the same for programs. */
const json = (value: JsonObject): Answer =>
  resultAnswer({ content: [{ type: 'text', text: JSON.stringify(value, null, 2) }], structuredContent: value })

const found = ({ results, method, notice }: Found): Answer => {
  const result: ToolResult = {
    content: [
      { type: 'text', text: JSON.stringify(results, null, 2) },
      ...(notice === undefined ? [] : [{ type: 'text', text: notice }]),
    ],
    structuredContent: {
      results: results as unknown as JsonValue,
      method,
      ...(notice === undefined ? {} : { notice }),
    },
  }
  return resultAnswer(result)
}

const refused = (tool: string, message: string): Answer =>
  resultAnswer({ content: [{ type: 'text', text: `Error calling tool '${tool}': ${message}` }], isError: true })
