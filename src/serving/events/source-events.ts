import type { SourceInfo } from '../../gateway.js'
import { defined } from '../../model/json.js'
import type { OpenCircuit } from '../../model/open-circuit.js'
import { isDown } from '../../sources/down.js'
import { circuitClosed, circuitOpen, quoted, sourceBack, sourceDown } from './event-words.js'
import { restMs, type Standings } from './standings.js'
import type { ToldEvents } from './told-events.js'

export interface SourceEventParts {
  readonly events: Pick<ToldEvents, 'tell'>
  readonly standings: Standings
  /** Takes known secrets out of what sources say. */
  readonly clean: (text: string) => string
  /** Nobody else sees the same sources. */
  readonly isAlone: boolean
}

// Half of the rest: our own next word about it must not be taken for another replica's.
const downMs = restMs / 2
// Within it several replicas see the same thing come back.
const backMs = 20_000

/** Sources that go down and come back, and circuits that open and close. Told of every change of a source, and of none twice. */
export const createSourceEvents = ({
  events,
  standings,
  clean,
  isAlone,
}: SourceEventParts): ((info: SourceInfo) => void) => {
  const onceMs = (isBad: boolean): number => (isBad ? downMs : isAlone ? 0 : backMs)
  const standing = ({ name, kind, status, circuits = [] }: SourceInfo): void => {
    const { state } = status
    const key = `source:${name}`
    // An operator ended it, or another replica has it: that is neither down nor back.
    if (state === 'stopped' || state === 'elsewhere') return standings.forget(key)
    const isLeftAlone = state === 'degraded' && circuits.some(({ tool }) => tool === undefined)
    const isBad = isLeftAlone ? false : isDown(kind, status)
    if (isBad === undefined) return
    const reason = status.reason === undefined ? undefined : quoted(clean(status.reason))
    standings.note(key, isBad, (bad, changes) => {
      const type = bad ? 'source.down' : 'source.back'
      void events.tell(
        {
          type,
          subject: { type: 'source', id: name },
          text: bad ? sourceDown(name, state, reason, changes) : sourceBack(name),
          page: { name: 'sources', item: name },
          details: bad ? { state, reason: reason ?? null, kind } : { state, kind },
        },
        { key: `${type}:${name}`, forMs: onceMs(bad) },
      )
    })
  }
  const circuit = (source: string, tool: string | undefined, open: OpenCircuit | undefined): void => {
    const id = tool ?? source
    standings.note(circuitKey(source, tool), open !== undefined, (bad) => {
      const type = bad ? 'circuit.open' : 'circuit.closed'
      const reason = open && quoted(clean(open.reason))
      void events.tell(
        {
          type,
          subject: { type: tool === undefined ? 'source' : 'tool', id },
          text: reason === undefined ? circuitClosed(source, tool) : circuitOpen(source, tool, reason),
          page: tool === undefined ? { name: 'sources', item: source } : { name: 'tools', item: tool },
          details: defined({ source, tool, reason }),
        },
        { key: `${type}:${circuitKey(source, tool)}`, forMs: onceMs(bad) },
      )
    })
  }
  return (info) => {
    standing(info)
    const open = info.circuits ?? []
    for (const each of open) circuit(info.name, each.tool, each)
    const keys = new Set(open.map(({ tool }) => circuitKey(info.name, tool)))
    const prefix = `circuit:${info.name}\0`
    for (const key of standings.bad(prefix))
      if (!keys.has(key)) circuit(info.name, key.slice(prefix.length) || undefined, undefined)
  }
}

const circuitKey = (source: string, tool: string | undefined): string => `circuit:${source}\0${tool ?? ''}`
