import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { freePort } from '../../../../test/helpers/free-port.js'
import type { Config } from '../../../config/schema.js'
import { checkIdentity } from './identity.js'

const configOf = (publicUrl: string, more: object = {}): Config =>
  ({
    server: { publicUrl, path: '/mcp' },
    auth: { people: { issuer: 'https://idp' }, tokens: [], grants: [{}], ...more },
  }) as unknown as Config

/** Answers every request with this, as the metadata of a gateway at another address would. */
const answering = async (answer: (base: string) => unknown, status = 200) => {
  const seen: string[] = []
  const server = createServer(({ url }, response) => {
    seen.push(url!)
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer(base)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    base,
    seen,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

describe('what clients are told at our public address', () => {
  it('is right where our own metadata comes back', async () => {
    await using there = await answering((base) => ({ resource: `${base}/mcp`, authorization_servers: [base] }))
    expect(await checkIdentity(configOf(there.base))).toMatchObject([{ area: 'identity', state: 'ok' }])
    expect(there.seen).toEqual(['/.well-known/oauth-protected-resource/mcp'])
  })

  it('is wrong where another gateway answers, and says which', async () => {
    await using there = await answering(() => ({ resource: 'https://other.example/mcp', authorization_servers: [] }))
    const [found] = await checkIdentity(configOf(there.base))
    expect(found).toMatchObject({ state: 'fail', message: expect.stringContaining('https://other.example/mcp') })
  })

  it('is wrong where the issuers are others than the configuration says', async () => {
    await using there = await answering((base) => ({ resource: `${base}/mcp`, authorization_servers: ['https://old'] }))
    expect(await checkIdentity(configOf(there.base))).toMatchObject([{ state: 'fail' }])
  })

  it.each([404, 503, 302])('says so where %s comes back', async (status) => {
    await using there = await answering(() => ({}), status)
    expect(await checkIdentity(configOf(there.base))).toMatchObject([
      { state: 'warn', message: expect.stringContaining(String(status)), fix: expect.stringContaining('publicUrl') },
    ])
  })

  it('says so where something answers that is no metadata, and reads no more of it than that', async () => {
    await using page = await answering(() => 'x'.repeat(1_000_000))
    expect(await checkIdentity(configOf(page.base))).toMatchObject([
      { state: 'warn', message: expect.stringContaining('no metadata') },
    ])
  })

  it('says so where nobody answers, and where nobody is granted anything', async () => {
    const [gone] = await checkIdentity(configOf(`http://127.0.0.1:${await freePort()}`))
    expect(gone).toMatchObject({ state: 'warn', message: expect.stringContaining('ECONNREFUSED') })
    await using there = await answering((base) => ({ resource: `${base}/mcp`, authorization_servers: [base] }))
    expect(await checkIdentity(configOf(there.base, { grants: [] }))).toMatchObject([
      { state: 'ok' },
      { state: 'warn' },
    ])
  })

  it('is nothing where nobody signs in', async () => {
    expect(await checkIdentity(configOf('http://127.0.0.1:9', { people: undefined }))).toEqual([])
  })
})
