import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonBytes } from './json-bytes.js'

const written = (value: unknown): number => {
  try {
    return Buffer.byteLength(JSON.stringify(value) ?? '')
  } catch {
    return 0
  }
}

// Units of UTF-16 rather than characters, so that halves of pairs stand alone.
const units = fc.array(fc.integer({ min: 0, max: 0xffff })).map((codes) => String.fromCharCode(...codes))
const odd = fc.oneof(
  units,
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\u0000', '\b\t\n\v\f\r', '"\\/', '\u007f\u0080', '\ud83d\ude00', '\ud83d', '\ude00\ud83d', '\u2028'),
)
const leaf = fc.oneof(
  odd,
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constantFrom(null, undefined, Number.NaN, -0, 1e21, 5e-7, Number.NEGATIVE_INFINITY, Symbol('s')),
  fc.date({ noInvalidDate: false }),
  odd.map((text) => ({ toJSON: (key: string) => key + text })),
  fc.constantFrom(
    () => 1,
    Object.assign(() => 1, { toJSON: () => 'told' }),
    new Number(7),
    new String('boxed'),
    new Boolean(false),
    { toJSON: () => undefined },
    new Map([[1, 2]]),
    new Uint8Array(3),
    Object.create({ inherited: 1 }),
  ),
)
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, leaf, fc.array(tie('value')), fc.dictionary(odd, tie('value'))),
}))

describe('the bytes of a value as JSON', () => {
  it('are those of its text, without the text', () => {
    fc.assert(
      fc.property(value, (each) => {
        expect(jsonBytes(each)).toBe(written(each))
      }),
      { numRuns: 2000 },
    )
  })

  it('are none for what JSON cannot hold', () => {
    const cycle: Record<string, unknown> = { long: 'x'.repeat(1000) }
    cycle.self = [cycle]
    const throws = {
      get it() {
        throw new Error('no')
      },
    }
    for (const each of [cycle, 1n, [1n], Object(1n), throws, undefined, () => 1, Symbol('s')])
      expect([jsonBytes(each), written(each)]).toEqual([0, 0])
  })

  it('count what stands in two places twice', () => {
    const shared = { a: [1, 2] }
    expect(jsonBytes([shared, shared])).toBe(written([shared, shared]))
  })
})
