import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { calculate, ExpressionError } from './calculate.js'

describe('calculate', () => {
  it.each([
    ['21*2+5', 47],
    ['130000 * 130000', 16900000000],
    ['-2**2', -4],
    ['2**-1', 0.5],
    ['2**3**2', 512],
    ['-7 // 2', -4],
    ['-7 % 3', 2],
    ['(1 + 2) * (3 - 4.5)', -4.5],
    ['sqrt(16) + max(1, 2, 3)', 7],
    ['1_000 * .5e1', 5000],
    ['+-+3', -3],
    ['2 * pi / tau', 1],
  ])('%s = %d', (expression, value) => {
    expect(calculate(expression)).toBeCloseTo(value, 10)
  })

  it.each([
    '',
    '1 +',
    '1 / 0',
    '2 2',
    '(1',
    'process.exit()',
    'constructor',
    'toString()',
    '__proto__',
    '9**9**9',
    '('.repeat(500),
    '1+'.repeat(600),
  ])('refuses %s with words of its own', (expression) => {
    expect(() => calculate(expression)).toThrow(ExpressionError)
  })

  it('agrees with JavaScript on what both can read', () => {
    const number = fc.integer({ min: 0, max: 999 }).map(String)
    const expression = fc.letrec<{ all: string; sum: string }>((tie) => ({
      all: fc.oneof({ depthSize: 'small' }, number, tie('sum')),
      sum: fc.tuple(tie('all'), fc.constantFrom('+', '-', '*'), tie('all')).map(([a, op, b]) => `(${a} ${op} ${b})`),
    })).all
    fc.assert(
      fc.property(expression, (text) => {
        fc.pre(text.length <= 1000)
        expect(calculate(text)).toBe(Number(new Function(`return ${text}`)()))
      }),
    )
  })

  it('never runs or hangs on anything else', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('1', '(', ')', '*', '/', '-', '.', 'e', ' ', 'sqrt', ','), maxLength: 60 }),
        (text) => {
          try {
            expect(calculate(text)).toBeTypeOf('number')
          } catch (error) {
            expect(error).toBeInstanceOf(ExpressionError)
          }
        },
      ),
    )
  })
})
