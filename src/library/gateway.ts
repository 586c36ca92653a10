import { GatewayError, messageOf } from '../errors.js'
import { type Gateway as Core, type GatewayOptions as CoreOptions, createGateway as createCore } from '../gateway.js'
import type { Call } from '../model/call.js'
import { localCaller } from '../model/caller.js'
import { systemClock } from '../model/clock.js'
import type { MessageFormat } from '../providers/messages.js'
import type { FunctionTool } from '../sources/functions/define-tool.js'
import type { ToolsByName, ToolTypes } from '../sources/functions/tool-types.js'
import type { SourceInfo } from '../sources/source-info.js'
import { silentLogger } from '../telemetry/logger.js'
import type { ServerEntry } from './server-entry.js'
import type { Servers } from './servers.js'

export interface GatewayOptions<Tools extends readonly FunctionTool[] = readonly FunctionTool[]>
  extends Omit<CoreOptions, 'tools'> {
  /** Functions to start with; more by `register`. Their names, arguments and results are known to the compiler. */
  readonly tools?: Tools | undefined
  /**
   * Servers to start with, by name, as in the configuration of a client; also OpenAPI documents, catalogs and modules. They
   * start at once, `ready` waits for them.
   */
  readonly mcpServers?: Readonly<Record<string, ServerEntry>> | undefined
}

/** One board of tools as a program holds it: what exists, who may use it, and how a call happens. */
export interface Gateway extends Core {
  /**
   * Mounts an MCP server, an OpenAPI document, a catalog or a module by describing it, and waits until it has listed its
   * tools. Without a name it is named after its program or host. Rejects, and mounts nothing, where it cannot be used.
   */
  addServer(entry: ServerEntry): Promise<SourceInfo>
  addServer(name: string, entry: ServerEntry): Promise<SourceInfo>
  /**
   * Runs the tool calls of a model's message, given as the provider gave it, and says what to append to the conversation, in
   * its words. A call that fails is answered so that the model can correct it; a message without calls has no answers.
   */
  answer(message: unknown, options?: AnswerOptions): Promise<MessageAnswer>
  /**
   * Told of every call that a rule asks about, and of what becomes of the request; answer by `approvals.answer`. While nobody
   * listens, such calls are refused as APPROVAL_DENIED: nobody could say yes.
   */
  onApproval: Core['approvals']['onEvent']
  /**
   * Resolves when earlier counts and definitions are loaded from the store and all of `mcpServers` have listed their tools;
   * rejects, naming them, where some did not. Those are tried again all the same, and the others can be used.
   */
  readonly ready: Promise<void>
}

/** How a tool is run: everything but the tool and its arguments. */
export type CallOptions = Partial<Omit<Call, 'tool' | 'args'>>

export interface AnswerOptions extends CallOptions {
  /** Whose message it is. Default: read from its form. */
  readonly format?: MessageFormat | undefined
}

export interface MessageAnswer {
  readonly format: MessageFormat
  /** How many calls the message had. None: the model is done. */
  readonly calls: number
  /** What to append to the conversation, after the message itself. */
  readonly messages: readonly any[]
}

type RunRest<Args> =
  Partial<Args> extends Args ? [args?: Args, options?: CallOptions] : [args: Args, options?: CallOptions]

/** A gateway whose first tools the compiler knows. */
export interface TypedGateway<Tools extends Readonly<Record<string, ToolTypes>>> extends Gateway {
  /** The short way: the tool's value, or a thrown GatewayError. */
  run<Name extends string>(
    tool: Name | (keyof Tools & string),
    ...rest: Name extends keyof Tools ? RunRest<Tools[Name]['args']> : [args?: unknown, options?: CallOptions]
  ): Promise<Name extends keyof Tools ? Tools[Name]['result'] : unknown>
}

/** Makes a gateway. Nothing is loaded, connected or listened to before it is asked for. */
export const createGateway = <const Tools extends readonly FunctionTool[] = readonly []>(
  options: GatewayOptions<Tools> = {},
): TypedGateway<ToolsByName<Tools>> => {
  const { mcpServers, ...settings } = options
  const { clock = systemClock, logger = silentLogger, separator } = settings
  const core = createCore(settings)
  let servers: Promise<Servers> | undefined
  let isClosed = false
  // Loaded with the first server: a program of functions has none.
  const open = (): Promise<Servers> =>
    (servers ??= import('./servers.js').then(async ({ Servers: Opened }) => {
      const opened = new Opened(core, { clock, logger, separator })
      if (isClosed) await opened.closeAfter(async () => {})
      return opened
    }))
  const started = mcpServers ? open().then((opened) => opened.addAll(mcpServers)) : Promise.resolve()
  const ready = Promise.all([core.ready, started]).then(() => {})
  // Whoever awaits it hears of it; a program that does not must not end by it.
  ready.catch((error) => logger.log('error', messageOf(error)))
  const close = async (): Promise<void> => {
    isClosed = true
    await (servers ? (await servers).closeAfter(core.close) : core.close())
  }
  const gateway: Gateway = {
    ...core,
    addServer: async (first: string | ServerEntry, second?: ServerEntry) => {
      const opened = await open()
      return typeof first === 'string' ? opened.add(first, second) : opened.add(undefined, first)
    },
    answer: (message, more) => answer(core, message, more),
    onApproval: (listener) => core.approvals.onEvent(listener),
    ready,
    close,
    [Symbol.asyncDispose]: close,
  }
  return gateway as TypedGateway<ToolsByName<Tools>>
}

const answer = async (
  gateway: Core,
  message: unknown,
  { format, ...more }: AnswerOptions = {},
): Promise<MessageAnswer> => {
  // Loaded with the first message: many programs have other ways to their models.
  const { answerMessage, messageFormats, readMessage } = await import('../providers/messages.js')
  if (format !== undefined && !messageFormats.includes(format)) throw noSuchFormat(format, messageFormats)
  const read = readMessage(message, format)
  if (!read) throw notTheirs(format)
  const { caller = localCaller, signal } = more
  const messages = await answerMessage(read, {
    gateway,
    caller,
    signal,
    toCall: (tool, args) => ({ ...more, caller, tool, args }),
  })
  return { format: read.format, calls: read.calls.length, messages }
}

const noSuchFormat = (format: string, known: readonly string[]): GatewayError =>
  new GatewayError(
    'ARGUMENTS_INVALID',
    `There is no format '${format.slice(0, 40)}'. Choose one of ${known.join(', ')}.`,
  )

const notTheirs = (format: string | undefined): GatewayError =>
  new GatewayError(
    'ARGUMENTS_INVALID',
    `This is no message ${format === undefined ? 'of a provider that is known here' : `in the format '${format}'`}. Hand over the message with the tool calls as the provider gave it.`,
  )
