import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { temporaryFolders } from '../../test/helpers/store-samples.js'
import { VirtualClock } from '../../test/helpers/virtual-clock.js'
import type { AuthResult } from '../http/auth.js'
import { createMemoryDocuments } from '../storage/memory/memory-documents.js'
import { openSharedDocuments } from '../storage/open.js'
import { createKeyAuthenticator, type KeyAuthenticatorOptions } from './authenticate.js'
import { createKeys } from './keys.js'

const newFolder = temporaryFolders()
const request = (headers: Record<string, string> = {}, remoteAddress = '127.0.0.1', url = '/mcp') =>
  ({ headers, socket: { remoteAddress }, url }) as unknown as IncomingMessage

const outcome = async (asked: AuthResult | Promise<AuthResult>): Promise<string> => {
  const result = await asked
  return 'refused' in result ? `${result.refused.status} ${result.refused.message}` : result.caller.id
}

const start = async (options: Partial<KeyAuthenticatorOptions> = {}) => {
  const clock = new VirtualClock()
  const keys = await createKeys({ documents: createMemoryDocuments(), clock })
  const read = await keys.create({ name: 'read' })
  const authenticate = createKeyAuthenticator({ keys, clock, required: () => true, ...options })
  const ask = (...from: Parameters<typeof request>) => outcome(authenticate(request(...from)))
  return { clock, keys, read, readCaller: `key:${read.record.id}`, authenticate, ask }
}

describe('a caller where keys are required', () => {
  it('shows one as X-API-Key or Bearer, and nowhere else (002 compat 9, T5)', async () => {
    const { ask, read, readCaller } = await start()
    expect(await ask({ 'x-api-key': read.key })).toBe(readCaller)
    expect(await ask({ authorization: `Bearer ${read.key}` })).toBe(readCaller)
    expect(await ask({ 'x-api-key': read.key }, '203.0.113.9')).toBe(readCaller)
    const required = /^401 API Key is required/
    expect(await ask()).toMatch(required)
    expect(await ask({ cookie: `key=${read.key}` })).toMatch(required)
    expect(await ask({ 'x-user': 'admin', 'x-forwarded-for': '127.0.0.1' })).toMatch(required)
    expect(await ask({}, '127.0.0.1', `/mcp?api_key=${read.key}`)).toMatch(required)
    expect(await ask({ authorization: read.key })).toMatch(required)
  })

  it('is told what is wrong with a key, never the key (002 compat 9)', async () => {
    const { ask, keys, clock, read } = await start({ wrongKeysPerMinute: 100 })
    const short = await keys.create({ name: 'short', expiresInSeconds: 1 })
    await clock.advance(1000)
    await keys.revoke(read.record.id)
    const shown = ['rtk_mine', `rtk_${'f'.repeat(64)}`, short.key, read.key]
    const answers = await Promise.all(shown.map((key) => ask({ 'x-api-key': key })))
    expect(answers[0]).toMatch(/^401 Invalid API Key: a key is rtk_/)
    expect(answers[1]).toMatch(/^401 Invalid API Key: there is no such key/)
    expect(answers[2]).toMatch(/^401 API Key has expired: /)
    expect(answers[3]).toMatch(/^401 Invalid API Key: it has been revoked/)
    expect(answers.join()).not.toContain('rtk_mine')
    expect(answers.join()).not.toContain(read.key)
  })

  it('who guesses often gets 429, while the right key still works (A9)', async () => {
    const { ask, clock, read, readCaller } = await start()
    const guess = async () => (await ask({ 'x-api-key': `rtk_${'a'.repeat(64)}` }, '10.0.0.1')).slice(0, 3)
    const answers: string[] = []
    for (let n = 0; n < 1000; n++) answers.push(await guess())
    expect(answers.slice(0, 10)).toEqual(Array(10).fill('401'))
    expect(answers.slice(10)).toEqual(Array(990).fill('429'))
    expect(await ask({ 'x-api-key': read.key }, '10.0.0.1')).toBe(readCaller)
    await clock.advance(6000)
    expect(await guess()).toBe('401')
  })

  it('whose key is known is known without a promise', async () => {
    const { authenticate, read } = await start()
    expect('then' in authenticate(request({ 'x-api-key': read.key }))).toBe(false)
    expect('then' in authenticate(request())).toBe(false)
  })

  it('may use a key that another process made a moment ago', async () => {
    const clock = new VirtualClock()
    const path = await newFolder()
    const open = () => createKeys({ documents: openSharedDocuments('keys', { backend: 'json', path }), clock })
    await using running = await open()
    await using shell = await open()
    const authenticate = createKeyAuthenticator({ keys: running, clock, required: () => true })
    const { key, record } = await shell.create({ name: 'late' })
    const asked = Array.from({ length: 3 }, () => outcome(authenticate(request({ 'x-api-key': key }))))
    expect(await Promise.all(asked)).toEqual(Array(3).fill(`key:${record.id}`))
  })
})

describe('a caller on this machine where no key is required', () => {
  it('needs none, and may show one for more rights', async () => {
    const { ask, authenticate, keys } = await start({ required: () => false })
    const { key } = await keys.create({ name: 'w', permission: 'write' })
    expect(await ask()).toBe('anonymous')
    expect(authenticate(request({ 'x-api-key': key }))).toMatchObject({
      caller: { rights: ['discover', 'call', 'register'] },
    })
  })

  it('is refused with a wrong key, but not for a bearer of somebody else', async () => {
    const { ask } = await start({ required: () => false })
    expect(await ask({ 'x-api-key': `rtk_${'a'.repeat(64)}` })).toMatch(/^401 Invalid API Key/)
    expect(await ask({ authorization: 'Bearer of-another-server' })).toBe('anonymous')
    expect(await ask({ authorization: 'Bearer of-another-server' }, '10.0.0.1')).toMatch(/^401/)
  })

  it('is somebody else behind a proxy (A5)', async () => {
    const { ask } = await start({ required: () => false })
    for (const name of ['x-forwarded-for', 'forwarded', 'via'])
      expect(await ask({ [name]: '127.0.0.1' })).toMatch(/^401/)
  })

  it('is asked from the moment the configuration says so', async () => {
    let required = false
    const { ask } = await start({ required: () => required })
    expect(await ask()).toBe('anonymous')
    required = true
    expect(await ask()).toMatch(/^401 API Key is required/)
  })
})

describe('the key of callers who show none (auth.apiKey)', () => {
  it('stands in for those on this machine, and what they show goes first (002 compat 9)', async () => {
    const clock = new VirtualClock()
    const keys = await createKeys({ documents: createMemoryDocuments(), clock })
    const own = await keys.create({ name: 'own', permission: 'write' })
    const shown = await keys.create({ name: 'shown' })
    const authenticate = createKeyAuthenticator({ keys, clock, required: () => true, fallbackKey: own.key })
    const ask = (...from: Parameters<typeof request>) => outcome(authenticate(request(...from)))
    expect(await ask()).toBe(`key:${own.record.id}`)
    expect(await ask({ 'x-api-key': shown.key })).toBe(`key:${shown.record.id}`)
    expect(await ask({ 'x-api-key': 'rtk_wrong' })).toMatch(/^401 Invalid API Key/)
    expect(await ask({}, '10.0.0.1')).toMatch(/^401 API Key is required/)
    expect(await ask({ 'x-forwarded-for': '127.0.0.1' })).toMatch(/^401 API Key is required/)
    await keys.revoke(own.record.id)
    expect(await ask()).toMatch(/^401 Invalid API Key: it has been revoked/)
  })

  it('never lends the right to administer (T2)', async () => {
    const clock = new VirtualClock()
    const keys = await createKeys({ documents: createMemoryDocuments(), clock })
    const { key } = await keys.create({ name: 'admin', permission: 'admin' })
    const authenticate = createKeyAuthenticator({ keys, clock, required: () => true, fallbackKey: key })
    expect(authenticate(request())).toMatchObject({
      caller: { rights: ['discover', 'call', 'register'] },
      anonymous: true,
    })
  })
})

describe('a token beside keys', () => {
  const token = 'a-token-of-32-characters-at-least'

  it('is one more credential, and makes one necessary', async () => {
    const { ask, read, readCaller } = await start({ token, required: () => false })
    expect(await ask({ authorization: `Bearer ${token}` })).toBe('token')
    expect(await ask({ 'x-api-key': read.key })).toBe(readCaller)
    expect(await ask()).toMatch(/^401 API Key is required/)
    expect(await ask({ authorization: 'Bearer other' })).toMatch(/^401 Invalid API Key/)
  })

  it('cannot be empty', async () => {
    await expect(start({ token: ' ' })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })
})

describe('a caller where tokens count beside keys', () => {
  const answers: Record<string, AuthResult> = {
    good: { caller: { id: 'person:a', rights: ['discover'] } },
    wrong: { refused: { status: 401, message: 'wrong' } },
    over: { refused: { status: 401, message: 'over', isExpired: true } },
    away: { refused: { status: 503, message: 'away' } },
  }
  const shown: string[] = []
  const bearers = [
    {
      recognises: (token: string) => token.startsWith('ey'),
      verify: (token: string, endpoint: string) => {
        shown.push(endpoint)
        const [, now, late] = /^ey(\w+?)(-late)?$/.exec(token)!
        return late ? Promise.resolve(answers[now!]!) : answers[now!]!
      },
    },
  ]
  const endpointOf = ({ url }: IncomingMessage) => `https://tools.example.com${url}`
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

  it('is judged by the kind that knows such tokens, for the endpoint; keys go on counting', async () => {
    const { ask, read, readCaller } = await start({ bearers, endpointOf })
    expect(await ask(bearer('eygood'), '203.0.113.9', '/mcp/eng')).toBe('person:a')
    expect(shown.at(-1)).toBe('https://tools.example.com/mcp/eng')
    expect(await ask(bearer('eygood-late'))).toBe('person:a')
    expect(await ask(bearer(read.key))).toBe(readCaller)
    expect(await ask(bearer('eyaway'))).toBe('503 away')
  })

  it('is counted for wrong tokens as for wrong keys, but not for one whose time is over', async () => {
    const { ask } = await start({ bearers, endpointOf })
    for (let n = 0; n < 30; n++)
      expect(await ask(bearer(n % 2 ? 'eyover' : 'eyover-late'), '10.0.0.1')).toBe('401 over')
    for (let n = 0; n < 10; n++)
      expect(await ask(bearer(n % 2 ? 'eywrong' : 'eywrong-late'), '10.0.0.1')).toBe('401 wrong')
    expect(await ask(bearer('eywrong'), '10.0.0.1')).toMatch(/^429 /)
    expect(await ask(bearer('eygood'), '10.0.0.1')).toBe('person:a')
  })

  it('is nobody on this machine with a bearer that nobody knows, only where no tokens count at all', async () => {
    const unlocked = { required: () => false }
    expect(await (await start(unlocked)).ask(bearer('ghp_1'))).toBe('anonymous')
    expect(await (await start({ ...unlocked, bearers, endpointOf })).ask(bearer('ghp_1'))).toMatch(/^401 /)
    expect(await (await start({ ...unlocked, bearers, endpointOf })).ask()).toBe('anonymous')
  })
})
