import { randomBytes } from 'node:crypto'
import type { CatalogChange, Gateway } from '../../gateway.js'
import type { Caller } from '../../model/caller.js'
import type { Clock } from '../../model/clock.js'
import type { Tool } from '../../model/tool.js'
import { CallHistory } from '../../telemetry/call-history.js'
import type { CallRecord } from '../../telemetry/calls.js'
import { toCallRecord } from './operations/history.js'
import { toSourceRecord } from './operations/list-sources.js'

/** Something that happened on the board, as one caller may hear of it. */
export interface BoardEvent {
  /** Unique across restarts; give it back as `Last-Event-ID` or `after` to go on from there. */
  readonly id: string
  /** `reset` stands where events were missed: what is known of the board must be read anew. */
  readonly type: 'source' | 'tools' | 'call' | 'reset'
  readonly at: string
  readonly data: unknown
}

export interface EventFeed {
  /**
   * What happened after this event, oldest first. Where some of it is forgotten, or the event is of another process, a
   * `reset` goes before what is remembered. Undefined is before all that is remembered.
   */
  since(after: string | undefined, caller: Caller): readonly BoardEvent[]
  /** The id of the latest event, whoever may hear of it. */
  readonly position: string
  subscribe(caller: Caller, listener: (event: BoardEvent) => void): () => void
  readonly subscribers: number
  close(): void
}

/** What is remembered; ids and dates are written when somebody reads them, which for most calls nobody does. */
interface Happened {
  readonly n: number
  readonly type: BoardEvent['type']
  readonly at: number
  readonly about: CallRecord | ((caller: Caller) => unknown)
}

export interface EventFeedOptions {
  /** The last calls, where somebody keeps them already. Default: a history of its own. */
  readonly history?: CallHistory | undefined
  /** How many events are kept for readers who come back. Default 512. */
  readonly remembered?: number | undefined
}

const mostIds = 100

/** Everything a dashboard follows: states of sources, changes of the list, calls. */
export const createEventFeed = (
  gateway: Gateway,
  clock: Clock,
  { remembered = 512, history = followed(gateway, remembered) }: EventFeedOptions = {},
): EventFeed => {
  const instance = randomBytes(4).toString('hex')
  /** A ring. Of a call, its number in the history: nearly all that happens are calls, and it is remembered there. */
  const past: (Happened | number)[] = []
  const listeners = new Set<(event: Happened) => void>()
  let count = 0

  const idOf = (number: number): string => `${instance}.${number}`
  const forgotten = (): number => count - past.length
  /** The number of this event; undefined if something after it is not remembered. */
  const numberOf = (id: string): number | undefined => {
    const number = id.startsWith(`${instance}.`) ? Number(id.slice(instance.length + 1)) : Number.NaN
    return Number.isSafeInteger(number) && number >= forgotten() && number <= count ? number : undefined
  }
  // Its id is that of the last forgotten event, so that whoever is cut off right after it goes on from there.
  const reset = (): BoardEvent => ({
    id: idOf(forgotten()),
    type: 'reset',
    at: new Date(clock.wall()).toISOString(),
    data: { reason: 'Events since your last one are not remembered any more; read lists and states anew.' },
  })

  const remember = (event: Happened | number): void => {
    past[count % remembered] = event
    count += 1
  }
  const tell = (event: Happened): void => {
    for (const listener of [...listeners]) listener(event)
  }
  const happen = (type: BoardEvent['type'], about: (caller: Caller) => unknown): void => {
    const event: Happened = { n: count + 1, type, at: clock.wall(), about }
    remember(event)
    tell(event)
  }
  // Behind the history, which has numbered it.
  const called = (record: CallRecord): void => {
    remember(history.last)
    if (listeners.size > 0) tell({ n: count, type: 'call', at: record.at, about: record })
  }
  const happened = (n: number): Happened | undefined => {
    const event = past[(n - 1) % remembered]!
    if (typeof event !== 'number') return event
    const about = history.get(event)?.record
    return about && { n, type: 'call', at: about.at, about }
  }
  const told = (event: Happened, caller: Caller): BoardEvent[] => {
    const data = dataFor(event, caller)
    return data === undefined
      ? []
      : [{ id: idOf(event.n), type: event.type, at: new Date(event.at).toISOString(), data }]
  }
  const stops = [
    gateway.onSource((source) =>
      happen('source', (caller) =>
        seesSource(gateway, caller, source.name) ? toSourceRecord(source, gateway, caller) : undefined,
      ),
    ),
    gateway.catalog.onChange((change) => happen('tools', (caller) => changeFor(gateway, caller, change))),
    gateway.onCall(called),
  ]
  return {
    since: (after, caller) => {
      const from = after === undefined ? forgotten() : numberOf(after)
      const events: BoardEvent[] = []
      let isWhole = from !== undefined
      for (let n = (from ?? forgotten()) + 1; n <= count; n++) {
        const event = happened(n)
        if (event) events.push(...told(event, caller))
        // A history may be shorter than ours, or none at all.
        else isWhole = after === undefined
      }
      return isWhole ? events : [reset(), ...events]
    },
    subscribe: (caller, listener) => {
      const hear = (event: Happened) => {
        for (const each of told(event, caller)) listener(each)
      }
      listeners.add(hear)
      return () => void listeners.delete(hear)
    },
    get position() {
      return idOf(count)
    },
    get subscribers() {
      return listeners.size
    },
    close: () => {
      for (const stop of stops) stop()
      listeners.clear()
    },
  }
}

const followed = (gateway: Gateway, most: number): CallHistory => {
  const history = new CallHistory(most)
  gateway.onCall(history.listener)
  return history
}

/** A call is its caller's business and the operator's. */
const dataFor = ({ about }: Happened, caller: Caller): unknown => {
  if (typeof about === 'function') return about(caller)
  return caller.rights.includes('look') || caller.id === about.caller ? toCallRecord(about) : undefined
}

/** As in the list of sources: whoever is bound to a profile knows a source by its tools. */
export const seesSource = (gateway: Gateway, caller: Caller, name: string): boolean =>
  caller.profile === undefined || gateway.list(caller).some(({ source }) => source === name)

/** Only what this caller may see; nothing at all when that is nothing. */
const changeFor = (gateway: Gateway, caller: Caller, { version, added, changed, removed }: CatalogChange) => {
  const ids = (tools: readonly Tool[]): string[] =>
    tools.filter((tool) => !tool.own && gateway.policy.decide(caller, tool, 'see').allowed).map(({ id }) => id)
  const [more, other, gone] = [ids(added), ids(changed), ids(removed)]
  if (more.length + other.length + gone.length === 0) return undefined
  const counts = { added: more.length, changed: other.length, removed: gone.length }
  return {
    version,
    counts,
    added: more.slice(0, mostIds),
    changed: other.slice(0, mostIds),
    removed: gone.slice(0, mostIds),
  }
}
