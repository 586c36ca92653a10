import { randomBytes } from 'node:crypto'
import type { CatalogChange } from '../../catalog/catalog.js'
import type { Gateway } from '../../gateway.js'
import type { Caller } from '../../model/caller.js'
import type { Clock } from '../../model/clock.js'
import type { Tool } from '../../model/tool.js'
import { toSourceRecord } from './operations/list-sources.js'

/** Something that happened on the board, as one caller may hear of it. */
export interface BoardEvent {
  /** Unique across restarts; give it back as `after` to go on from there. */
  readonly id: string
  readonly type: 'source' | 'tools' | 'call'
  readonly at: string
  readonly data: unknown
}

export interface EventFeed {
  /** What happened after this event, oldest first; all that is remembered when it is not known any more. */
  since(after: string | undefined, caller: Caller): readonly BoardEvent[]
  subscribe(caller: Caller, listener: (event: BoardEvent) => void): () => void
  readonly subscribers: number
  close(): void
}

type Happened = Omit<BoardEvent, 'data'> & { readonly dataFor: (caller: Caller) => unknown }

const remembered = 512
const mostIds = 100

/** Everything a dashboard follows: states of sources, changes of the list, calls. */
export const createEventFeed = (gateway: Gateway, clock: Clock): EventFeed => {
  const instance = randomBytes(4).toString('hex')
  const past: Happened[] = []
  const listeners = new Set<(event: Happened) => void>()
  let count = 0

  const happen = (type: BoardEvent['type'], dataFor: Happened['dataFor']): void => {
    const event: Happened = { id: `${instance}.${++count}`, type, at: new Date(clock.wall()).toISOString(), dataFor }
    past.push(event)
    if (past.length > remembered) past.shift()
    for (const listener of [...listeners]) listener(event)
  }
  const stops = [
    gateway.onSource((source) =>
      happen('source', (caller) => (seesSource(gateway, caller, source.name) ? toSourceRecord(source) : undefined)),
    ),
    gateway.catalog.onChange((change) => happen('tools', (caller) => changeFor(gateway, caller, change))),
    gateway.onCall((record) =>
      happen('call', (caller) => (caller.rights.includes('admin') || caller.id === record.caller ? record : undefined)),
    ),
  ]
  return {
    since: (after, caller) => {
      const at = past.findIndex(({ id }) => id === after)
      return past.slice(at + 1).flatMap((event) => told(event, caller))
    },
    subscribe: (caller, listener) => {
      const hear = (event: Happened) => {
        for (const each of told(event, caller)) listener(each)
      }
      listeners.add(hear)
      return () => void listeners.delete(hear)
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

const told = ({ dataFor, ...event }: Happened, caller: Caller): BoardEvent[] => {
  const data = dataFor(caller)
  return data === undefined ? [] : [{ ...event, data }]
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
