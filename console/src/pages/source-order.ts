import type { SourceRow } from '../../../src/faces/admin/sources.js'

/** How a source stands, in the words of somebody who looks for what is wrong. */
export type Standing = 'broken' | 'waiting' | 'ready' | 'asleep' | 'off'

export const standings: readonly Standing[] = ['broken', 'waiting', 'ready', 'asleep', 'off']

type Row = Pick<SourceRow, 'name' | 'kind' | 'state' | 'enabled' | 'configured' | 'tools' | 'circuits' | 'held'>

export const standingOf = ({ state, enabled }: Pick<SourceRow, 'state' | 'enabled'>): Standing => {
  if (!enabled) return 'off'
  if (state === 'ready' || state === 'elsewhere') return 'ready'
  if (state === 'starting') return 'waiting'
  return state === 'stopped' ? 'asleep' : 'broken'
}

export const sorts = ['state', 'name', 'tools', 'kind'] as const
export type Sort = (typeof sorts)[number]

/** What needs somebody first; what this process brings along last (G2). */
export const inOrder = <R extends Row>(rows: readonly R[], sort: Sort): readonly R[] => {
  const byName = (one: R, other: R): number => one.name.localeCompare(other.name)
  const orders: Readonly<Record<Sort, (one: R, other: R) => number>> = {
    state: (one, other) => rankOf(one) - rankOf(other),
    name: byName,
    tools: (one, other) => other.tools - one.tools,
    kind: (one, other) => one.kind.localeCompare(other.kind),
  }
  return rows.toSorted((one, other) => orders[sort](one, other) || byName(one, other))
}

const rankOf = (row: Row): number => {
  if (!row.configured) return standings.length + 1
  const rank = standings.indexOf(standingOf(row))
  // Well as a whole, with something in it to look at.
  return rank === 2 && row.circuits.length + row.held === 0 ? rank + 0.5 : rank
}

/** How many there are of each. */
export const countsOf = (rows: readonly Pick<Row, 'state' | 'enabled'>[]): Readonly<Record<Standing, number>> => {
  const counts = { broken: 0, waiting: 0, ready: 0, asleep: 0, off: 0 }
  for (const row of rows) counts[standingOf(row)] += 1
  return counts
}

/** Every word has to be somewhere in it. */
export const fitsWords = (texts: readonly (string | undefined)[], words: string): boolean => {
  const where = texts.join(' ').toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => where.includes(word))
}
