import type { Clock } from '../model/clock.js'
import type { Finding } from '../scanner/finding.js'
import type { Neighbours, Scannable } from '../scanner/scan.js'
import { definitionHash } from '../schema/definition-hash.js'
import type { Reviewed } from './reviewed.js'

export interface FindingsOptions {
  readonly scan: (words: Scannable, neighbours?: Neighbours) => readonly Finding[]
  readonly clock: Pick<Clock, 'now'>
  /** What else is on the board, from where this source stands. */
  readonly neighboursOf: (source: string) => Neighbours
  /** Told when more is known than before; at the latest when nothing waits any longer. */
  readonly onScanned: () => void
  /** Told beside it in what something was found since. Default: nobody is. */
  readonly onFound?: ((found: readonly FoundIn[]) => void) | undefined
}

/** Something in which the scanner found something. */
export interface FoundIn {
  readonly item: Reviewed
  readonly findings: readonly Finding[]
}

// Nobody should notice a source with ten thousand tools: what is new is read in slices, and others go in between.
const sliceMs = 8
const tellMs = 250
const mostKept = 50_000

/** What the scanner found in definitions that are new here: each is read once, beside everything else. */
export class Findings {
  readonly #options: FindingsOptions
  /** By source and hash. */
  readonly #known = new Map<string, readonly Finding[]>()
  readonly #waiting = new Map<string, Reviewed>()
  #found: FoundIn[] = []
  #draining: Promise<void> | undefined

  constructor(options: FindingsOptions) {
    this.#options = options
  }

  /** What was found in it, the gravest first; undefined while it waits to be read, which this begins. */
  of(item: Reviewed): readonly Finding[] | undefined {
    const key = keyOf(item)
    const found = this.#known.get(key)
    if (found) return found
    this.#waiting.set(key, item)
    this.#draining ??= this.#drain()
    return undefined
  }

  /** What is being read now; undefined where nothing waits to be. */
  reading(): Promise<void> | undefined {
    return this.#draining && this.settled()
  }

  /** Resolves when nothing waits to be read. */
  async settled(): Promise<void> {
    while (this.#draining) await this.#draining
  }

  async #drain(): Promise<void> {
    const { clock } = this.#options
    // After the report that brought it: then all names of its source are there.
    await Promise.resolve()
    let toldAt = clock.now()
    while (this.#waiting.size > 0) {
      this.#slice(clock.now() + sliceMs)
      if (this.#waiting.size === 0) break
      if (clock.now() - toldAt > tellMs) {
        this.#tell()
        toldAt = clock.now()
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
    this.#draining = undefined
    this.#tell()
  }

  #tell(): void {
    const found = this.#found
    this.#found = []
    this.#options.onScanned()
    if (found.length > 0) this.#options.onFound?.(found)
  }

  #slice(until: number): void {
    const around = new Map<string, Neighbours>()
    for (const [key, item] of this.#waiting) {
      const neighbours = around.get(item.source) ?? this.#options.neighboursOf(item.source)
      around.set(item.source, neighbours)
      this.#waiting.delete(key)
      const findings = this.#read(item, neighbours)
      this.#known.set(key, findings)
      if (findings.length > 0) this.#found.push({ item, findings })
      if (this.#known.size > mostKept) this.#known.delete(this.#known.keys().next().value as string)
      if (this.#options.clock.now() >= until) return
    }
  }

  #read(item: Reviewed, neighbours: Neighbours): readonly Finding[] {
    try {
      return this.#options.scan(item.said ?? (item.definition as unknown as Scannable), neighbours)
    } catch {
      return [unread]
    }
  }
}

export const isGrave = (findings: readonly Finding[]): boolean => findings.some(({ severity }) => severity === 'high')

const keyOf = (item: Reviewed): string => `${item.source}\u0000${definitionHash(item.definition)}`

/** What breaks the scanner is not taken for harmless. */
const unread: Finding = {
  rule: 'scanner.failed',
  severity: 'high',
  place: '',
  reason: { en: 'The scanner could not read it.', zh: '扫描器无法读取它。' },
  excerpt: '',
}
