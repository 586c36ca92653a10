interface Family {
  readonly head: readonly string[]
  readonly how: 'count' | 'sum' | 'same'
  readonly series: Map<string, number>
}

/**
 * The pages of several processes as one. Counters are added up, and those of processes that have ended stay in the sum, since
 * one that shrinks is read as a restart of everything. Of gauges, what each process has of its own is added up; what all of
 * them see, such as the state of a source, is as the first one sees it.
 */
export class SummedMetrics {
  /** What ended processes had counted when they were last asked. */
  readonly #ended = new Map<string, Family>()
  readonly #last = new Map<number, Map<string, Family>>()

  /** `pages` by process; one that could not be asked counts as when it last was. */
  sum(pages: ReadonlyMap<number, string | undefined>): string {
    for (const [process, page] of pages) if (page !== undefined) this.#last.set(process, parsePage(page))
    const sum = new Map<string, Family>()
    for (const process of pages.keys()) addPage(sum, this.#last.get(process) ?? new Map())
    addPage(sum, this.#ended)
    return [...sum.values()]
      .flatMap(({ head, series }) => [...head, ...rowsOf(series)])
      .join('\n')
      .concat('\n')
  }

  ended(process: number): void {
    const counts = [...(this.#last.get(process) ?? [])].filter(([, { how }]) => how === 'count')
    this.#last.delete(process)
    addPage(this.#ended, new Map(counts))
  }
}

const rowsOf = (series: ReadonlyMap<string, number>): readonly string[] =>
  [...series].map(([name, value]) => `${name} ${value}`)

const addPage = (into: Map<string, Family>, page: ReadonlyMap<string, Family>): void => {
  for (const [name, { head, how, series }] of page) {
    if (how === 'same' && (into.get(name)?.series.size ?? 0) > 0) continue
    const known = into.get(name) ?? { head, how, series: new Map<string, number>() }
    into.set(name, known)
    for (const [key, value] of series) known.series.set(key, (known.series.get(key) ?? 0) + value)
  }
}

// What is of one process and not of the gateway.
const ownGauges = /^process_|^pegboard_calls_|_bytes$/

const howOf = (name: string, type: string | undefined): Family['how'] => {
  if (type !== 'gauge' || name.endsWith('_total')) return 'count'
  return ownGauges.test(name) ? 'sum' : 'same'
}

/** Only pages of our own are read: a comment per family, then its rows, the value behind the last space. */
const parsePage = (page: string): Map<string, Family> => {
  const families = new Map<string, Family>()
  let help: string | undefined
  let family: Family | undefined
  for (const line of page.split('\n')) {
    if (line.startsWith('# HELP ')) help = line
    else if (line.startsWith('# TYPE ')) {
      const [, , name = '', type] = line.split(' ')
      family = { head: help === undefined ? [line] : [help, line], how: howOf(name, type), series: new Map() }
      help = undefined
      families.set(name, family)
    } else if (line !== '' && family) {
      const cut = line.lastIndexOf(' ')
      family.series.set(line.slice(0, cut), Number(line.slice(cut + 1)))
    }
  }
  return families
}
