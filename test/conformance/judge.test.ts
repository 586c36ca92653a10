import { describe, expect, it } from 'vitest'

const { judge, worseThanAlone } = await import(new URL('judge.mjs', import.meta.url).href)
const { requirementsOf } = await import(new URL('requirements.mjs', import.meta.url).href)

const passing = { name: 'works', passed: 2, failed: [], warned: [] }
const failing = { name: 'breaks', passed: 1, failed: ['check: why'], warned: [] }
const problemsOf = (more: object) =>
  judge({ title: 'cell', scenarios: [passing, failing], expected: [], required: ['works'], ...more }).problems

describe('the judgement of a conformance run', () => {
  it('names failures that nobody expected', () => {
    expect(problemsOf({})).toEqual(['breaks fails: check: why'])
    expect(problemsOf({ expected: ['breaks'] })).toEqual([])
  })

  it('names expectations that are stale, forbidden or never met', () => {
    expect(problemsOf({ expected: ['breaks', 'works'] })).toEqual([
      'works is expected to fail and does not; take it off the list',
      'works is required and may not be expected to fail',
    ])
    expect(problemsOf({ expected: ['breaks'], required: ['works', 'absent'] })).toEqual([
      'absent is required and did not run',
    ])
  })

  it('names what a fixture can do alone and not through the gateway, if it is required (B5)', () => {
    const compare = (alone: object[]) =>
      worseThanAlone({ scenarios: [passing, failing], alone, required: ['works', 'breaks'] })
    expect(compare([failing])).toEqual([])
    expect(compare([{ ...failing, failed: [] }])).toEqual([
      'breaks is required, passes with the fixture alone and fails through the gateway',
    ])
    const others = worseThanAlone({ scenarios: [failing], alone: [], required: ['works'] })
    expect(others).toEqual([])
  })

  it('knows how much each revision requires', () => {
    const counts = ['2025-11-25', '2026-07-28'].map((revision) => {
      const { server, client } = requirementsOf(revision)
      return [server.length, client.length]
    })
    expect(counts).toEqual([
      [30, 18],
      [37, 32],
    ])
  })
})
