import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../../test/helpers/virtual-clock.js'
import type { Tool } from '../../model/tool.js'
import { sharedLexicon } from '../lexicon/lexicon.js'
import { createSearch } from '../search.js'
import { createArena } from './arena.js'
import { createLexicalIndex } from './lexical-index.js'

const words = ['create', 'delete', 'issue', 'file', '天气', '查询', 'send', 'message', 'GitHub', 's3']

const toolArb: fc.Arbitrary<Tool> = fc
  .record({
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    name: fc.constantFrom(...words),
    description: fc.array(fc.constantFrom(...words), { maxLength: 6 }),
    source: fc.constantFrom('one', 'two'),
    parameter: fc.constantFrom(...words),
  })
  .map(({ id, name, description, source, parameter }) => ({
    id,
    name,
    namespace: '',
    source,
    tags: [],
    definition: {
      name,
      description: description.join(' '),
      inputSchema: { type: 'object', properties: { [parameter]: { type: 'string' } } },
    },
  }))

const stepArb = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('put' as const), tool: toolArb }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), tool: toolArb }) },
)

describe('lexical index', () => {
  it('after any sequence of changes answers as one made afresh (002-19)', () => {
    fc.assert(
      fc.property(fc.array(stepArb, { maxLength: 40 }), (steps) => {
        const grown = createSearch({ clock: new VirtualClock() })
        const live = new Map<string, Tool>()
        for (const { kind, tool } of steps) {
          if (kind === 'put') {
            grown.apply(
              live.has(tool.id)
                ? { added: [], changed: [tool], removed: [] }
                : { added: [tool], changed: [], removed: [] },
            )
            live.set(tool.id, tool)
          } else {
            grown.apply({ added: [], changed: [], removed: [tool] })
            live.delete(tool.id)
          }
        }
        const fresh = createSearch({ clock: new VirtualClock() })
        fresh.apply({ added: [...live.values()], changed: [], removed: [] })
        expect(grown.size).toBe(live.size)
        for (const query of ['create issue', '查询天气', 'github file message', 'remove s3']) {
          for (const method of ['auto', 'bm25', 'regex']) {
            expect(grown.searchSync(query, { method, limit: 10 })).toEqual(
              fresh.searchSync(query, { method, limit: 10 }),
            )
          }
        }
      }),
      { numRuns: 60 },
    )
  })

  it('gives slots and terms again, so that it does not grow with churn', () => {
    const index = createLexicalIndex(sharedLexicon())
    const make = (round: number): Tool => ({
      id: 'only',
      name: `tool_${round}`,
      namespace: '',
      source: 'x',
      tags: [],
      definition: { name: `tool_${round}`, description: `word${round} another${round}`, inputSchema: {} },
    })
    for (let round = 0; round < 2_000; round++) index.put(make(round))
    expect(index.slots).toBe(1)
    expect(index.arena.bytes).toBeLessThanOrEqual(262_144)
    expect(index.remove('only')).toBe(0)
    expect(index.remove('only')).toBeUndefined()
    expect(index.size).toBe(0)
  })

  it('keeps the old tool when the new one cannot be read', () => {
    const index = createLexicalIndex(sharedLexicon())
    const good: Tool = {
      id: 'a',
      name: 'a',
      namespace: '',
      source: 's',
      tags: [],
      definition: { name: 'a', inputSchema: {} },
    }
    index.put(good)
    const bad = new Proxy(good, {
      get: (target, key) => {
        if (key === 'aliases') throw new Error('unreadable')
        return Reflect.get(target, key)
      },
    })
    expect(() => index.put(bad)).toThrow('unreadable')
    expect(index.tool(index.slot('a')!)).toBe(good)
  })
})

describe('arena', () => {
  it('never hands out overlapping blocks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ size: fc.integer({ min: 1, max: 70_000 }), free: fc.boolean() }), { maxLength: 40 }),
        (steps) => {
          const arena = createArena()
          const live = []
          for (const { size, free } of steps) {
            const block = arena.allocate(size)
            expect(block.capacity).toBeGreaterThanOrEqual(size)
            expect(block.offset + block.capacity).toBeLessThanOrEqual(arena.segment(block).length)
            if (free) arena.free(block)
            else live.push(block)
          }
          for (const a of live) {
            for (const b of live) {
              const apart =
                a.segment !== b.segment || a.offset + a.capacity <= b.offset || b.offset + b.capacity <= a.offset
              expect(a === b || apart).toBe(true)
            }
          }
        },
      ),
    )
  })
})
