import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchesTemplate } from './template.js'

describe('a URI template', () => {
  it.each([
    ['test://template/{id}/data', 'test://template/123/data', true],
    ['test://template/{id}/data', 'test://template/1/2/data', false],
    ['test://template/{id}/data', 'test://template/123/other', false],
    ['file:///{+path}', 'file:///a/b/c.txt', true],
    ['x://{a}-{b}', 'x://1-2', true],
    ['x://{a}-{b}', 'x://12', false],
    ['x://{a}{b}', 'x://ab', true],
    ['x://search{?q}', 'x://search?q=1', true],
    ['x://plain', 'x://plain', true],
    ['x://plain', 'x://plainer', false],
    ['x://{open', 'x://open', false],
  ])('%s and %s: %s', (template, uri, matches) => {
    expect(matchesTemplate(template, uri)).toBe(matches)
  })

  it('matches whatever it expands to', () => {
    const value = fc.stringMatching(/^[a-z0-9]{0,8}$/)
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.stringMatching(/^[a-z:.-]{0,5}$/), value), { maxLength: 6 }), (parts) => {
        const template = parts.map(([literal], at) => `${literal}{v${at}}`).join('')
        const uri = parts.map(([literal, filled]) => literal + filled).join('')
        expect(matchesTemplate(template, uri)).toBe(true)
      }),
    )
  })

  it('costs little however it is built', () => {
    const template = `x://${'{a}a'.repeat(60)}b`
    expect(matchesTemplate(template, `x://${'a'.repeat(8000)}`)).toBe(false)
  })
})
