import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config/load.js'
import { checkIssuers } from '../../src/serving/issuer-check.js'
import { startIdentityProvider } from '../helpers/identity-provider.js'

const home = mkdtempSync(join(tmpdir(), 'pegboard-online-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

const server = { publicUrl: 'https://tools.example.com' }

const check = async (auth: object): Promise<readonly (string | undefined)[]> => {
  const file = join(home, 'asked.json')
  writeFileSync(file, JSON.stringify({ server, auth }))
  const { config } = await loadConfig({ file, cwd: home, env: {} })
  return (await checkIssuers(config)).map(({ problem }) => problem)
}

/** An issuer that says what the test wants. */
const far = async (answer: (own: string, request: IncomingMessage, response: ServerResponse) => void) => {
  const listening = createServer((request, response) => answer(own, request, response))
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  const own = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`
  return {
    issuer: own,
    [Symbol.asyncDispose]: async () => {
      listening.closeAllConnections()
      await new Promise((resolve) => listening.close(resolve))
    },
  }
}

describe('issuers that are asked before people come', () => {
  it('answer, with keys and a clock that agrees', async () => {
    await using provider = await startIdentityProvider()
    const { issuer, clientId, clientSecret } = provider
    expect(await check({ people: { issuer, clientId, clientSecret }, tokens: [{ issuer }] })).toEqual([
      undefined,
      undefined,
    ])
    const wrong = 'canary-of-a-wrong-secret'
    const [refused] = await check({ people: { issuer, clientId, clientSecret: wrong } })
    expect(refused).toContain('auth.people.clientSecret')
    expect(refused).not.toContain(wrong)
    const [unknown] = await check({ people: { issuer, clientId: 'nobody', clientSecret } })
    expect(unknown).toContain('auth.people.clientId')
    const introspect = { clientId, clientSecret }
    expect(await check({ tokens: [{ issuer, introspect }] })).toEqual([undefined])
    expect(await check({ tokens: [{ issuer, introspect: { clientId, clientSecret: 'wrong' } }] })).toEqual([
      expect.stringContaining('refuses our id or secret'),
    ])
  })

  it('are down, go by another name, have no keys, or lead elsewhere', async () => {
    await using provider = await startIdentityProvider()
    provider.down()
    expect(await check({ tokens: [{ issuer: provider.issuer }] })).toEqual([expect.stringContaining('answers 503')])
    await using gone = await far(() => {})
    await gone[Symbol.asyncDispose]()
    expect(await check({ tokens: [{ issuer: gone.issuer }] })).toEqual([expect.stringMatching(/ECONNREFUSED/)])
    await using other = await far((own, _, response) =>
      response.end(JSON.stringify({ issuer: `${own}/`, jwks_uri: own })),
    )
    expect(await check({ tokens: [{ issuer: other.issuer }] })).toEqual([
      expect.stringContaining(`calls itself '${other.issuer}/'`),
    ])
    await using empty = await far((own, request, response) =>
      response.end(request.url === '/keys' ? '{"keys":[]}' : JSON.stringify({ issuer: own, jwks_uri: `${own}/keys` })),
    )
    expect(await check({ tokens: [{ issuer: empty.issuer }] })).toEqual([expect.stringContaining('no keys')])
    await using moved = await far((_, __, response) =>
      response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end(),
    )
    expect(await check({ tokens: [{ issuer: moved.issuer }] })).toEqual([expect.stringContaining('answers 302')])
    await using huge = await far((_, __, response) => response.end(Buffer.alloc(1_000_000, 32)))
    expect(await check({ tokens: [{ issuer: huge.issuer }] })).toEqual([expect.stringContaining('larger than')])
  })

  it('have a clock that is an hour off', async () => {
    const off = (ms: number) =>
      far((own, request, response) => {
        response.setHeader('Date', new Date(Date.now() + ms).toUTCString())
        response.end(
          JSON.stringify(
            request.url === '/keys' ? { keys: [{ kty: 'RSA' }] } : { issuer: own, jwks_uri: `${own}/keys` },
          ),
        )
      })
    await using behind = await off(-3_600_000)
    await using ahead = await off(3_600_000)
    expect(await check({ tokens: [{ issuer: behind.issuer }, { issuer: ahead.issuer }] })).toEqual([
      expect.stringMatching(/36\d\d s behind .* expired/),
      expect.stringMatching(/3[56]\d\d s ahead .* future/),
    ])
  })
})
