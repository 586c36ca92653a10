/**
 * Counters, gauges and histograms in Prometheus' text format. Own code: the format is a page, and the usual library
 * costs 110 ms of a start that promises 300. Series are bounded: names come from sources, and sources are strangers.
 */
export interface Metrics {
  counter<L extends string>(name: string, help: string, labels: readonly L[], options?: SeriesOptions): Counter<L>
  gauge<L extends string>(name: string, help: string, labels: readonly L[], options?: SeriesOptions): Gauge<L>
  histogram<L extends string>(
    name: string,
    help: string,
    labels: readonly L[],
    options?: HistogramOptions,
  ): Histogram<L>
  /** Called before each page: for what is cheaper to read than to follow. */
  onScrape(read: () => void): void
  /** The page. */
  text(): string
}

export interface SeriesOptions {
  /** Different label values kept apart; what comes after them is counted under `other`. Default 500. */
  readonly maxSeries?: number | undefined
}

export interface HistogramOptions extends SeriesOptions {
  /** Upper bounds in the unit of the name. Default: those of the MCP conventions, in seconds. */
  readonly buckets?: readonly number[] | undefined
}

export interface Counter<L extends string> {
  add(labels: Readonly<Record<L, string>>, by?: number): void
  /** The series of these labels, for whoever counts it often: finding it costs more than counting. */
  series(labels: Readonly<Record<L, string>>): CounterSeries
}

export interface CounterSeries {
  add(by: number): void
}

export interface Gauge<L extends string> {
  set(labels: Readonly<Record<L, string>>, value: number): void
  /** Forgets all values, for gauges that are read anew. */
  clear(): void
}

export interface Histogram<L extends string> {
  observe(labels: Readonly<Record<L, string>>, value: number): void
  series(labels: Readonly<Record<L, string>>): HistogramSeries
}

export interface HistogramSeries {
  observe(value: number): void
}

/** The buckets of OpenTelemetry's MCP conventions, in seconds; finer below, where in-process tools are. */
export const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]

export const createMetrics = (): Metrics => {
  const families: { readonly name: string; lines(): readonly string[] }[] = []
  const readers: (() => void)[] = []

  const plain = (type: 'counter' | 'gauge', name: string, help: string, labels: readonly string[], most: number) => {
    const series = new Map<string, Single>()
    families.push({
      name,
      lines: () => [...head(name, help, type), ...[...series].map(([key, { value }]) => `${name}${key} ${value}`)],
    })
    const keyOf = createKeys(labels, most, series)
    const of = (values: Readonly<Record<string, string>>): Single => {
      const key = keyOf(values)
      const known = series.get(key)
      if (known) return known
      const made = new Single()
      series.set(key, made)
      return made
    }
    return { of, clear: () => series.clear() }
  }

  return {
    counter: (name, help, labels, { maxSeries = 500 } = {}) => {
      const { of } = plain('counter', name, help, labels, maxSeries)
      return { add: (values, by = 1) => of(values).add(by), series: of }
    },
    gauge: (name, help, labels, { maxSeries = 500 } = {}) => {
      const { of, clear } = plain('gauge', name, help, labels, maxSeries)
      return { set: (values, value) => void (of(values).value = value), clear }
    },
    histogram: (name, help, labels, { maxSeries = 100, buckets = durationBuckets } = {}) => {
      const series = new Map<string, Observed>()
      const keyOf = createKeys(labels, maxSeries, series)
      families.push({
        name,
        lines: () => [
          ...head(name, help, 'histogram'),
          ...[...series].flatMap(([key, seen]) => bucketLines(name, key, seen, buckets)),
        ],
      })
      const of = (values: Readonly<Record<string, string>>): Observed => {
        const key = keyOf(values)
        const known = series.get(key)
        if (known) return known
        const made = new Observed(buckets)
        series.set(key, made)
        return made
      }
      return { observe: (values, value) => of(values).observe(value), series: of }
    },
    onScrape: (read) => void readers.push(read),
    text: () => {
      for (const read of readers) read()
      return `${families.flatMap(({ lines }) => lines()).join('\n')}\n`
    },
  }
}

class Single {
  value = 0

  add(by: number): void {
    this.value += by
  }
}

class Observed {
  readonly counts: number[]
  sum = 0
  count = 0
  readonly #bounds: readonly number[]

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.counts = new Array(bounds.length).fill(0)
  }

  observe(value: number): void {
    this.sum += value
    this.count += 1
    let at = 0
    while (at < this.counts.length && value > this.#bounds[at]!) at++
    if (at < this.counts.length) this.counts[at]! += 1
  }
}

const head = (name: string, help: string, type: string): string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
]

/** `{a="x",b="y"}`, or the same with `other` where too many different ones have been seen. */
const createKeys = (labels: readonly string[], most: number, series: ReadonlyMap<string, unknown>) => {
  const written = (textOf: (label: string) => string): string =>
    labels.length === 0 ? '' : `{${labels.map((label) => `${label}="${escaped(textOf(label))}"`).join(',')}}`
  const other = written(() => 'other')
  // Writing a key costs more than everything else of a count, and nearly every count is of a known one.
  const known = new Map<string, string>()
  return (values: Readonly<Record<string, string>>): string => {
    const raw = labels.map((label) => values[label]).join('\u0000')
    const found = known.get(raw) ?? written((label) => values[label] ?? '')
    if (!series.has(found) && series.size >= most) return other
    if (known.size < most) known.set(raw, found)
    return found
  }
}

const longestLabel = 128

// A name is a stranger's: backslashes, quotes and line ends are escaped as the format says, and it is cut.
const escaped = (text: string): string =>
  (text.length > longestLabel ? `${text.slice(0, longestLabel - 1)}…` : text)
    .replace(/\\/g, '\\\\')
    .replace(/"/g, '\\"')
    .replace(/[\r\n]+/g, '\\n')

const bucketLines = (
  name: string,
  key: string,
  { counts, sum, count }: Observed,
  buckets: readonly number[],
): string[] => {
  const inner = key === '' ? '' : `${key.slice(1, -1)},`
  let below = 0
  const lines = buckets.map((bound, at) => {
    below += counts[at]!
    return `${name}_bucket{${inner}le="${bound}"} ${below}`
  })
  return [
    ...lines,
    `${name}_bucket{${inner}le="+Inf"} ${count}`,
    `${name}_sum${key} ${sum}`,
    `${name}_count${key} ${count}`,
  ]
}
