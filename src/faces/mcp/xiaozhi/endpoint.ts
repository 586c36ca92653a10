import type { Caller } from '../../../model/caller.js'
import type { Clock } from '../../../model/clock.js'
import type { Logger } from '../../../telemetry/logger.js'
import type { Client } from '../exchange.js'
import type { McpFace } from '../face.js'
import type { ProfileSettings } from '../profile.js'
import { parseAddress } from './address.js'
import { type Connection, openConnection } from './connection.js'
import type { DialGate } from './dial-gate.js'
import { type Ending, linkNumber } from './ending.js'
import { createFreshness } from './freshness.js'
import { createLinkLists, type LinkLists } from './link-lists.js'
import { createRedial, healthyMs, type Verdict } from './redial.js'
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

export interface Endpoint {
  readonly status: EndpointStatus
  start(): void
  /** For good. Resolves when its connection is closed and nothing of it is left. */
  stop(): Promise<void>
}

export interface EndpointOptions extends LinkOptions {
  readonly gate: DialGate
  onStatus(): void
}

/** One endpoint: dials, serves, and dials again, for ever. */
export const createEndpoint = (name: string, settings: EndpointSettings, options: EndpointOptions): Endpoint => {
  const { clock, gate } = options
  const log = options.logger.child('websocket')
  const toolLogger = options.logger.child('tool-aggregator')
  const address = parseAddress(settings.url)
  const redial = createRedial(options)
  const speech = createSpeech(settings.language ?? 'auto', placeOf(address.host, options.language))
  const client = clientOf(name, settings, options, speech)
  const lists = listsOf(client, settings, options, speech, toolLogger)

  let state: EndpointState = 'stopped'
  let ended: Ending | undefined
  let verdict: Verdict | undefined
  let nextTryAt: number | undefined
  let connectedAt: number | undefined
  let counts = { connects: 0, calls: 0, late: 0 }
  let connection: Connection | undefined
  let cancelWait = () => {}
  let leaveGate = () => {}
  let onStopped: (() => void) | undefined
  let stopping: Promise<void> | undefined

  const become = (next: EndpointState): void => {
    state = next
    options.onStatus()
  }
  const freshness = createFreshness({
    clock,
    isStale: async () => {
      const { served } = lists
      return served !== undefined && state === 'connected' && (await lists.peek()).fingerprint !== served.fingerprint
    },
    notify: () => connection?.tellChanged(),
    isIdle: () => (connection?.running ?? 0) === 0,
    reconnect: () => {
      log.log('info', 'The tool list changed and was not read again: reconnecting', { endpoint: name })
      connection?.close({ kind: 'refresh', words: 'to have the changed tool list read again' })
    },
  })

  const dial = (): void => {
    nextTryAt = undefined
    become('connecting')
    leaveGate = gate.enter(() => {
      connection = openConnection(
        {
          ...client,
          face: options.face,
          address,
          lists,
          freshness,
          maxResultBytes: settings.maxResultBytes,
          speech,
          clock,
          toolLogger,
          connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
          pingEveryMs: options.pingEveryMs ?? 30_000,
          pongTimeoutMs: options.pongTimeoutMs ?? 10_000,
        },
        { onOpen, onEnd, onLate: () => void (counts = { ...counts, late: counts.late + 1 }) },
      )
    })
  }
  const onOpen = (): void => {
    leaveGate()
    redial.opened()
    counts = { ...counts, connects: counts.connects + 1 }
    connectedAt = clock.wall()
    log.log('info', 'Connected to xiaozhi endpoint', { endpoint: name, host: address.host })
    become('connected')
  }
  const letGo = (): void => {
    leaveGate()
    counts = { ...counts, calls: counts.calls + (connection?.calls ?? 0) }
    connection = undefined
    connectedAt = undefined
  }
  // Only here, after our own socket is closed, is a new one planned: a relay takes an overlap for a second program (X8).
  const onEnd = (ending: Ending): void => {
    letGo()
    if (onStopped) return onStopped()
    const before = verdict?.alarm
    ended = ending
    verdict = redial.ended(ending)
    nextTryAt = clock.wall() + verdict.delayMs
    cancelWait = clock.after(verdict.delayMs, dial)
    report(ending, verdict, before)
    become('waiting')
  }
  const report = (ending: Ending, { delayMs, alarm }: Verdict, before: string | undefined): void => {
    const meta = { endpoint: name, host: address.host, code: linkNumber(ending.kind) }
    if (alarm && alarm !== before) log.log('error', `xiaozhi endpoint needs attention: ${ending.words}. ${alarm}`, meta)
    else if (ending.kind !== 'refresh')
      log.log('warn', `Lost xiaozhi endpoint: ${ending.words}; next try in ${(delayMs / 1000).toFixed(1)} s`, meta)
  }

  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      cancelWait()
      onStopped = () => {
        letGo()
        nextTryAt = undefined
        become('stopped')
        resolve()
      }
      if (connection) connection.close({ kind: 'closed', words: 'we are closing' })
      else onStopped()
    })

  return {
    start: () => {
      if (state === 'stopped' && !stopping) dial()
    },
    stop: () => (stopping ??= stop()),
    get status() {
      const { served } = lists
      return {
        name,
        host: address.host,
        profile: settings.profile,
        state,
        reason: state === 'waiting' ? ended?.words : undefined,
        code: state === 'waiting' && ended ? linkNumber(ended.kind) : undefined,
        // Being let in proves nothing yet: relays do so first and throw out whom they do not like a moment later.
        alarm: connectedAt !== undefined && clock.wall() - connectedAt >= healthyMs ? undefined : verdict?.alarm,
        nextTryAt,
        connectedAt,
        tokenExpiresAt: address.expiresAt,
        peer: connection?.peer,
        pingMs: connection?.pingMs,
        connects: counts.connects,
        calls: counts.calls + (connection?.calls ?? 0),
        running: connection?.running ?? 0,
        late: counts.late,
        maxResultBytes: settings.maxResultBytes,
        maxListBytes: settings.maxListBytes,
        list: served && {
          tools: served.tools,
          bytes: served.bytes,
          pages: served.pages,
          tokens: tokensOf(served.bytes),
        },
      }
    },
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
