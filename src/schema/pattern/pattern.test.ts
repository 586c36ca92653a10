import fc from 'fast-check'
import { RE2JS } from 're2js'
import { describe, expect, it } from 'vitest'
import { toLimits } from '../limits.js'
import { costOf } from './cost.js'
import { parsePattern } from './parse.js'
import { compilePattern } from './pattern.js'
import { toRe2 } from './to-re2.js'

const limits = toLimits()
const test = (source: string, text: string, options = limits) =>
  compilePattern(source, '/pattern', options).test(text, { steps: 0, leftMs: () => 1000 })
const rough = (source: string) => costOf(parsePattern(source)!)

/** Each takes seconds to years natively on its text. Null: only the native engine knows the syntax, so time decides. */
const evil: readonly (readonly [string, string, boolean | null])[] = [
  ['^(a+)+$', `${'a'.repeat(200)}!`, false],
  ['^(a|a)*$', `${'a'.repeat(200)}!`, false],
  ['^(a|aa)+$', `${'a'.repeat(200)}!`, false],
  [
    '^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$',
    'a'.repeat(300),
    false,
  ],
  ['.*.*=.*', 'x'.repeat(4_000), false],
  ['(x+x+)+y', 'x'.repeat(300), false],
  ['(.*a){20}', 'b'.repeat(300), false],
  ['^(\\w+\\s?)*$', `${'word '.repeat(60)}!`, false],
  ['(a?){40}a{40}', 'a'.repeat(39), false],
  // Not repeated but written out: one that may be left out is a choice of two as well.
  [`^${'a?'.repeat(40)}${'a'.repeat(40)}$`, `${'a'.repeat(60)}b`, false],
  [`^${'a{0,2}'.repeat(30)}$`, `${'a'.repeat(40)}b`, false],
  ['^((a*)*)*$', `${'a'.repeat(100)}b`, false],
  ['\\s+$', `${' '.repeat(20_000)}x`, false],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(200), false],
  ['^(?:(?=a)a+)+$', `${'a'.repeat(60)}!`, null],
  ['^(?:(a+)+)+\\1$', `${'a'.repeat(60)}!`, null],
  ['(?<!z)(a+)+$', `${'a'.repeat(60)}!`, null],
]

describe('a pattern', () => {
  it.each(evil)('from a stranger ends: %s (T27, S140)', (source, text, expected) => {
    expect(test(source, text)).toBe(expected ?? undefined)
  })

  it('is written down at its cost', () => {
    const meter = { steps: 0, leftMs: () => 1000 }
    compilePattern('^(a+)+$', '', limits).test('a'.repeat(1_000), meter)
    expect(meter.steps).toBeGreaterThanOrEqual(1_000)
    const before = meter.steps
    compilePattern('(?=a)(a+)+$', '', { ...limits, patternTimeoutMs: 5 }).test(`${'a'.repeat(60)}!`, meter)
    expect(meter.steps).toBeGreaterThan(before)
  })

  it('falls back to the legacy grammar and refuses what is none', () => {
    expect(test('^[\\w\\-_]+\\_$', 'a-b_')).toBe(true)
    expect(test('^{a}$', '{a}')).toBe(true)
    expect(() => test('(', '')).toThrow("at '/pattern'")
    expect(() => test('a'.repeat(4_097), '')).toThrow('longer than 4096')
  })

  it('means the same in the linear engine as natively', () => {
    expect(test('^(\\s|x)+$', '\u00a0x\ufeff')).toBe(true)
    expect(test('^(.|x)+$', 'a\u2028')).toBe(false)
    expect(test('^(\\p{Script=Han}+)+$', '日本')).toBe(true)
    expect(test('^(\\p{Letter}+)+$', 'añ')).toBe(true)
    expect(test('^([\\u{1F600}-\\u{1F64F}]+)+$', '😀😃')).toBe(true)
    expect(test('^(\\uD83D\\uDE00+)+$', '😀')).toBe(true)
    expect(test('^([^]+)+$', 'a\n')).toBe(true)
    expect(test('^([]|a+)+$', 'a')).toBe(true)
    expect(test('^(\\x41|\\cJ|\\t|[\\b])+$', 'A\n\t\b')).toBe(true)
  })

  it('agrees with the native engine on short texts', () => {
    const atom = fc.constantFrom(
      'a',
      'b',
      '.',
      '\\d',
      '\\w',
      '\\s',
      '\\S',
      '[a-c]',
      '[^b]',
      '[\\d-]',
      '\\.',
      '\\u0061',
      'é',
      '(?:a|b)',
      '(a)',
    )
    const piece = fc
      .tuple(atom, fc.constantFrom('', '*', '+', '?', '{2}', '{1,2}', '*?'))
      .map((parts) => parts.join(''))
    const sequence = fc.array(piece, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''))
    const source = fc.oneof(
      sequence,
      fc.tuple(sequence, sequence).map(([left, right]) => `${left}|${right}`),
      sequence.map((inner) => `^(${inner})+$`),
      sequence.map((inner) => `^${inner}\\b`),
    )
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', 'c', '1', ' ', '.', '-', 'é', '\n', '\u2028'),
      maxLength: 8,
    })
    fc.assert(
      fc.property(source, text, (pattern, sample) => {
        const tree = parsePattern(pattern)
        const spelled = tree && toRe2(tree)
        expect(spelled).toBeTypeOf('string')
        expect(RE2JS.compile(spelled!).test(sample)).toBe(new RegExp(pattern, 'u').test(sample))
        expect(test(pattern, sample)).toBe(new RegExp(pattern, 'u').test(sample))
      }),
      { numRuns: 500 },
    )
  })
})

describe('the cost of a pattern', () => {
  it.each([
    ['^[a-z]{2,8}$', 0, false],
    ['^[a-z]+$', 1, false],
    ['[a-z]+', 2, false],
    ['^a*b*c*$', 3, false],
    ['^(?:x|y)+$', 1, false],
    ['^(a+)+$', 2, true],
    ['^(a|ab)*$', 1, true],
    ['^(?:ab?)+$', 1, true],
    ['^(a)\\1$', 0, true],
  ])('of %s has degree %d and is exponential: %s', (source, degree, exponential) => {
    expect(rough(source)).toMatchObject({ degree, exponential })
  })

  it('counts choices in a row', () => {
    expect(rough(`^${'a?'.repeat(30)}$`).log2Factor).toBeGreaterThanOrEqual(30)
    expect(test(`^${'(?:a|aa)'.repeat(30)}$`, `${'a'.repeat(45)}!`)).toBe(false)
    expect(test(`^${'a?'.repeat(40)}${'a'.repeat(40)}$`, 'a'.repeat(39))).toBe(false)
  })

  it('is unknown for unusual syntax', () => {
    expect(parsePattern('\\8')).toMatchObject({ type: 'backreference' })
    expect(parsePattern('[\\1]')).toBeUndefined()
    expect(parsePattern(`${'('.repeat(101)}${')'.repeat(101)}`)).toBeUndefined()
  })
})
