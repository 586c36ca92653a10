import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../test/helpers/virtual-clock.js'
import type { AuthResult } from './auth.js'
import { assertBindAllowed, createAuthenticator, credentialOf } from './auth-loopback.js'
import { createWrongKeys } from './wrong-keys.js'

const token = 'rtk_0123456789abcdef'
const request = (headers: Record<string, string> = {}, remoteAddress = '127.0.0.1', url = '/mcp') =>
  ({ headers, socket: { remoteAddress }, url }) as unknown as IncomingMessage
const status = (result: AuthResult | Promise<AuthResult>): number | string =>
  'then' in result ? 'promise' : 'refused' in result ? result.refused.status : result.caller.id

describe('open loopback', () => {
  const open = createAuthenticator({ openLoopback: true })

  it('lets local programs discover and call, and nothing else', () => {
    expect(open(request())).toEqual({
      caller: { id: 'anonymous', rights: ['discover', 'call'], actsForAccounts: true },
      anonymous: true,
    })
    for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'])
      expect(status(open(request({}, address)))).toBe('anonymous')
  })

  it('does not reach other machines, nor addresses that only look local', () => {
    for (const address of ['192.168.1.2', '::ffff:10.0.0.1', 'fe80::1', '128.0.0.1', '127.evil', '', '::2'])
      expect(status(open(request({}, address)))).toBe(401)
  })

  it('ends where a proxy speaks for others (A5)', () => {
    for (const name of ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-anything', 'x-real-ip', 'via'])
      expect(status(open(request({ [name]: '127.0.0.1' })))).toBe(401)
  })

  it('can be switched off, and then nobody passes', () => {
    const closed = createAuthenticator({ openLoopback: false })
    expect(status(closed(request()))).toBe(401)
    expect(status(closed(request({ authorization: 'Bearer ' })))).toBe(401)
  })
})

describe('the token', () => {
  const create = (clock = new VirtualClock()) => createAuthenticator({ token, openLoopback: true, clock })

  it.each([
    [{ authorization: `Bearer ${token}` }, 'token'],
    [{ authorization: `bearer ${token}` }, 'token'],
    [{ authorization: `BEARER  ${token} ` }, 'token'],
    [{ 'x-api-key': token }, 'token'],
    [{}, 401],
    [{ authorization: '' }, 401],
    [{ authorization: 'Bearer' }, 401],
    [{ authorization: 'Bearer ' }, 401],
    [{ authorization: token }, 401],
    [{ authorization: `Basic ${Buffer.from(`x:${token}`).toString('base64')}` }, 401],
    [{ authorization: `Digest ${token}` }, 401],
    [{ authorization: `Bearer ${token}x` }, 401],
    [{ authorization: `Bearer ${token.slice(0, -1)}` }, 401],
    [{ authorization: `Bearer ${token.toUpperCase()}` }, 401],
    [{ authorization: `Bearer ${token} ${token}` }, 401],
    [{ authorization: `Bearer ${token.replace('a', 'а')}` }, 401],
    [{ 'x-api-key': `${token}, ${token}` }, 401],
    [{ 'x-api-key': '' }, 401],
    [{ 'x-api-key': 'k'.repeat(1_000_000) }, 401],
    [{ authorization: `Bearer wrong`, 'x-api-key': token }, 401],
    [{ cookie: `token=${token}` }, 401],
  ] as [Record<string, string>, string | number][])('of %j is %s (H92, H93)', (headers, expected) => {
    expect(status(create()(request(headers)))).toBe(expected)
  })

  it('is asked of local programs too, and never read from the address', () => {
    expect(status(create()(request({}, '127.0.0.1', `/mcp?token=${token}&api_key=${token}`)))).toBe(401)
  })

  it('is named by no refusal', () => {
    const result = create()(request({ authorization: 'Bearer guess-of-mine' }))
    expect(JSON.stringify(result)).not.toMatch(/guess-of-mine|rtk_/)
  })

  it('cannot be empty', () => {
    for (const empty of ['', '  '])
      expect(() => createAuthenticator({ token: empty, openLoopback: false })).toThrow(/empty/)
  })

  it('guessed wrong often gets 429 for that address, while the right one still works (A9)', async () => {
    const clock = new VirtualClock()
    const authenticate = create(clock)
    const guess = (address: string) => status(authenticate(request({ 'x-api-key': 'wrong' }, address)))
    const results = Array.from({ length: 1000 }, () => guess('10.0.0.1'))
    expect(results.slice(0, 10)).toEqual(Array(10).fill(401))
    expect(results.slice(10)).toEqual(Array(990).fill(429))
    expect(guess('10.0.0.2')).toBe(401)
    expect(status(authenticate(request({ 'x-api-key': token }, '10.0.0.1')))).toBe('token')
    await clock.advance(6_000)
    expect(guess('10.0.0.1')).toBe(401)
    expect(guess('10.0.0.1')).toBe(429)
  })
})

describe('wrong keys', () => {
  it('are counted per /64 of IPv6, for a bounded number of addresses', () => {
    const keys = createWrongKeys({ clock: new VirtualClock(), perMinute: 1, maxAddresses: 2 })
    expect(keys.count('2001:db8:1:2:aaaa::1')).toBe(0)
    expect(keys.count('2001:db8:1:2:bbbb::1')).toBe(60_000)
    expect(keys.count('2001:db8:1:3::1')).toBe(0)
    expect(keys.count('10.0.0.1')).toBe(0)
    // Forgotten, as the one unseen longest.
    expect(keys.count('2001:db8:1:2:aaaa::1')).toBe(0)
    expect(keys.count('10.0.0.1')).toBe(60_000)
  })
})

describe('a bind (A4)', () => {
  it('to loopback needs no credential, any other does', () => {
    for (const host of ['127.0.0.1', 'localhost', '::1', '127.0.0.5'])
      expect(() => assertBindAllowed({ host, hasCredential: false })).not.toThrow()
    for (const host of ['0.0.0.0', '::', '', '192.168.0.1', 'gw.example.com', 'localhost.evil.com', '127.evil.com']) {
      const refused = expect.objectContaining({ code: 'CONFIG_INVALID', details: { reason: 'OPEN_BIND', host } })
      expect(() => assertBindAllowed({ host, hasCredential: false })).toThrow(refused)
      expect(() => assertBindAllowed({ host, hasCredential: true })).not.toThrow()
    }
  })
})

describe('credentialOf', () => {
  it('takes time in proportion to the header, whatever it holds', () => {
    expect(credentialOf(request({ authorization: `Bearer ${' '.repeat(100_000)}x y` }))).toBeUndefined()
  })
})
