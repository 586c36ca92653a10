import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { systemClock } from '../model/clock.js'
import { Journal, type JournalEntry } from './journal.js'
import { scriptLimits } from './limits.js'
import { createSandbox } from './sandbox.js'
import type { ScriptRequest } from './script-run.js'

const sandbox = createSandbox(systemClock)
afterAll(() => sandbox.close())

/** A script as a tree: calls one after the other, or all at once. */
type Tree = { readonly call: number } | { readonly all: readonly Tree[] } | { readonly row: readonly Tree[] }

const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.record({ call: fc.nat(99) }),
    fc.record({ all: fc.array(tie('tree'), { maxLength: 5 }) }),
    fc.record({ row: fc.array(tie('tree'), { maxLength: 4 }) }),
  ),
}))

/** Each call tells what was answered so far, so that another order of answers is another call. */
const script = `
  const seen = []
  const walk = async (t) => {
    if ('call' in t) { const a = await tools.any.one({ id: t.call, seen: seen.length, last: seen.at(-1) ?? null, r: Math.random() })
      seen.push(a.id); return a.id }
    if (t.all) return Promise.all(t.all.map(walk))
    const out = []; for (const each of t.row) out.push(await walk(each)); return out
  }
  return [await walk(input), seen]`

const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve))
}

describe('a paused script', () => {
  it('comes to the same end however often it is paused and whatever comes first: every effect once', async () => {
    await fc.assert(
      fc.asyncProperty(
        tree,
        fc.array(fc.nat(4), { minLength: 1, maxLength: 20 }),
        fc.array(fc.boolean(), { minLength: 1, maxLength: 20 }),
        async (input, latencies, asks) => {
          const effects: string[] = []
          const granted = new Set<string>()
          let order = 0
          const onCall: ScriptRequest['onCall'] = async ({ n, args }) => {
            await turns(latencies[order++ % latencies.length]!)
            if (asks[n % asks.length] && !granted.has(args)) return { held: { args } }
            effects.push(args)
            return { ok: true, json: args }
          }
          let journal: readonly JournalEntry[] = []
          for (let round = 0; round < 200; round++) {
            const limits = scriptLimits({ cpuMs: 10_000 })
            const end = await sandbox.run({
              script,
              input: JSON.stringify(input),
              limits,
              seed: 5,
              now: 0,
              onCall,
              journal,
            })
            if (end.state === 'failed') throw end.error
            if (end.state === 'paused') {
              journal = end.journal
              for (const { held } of end.held) granted.add(String(held.args))
              continue
            }
            const [, seen] = JSON.parse(end.json) as [unknown, number[]]
            expect(seen).toHaveLength(effects.length)
            expect(new Set(effects.map((each) => each)).size).toBe(effects.length)
            expect(end.calls.every(({ ended }) => ended === 'ok')).toBe(true)
            return
          }
          throw new Error('it never ended')
        },
      ),
      { numRuns: 40 },
    )
  }, 120_000)
})

describe('a journal', () => {
  const entry = (n: number): JournalEntry => ({ n, tool: 'a.b', args: `{"n":${n}}`, answer: { ok: true, json: '1' } })

  it('gives recorded answers in their order, each after its call', () => {
    const journal = new Journal([entry(2), entry(1)])
    expect(journal.knows({ n: 1, tool: 'a.b', args: '{"n":1}' })).toBe(true)
    expect(journal.next()).toBeUndefined()
    expect(journal.knows({ n: 2, tool: 'a.b', args: '{"n":2}' })).toBe(true)
    expect([journal.next()?.n, journal.next()?.n, journal.next()]).toEqual([2, 1, undefined])
    expect(journal.isPlayed).toBe(true)
    expect(journal.knows({ n: 3, tool: 'a.b', args: '{}' })).toBe(false)
  })

  it('notices that the script took another way', () => {
    const journal = new Journal([entry(1)])
    expect(() => journal.knows({ n: 1, tool: 'a.c', args: '{"n":1}' })).toThrow(/took another way.*now of 'a\.c'/)
    expect(() => journal.knows({ n: 1, tool: 'a.b', args: '{}' })).toThrow(/one with other arguments/)
  })
})
