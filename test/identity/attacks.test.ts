import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openIssuerFetch } from '../../src/serving/issuer-fetch.js'
import { signedClient } from '../helpers/clients/signing.js'
import { startIdentityProvider, type TestProvider } from '../helpers/identity-provider.js'
import { ask } from '../helpers/raw-http.js'
import { openTeam, type TeamBoard } from '../helpers/team-board.js'
import { walkAs } from './walk.js'

/** What is tried at the socket itself; the attacks on single parts are replayed beside them (docs/security.md, I1 to I13). */
describe('somebody who tries to be somebody else', () => {
  let provider: TestProvider
  let team: TeamBoard
  let other: TeamBoard
  let token: string
  beforeAll(async () => {
    provider = await startIdentityProvider()
    team = await openTeam({ provider, tokens: true })
    other = await openTeam({ provider, tokens: true })
    const client = await signedClient({ kind: 'v2-modern', url: `${team.url}/mcp`, walk: walkAs('alice') })
    token = client.tokens.access_token
    await client.close()
  })
  afterAll(async () => {
    for (const each of [team, other, provider]) await each?.[Symbol.asyncDispose]()
  })
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
  const list = (to: TeamBoard, ...lines: string[]) => {
    const { host, port } = new URL(to.url)
    const own = ['Content-Type: application/json', 'Accept: application/json, text/event-stream']
    return ask(Number(port), 'POST /mcp', [`Host: ${host}`, ...own, `Content-Length: ${body.length}`, ...lines], body)
  }

  it('shows a token of one gateway at another, or one kind of credential as another, in vain (I5)', async () => {
    const { status, headers } = await list(other, `Authorization: Bearer ${token}`)
    expect(status).toBe(401)
    expect(headers['www-authenticate']).toContain('error="invalid_token"')
    const key = await team.key('read')
    expect((await list(team, `Authorization: Bearer ${key}`)).status).not.toBe(401)
    for (const shown of [
      `${key}.e30.x`,
      `eyJhbGciOiJub25lIn0.${Buffer.from(key).toString('base64url')}.`,
      `pga_${key}`,
    ])
      expect((await list(team, `Authorization: Bearer ${shown}`)).status).toBe(401)
    for (const cookie of [`pegboard=${token}`, `__Host-pegboard=${token}`])
      expect((await list(team, `Cookie: ${cookie}`)).status).toBe(401)
  })
})

describe('what an issuer is asked for (I4)', () => {
  it('is not read past its bound, and leads nowhere else', async () => {
    let sent = 0
    const server = createServer((request, response) => {
      if (request.url === '/elsewhere') return void response.writeHead(302, { Location: '/keys' }).end()
      const piece = Buffer.alloc(65_536, 32)
      response.on('error', () => {})
      // As much as is taken, without an end.
      const more = (): void => {
        while (!response.destroyed && response.write(piece)) sent += piece.length
        sent += piece.length
        response.once('drain', more)
      }
      more()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { fetch, close } = openIssuerFetch([issuer])
    const read = async (path: string) => {
      const response = await fetch(new URL(`${issuer}${path}`))
      return [response.status, (await response.text()).length]
    }
    await expect(read('/keys')).rejects.toMatchObject({ code: 'RESULT_TOO_LARGE' })
    expect(sent).toBeLessThan(32 * 1024 * 1024)
    expect(await read('/elsewhere')).toEqual([302, 0])
    await close()
    server.closeAllConnections()
    server.close()
  })
})
