import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatDiff, lineDiff } from './line-diff.js'

describe('a difference of lines', () => {
  it('shows what changed with two lines around it', () => {
    const before = 'a\nb\nc\nd\ne\nf\n'
    expect(formatDiff(lineDiff(before, before.replace('d', 'X')))).toBe('  b\n  c\n- d\n+ X\n  e\n  f')
    expect(lineDiff(before, before)).toEqual([])
    expect(formatDiff(lineDiff('', 'a\n'))).toBe('+ a')
  })

  it('takes from the one text what is not in the other, and leads to it', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map((lines) => lines.join('\n'))
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = lineDiff(`x\n${before}`, `x\n${after}`)
        const removed = lines.filter(({ sign }) => sign === '-').length
        const added = lines.filter(({ sign }) => sign === '+').length
        const count = (each: string): number => `x\n${each}`.replace(/\n$/, '').split('\n').length
        expect(count(before) - removed + added).toBe(count(after))
      }),
    )
  })

  it('takes two large texts without a table of their product', () => {
    const many = (word: string): string => Array.from({ length: 5000 }, (_, index) => `${word}${index}`).join('\n')
    expect(lineDiff(many('a'), many('b'))).toHaveLength(10_000)
  })
})
