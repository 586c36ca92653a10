import { GatewayError, isGatewayError } from '../../errors.js'
import { HandedOver } from '../../model/call.js'
import type { Clock } from '../../model/clock.js'
import { movedTo, type SourcePlace } from '../hosting.js'
import type { Source, SourceCall, SourceUpdate, ToolProblem } from '../source.js'
import { isSupervised, readyStatus, type SourceStatus, type Supervised } from '../status.js'
import type { FleetSurface } from './fleet-surface.js'
import { Underway } from './turns.js'

export type KnownPlace = Exclude<SourcePlace, { readonly at: 'nowhere' }>

/** What answers now: the source itself, or the link to where it runs. */
export interface Attached {
  readonly source: Source
  readonly at: 'here' | 'elsewhere'
  readonly replica: string | undefined
  readonly epoch: number
  /** What it is answering. */
  readonly underway: Underway
  end(): Promise<void>
}

export interface AttachedTo {
  readonly clock: Clock
  readonly surface: FleetSurface
  onTools(update: SourceUpdate): readonly ToolProblem[]
  onStatus(): void
  onFailed(error: unknown): void
}

// A holder that gave its source away still says so to who asks it; one that says nothing for so long has fallen silent.
const answerMs = 1000

export const attach = (source: Source, place: KnownPlace, to: AttachedTo): Attached => {
  const stop = new AbortController()
  const leave = isSupervised(source) ? source.onStatus(() => to.onStatus()) : () => {}
  // After its end it says nothing any more: that it lists nothing then is no news.
  const watching = source
    .watch((update) => (stop.signal.aborted ? [] : to.onTools(update)), stop.signal)
    .catch((error: unknown) => to.onFailed(error))
  to.surface.attach(source.surface)
  const underway = new Underway()
  const letGo = async (): Promise<void> => {
    await underway.none(to.clock, answerMs)
    await source[Symbol.asyncDispose]()
  }
  return {
    source,
    at: place.at,
    replica: place.at === 'elsewhere' ? place.replica : undefined,
    epoch: place.epoch,
    underway,
    end: async () => {
      stop.abort()
      leave()
      to.surface.attach(undefined)
      await watching
      if (place.at === 'here') await source[Symbol.asyncDispose]()
      else void letGo().catch(() => {})
    },
  }
}

export const isAt = (now: Attached, place: SourcePlace): boolean =>
  place.at === now.at &&
  place.epoch === now.epoch &&
  (place.at === 'here' || now.replica === (place as KnownPlace & { readonly at: 'elsewhere' }).replica)

/** Another replica asks: what is not here is nobody's to ask on. */
export const isHandedOver = ({ call }: SourceCall): boolean => call.found instanceof HandedOver

export const nobodyYet: SourceStatus = Object.freeze({
  state: 'starting',
  reason: 'No replica runs it yet; one will.',
  nextRetryAt: undefined,
})

/**
 * How it stands where another runs it, as far as we reach that one. Until we have heard from there what it has, it is about
 * to start for us: first lists wait for it.
 */
export const elsewhere = (replica: string, { state, reason }: SourceStatus, isKnown: boolean): SourceStatus => {
  const isReached = state === 'ready' || state === 'starting' || state === 'stopped'
  const trouble = isReached ? '' : ` It cannot be reached from here: ${reason ?? state}`
  return {
    state: isKnown ? 'elsewhere' : 'starting',
    reason: `Runs at replica ${replica}.${trouble}`,
    nextRetryAt: undefined,
    replica,
  }
}

/** For kinds that are simply there. */
export const unwatched: Supervised = {
  status: readyStatus,
  onStatus: () => () => {},
  start: async () => {},
  stop: async () => {},
  restart: async () => {},
  check: async () => true,
}

/** Nobody was asked, and whoever asks again in a moment may find it. */
export const unavailableNow = (
  source: string,
  how: string,
  details: Readonly<Record<string, unknown>> = {},
): GatewayError =>
  new GatewayError('SOURCE_UNAVAILABLE', `The source '${source}' ${how}.`, {
    details: { source, ...details },
    notSent: true,
    retryAfterMs: 1000,
  })

/** Whether nothing was done, and nothing was said either: the holder did not let us in, or is none any more. */
export const mayTryNext = (error: unknown, { source }: Attached): boolean => {
  if (!isGatewayError(error) || !error.notSent) return false
  return movedTo(error) !== undefined || (isSupervised(source) && source.status.state !== 'ready')
}

/** It was sent, and whoever had it is not the holder any more: nobody can say whether it was done. */
export const lostWith = ({ replica }: Attached, source: string, error: unknown): unknown =>
  isGatewayError(error) && error.code === 'SOURCE_UNAVAILABLE'
    ? new GatewayError(
        'SOURCE_UNAVAILABLE',
        `Replica ${replica}, which ran '${source}', went away during the call; it may have run. Another runs it now.`,
        { details: { source, replica }, cause: error, retryAfterMs: 0 },
      )
    : error
