import { sourceLease } from '../../fleet/fleet.js'
import type { Others } from '../../fleet/others.js'
import type { HttpExchange } from '../../http/route.js'
import type { Caller } from '../../model/caller.js'
import { list, shape, text, type ValueOf } from '../../operations/shape.js'
import type { LoggedCall, LogLine, Minute } from './calls.js'
import type { ParkedRow } from './parked.js'
import type { SourceRow } from './sources.js'

/** Whose figures these are: ours, those of the others, and who did not say. There is none of it where a process is by itself. */
export const covered = shape({ replica: text(), replicas: list(text()), away: list(text()) })

export type Covered = ValueOf<typeof covered>

/** What one replica said. */
export interface OfReplica<Answer> {
  /** Undefined where a process is by itself, or another replica asked. */
  readonly replica: string | undefined
  readonly answer: Answer
}

export interface Gathered<Answer> {
  /** Ours first. */
  readonly said: readonly OfReplica<Answer>[]
  readonly covers: Covered | undefined
}

/** The same question to every replica; who is asked by another one answers for itself alone. */
export const gather = async <Answer>(
  others: Others | undefined,
  { exchange, caller }: { readonly exchange: HttpExchange; readonly caller: Caller },
  own: Answer,
): Promise<Gathered<Answer>> => {
  if (!others || exchange.passedBy !== undefined)
    return { said: [{ replica: undefined, answer: own }], covers: undefined }
  const heard = await others.ask(exchange.request.url ?? '/', caller)
  const away = heard.flatMap(({ replica, answer }) => (answer === undefined ? [replica] : []))
  const said = heard.flatMap(({ replica, answer }) =>
    answer === undefined ? [] : [{ replica, answer: answer as unknown as Answer }],
  )
  const all = [{ replica: others.replica, answer: own }, ...said]
  return { said: all, covers: { replica: others.replica, replicas: all.map(({ replica }) => replica), away } }
}

type Labelled<Row> = Row | (Row & { readonly replica: string })

/** The rows of all, each with its replica. */
export const labelled = <Answer, Row>(
  said: readonly OfReplica<Answer>[],
  rowsOf: (answer: Answer) => readonly Row[],
): readonly Labelled<Row>[] =>
  said.flatMap(({ replica, answer }): readonly Labelled<Row>[] => {
    const rows = rowsOf(answer)
    return replica === undefined ? rows : rows.map((row) => ({ ...row, replica }))
  })

/** In the order in which they happened. */
export const inOrder = <Row extends { readonly at: number }>(rows: readonly Row[]): readonly Row[] =>
  rows.toSorted((one, other) => one.at - other.at)

/** The minutes of all together, oldest first. */
export const together = (minutes: readonly (readonly Minute[])[]): readonly Minute[] => {
  if (minutes.length === 1) return minutes[0]!
  const byStart = new Map<number, Minute>()
  for (const each of minutes.flat()) {
    const known = byStart.get(each.at)
    byStart.set(each.at, known ? added(known, each) : each)
  }
  return inOrder([...byStart.values()])
}

const added = (one: Minute, other: Minute): Minute => ({
  at: one.at,
  calls: one.calls + other.calls,
  errors: one.errors + other.errors,
  totalMs: one.totalMs + other.totalMs,
  maxMs: Math.max(one.maxMs, other.maxMs),
})

/** The numbers of all under each name. */
export const summed = (counts: readonly Readonly<Record<string, number>>[]): Readonly<Record<string, number>> => {
  const sums: Record<string, number> = {}
  for (const each of counts) for (const [name, count] of Object.entries(each)) sums[name] = (sums[name] ?? 0) + count
  return sums
}

/**
 * A source that runs at one replica is as it is there; of one that runs at each, ours is shown, with those that are in
 * another state.
 */
export const joinedSources = (
  own: readonly SourceRow[],
  theirs: ReadonlyMap<string, readonly SourceRow[]>,
  others: Pick<Others, 'holderOf' | 'replica'>,
): readonly SourceRow[] =>
  own.map((row) => {
    const holder = others.holderOf(sourceLease(row.name))
    const there = holder === undefined ? undefined : find(theirs.get(holder), row.name)
    if (there) return { ...row, ...running(there), replica: holder }
    if (holder !== undefined) return { ...row, replica: holder }
    const differing = [...theirs].flatMap(([replica, rows]) => {
      const other = find(rows, row.name)
      return other && other.state !== row.state ? [{ replica, state: other.state, reason: other.reason }] : []
    })
    return differing.length === 0 ? row : { ...row, elsewhere: differing }
  })

const find = (rows: readonly SourceRow[] | undefined, name: string): SourceRow | undefined =>
  rows?.find((row) => row.name === name)

/** What only whoever runs it knows. */
const running = ({ state, reason, nextRetryAt, peer, guards, processes, circuits }: SourceRow) => ({
  ...{ state, reason, nextRetryAt, peer, guards, processes, circuits },
})

/** What the others told last, for one who is told what changes: by replica, until it is away. */
export class Pulse {
  readonly #minutes = new Map<string, ReadonlyMap<number, Minute>>()
  readonly #sources = new Map<string, readonly SourceRow[]>()
  readonly #parked = new Map<string, readonly ParkedRow[]>()

  get replicas(): readonly string[] {
    return [...this.#minutes.keys()]
  }

  /** An hour of it at most. */
  minutes(replica: string, news: readonly Minute[]): void {
    const known = [...(this.#minutes.get(replica) ?? []), ...news.map((minute) => [minute.at, minute] as const)]
    const byStart = [...new Map(known)].sort(([one], [other]) => one - other)
    this.#minutes.set(replica, new Map(byStart.slice(-60)))
  }

  sources(replica: string, rows: readonly SourceRow[]): void {
    this.#sources.set(replica, rows)
  }

  parked(replica: string, rows: readonly ParkedRow[]): void {
    this.#parked.set(replica, rows)
  }

  forget(replica: string): void {
    this.#minutes.delete(replica)
    this.#sources.delete(replica)
    this.#parked.delete(replica)
  }

  clear(): void {
    for (const replica of this.replicas) this.forget(replica)
  }

  /** These minutes with what the others had in them; `own` are all that we know of ours. */
  wholeMinutes(own: readonly Minute[], wanted: readonly Minute[]): readonly Minute[] {
    const starts = new Set(wanted.map(({ at }) => at))
    const theirs = [...this.#minutes.values()].map((minutes) => [...minutes.values()])
    return together([own, ...theirs].map((minutes) => minutes.filter(({ at }) => starts.has(at))))
  }

  wholeSources(own: readonly SourceRow[], others: Pick<Others, 'holderOf' | 'replica'>): readonly SourceRow[] {
    return joinedSources(own, this.#sources, others)
  }

  wholeParked(own: readonly ParkedRow[], replica: string): readonly ParkedRow[] {
    const all: OfReplica<readonly ParkedRow[]>[] = [...this.#parked].map(([name, answer]) => ({
      replica: name,
      answer,
    }))
    return labelled([{ replica, answer: own }, ...all], (rows) => rows)
  }
}

export const labelledRows = <Row extends LoggedCall | LogLine>(rows: readonly Row[], replica: string): readonly Row[] =>
  rows.map((row) => ({ ...row, replica }))
