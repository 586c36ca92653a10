import { describe, expect, it } from 'vitest'
import { codeOf } from '../../test/helpers/thrown-code.js'
import { compilePredicate, type OwnKeyword } from './predicate.js'

const odd: OwnKeyword = (parameter) => {
  if (parameter !== true) throw new Error('must be true')
  return { words: 'must be odd', test: (value) => (typeof value === 'number' ? value % 2 === 1 : undefined) }
}
const compile = (schema: object) => compilePredicate(schema as never, { odd })

describe('a predicate', () => {
  it('says yes or no, and why not', () => {
    const env = compile({ properties: { env: { const: 'prod' } }, required: ['env'] })
    expect([env.test({ env: 'prod' }), env.test({ env: 'dev' }), env.test({})]).toEqual([true, false, false])
    expect(env.explain({ env: 'dev' })).toMatchObject([{ path: '/env', keyword: 'const' }])
    expect(env.explain({ env: 'prod' })).toEqual([])
  })

  it.each([
    [{ maximum: 5 }, '7'],
    [{ pattern: 'a' }, 7],
    [{ maxItems: 1 }, {}],
    [{ required: ['a'] }, []],
    [{ not: { maximum: 5 } }, '7'],
    [{ odd: true }, 'x'],
    [{ not: { odd: true } }, 'x'],
    [{ anyOf: [{ const: 1 }, { odd: true }] }, 'x'],
  ])('cannot say whether %j fits %j, not even below not', (schema, value) => {
    expect(compile(schema).test(value)).toBeUndefined()
    expect(compile(schema).explain(value).length).toBeGreaterThan(0)
  })

  it('is sure where a type was asked for first', () => {
    expect(compile({ maximum: 5, type: 'number' }).test('7')).toBe(false)
    expect(compile({ anyOf: [{ type: 'number', maximum: 5 }, { type: 'string' }] }).test('7')).toBe(true)
  })

  it('cannot say what takes too long or goes too deep', () => {
    const deep = compile({ $defs: { a: { items: { $ref: '#/$defs/a' } } }, $ref: '#/$defs/a' })
    let value: unknown = []
    for (let depth = 0; depth < 2000; depth++) value = [value]
    expect(deep.test(value)).toBeUndefined()
    expect(compile({ type: 'object' }).test({})).toBe(true)
  })

  it.each([
    [{ maximun: 5 }, /'\/maximun': is no keyword.*did you mean maximum/],
    [{ properties: { a: { Const: 1 } } }, /'\/properties\/a\/Const'.*did you mean const/],
    [{ anyOf: [{ xyz: 1 }] }, /'\/anyOf\/0\/xyz': is no keyword that a condition knows\./],
    [{ odd: 3 }, /'\/odd': must be true/],
    [{ type: 'text' }, /\/type/],
  ])('refuses %j', (schema, words) => {
    expect(codeOf(() => compile(schema))).toBe('SCHEMA_INVALID')
    expect(() => compile(schema)).toThrow(words)
  })
})
