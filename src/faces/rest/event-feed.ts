import { randomBytes } from 'node:crypto'
import type { CatalogChange, Gateway } from '../../gateway.js'
import type { Caller } from '../../model/caller.js'
import type { Clock } from '../../model/clock.js'
import type { Tool } from '../../model/tool.js'
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
  /** How many events are kept for readers who come back. Default 512. */
  readonly remembered?: number | undefined
}

const mostIds = 100

/** Everything a dashboard follows: states of sources, changes of the list, calls. */
export const createEventFeed = (
  gateway: Gateway,
  clock: Clock,
  { remembered = 512 }: EventFeedOptions = {},
): EventFeed => {
  const instance = randomBytes(4).toString('hex')
  const past: Happened[] = []
  const listeners = new Set<(event: Happened) => void>()
  let count = 0

  const idOf = (number: number): string => `${instance}.${number}`
  /** How many events this id is after the first remembered one; undefined if something between is not remembered. */
  const placeOf = (id: string): number | undefined => {
    const number = id.startsWith(`${instance}.`) ? Number(id.slice(instance.length + 1)) : Number.NaN
    const forgotten = count - past.length
    return Number.isSafeInteger(number) && number >= forgotten && number <= count ? number - forgotten : undefined
  }
  // Its id is that of the last forgotten event, so that whoever is cut off right after it goes on from there.
  const reset = (): BoardEvent => ({
    id: idOf(count - past.length),
    type: 'reset',
    at: new Date(clock.wall()).toISOString(),
    data: { reason: 'Events since your last one are not remembered any more; read lists and states anew.' },
  })

  const happen = (type: BoardEvent['type'], at: number, about: Happened['about']): void => {
    const event: Happened = { n: ++count, type, at, about }
    past.push(event)
    if (past.length > remembered) past.shift()
    if (listeners.size > 0) for (const listener of [...listeners]) listener(event)
  }
  const told = (event: Happened, caller: Caller): BoardEvent[] => {
    const data = dataFor(event, caller)
    return data === undefined
      ? []
      : [{ id: idOf(event.n), type: event.type, at: new Date(event.at).toISOString(), data }]
  }
  const stops = [
    gateway.onSource((source) =>
      happen('source', clock.wall(), (caller) =>
        seesSource(gateway, caller, source.name) ? toSourceRecord(source, gateway, caller) : undefined,
      ),
    ),
    gateway.catalog.onChange((change) => happen('tools', clock.wall(), (caller) => changeFor(gateway, caller, change))),
    gateway.onCall((record) => happen('call', record.at, record)),
  ]
  return {
    since: (after, caller) => {
      const from = after === undefined ? 0 : placeOf(after)
      const events = past.slice(from ?? 0).flatMap((event) => told(event, caller))
      return from === undefined ? [reset(), ...events] : events
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

/** A call is its caller's business and the operator's. */
const dataFor = ({ about }: Happened, caller: Caller): unknown => {
  if (typeof about === 'function') return about(caller)
  return caller.rights.includes('admin') || caller.id === about.caller ? toCallRecord(about) : undefined
}

/** As in the list of sources: whoever is bound to a profile knows a source by its tools. */
const seesSource = (gateway: Gateway, caller: Caller, name: string): boolean =>
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
