import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLinkNames, toLinkName } from './names.js'

const legal = /^[a-zA-Z0-9_\-一-鿿]{1,64}$/

describe('link names', () => {
  it.each([
    ['calc.add', 'calc_add'],
    ['天气.查询', '天气_查询'],
    ['a b/c', 'a_b_c'],
    ['get-weather', 'get-weather'],
  ])('X13 calls %s %s', (tool, name) => {
    expect(toLinkName(tool)).toBe(name)
  })

  it('X13 finds the tool again, for any list of tools', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 90 }), { maxLength: 40 }),
        (tools) => {
          const names = createLinkNames(tools)
          const given = tools.map((tool) => names.linkName(tool)).filter((name) => name !== undefined)
          expect(new Set(given).size).toBe(given.length)
          for (const tool of tools) {
            const name = names.linkName(tool)
            if (name === undefined) continue
            expect(name).toMatch(legal)
            expect(names.toolOf(name)).toBe(tool)
          }
        },
      ),
    )
  })

  it('X13 detects names that meet: each gets its own, and the common one answers nobody', () => {
    const names = createLinkNames(['a.b_c', 'a_b.c', 'other'])
    expect(names.collisions).toEqual([{ name: 'a_b_c', tools: ['a.b_c', 'a_b.c'] }])
    expect(names.linkName('a.b_c')).toMatch(/^a_b_c_[0-9a-f]{8}$/)
    expect(names.linkName('a.b_c')).not.toBe(names.linkName('a_b.c'))
    expect(names.isContested('a_b_c')).toBe(true)
    expect(names.toolOf('a_b_c')).toBeUndefined()
    expect(names.linkName('other')).toBe('other')
  })

  it('lets no tool take another one’s place by a forged hash', () => {
    const victim = createLinkNames(['a.b', 'a_b']).linkName('a.b')!
    const names = createLinkNames(['a.b', 'a_b', victim])
    expect(names.linkName(victim)).toBeUndefined()
    expect(names.linkName('a.b')).toBeUndefined()
    expect(names.isContested(victim)).toBe(true)
  })
})
