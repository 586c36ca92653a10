import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parametersOf } from './signature.js'

describe('parametersOf', () => {
  // Read from text, since a compiler would rewrite real functions before we saw them.
  const read = (source: string) => {
    const fn = () => {}
    const original = Function.prototype.toString
    Function.prototype.toString = function () {
      return this === fn ? source : original.call(this)
    }
    try {
      return parametersOf(fn).map(({ name, defaultText }) =>
        defaultText === undefined ? name : `${name}=${defaultText}`,
      )
    } finally {
      Function.prototype.toString = original
    }
  }

  it.each([
    ['(a, b) => a', ['a', 'b']],
    ['async x => x', ['x']],
    ['function f(a = "x,)y", b = [1, (2)], c = { d: 1 }) {}', ['a="x,)y"', 'b=[1, (2)]', 'c={ d: 1 }']],
    ['async function* g(/* no, ) */ a, // (\n b) {}', ['a', 'b']],
    ['method(a, b = () => 1) {}', ['a', 'b=() => 1']],
    ['({ a, b }) => a', []],
    ['(a, ...rest) => a', ['a']],
    ['() => 1', []],
    ['function parseInt() { [native code] }', []],
    ['(名前, $x, _y) => 1', ['名前', '$x', '_y']],
  ])('reads %s', (source, expected) => {
    expect(read(source)).toEqual(expected)
  })

  it('never throws, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('(', ')', ',', '=', '"', '`', '/', '*', 'a', '\\', '\n', '{', '}') }),
        (text) => void read(text),
      ),
    )
  })
})
