import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../test/helpers/virtual-clock.js'
import type { ToolDefinition } from '../model/tool.js'
import type { Finding } from '../scanner/finding.js'
import { createMemoryStore } from '../storage/memory/memory-store.js'
import { silentLogger } from '../telemetry/logger.js'
import { type Approvals, createApprovals } from './approvals.js'
import { type Catalog, createCatalog } from './catalog.js'

type Words = 'plain' | 'other' | 'evil'
type Report = Readonly<Record<string, Words>>
type Store = ReturnType<typeof createMemoryStore>

const grave: Finding = { rule: 'test.evil', severity: 'high', place: '', reason: { en: 'x', zh: 'x' }, excerpt: '' }

/** A process on the data folder: the one that writes, or one that only looks. */
interface Process {
  readonly approvals: Approvals
  readonly catalog: Catalog
  report(report: Report): void
}

const start = async (store: Store, mode: 'hold' | 'note', isOwner: boolean): Promise<Process> => {
  const documents = store.documents('approvals')
  const approvals = await createApprovals({
    documents: isOwner ? documents : { all: documents.all, get: documents.get },
    clock: new VirtualClock(),
    logger: silentLogger,
    newTools: () => mode,
    findingsOf: ({ definition }) => (definition.description === 'evil' ? [grave] : []),
  })
  const catalog = createCatalog({ review: approvals.review })
  catalog.mount({ source: 's', namespace: 's' })
  return {
    approvals,
    catalog,
    report: (report) => {
      const tools = Object.entries(report).map(([name, description]) => ({
        definition: { name, description, inputSchema: { type: 'object' } } as ToolDefinition,
      }))
      catalog.apply('s', { type: 'all', tools })
      approvals.reported('s', 'tools')
    },
  }
}

const listed = ({ catalog }: Process): readonly string[] =>
  catalog.snapshot().tools.map(({ name, definition }) => `${name}=${definition.description}`)

/** What the rules say, as plainly as they can be said. */
class Model {
  readonly approved = new Map<string, Words>()
  isKnown = false
  constructor(readonly mode: 'hold' | 'note') {}

  passes(name: string, words: Words): boolean {
    const was = this.approved.get(name)
    if (was !== undefined) return was === words
    return words !== 'evil' && (this.mode === 'note' || !this.isKnown)
  }

  report(report: Report): readonly string[] {
    const shown = Object.entries(report).filter(([name, words]) => this.passes(name, words))
    for (const [name, words] of shown) this.approved.set(name, words)
    this.isKnown = true
    return shown.map(([name, words]) => `${name}=${words}`).sort()
  }

  shown(report: Report): readonly string[] {
    return Object.entries(report)
      .flatMap(([name, words]) => (this.passes(name, words) ? [`${name}=${words}`] : []))
      .sort()
  }
}

const words = fc.constantFrom<Words>('plain', 'other', 'evil')
const report = fc.dictionary(fc.constantFrom('a', 'b', 'c', '#first', 'tools', '__x'), words, { maxKeys: 4 })
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('report' as const), report }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('look' as const), report }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('approve' as const, 'reject' as const), at: fc.nat(5) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('restart' as const, 'restart looker' as const), at: fc.constant(0) }),
  },
)

describe('histories of reports, restarts and decisions', () => {
  it('give every process on the data folder the verdict of a plain model (S2, S8, A13)', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<'hold' | 'note'>('hold', 'note'),
        fc.array(step, { maxLength: 25 }),
        async (mode, steps) => {
          const store = createMemoryStore()
          const model = new Model(mode)
          let owner = await start(store, mode, true)
          let looker = await start(store, mode, false)
          let now: Report = {}
          for (const each of steps) {
            if (each.do === 'report') {
              now = each.report
              owner.report(now)
              expect(listed(owner)).toEqual(model.report(now))
            } else if (each.do === 'look') {
              // What the owner never saw is the looker's own first report, until the owner has written its own.
              looker.report(each.report)
              await owner.approvals.close()
              await looker.approvals.refresh()
              looker.catalog.recheck('all')
              if (model.isKnown && mode === 'hold') expect(listed(looker)).toEqual(model.shown(each.report))
              for (const shown of listed(looker))
                if (shown.endsWith('=evil')) expect(model.approved.get(shown.slice(0, -5))).toBe('evil')
            } else if (each.do === 'restart') {
              await owner.approvals.close()
              owner = await start(store, mode, true)
              now = {}
            } else if (each.do === 'restart looker') looker = await start(store, mode, false)
            else {
              const held = owner.catalog.held()
              const tool = held[each.at % Math.max(1, held.length)]
              if (!tool) continue
              if (each.do === 'reject') {
                await owner.approvals.reject(tool, 'ann')
                expect(owner.approvals.standingOf(tool).state).toBe('rejected')
              } else {
                await owner.approvals.approve(tool, 'ann')
                model.approved.set(tool.name, tool.definition.description as Words)
              }
              owner.catalog.recheck('held')
              expect(listed(owner)).toEqual(model.shown(now))
            }
          }
        },
      ),
      { numRuns: 300 },
    )
  })
})
