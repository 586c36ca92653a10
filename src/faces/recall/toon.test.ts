import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toToon } from './toon.js'

describe('TOON', () => {
  it.each([
    [{ a: 1, b: 'x y', c: null, d: true }, 'a: 1\nb: x y\nc: null\nd: true'],
    [{ list: [1, 2, 'three'] }, 'list[3]: 1,2,three'],
    [{ none: [], empty: {} }, 'none[0]:\nempty:'],
    [
      {
        rows: [
          { id: 1, name: 'Ada' },
          { id: 2, name: 'B,C' },
        ],
      },
      'rows[2]{id,name}:\n  1,Ada\n  2,"B,C"',
    ],
    [{ mixed: [1, { a: 1, b: { c: 2 } }, [1, 2]] }, 'mixed[3]:\n  - 1\n  - a: 1\n    b:\n      c: 2\n  - [2]: 1,2'],
    [{ quoted: ['', 'true', '42', '-x', ' a', 'a: b', 'l\nm'] }, 'quoted[7]: "","true","42","-x"," a","a: b","l\\nm"'],
    [{ 'a key': { 'x-y': 1 } }, '"a key":\n  "x-y": 1'],
    [{ big: 1e21, small: 1e-7 }, 'big: 1000000000000000000000\nsmall: 0.0000001'],
    ['text', 'text'],
    [[{ a: [1] }], '[1]:\n  - a[1]: 1'],
  ])('writes %j', (value, wanted) => {
    expect(toToon(value)).toBe(wanted)
  })

  it('writes any JSON without throwing, one line per line', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        for (const line of toToon(value).split('\n')) expect(line.trimEnd().length).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})
