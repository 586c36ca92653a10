import { isAbsolute, resolve as resolvePath } from 'node:path'
import { pathToFileURL } from 'node:url'
import { GatewayError, isGatewayError, messageOf } from '../../errors.js'
import type { JsonObject } from '../../model/json.js'
import { isRecord } from '../../model/json.js'
import { type Answer, resultAnswer, type ToolResult, valueAnswer } from '../../model/result.js'
import { readTools } from '../read-tools.js'
import type { Source, SourceCall, SourceUpdate, ToolProblem } from '../source.js'

/** What an embedded module's factory returns (document 001). Only the two in the middle are needed. */
export interface EmbeddedService {
  initialize?(): unknown
  listTools(): unknown
  callTool(name: string, args: JsonObject, context: { readonly signal: AbortSignal }): unknown
  close?(): unknown
  /** Called once with a function that makes us read the list again. */
  onToolsChanged?(changed: () => void): void
}

export interface EmbeddedOptions {
  /** A module's path or package name, or the module itself. */
  readonly module: string | object
  /** Handed to the factory as it is. */
  readonly config?: JsonObject | undefined
  /** Where a relative path starts. Default: the working directory. */
  readonly baseDir?: string | undefined
}

// In this order, as 001's product looks for them.
const factoryNames = ['default', 'create', 'createService', 'factory'] as const

/** A module in our own process that lists and runs tools itself. */
export const createEmbeddedSource = (options: EmbeddedOptions): Source => {
  let service: EmbeddedService | undefined
  let closing: Promise<void> | undefined

  const report = async (onTools: (update: SourceUpdate) => readonly ToolProblem[], from: EmbeddedService) =>
    void onTools(await readList(from, options))

  return {
    kind: 'embedded',
    watch: async (onTools, signal) => {
      const started = (service ??= await start(options))
      await report(onTools, started)
      started.onToolsChanged?.(() => {
        // A list that cannot be read now leaves the last good one in place.
        if (!signal.aborted) report(onTools, started).catch(() => {})
      })
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    },
    call: (name, args, context) => {
      if (!service) throw notStarted(options)
      return toAnswer(service.callTool(name, args, lazySignal(context)))
    },
    [Symbol.asyncDispose]: () => {
      const open = service
      service = undefined
      return (closing ??= (async () => void (await open?.close?.()))())
    },
  }
}

const start = async (options: EmbeddedOptions): Promise<EmbeddedService> => {
  try {
    const service = await construct(await load(options), options)
    await service.initialize?.()
    return service
  } catch (cause) {
    if (isGatewayError(cause)) throw cause
    throw new GatewayError(
      'SOURCE_START_FAILED',
      `The embedded module ${shown(options)} did not start: ${messageOf(cause)}`,
      {
        cause,
      },
    )
  }
}

const load = async ({ module, baseDir }: EmbeddedOptions): Promise<object> => {
  if (typeof module !== 'string') return module
  const isPath = module.startsWith('.') || isAbsolute(module)
  return import(isPath ? pathToFileURL(resolvePath(baseDir ?? '.', module)).href : module)
}

const construct = async (loaded: object, options: EmbeddedOptions): Promise<EmbeddedService> => {
  const exports = loaded as Record<string, unknown>
  const factory = factoryNames.map((name) => exports[name]).find((each) => typeof each === 'function')
  const made: unknown = factory
    ? await (factory as (config: JsonObject) => unknown)(options.config ?? {})
    : (exports.default ?? loaded)
  if (isService(made)) return made
  throw new GatewayError(
    'SOURCE_INVALID',
    `The embedded module ${shown(options)} must export a factory (${factoryNames.join(', ')}) that returns { listTools, callTool }.`,
  )
}

const isService = (value: unknown): value is EmbeddedService =>
  typeof value === 'object' &&
  value !== null &&
  ['listTools', 'callTool'].every((name) => typeof (value as Record<string, unknown>)[name] === 'function')

const readList = async (service: EmbeddedService, options: EmbeddedOptions) => {
  const listed: unknown = await service.listTools()
  const tools = isRecord(listed) ? listed.tools : listed
  if (!Array.isArray(tools))
    throw new GatewayError(
      'SOURCE_INVALID',
      `listTools of the embedded module ${shown(options)} must return a list of tools.`,
    )
  return readTools(tools, shown(options))
}

const toAnswer = (value: unknown): Answer | Promise<Answer> =>
  value instanceof Promise ? value.then(settledAnswer) : settledAnswer(value)

const settledAnswer = (value: unknown): Answer =>
  isRecord(value) && Array.isArray(value.content) ? resultAnswer(value as ToolResult) : valueAnswer(value)

const lazySignal = (context: SourceCall) => ({
  get signal() {
    return context.signal
  },
})

const shown = ({ module }: EmbeddedOptions): string =>
  typeof module === 'string' ? `'${module}'` : 'given as an object'

const notStarted = (options: EmbeddedOptions): GatewayError =>
  new GatewayError('SOURCE_UNAVAILABLE', `The embedded module ${shown(options)} is not running.`, { notSent: true })
