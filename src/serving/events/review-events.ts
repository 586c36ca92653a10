import { createHash } from 'node:crypto'
import type { FoundIn } from '../../catalog/findings.js'
import type { Reviewed } from '../../catalog/reviewed.js'
import type { Finding, Severity } from '../../scanner/finding.js'
import { definitionHash } from '../../schema/definition-hash.js'
import { definitionsHeld, findingsIn, quoted } from './event-words.js'
import type { ToldEvents } from './told-events.js'

// Longer than anybody leaves such a thing lying: told once, over restarts as well.
const onceMs = 90 * 24 * 60 * 60_000
const mostNamed = 20
const mostKnown = 50_000

/** Definitions that wait for somebody, one event for all of a source that are new together. */
export class HeldEvents {
  readonly #events: Pick<ToldEvents, 'tell'>
  readonly #known = new Set<string>()

  constructor(events: Pick<ToldEvents, 'tell'>) {
    this.#events = events
  }

  /** What is held now. */
  look(held: readonly Reviewed[]): void {
    const fresh = held.filter((item) => !this.#known.has(markOf(item)))
    for (const item of fresh) this.#known.add(markOf(item))
    if (this.#known.size > mostKnown) this.#known.clear()
    for (const [source, items] of bySource(fresh, (item) => item))
      void this.#events.tell(
        {
          type: 'approval.waiting',
          subject: { type: 'source', id: source },
          text: definitionsHeld(source, items.length),
          page: { name: 'approvals' },
          details: { kind: 'definitions', count: items.length, items: named(items) },
        },
        { key: `held:${source}:${marksOf(items)}`, forMs: onceMs, isKept: true },
      )
  }
}

/** What the scanner found at one go, one event for each source. What weighs little is left to its page. */
export const tellFindings = (events: Pick<ToldEvents, 'tell'>, found: readonly FoundIn[]): void => {
  const weighty = found.filter(({ findings }) => findings.some(({ severity }) => severity !== 'low'))
  for (const [source, items] of bySource(weighty, ({ item }) => item)) {
    const all = items.flatMap(({ findings }) => findings)
    const worst = gravest(all)
    void events.tell(
      {
        type: 'scanner.finding',
        subject: { type: 'source', id: source },
        text: findingsIn(source, items.length, worst),
        page: { name: 'sources', item: source },
        details: {
          severity: worst,
          count: items.length,
          items: named(items.map(({ item }) => item)),
          // Which rules, not what they found: that is a stranger's text, and it was taken for an attack.
          rules: [...new Set(all.map(({ rule }) => rule))].slice(0, mostNamed),
        },
      },
      { key: `found:${source}:${marksOf(items.map(({ item }) => item))}`, forMs: onceMs, isKept: true },
    )
  }
}

const gravest = (findings: readonly Finding[]): Severity =>
  (['high', 'medium', 'low'] as const).find((each) => findings.some(({ severity }) => severity === each)) ?? 'low'

const named = (items: readonly Reviewed[]): string[] => items.slice(0, mostNamed).map(({ id }) => quoted(id))

const markOf = (item: Reviewed): string => `${item.source}\0${item.id}\0${definitionHash(item.definition)}`

const marksOf = (items: readonly Reviewed[]): string =>
  createHash('sha256').update(items.map(markOf).sort().join('\n')).digest('hex').slice(0, 32)

const bySource = <T>(all: readonly T[], itemOf: (each: T) => Reviewed): ReadonlyMap<string, readonly T[]> => {
  const groups = new Map<string, T[]>()
  for (const each of all) {
    const { source } = itemOf(each)
    groups.set(source, [...(groups.get(source) ?? []), each])
  }
  return groups
}
