import { hash } from 'node:crypto'
import { GatewayError, isGatewayError } from '../../../errors.js'
import type { Verdict } from '../../../mcp/client/handshake.js'
import type { Call, WhoAsks } from '../../../model/call.js'
import { until } from '../../../model/cancel.js'
import type { JsonObject } from '../../../model/json.js'
import type { Answer } from '../../../model/result.js'
import type { ToolSpec } from '../../../model/tool.js'
import type { McpSource } from '../../mcp-source.js'
import type { McpSourceOptions } from '../../mcp-source-options.js'
import { notRunning } from '../../mcp-state.js'
import { remoteOnly } from '../../remote-only.js'
import type { SourceCall, SourceRequest, SourceUpdate, ToolProblem } from '../../source.js'
import { asleepStatus, downStates, type SourceStatus } from '../../status.js'
import { IsolatedSurface } from './isolated-surface.js'
import type { IsolatedBy } from './isolation.js'
import type { OwnProcess } from './process.js'
import { Processes } from './processes.js'

export interface IsolatedOptions extends IsolatedBy {
  /** What its processes have in common; each is made with some of it changed. */
  readonly common: McpSourceOptions
  /** One more process, shared with nobody. */
  readonly make: (options: McpSourceOptions) => McpSource
  /** Ends what this source alone was made with. */
  readonly dispose?: (() => Promise<void>) | undefined
}

/** What `isolate` of a stdio source is. */
export type Isolate = (kind: string, options: IsolatedOptions) => McpSource

export const createIsolatedSource: Isolate = (kind, options) => new IsolatedSource(kind, options)

type Report = (update: SourceUpdate) => readonly ToolProblem[]

/**
 * An MCP server that runs once for each caller, or for each client session, so that what it remembers is one's own (N9). Its
 * tools are those that a process shows which nobody has used; calls to any of them are checked by these.
 */
class IsolatedSource implements McpSource {
  readonly kind: string
  readonly isolation: 'caller' | 'session'
  readonly surface: IsolatedSurface
  readonly #options: IsolatedOptions
  readonly #processes: Processes
  readonly #listeners = new Set<(status: SourceStatus) => void>()
  #report: Report | undefined
  #listed: string | undefined
  #verdict: Verdict | undefined
  /** How it stands without a process. */
  #rest: SourceStatus = { state: 'stopped', reason: undefined, nextRetryAt: undefined }
  #told: SourceStatus = this.#rest
  #isHalted = false
  #isDisposed = false

  constructor(kind: string, options: IsolatedOptions) {
    this.kind = kind
    this.isolation = options.isolation
    this.#options = options
    this.#verdict = options.common.verdict
    const { name, clock, knownOffer } = options.common
    this.#processes = new Processes({
      ...options,
      name,
      clock,
      make: (isFirst) => this.#make(isFirst),
      onTools: (process, update) => this.#tell(process, update),
      onMade: (process) => this.surface.hear(process),
      onChange: () => this.#show(),
    })
    this.surface = new IsolatedSurface({
      known: knownOffer,
      take: (asker) => this.#taken(asker),
      of: (asker) => this.#processes.of(asker),
      isOf: (process, asker) => this.#processes.isOf(process, asker),
    })
  }

  get status(): SourceStatus {
    const { size, most } = this.#processes
    return { ...this.#best, processes: { running: size, most, by: this.isolation } }
  }

  onStatus(listener: (status: SourceStatus) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  async watch(onTools: Report, signal: AbortSignal): Promise<void> {
    this.#report = onTools
    this.#processes.prepare()
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    this.#report = undefined
  }

  async start(): Promise<void> {
    if (this.#isDisposed) throw this.#unavailable()
    this.#isHalted = false
    const down = [...this.#processes.owned].filter(({ source }) => downStates.has(source.status.state))
    for (const { source } of down) void source.start().catch(() => {})
    if (this.#processes.size === 0) this.#processes.prepare()
    await this.#processes.fresh?.source.start()
  }

  async stop(): Promise<void> {
    this.#isHalted = true
    await this.#endAll({ state: 'stopped', reason: 'Stopped by request.', nextRetryAt: undefined })
    // Not down but taken away: somebody wanted it gone.
    this.#report?.({ type: 'all', tools: [] })
    this.#listed = undefined
    this.surface.withdraw()
  }

  async restart(): Promise<void> {
    await this.#endAll(asleepStatus)
    await this.start()
  }

  async check(): Promise<boolean> {
    const { fresh, owned } = this.#processes
    const ready = fresh ?? [...owned].find(({ source }) => source.status.state === 'ready')
    return ready ? ready.source.check() : false
  }

  call(name: string, args: JsonObject, context: SourceCall): Promise<Answer> {
    if (context.sync) throw remoteOnly(name)
    return this.#ask((source) => source.call(name, args, context) as Promise<Answer>, context)
  }

  ask(request: SourceRequest, context: SourceCall): Promise<JsonObject> {
    return this.#ask((source) => source.ask!(request, context), context)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isDisposed) return
    this.#isDisposed = true
    await this.#endAll({ state: 'stopped', reason: 'Removed.', nextRetryAt: undefined })
    await this.#options.dispose?.()
  }

  async #ask<T>(run: (source: McpSource) => Promise<T>, { call, cancel }: SourceCall): Promise<T> {
    const asker = askerOf(call)
    for (;;) {
      const found = this.#taken(asker)
      if (found instanceof Promise) await until(found, cancel)
      else if (found instanceof GatewayError) throw found
      else return this.#use(found, run)
    }
  }

  async #use<T>(process: OwnProcess, run: (source: McpSource) => Promise<T>): Promise<T> {
    const leave = process.use()
    try {
      return await run(process.source)
    } catch (error) {
      throw process.owner === undefined ? error : asItsOwn(error)
    } finally {
      leave()
    }
  }

  #taken(asker: WhoAsks): OwnProcess | Promise<void> | GatewayError {
    return this.#isHalted || this.#isDisposed ? this.#unavailable() : this.#processes.take(asker)
  }

  #make(isFirst: boolean): McpSource {
    const { common, make } = this.#options
    return make({
      ...common,
      verdict: this.#verdict,
      onVerdict: (verdict) => {
        this.#verdict = verdict
        common.onVerdict?.(verdict)
      },
      // One that follows is started because somebody comes; what it offers is listed as before until it has said so itself.
      knownTools: isFirst ? common.knownTools : undefined,
      knownOffer: this.surface.offer,
      startOnDemand: isFirst ? common.startOnDemand : false,
      idleStopMs: undefined,
      // The end of one is not the end of the source.
      loop: common.loop && { ...common.loop, leave: () => {} },
    })
  }

  /** What a process shows before anybody has used it is what the source has; later, what it shows is its user's alone. */
  #tell(process: OwnProcess, update: SourceUpdate): readonly ToolProblem[] {
    if (update.type !== 'all') return []
    const isFirst = this.#listed === undefined
    // One that did not start lists nothing, which says nothing of the others.
    if (!isFirst && downStates.has(process.source.status.state)) return []
    if (process.owner !== undefined && process.hasListed) return []
    process.hasListed = true
    const listed = signatureOf(update.tools)
    if (listed === this.#listed) return []
    if (!isFirst) this.#noteChange()
    this.#listed = listed
    return this.#report?.(update) ?? []
  }

  #noteChange(): void {
    const { name, logger } = this.#options.common
    logger.log('info', `A new process of '${name}' shows other tools than those before it`, { source: name })
  }

  get #best(): SourceStatus {
    const { fresh, owned } = this.#processes
    if (fresh) return fresh.source.status
    const each = [...owned].map(({ source }) => source.status)
    return each.find(({ state }) => state === 'ready') ?? each[0] ?? this.#rest
  }

  #show(): void {
    const { fresh } = this.#processes
    this.surface.show(fresh?.source.surface)
    if (!fresh && this.#processes.size === 0 && !this.#isHalted && !this.#isDisposed) this.#rest = asleepStatus
    const { state, reason, nextRetryAt } = this.#best
    const isNews = state !== this.#told.state || reason !== this.#told.reason || nextRetryAt !== this.#told.nextRetryAt
    this.#told = { state, reason, nextRetryAt }
    if (isNews) for (const listener of [...this.#listeners]) listener(this.status)
  }

  async #endAll(rest: SourceStatus): Promise<void> {
    this.#rest = rest
    await this.#processes.endAll()
    this.#options.common.loop?.leave(this.#options.common.name)
    this.#show()
  }

  #unavailable(): GatewayError {
    const { name, clock } = this.#options.common
    return notRunning(name, this.#rest, clock)
  }
}

const askerOf = ({ caller, session }: Call): WhoAsks => ({ caller: caller.id, session })

const signatureOf = (tools: readonly ToolSpec[]): string => hash('sha256', JSON.stringify(tools))

/**
 * The end of somebody's own process is no failure of the source, whose circuit would keep everybody away from theirs. It is
 * started again by its own supervisor, with pauses of its own.
 */
const asItsOwn = (error: unknown): unknown => {
  if (!isGatewayError(error) || error.code !== 'SOURCE_UNAVAILABLE' || error.details?.down === true) return error
  return new GatewayError('SOURCE_UNAVAILABLE', error.message, {
    details: { ...error.details, down: true },
    notSent: error.notSent,
    retryAfterMs: error.retryAfterMs,
    cause: error,
  })
}
