import { describe, expect, it } from 'vitest'
import { callerKey, callerStamp, readCaller } from '../mcp/handed-over.js'
import { type Caller, profileFor, throughProfile } from './caller.js'

const caller = (more: Partial<Caller>): Caller => ({ id: 'a', rights: ['discover', 'call'], ...more })

describe('the profile of a caller', () => {
  it('is any for who is tied to none, and the own one for who is', () => {
    expect(profileFor(caller({}), undefined)).toBe('default')
    expect(profileFor(caller({}), 'eng')).toBe('eng')
    expect(profileFor(caller({ profile: 'eng' }), undefined)).toBe('eng')
    expect(profileFor(caller({ profile: 'eng' }), 'eng')).toBe('eng')
    expect(profileFor(caller({ profile: 'eng' }), 'sales')).toBeUndefined()
  })

  it('is the first of several where none is named, and any of them by name', () => {
    const two = caller({ profile: 'eng', profiles: ['eng', 'default'] })
    expect(profileFor(two, undefined)).toBe('eng')
    expect(profileFor(two, 'default')).toBe('default')
    expect(profileFor(two, 'sales')).toBeUndefined()
    expect(profileFor(caller({ profiles: ['*'] }), undefined)).toBe('default')
    expect(profileFor(caller({ profiles: ['*'] }), 'sales')).toBe('sales')
    expect(profileFor(caller({ profiles: [] }), 'sales')).toBeUndefined()
  })

  it('is what they are seen through', () => {
    const two = caller({ profile: 'eng', profiles: ['eng', 'default'] })
    expect(throughProfile(two, 'eng')).toBe(two)
    expect(throughProfile(two, 'default').profile).toBeUndefined()
    expect(throughProfile(two, 'default').profiles).toEqual(['eng', 'default'])
    expect(throughProfile(caller({}), 'default').profile).toBeUndefined()
  })
})

describe('a caller who is handed over', () => {
  it('is the same at the other replica', () => {
    const person = caller({
      kind: 'person',
      identity: { id: 'person:1', issuer: 'https://i', subject: 's', groups: ['eng'] },
      client: 'c',
      session: 's1',
      profile: 'eng',
      profiles: ['eng', 'default'],
      limits: { callsPerMinute: 3 },
      rights: ['discover', 'call:readonly', 'look'],
    })
    const sent = JSON.parse(JSON.stringify(callerStamp(person))) as Record<string, unknown>
    expect(readCaller(sent[callerKey])).toEqual(person)
  })

  it('has nothing of what cannot be read', () => {
    const odd = {
      id: 'a',
      rights: ['call', 'everything'],
      kind: 'king',
      identity: { id: 1 },
      profiles: ['a', 2],
      limits: 3,
    }
    expect(readCaller(odd)).toEqual({ id: 'a', rights: ['call'], profiles: ['a'] })
  })
})
