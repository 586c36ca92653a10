import { type GatewayError, messageOf } from '../errors.js'
import type { Verdict } from '../mcp/client/handshake.js'
import { type CancelSignal, until } from '../model/cancel.js'
import { createNamedTimers, type NamedTimers } from '../model/clock.js'
import type { JsonObject } from '../model/json.js'
import type { Answer } from '../model/result.js'
import { folded } from './folded.js'
import { type ReadAnswer, readResult, readToolAnswer } from './mcp-ask.js'
import { Health } from './mcp-health.js'
import { type LinkRequest, type McpLink, openMcpLink } from './mcp-link.js'
import { peerOptionsOf } from './mcp-peer-options.js'
import type { McpSourceKind, McpSourceOptions } from './mcp-source-options.js'
import { endedAtProbe, factsOf, notRunning, startFailure, waiting } from './mcp-state.js'
import { createMcpSurface, type LinkedSurface } from './mcp-surface.js'
import { remoteOnly } from './remote-only.js'
import { createRestartPolicy, type RestartPolicy } from './restart-policy.js'
import type { Source, SourceCall, SourceUpdate, ToolProblem } from './source.js'
import { asleepStatus, downStates, type SourceStatus, type Supervised } from './status.js'

export type McpSource = Source & Supervised

/** A server that speaks MCP, watched over: started, called, checked, put to sleep and tried again. */
export const createMcpSource = (how: McpSourceKind, more: McpSourceOptions): McpSource => new Supervisor(how, more)

type Report = (update: SourceUpdate) => readonly ToolProblem[]

class Supervisor implements McpSource {
  readonly kind: string
  readonly surface: LinkedSurface
  readonly #how: McpSourceKind
  readonly #options: McpSourceOptions
  readonly #policy: RestartPolicy
  readonly #health: Health
  readonly #timers: NamedTimers<'retry' | 'health' | 'idle'>
  readonly #listeners = new Set<(status: SourceStatus) => void>()
  #status: SourceStatus = { state: 'stopped', reason: undefined, nextRetryAt: undefined }
  #report: Report | undefined
  #hasReported = false
  #link: McpLink | undefined
  #starting: Promise<McpLink> | undefined
  /** Aborts the start that is under way: a server that hangs must not hold up whoever ends it. */
  #giveUp = new AbortController()
  #verdict: Verdict | undefined
  /** By request, so that a call does not wake what someone stopped. */
  #halted = false
  #disposed = false

  constructor(how: McpSourceKind, options: McpSourceOptions) {
    this.kind = how.kind
    this.#how = how
    this.#options = options
    this.#verdict = options.verdict
    this.#timers = createNamedTimers(options.clock)
    this.surface = createMcpSurface(options)
    this.#health = new Health(options)
    this.#policy = createRestartPolicy({ clock: options.clock, ...options.restart })
  }

  get status(): SourceStatus {
    return this.#status
  }

  onStatus(listener: (status: SourceStatus) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  async watch(onTools: Report, signal: AbortSignal): Promise<void> {
    this.#report = (update) => {
      this.#hasReported = true
      return onTools(update)
    }
    const { knownTools, startOnDemand } = this.#options
    if (knownTools) this.#report({ type: 'all', tools: knownTools })
    // Whoever sleeps keeps its tools listed from what an earlier run saw.
    if (knownTools && startOnDemand) this.#be(asleepStatus)
    // A failed start is a state with a next try, not the end of the watch; one that hangs must not hold up that end.
    else void this.start().catch(() => this.#comeEmpty())
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    this.#report = undefined
  }

  async start(): Promise<void> {
    this.#halted = false
    await this.#running()
  }

  async stop(): Promise<void> {
    this.#halted = true
    await this.#end()
    this.#policy.reset()
    this.#be({ state: 'stopped', reason: 'Stopped by request.', nextRetryAt: undefined })
    // Not down but taken away: somebody wanted it gone.
    this.#report?.({ type: 'all', tools: [] })
    this.surface.withdraw()
  }

  async restart(): Promise<void> {
    await this.#end()
    this.#policy.reset()
    await this.start()
  }

  check(): Promise<boolean> {
    const link = this.#link
    return link ? this.#health.check(link, (answers) => this.#judge(link, answers)) : Promise.resolve(false)
  }

  call(name: string, args: JsonObject, context: SourceCall): Promise<Answer> {
    if (context.sync) throw remoteOnly(name)
    return this.#ask({ method: 'tools/call', params: { name, arguments: args }, tool: name }, context, readToolAnswer)
  }

  ask(request: LinkRequest, context: SourceCall): Promise<JsonObject> {
    return this.#ask(request, context, readResult)
  }

  #ask<T>(request: LinkRequest, context: SourceCall, read: ReadAnswer<T>): Promise<T> {
    if (this.#options.idleStopMs !== undefined) this.#timers.clear('idle')
    const answer = this.#usable?.ask(request, context, read)
    const result = answer ?? this.#wake(context.cancel).then((woken) => woken.ask(request, context, read))
    return this.#options.idleStopMs === undefined ? result : result.finally(() => this.#sleepWhenIdle())
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#disposed) return
    this.#disposed = true
    await this.#end()
    await this.#how.dispose?.()
    this.#be({ state: 'stopped', reason: 'Removed.', nextRetryAt: undefined })
  }

  /** One that leaves health checks unanswered would leave a caller waiting too. */
  get #usable(): McpLink | undefined {
    return this.#status.state === 'degraded' ? undefined : this.#link
  }

  /** The link for a call that found none: opened now if it slept, refused with state and reason if it is known to be down. */
  async #wake(signal: CancelSignal): Promise<McpLink> {
    const { state } = this.#status
    if (this.#halted || state === 'degraded' || (!this.#starting && downStates.has(state))) throw this.#unavailable()
    try {
      return await until(this.#running(), signal)
    } catch (error) {
      // Who waited for a start that failed hears the same as who comes after it.
      throw downStates.has(this.#status.state) && !signal.aborted ? this.#unavailable(error) : error
    }
  }

  #running(): Promise<McpLink> {
    if (this.#disposed) return Promise.reject(this.#unavailable())
    if (this.#link) return Promise.resolve(this.#link)
    this.#starting ??= this.#begin().finally(() => {
      this.#starting = undefined
    })
    return this.#starting
  }

  async #begin(): Promise<McpLink> {
    this.#timers.clear('retry')
    this.#be(this.#policy.starting())
    this.#giveUp = new AbortController()
    const { signal } = this.#giveUp
    try {
      const link = await this.#open(signal)
      this.#ready(link)
      return link
    } catch (error) {
      if (signal.aborted) throw error
      if (endedAtProbe(error) && !this.#verdict) {
        // Some legacy servers end when asked anything before `initialize`: asked their own way, they may live.
        this.#verdict = { era: 'legacy', version: '', at: this.#options.clock.wall() }
        return this.#begin()
      }
      this.#startFailed(error)
      throw error
    }
  }

  #open(signal: AbortSignal): Promise<McpLink> {
    const link: Promise<McpLink> = openMcpLink(this.#how, this.#options, {
      peerOptions: peerOptionsOf(this.#options, this.#verdict, (verdict) => {
        this.#verdict = verdict
      }),
      signal,
      onTools: (update) => void this.#report?.(update),
      onWaiting: (reason) => this.#status.state === 'starting' && this.#be(waiting(reason, this.#options)),
      onNotification: (message) => this.surface.notice(message),
      onResync: () => this.surface.refresh(),
      onLost: (reason) => void link.then((lost) => this.#lost(lost, reason)),
    })
    return link
  }

  #ready(link: McpLink): void {
    this.#link = link
    this.surface.attach(link)
    this.#health.well()
    this.#be(this.#policy.ready())
    this.#checkLater()
    this.#sleepWhenIdle()
  }

  #startFailed(error: unknown): void {
    const reason = messageOf(error)
    const failed = startFailure(error, this.#policy.startFailed(reason), this.#options.clock)
    this.#be(failed)
    this.#retryIn(failed.retryInMs)
    const { name, logger } = this.#options
    logger.log(failed.level, `Source '${name}' did not start: ${folded(reason)}`, { source: name })
  }

  /** The far side went away by itself. */
  #lost(link: McpLink, reason: string): void {
    if (link !== this.#link || this.#disposed) return
    this.#drop()
    this.#options.logger.log('error', 'Process crashed', { service: this.#options.name, reason })
    const crashed = this.#policy.crashed(reason)
    this.#be(crashed)
    this.#retryIn(crashed.retryInMs)
  }

  #retryIn(ms: number | undefined): void {
    const again = (): void => void this.start().catch(() => {})
    // At once means before the next call: that one then waits for the start, and is not refused.
    if (ms === 0) again()
    else if (ms !== undefined) this.#timers.set('retry', ms, again)
  }

  async #judge(link: McpLink, answers: boolean): Promise<boolean> {
    if (link !== this.#link) return false
    if (answers) await this.#well(link)
    else this.#missed()
    return answers
  }

  async #well(link: McpLink): Promise<void> {
    this.#health.well()
    if (this.#status.state !== 'degraded') return
    await link.list().catch(() => {})
    if (link === this.#link) this.#be(this.#policy.status)
  }

  #missed(): void {
    const found = this.#health.missed()
    if (!found) return
    this.#be(found)
    this.#checkLater()
  }

  #checkLater(): void {
    const { nextMs } = this.#health
    if (nextMs === undefined) return
    this.#timers.set('health', nextMs, () => void this.check().finally(() => this.#link && this.#checkLater()))
  }

  #sleepWhenIdle(): void {
    const { idleStopMs } = this.#options
    if (idleStopMs === undefined || !this.#link) return
    this.#timers.set('idle', idleStopMs, () => {
      if (this.#link?.running) return
      void this.#end()
      this.#policy.reset()
      this.#be(asleepStatus)
    })
  }

  /** Who waits for the first report hears that there is nothing. What was listed stays: calls are told how it stands. */
  #comeEmpty(): void {
    if (!this.#hasReported) this.#report?.({ type: 'all', tools: [] })
  }

  async #end(): Promise<void> {
    this.#timers.clearAll()
    this.#giveUp.abort()
    await this.#starting?.catch(() => {})
    await this.#drop()
  }

  async #drop(): Promise<void> {
    const link = this.#link
    this.#link = undefined
    this.surface.detach()
    this.#timers.clear('health')
    this.#timers.clear('idle')
    await link?.close()
  }

  #be({ state, reason, nextRetryAt }: SourceStatus): void {
    // Told once: what is degraded is looked at several times a second.
    const isNews = state !== 'degraded' || this.#status.state !== state
    this.#status = Object.freeze({ state, reason, nextRetryAt, ...factsOf(this.#link, this.#how) })
    if (isNews) for (const listener of this.#listeners) listener(this.#status)
  }

  #unavailable(cause?: unknown): GatewayError {
    return notRunning(this.#options.name, this.#status, this.#options.clock, cause)
  }
}
