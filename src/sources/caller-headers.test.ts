import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isGatewayError } from '../errors.js'
import type { Identity } from '../model/caller.js'
import { callerFields, headersFor, namesCaller } from './caller-headers.js'
import { ownHeaders } from './caller-signing.js'

const alice: Identity = {
  id: 'person:a',
  issuer: 'https://idp',
  subject: 'alice',
  name: 'Alice',
  groups: ['eng', 'sre'],
}
const codeOf = (headers: Record<string, string>, identity: Identity | undefined): string => {
  try {
    headersFor(headers, identity, 'docs')
    return 'none'
  } catch (error) {
    return isGatewayError(error) ? error.code : 'other'
  }
}

describe('headers that name the caller', () => {
  it('say who calls', () => {
    const headers = { 'X-User': `\${caller.sub} (\${caller.name})`, 'X-Groups': `\${caller.groups}`, Plain: '$5' }
    expect(headersFor(headers, alice, 'docs')).toEqual({
      'X-User': 'alice (Alice)',
      'X-Groups': 'eng,sre',
      Plain: '$5',
    })
    expect(ownHeaders(headers)).toEqual({ Plain: '$5' })
  })

  it('say nothing of whom nobody vouches for', () => {
    expect(codeOf({ 'X-User': `\${caller.id}` }, undefined)).toBe('SIGN_IN_REQUIRED')
    expect(codeOf({ Plain: 'x' }, undefined)).toBe('none')
  })

  it('refuse what would be taken for somebody or something else', () => {
    const user = { 'X-User': `\${caller.email}` }
    expect(codeOf(user, alice)).toBe('ACCESS_DENIED')
    for (const email of ['', ' a', 'a ', 'a\r\nX: y', '王', 'é', 'a\0', 'x'.repeat(257)])
      expect(codeOf(user, { ...alice, email })).toBe('ACCESS_DENIED')
    expect(codeOf({ G: `\${caller.groups}` }, { ...alice, groups: ['eng,admin'] })).toBe('ACCESS_DENIED')
    expect(codeOf({ G: `\${caller.groups}` }, { ...alice, groups: [] })).toBe('ACCESS_DENIED')
  })

  it('never carry a line break, another character, more than was allowed or a template of the caller’s own', () => {
    const any = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(`\${caller.id}`, 'a\nb', '$&', '$1', "$'"))
    fc.assert(
      fc.property(fc.constantFrom(...callerFields), any, fc.array(any), (field, value, groups) => {
        const identity: Identity = { id: value, issuer: 'i', subject: value, name: value, email: value, groups }
        try {
          const filled = headersFor({ h: `<\${caller.${field}}>` }, identity, 'docs').h!
          const expected = field === 'groups' ? groups.join(',') : value
          expect(filled).toBe(`<${expected}>`)
          expect(filled).toMatch(/^[\x20-\x7e]{3,258}$/)
        } catch (error) {
          if (!isGatewayError(error)) throw error
          expect(error.message).not.toContain(value === '' ? '\0' : `<${value}>`)
        }
      }),
    )
  })

  it('are known by what they name', () => {
    expect(namesCaller({ a: `x\${caller.id}` })).toBe(true)
    expect(namesCaller({ a: `\${caller.ids}`, b: 'caller.id' })).toBe(false)
  })
})
