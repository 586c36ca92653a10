import { hash } from 'node:crypto'
import { GatewayError, messageOf } from '../../errors.js'
import { until } from '../../model/cancel.js'
import type { JsonObject } from '../../model/json.js'
import { type Answer, resultAnswer } from '../../model/result.js'
import type { SignedByCaller } from '../caller-signing.js'
import { howItStands, waitOf } from '../down.js'
import { createGuardedFetch, type GuardedFetch } from '../guarded-fetch.js'
import { remoteOnly } from '../remote-only.js'
import type { Source, SourceCall, SourceUpdate, ToolProblem } from '../source.js'
import { readyStatus, type SourceStatus, type Supervised } from '../status.js'
import type { OperationSet } from './operation.js'
import type { OpenApiOptions } from './options.js'
import { readAnswer } from './read-answer.js'
import { parseDocumentText, readText, urlOf } from './read-document.js'
import { baseOf, credentialsFor, send } from './send.js'
import { ownOptions, sendSigned } from './send-signed.js'

/** The operations of an OpenAPI document as tools, called where the document or the operator says. */
export const createOpenApiSource = (options: OpenApiOptions, signing?: SignedByCaller): Source & Supervised =>
  new OpenApiSource(options, signing)

type Report = (update: SourceUpdate) => readonly ToolProblem[]

const firstRetryMs = 1000
const longestRetryMs = 60_000

/** A class, since it has a lifetime: it reads the document, reads it again, and says how it stands. */
class OpenApiSource implements Source, Supervised {
  readonly kind = 'openapi'
  readonly #options: OpenApiOptions
  /** In whose name calls are made, where the API is told. */
  readonly #signing: SignedByCaller | undefined
  readonly #fetch: GuardedFetch
  readonly #pollMs: number
  readonly #closing = new AbortController()
  readonly #listeners = new Set<(status: SourceStatus) => void>()
  #status: SourceStatus = { state: 'stopped', reason: undefined, nextRetryAt: undefined }
  #report: Report | undefined
  #current: OperationSet | undefined
  #seen = ''
  #failures = 0
  #starting: Promise<void> | undefined
  #cancelTimer = () => {}

  constructor(options: OpenApiOptions, signing: SignedByCaller | undefined) {
    this.#options = options
    this.#signing = signing
    const { spec, baseUrl } = options
    this.#pollMs = options.pollMs ?? (urlOf(spec) ? 300_000 : 2000)
    // By origin: another port of the same machine is another service, which the document may name but the operator did not (S18).
    const trusted = new Set([spec, baseUrl].map((text) => (text === undefined ? undefined : urlOf(text)?.origin)))
    this.#fetch = createGuardedFetch({
      isTrusted: ({ origin }) => options.allowPrivate === true || trusted.has(origin),
      timeoutMs: options.timeoutMs ?? 60_000,
    })
  }

  get status(): SourceStatus {
    return this.#status
  }

  onStatus(listener: (status: SourceStatus) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  async watch(onTools: Report, signal: AbortSignal): Promise<void> {
    this.#report = onTools
    const { knownTools } = this.#options
    if (knownTools) onTools({ type: 'all', tools: knownTools })
    // A document that cannot be read is a state with a next try, not the end of the watch; one that hangs must not hold up that end.
    void this.start().catch(() => knownTools ?? this.#report?.({ type: 'all', tools: [] }))
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    this.#cancelTimer()
    this.#report = undefined
  }

  async start(): Promise<void> {
    if (this.#status.state !== 'ready') this.#be({ state: 'starting', reason: undefined, nextRetryAt: undefined })
    this.#starting = this.#look().finally(() => {
      this.#starting = undefined
    })
    await this.#starting
  }

  async stop(): Promise<void> {
    this.#cancelTimer()
    this.#current = undefined
    this.#seen = ''
    this.#be({ state: 'stopped', reason: 'Stopped by request.', nextRetryAt: undefined })
    this.#report?.({ type: 'all', tools: [] })
  }

  async restart(): Promise<void> {
    this.#seen = ''
    this.#be({ state: 'starting', reason: undefined, nextRetryAt: undefined })
    await this.start()
  }

  /** Whether its server answers anything at all: no operation may be called just to see. */
  async check(): Promise<boolean> {
    if (!this.#current) return false
    const { signal } = this.#closing
    const asked = this.#fetch(baseOf(this.#current, undefined, this.#options), {
      method: 'HEAD',
      signal,
      maxBytes: 1024,
    })
    return asked.then(
      () => true,
      () => false,
    )
  }

  call(name: string, args: JsonObject, context: SourceCall): Promise<Answer> {
    if (context.sync) throw remoteOnly(name)
    return this.#ask(name, args, context)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#cancelTimer()
    this.#current = undefined
    this.#closing.abort()
    await this.#fetch.close()
    this.#be({ state: 'stopped', reason: 'Removed.', nextRetryAt: undefined })
  }

  async #ask(name: string, args: JsonObject, context: SourceCall): Promise<Answer> {
    // What an earlier run listed can be called before the document is here; what became of the start is the state.
    if (!this.#current && this.#starting)
      await until(
        this.#starting.catch(() => {}),
        context.cancel,
      )
    const set = this.#current
    if (!set) throw this.#unavailable()
    const plan = set.plans.get(name)
    if (!plan) throw noOperation(name)
    const answer = await sendSigned(this.#options, this.#signing, context, (options) =>
      send(this.#fetch, plan, args, set, options, context),
    )
    // Told to the caller as the API's own words; for our care of it, it failed.
    const failed = answer.status >= 500 ? `HTTP ${answer.status}` : undefined
    return resultAnswer(readAnswer(answer), failed)
  }

  /** Reads the document and plans the next look, whatever came of it. */
  async #look(): Promise<void> {
    this.#cancelTimer()
    try {
      await this.#read()
      this.#failures = 0
      this.#plan(this.#pollMs)
      if (this.#status.state !== 'ready') this.#be(readyStatus)
    } catch (error) {
      this.#failed(error)
      throw error
    }
  }

  async #read(): Promise<void> {
    const { spec, folder } = this.#options
    const url = urlOf(spec)
    const headers = url ? credentialsFor(url, await ownOptions(this.#options, this.#signing)).headers : {}
    const text = await readText(spec, { folder, fetch: this.#fetch, headers, signal: this.#closing.signal })
    const mark = hash('sha256', text)
    if (mark === this.#seen || this.#closing.signal.aborted) return
    const document = await parseDocumentText(text, spec)
    // Loaded by the first document: most boards have none.
    const { readOperations } = await import('./operations.js')
    if (this.#closing.signal.aborted) return
    const { set, problems } = readOperations(document, this.#options)
    baseOf(set, undefined, this.#options)
    this.#seen = mark
    this.#current = set
    this.#report?.({ type: 'all', tools: [...set.plans.values()].map((plan) => plan.spec), problems })
  }

  /** A document that is broken now leaves the last good one in place, and is looked at again sooner and sooner less. */
  #failed(error: unknown): void {
    const { clock, logger } = this.#options
    const delayMs = Math.min(firstRetryMs * 2 ** this.#failures++, longestRetryMs, this.#pollMs)
    const reason = messageOf(error)
    logger.log('warn', reason)
    this.#plan(delayMs)
    this.#be({ state: this.#current ? 'degraded' : this.#downState(), reason, nextRetryAt: clock.wall() + delayMs })
  }

  /** A file is the operator's to mend; a server may come back by itself. */
  #downState(): 'needs-config' | 'backing-off' {
    return urlOf(this.#options.spec) ? 'backing-off' : 'needs-config'
  }

  #plan(delayMs: number): void {
    if (this.#closing.signal.aborted || !this.#report) return
    this.#cancelTimer = this.#options.clock.after(delayMs, () => void this.#look().catch(() => {}))
  }

  #be(status: SourceStatus): void {
    this.#status = status
    for (const listener of this.#listeners) listener(status)
  }

  #unavailable(): GatewayError {
    const { clock } = this.#options
    const wait = waitOf(this.#status, clock)
    return new GatewayError('SOURCE_UNAVAILABLE', `The API ${howItStands(this.#status, clock)}`, {
      details: { state: this.#status.state },
      notSent: true,
      retryAfterMs: wait,
    })
  }
}

const noOperation = (name: string): GatewayError =>
  new GatewayError('TOOL_NOT_FOUND', `The OpenAPI document has no operation '${name}'.`, {
    details: { tool: name },
    notSent: true,
  })
