import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cookieOf, setCookie } from './cookies.js'

const name = fc.stringMatching(/^[A-Za-z_-][A-Za-z0-9_-]{0,20}$/)
const value = fc.stringMatching(/^[A-Za-z0-9_-]{1,60}$/)

describe('a cookie', () => {
  it('is found among any others, whatever stands around it', () => {
    fc.assert(
      fc.property(name, value, fc.array(fc.tuple(name, value)), (wanted, said, others) => {
        const rest = others.filter(([each]) => each !== wanted).map(([each, text]) => `${each}=${text}`)
        const at = Math.floor(rest.length / 2)
        const header = [...rest.slice(0, at), `${wanted}=${said}`, ...rest.slice(at)].join('; ')
        expect(cookieOf(header, wanted)).toBe(said)
      }),
    )
  })

  it('that is there twice does not count: somebody else may have set one of them', () => {
    expect(cookieOf('a=1; b=2; a=3', 'a')).toBeUndefined()
    expect(cookieOf('a=1; a=1', 'a')).toBeUndefined()
  })

  it('is not found in rubbish, and rubbish throws nothing', () => {
    for (const header of [undefined, '', ';', '=', 'a', 'a=', 'a =', `a=${'x'.repeat(5000)}`, 'ba=1', 'A=1'])
      expect(cookieOf(header, 'a')).toBeUndefined()
    fc.assert(
      fc.property(fc.string(), name, (header, wanted) => {
        const found = cookieOf(header, wanted)
        expect(found === undefined || header.includes(found)).toBe(true)
      }),
    )
  })

  it('is kept from scripts and from other sites, and from plain HTTP where it can be', () => {
    expect(setCookie('__Host-a', 'x', { secure: true })).toBe('__Host-a=x; Path=/; HttpOnly; SameSite=Lax; Secure')
    expect(setCookie('a', '', { secure: false, maxAgeSeconds: 0 })).toBe(
      'a=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
    )
  })
})
