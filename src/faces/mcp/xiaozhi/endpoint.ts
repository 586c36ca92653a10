import type { Caller } from '../../../model/caller.js'
import type { Clock } from '../../../model/clock.js'
import type { Logger } from '../../../telemetry/logger.js'
import type { Client } from '../exchange.js'
import type { McpFace } from '../face.js'
import type { ProfileSettings } from '../profile.js'
import { type Address, parseAddress } from './address.js'
import { type LinkConnection, openConnection } from './connection.js'
import type { DialGate } from './dial-gate.js'
import { type Ending, linkNumber } from './ending.js'
import { createFreshness, type Freshness } from './freshness.js'
import { createLinkLists, type LinkLists } from './link-lists.js'
import { createRedial, healthyMs, type NextDial, type Redial } from './redial.js'
import { createSpeech, type Speech, type SpokenLanguage } from './say-error.js'
import type { EndpointState, EndpointStatus } from './status.js'
import { tokensOf } from './tool-list.js'

/** What one endpoint is configured to be. */
export interface EndpointSettings {
  /** Holds the token: dialled, never shown. */
  readonly url: string
  /** What to call it. Default: `xiaozhi-` and a number. */
  readonly name?: string | undefined
  /** Time for one call here, before what all endpoints share. */
  readonly callTimeoutMs?: number | undefined
  /** The profile whose tools it shows. */
  readonly profile: string
  readonly view: ProfileSettings
  /** Used instead where the list is too long for the link. Undefined: the list is paged. */
  readonly searchView?: ProfileSettings | undefined
  readonly maxResultBytes: number
  readonly maxListBytes: number
  /** Of errors, which are read aloud. Default `auto`: see `createSpeech`. */
  readonly language?: SpokenLanguage | 'auto' | undefined
}

/** What all endpoints share. */
export interface LinkOptions {
  readonly face: McpFace
  readonly clock: Clock
  readonly logger: Logger
  readonly initialBackoffMs: number
  readonly maxBackoffMs: number
  /** Default 10,000. */
  readonly connectTimeoutMs?: number | undefined
  /** Default 30,000 (X15). */
  readonly pingEveryMs?: number | undefined
  /** Default 10,000. */
  readonly pongTimeoutMs?: number | undefined
  /** Time for one call: less than the ten seconds after which far sides were seen to give up (X5). Default 9,000. */
  readonly callTimeoutMs?: number | undefined
  readonly random?: (() => number) | undefined
  /** What is spoken where this runs. Default: English, and Chinese towards xiaozhi's own cloud. */
  readonly language?: SpokenLanguage | undefined
}

export interface EndpointOptions extends LinkOptions {
  readonly gate: DialGate
  onStatus(): void
}

/** One endpoint: dials, serves, and dials again, for ever. */
export class Endpoint {
  readonly #name: string
  readonly #settings: EndpointSettings
  readonly #options: EndpointOptions
  readonly #log: Logger
  readonly #toolLogger: Logger
  readonly #address: Address
  readonly #redial: Redial
  readonly #speech: Speech
  readonly #client: Client
  readonly #lists: LinkLists
  readonly #freshness: Freshness
  #state: EndpointState = 'stopped'
  #ended: Ending | undefined
  #next: NextDial | undefined
  #nextTryAt: number | undefined
  #connectedAt: number | undefined
  #connects = 0
  #late = 0
  /** Of connections that are gone. */
  #earlierCalls = 0
  #connection: LinkConnection | undefined
  #cancelWait = () => {}
  #leaveGate = () => {}
  #onStopped: (() => void) | undefined
  #stopping: Promise<void> | undefined

  constructor(name: string, settings: EndpointSettings, options: EndpointOptions) {
    this.#name = name
    this.#settings = settings
    this.#options = options
    this.#log = options.logger.child('websocket')
    this.#toolLogger = options.logger.child('tool-aggregator')
    this.#address = parseAddress(settings.url)
    this.#redial = createRedial(options)
    this.#speech = createSpeech(settings.language ?? 'auto', placeOf(this.#address.host, options.language))
    this.#client = clientOf(name, settings, options, this.#speech)
    this.#lists = listsOf(this.#client, settings, options, this.#speech, this.#toolLogger)
    this.#freshness = createFreshness({
      clock: options.clock,
      isStale: () => this.#isStale(),
      notify: () => this.#connection?.tellChanged(),
      isIdle: () => (this.#connection?.running ?? 0) === 0,
      reconnect: () => this.#reconnect(),
    })
  }

  start(): void {
    if (this.#state === 'stopped' && !this.#stopping) this.#dial()
  }

  /** For good. Resolves when its connection is closed and nothing of it is left. */
  stop(): Promise<void> {
    this.#stopping ??= new Promise((resolve) => {
      this.#cancelWait()
      this.#onStopped = () => {
        this.#letGo()
        this.#nextTryAt = undefined
        this.#become('stopped')
        resolve()
      }
      if (this.#connection) this.#connection.close({ kind: 'closed', words: 'we are closing' })
      else this.#onStopped()
    })
    return this.#stopping
  }

  get status(): EndpointStatus {
    const { served } = this.#lists
    const connectedAt = this.#connectedAt
    const ended = this.#state === 'waiting' ? this.#ended : undefined
    const isHealthy = connectedAt !== undefined && this.#options.clock.wall() - connectedAt >= healthyMs
    return {
      name: this.#name,
      host: this.#address.host,
      profile: this.#settings.profile,
      state: this.#state,
      reason: ended?.words,
      code: ended && linkNumber(ended.kind),
      // Being let in proves nothing yet: relays do so first and throw out whom they do not like a moment later.
      alarm: isHealthy ? undefined : this.#next?.alarm,
      nextTryAt: this.#nextTryAt,
      connectedAt,
      tokenExpiresAt: this.#address.expiresAt,
      peer: this.#connection?.peer,
      pingMs: this.#connection?.pingMs,
      connects: this.#connects,
      calls: this.#earlierCalls + (this.#connection?.calls ?? 0),
      running: this.#connection?.running ?? 0,
      late: this.#late,
      maxResultBytes: this.#settings.maxResultBytes,
      maxListBytes: this.#settings.maxListBytes,
      list: served && {
        tools: served.tools,
        bytes: served.bytes,
        pages: served.pages,
        tokens: tokensOf(served.bytes),
      },
    }
  }

  #become(next: EndpointState): void {
    this.#state = next
    this.#options.onStatus()
  }

  async #isStale(): Promise<boolean> {
    const { served } = this.#lists
    if (served === undefined || this.#state !== 'connected') return false
    return (await this.#lists.peek()).fingerprint !== served.fingerprint
  }

  #reconnect(): void {
    this.#log.log('info', 'The tool list changed and was not read again: reconnecting', { endpoint: this.#name })
    this.#connection?.close({ kind: 'refresh', words: 'to have the changed tool list read again' })
  }

  #dial(): void {
    const { face, clock, gate, ...options } = this.#options
    this.#nextTryAt = undefined
    this.#become('connecting')
    this.#leaveGate = gate.enter(() => {
      this.#connection = openConnection(
        {
          ...this.#client,
          face,
          address: this.#address,
          lists: this.#lists,
          freshness: this.#freshness,
          maxResultBytes: this.#settings.maxResultBytes,
          speech: this.#speech,
          clock,
          toolLogger: this.#toolLogger,
          connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
          pingEveryMs: options.pingEveryMs ?? 30_000,
          pongTimeoutMs: options.pongTimeoutMs ?? 10_000,
        },
        {
          onOpen: () => this.#opened(),
          onEnd: (ending) => this.#lost(ending),
          onLate: () => {
            this.#late += 1
          },
        },
      )
    })
  }

  #opened(): void {
    this.#leaveGate()
    this.#redial.opened()
    this.#connects += 1
    this.#connectedAt = this.#options.clock.wall()
    this.#log.log('info', 'Connected to xiaozhi endpoint', { endpoint: this.#name, host: this.#address.host })
    this.#become('connected')
  }

  #letGo(): void {
    this.#leaveGate()
    this.#earlierCalls += this.#connection?.calls ?? 0
    this.#connection = undefined
    this.#connectedAt = undefined
  }

  // Only here, after our own socket is closed, is a new one planned: a relay takes an overlap for a second program (X8).
  #lost(ending: Ending): void {
    if (this.#onStopped) return this.#onStopped()
    this.#letGo()
    const before = this.#next?.alarm
    const next = this.#redial.ended(ending)
    this.#ended = ending
    this.#next = next
    this.#nextTryAt = this.#options.clock.wall() + next.delayMs
    this.#cancelWait = this.#options.clock.after(next.delayMs, () => this.#dial())
    this.#report(ending, next, before)
    this.#become('waiting')
  }

  #report(ending: Ending, { delayMs, alarm }: NextDial, before: string | undefined): void {
    const meta = { endpoint: this.#name, host: this.#address.host, code: linkNumber(ending.kind) }
    if (alarm && alarm !== before)
      this.#log.log('error', `xiaozhi endpoint needs attention: ${ending.words}. ${alarm}`, meta)
    else if (ending.kind !== 'refresh')
      this.#log.log(
        'warn',
        `Lost xiaozhi endpoint: ${ending.words}; next try in ${(delayMs / 1000).toFixed(1)} s`,
        meta,
      )
  }
}

/** Who the far side is to the gateway, and what it sees: the rights of a caller, never those of an operator. */
const clientOf = (name: string, settings: EndpointSettings, options: LinkOptions, speech: Speech): Client => ({
  caller: {
    id: name,
    rights: ['discover', 'call'],
    profile: settings.profile === 'default' ? undefined : settings.profile,
  } satisfies Caller,
  profile: onLink(settings.view, settings, options, speech),
})

// Its users speak Chinese, unless they say otherwise.
const placeOf = (host: string, here: SpokenLanguage | undefined): SpokenLanguage =>
  /(?:^|\.)xiaozhi\.me(?::\d+)?$/.test(host) ? 'zh' : (here ?? 'en')

const onLink = (
  view: ProfileSettings,
  { maxResultBytes, callTimeoutMs: ownTimeoutMs }: EndpointSettings,
  { callTimeoutMs = 9000 }: LinkOptions,
  speech: Speech,
): ProfileSettings => ({
  ...view,
  // Exact names from the face, made legal for the link there: Chinese may stay Chinese.
  naming: { ...view.naming, style: 'exact', collisions: 'refuse' },
  maxListBytes: undefined,
  maxResultBytes,
  timeoutMs: ownTimeoutMs ?? callTimeoutMs,
  sayError: speech.sayError,
})

const listsOf = (
  client: Client,
  settings: EndpointSettings,
  options: LinkOptions,
  speech: Speech,
  logger: Logger,
): LinkLists =>
  createLinkLists({
    ...client,
    face: options.face,
    searchProfile: settings.searchView && onLink(settings.searchView, settings, options, speech),
    maxListBytes: settings.maxListBytes,
    logger,
  })
