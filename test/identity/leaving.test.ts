import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { identityId } from '../../src/access/identity.js'
import { loadConfig } from '../../src/config/load.js'
import { waitingRoomOf } from '../../src/gateway.js'
import { type AskingSource, createAskingSource } from '../helpers/asking-source.js'
import { createBrowser } from '../helpers/headless-browser.js'
import { startIdentityProvider, type TestProvider } from '../helpers/identity-provider.js'
import {
  askedCall,
  type OpenStreams,
  openStreams,
  parkCall,
  type SignedTokens,
  tokensFor,
} from '../helpers/open-streams.js'
import { cliPath, runCli } from '../helpers/run-cli.js'
import { openTeam, type TeamBoard, teamGrants } from '../helpers/team-board.js'

// Made once for all, which takes a while on a busy machine.
beforeAll(() => void cliPath())

/** A second, on a machine that does nothing else. */
const soonMs = 10_000

const all = ['legacy', 'modern', 'rest']
const opened: OpenStreams[] = []
/** Somebody listens in every way there is, and a call of theirs waits for an answer. */
const settle = async ({ url }: TeamBoard, credential: string): Promise<OpenStreams> => {
  const streams = await openStreams(url, credential)
  opened.push(streams)
  await parkCall(url, credential, 'asks.ask')
  expect(streams.open()).toEqual(all)
  return streams
}
const waitingOf = ({ board }: TeamBoard): readonly string[] =>
  waitingRoomOf(board.gateway)
    .list()
    .map(({ caller }) => caller)
const knock = async ({ url }: TeamBoard, credential: string): Promise<number> => {
  const response = await fetch(`${url}/api/v1/tools`, { headers: { authorization: `Bearer ${credential}` } })
  await response.arrayBuffer()
  return response.status
}
const asAdmin = async (team: TeamBoard, method: string, path: string): Promise<number> => {
  const headers = { authorization: `Bearer ${await team.key('admin')}` }
  const response = await fetch(`${team.url}/api/admin/v1${path}`, { method, headers })
  await response.arrayBuffer()
  return response.status
}
afterEach(() => {
  for (const streams of opened.splice(0)) streams.leave()
})

describe('somebody who signed in at the provider', () => {
  let provider: TestProvider
  let team: TeamBoard
  beforeAll(async () => {
    provider = await startIdentityProvider()
    provider.accounts.erin = { ...provider.accounts.alice!, email: 'erin@example.com', name: 'Erin' }
    team = await openTeam({ provider })
    await team.board.gateway.addSource('asks', createAskingSource())
  })
  afterAll(async () => {
    for (const each of [team, provider]) await each?.[Symbol.asyncDispose]()
  })
  afterEach(() => waitingRoomOf(team.board.gateway).dismiss(() => true))
  const idOf = (login: string): string => identityId(provider.issuer, login)
  const signIn = async (login: string) => (await tokensFor(team.url, { login })).accessToken
  /** Both are here; what happens to alice is over within a second, and erin goes on. */
  const whenLeaves = async (leave: () => Promise<unknown>) => {
    const [token, other] = [await signIn('alice'), await signIn('erin')]
    const [streams, others] = [await settle(team, token), await settle(team, other)]
    expect(waitingOf(team).filter((each) => [idOf('alice'), idOf('erin')].includes(each))).toHaveLength(2)
    await leave()
    const at = performance.now()
    expect((await streams.cut) - at).toBeLessThan(soonMs)
    await expect.poll(() => waitingOf(team)).not.toContain(idOf('alice'))
    expect(others.open()).toEqual(all)
    expect(waitingOf(team)).toContain(idOf('erin'))
    expect(await knock(team, other)).toBe(200)
    return token
  }

  it('and is ended at the console loses streams and waiting calls at once, and nobody else does', async () => {
    const token = await whenLeaves(() => asAdmin(team, 'POST', `/people/${idOf('alice')}/end`))
    expect(await knock(team, token)).toBe(401)
    // Whoever was ended may come again, as long as the provider and the grants say so.
    expect(await knock(team, await signIn('alice'))).toBe(200)
  })

  it('and is ended by the command line, beside a gateway that runs, loses them too', async () => {
    const token = await whenLeaves(async () => {
      const { code, stderr } = await runCli(
        ['people', 'end', 'alice@example.com', '--config', team.file, '--data-path', join(team.folder, 'data')],
        { cwd: team.folder, home: team.folder },
      )
      expect([code, stderr]).toEqual([0, ''])
    })
    expect(await knock(team, token)).toBe(401)
  })

  it('and has rights of another row loses them, and comes in with the new ones', async () => {
    const change = async (grants: readonly object[]): Promise<void> => {
      const written = JSON.parse(readFileSync(team.file, 'utf8'))
      writeFileSync(team.file, JSON.stringify({ ...written, auth: { ...written.auth, grants } }))
      const flags = { dataPath: join(team.folder, 'data'), config: team.file }
      await team.board.reload(await loadConfig({ file: team.file, cwd: team.folder, env: {}, flags }))
    }
    const row = { people: ['alice@example.com'], role: 'reader', profiles: ['default'] }
    const token = await whenLeaves(() => change([row, ...teamGrants]))
    expect(await knock(team, token)).toBe(200)
    // A reader may not call what asks; signed in she stays until the row says no.
    const streams = await openStreams(team.url, token)
    opened.push(streams)
    await change([{ ...row, role: 'none' }, ...teamGrants])
    await streams.cut
    expect(await knock(team, token)).toBe(403)
    await change(teamGrants)
    expect(await knock(team, token)).toBe(200)
  })

  it('and whose one session is ended keeps what others of theirs began', async () => {
    const browser = createBrowser()
    const [first, second] = [
      await tokensFor(team.url, { login: 'alice' }, browser),
      await tokensFor(team.url, { login: 'alice' }, browser),
    ]
    const [streams, others] = [await settle(team, first.accessToken), await settle(team, second.accessToken)]
    const key = await team.key('admin')
    const response = await fetch(`${team.url}/api/admin/v1/people`, { headers: { authorization: `Bearer ${key}` } })
    const { sessions } = (await response.json()) as any
    const own = sessions.filter(({ person }: any) => person === idOf('alice'))
    const oldest = own.sort((a: any, b: any) => a.createdAt - b.createdAt).at(-2)
    const at = performance.now()
    expect(await asAdmin(team, 'DELETE', `/sessions/${oldest.id}`)).toBeLessThan(300)
    expect((await streams.cut) - at).toBeLessThan(soonMs)
    await expect.poll(() => waitingOf(team)).toEqual([idOf('alice')])
    expect(others.open()).toEqual(all)
    expect(await knock(team, first.accessToken)).toBe(401)
    expect(await knock(team, second.accessToken)).toBe(200)
  })
})

describe('a call of an earlier protocol version whose question is open', () => {
  let provider: TestProvider
  let team: TeamBoard
  let source: AskingSource
  beforeAll(async () => {
    provider = await startIdentityProvider()
    team = await openTeam({ provider })
    source = createAskingSource()
    await team.board.gateway.addSource('asks', source)
  })
  afterAll(async () => {
    for (const each of [team, provider]) await each?.[Symbol.asyncDispose]()
  })
  const sessionIds = async (): Promise<readonly string[]> => {
    const headers = { authorization: `Bearer ${await team.key('admin')}` }
    const { sessions } = (await (await fetch(`${team.url}/api/admin/v1/people`, { headers })).json()) as any
    return sessions.map(({ id }: any) => id)
  }
  const signIn = async (login: string): Promise<SignedTokens & { readonly session: string }> => {
    const before = await sessionIds()
    const tokens = await tokensFor(team.url, { login })
    const [session] = (await sessionIds()).filter((id) => !before.includes(id))
    return { ...tokens, session: session! }
  }
  const cookieFor = async (login: string): Promise<string> => {
    const browser = createBrowser()
    await browser.submit(await browser.open(`${team.url}/session/sign-in`), { login })
    return [...browser.cookies(team.url)].map(([name, value]) => `${name}=${value}`).join('; ')
  }
  const ways: Readonly<Record<string, (signed: SignedTokens & { readonly session: string }) => Promise<unknown>>> = {
    'the client signs out': ({ refreshToken, client }) =>
      fetch(`${team.url}/revoke`, {
        method: 'POST',
        body: new URLSearchParams({ token: refreshToken, client_id: client }),
      }),
    'an administrator ends the session': ({ session }) => asAdmin(team, 'DELETE', `/sessions/${session}`),
    'its person ends it on their page': async ({ session }) =>
      fetch(`${team.url}/api/admin/v1/me/clients/${session}`, {
        method: 'DELETE',
        headers: { cookie: await cookieFor('alice'), origin: team.url, 'x-pegboard-console': '1' },
      }),
    'its person is ended': () => asAdmin(team, 'POST', `/people/${identityId(provider.issuer, 'alice')}/end`),
  }

  it.each(Object.keys(ways))('ends for its source as well when %s; those of others go on', async (way) => {
    // Another sign-in of the same person is another; where all of theirs end, it is somebody else's.
    const [mine, other] = [await signIn('alice'), await signIn(way === 'its person is ended' ? 'carol' : 'alice')]
    const [call, others] = [
      await askedCall(team.url, mine.accessToken, 'asks.ask'),
      await askedCall(team.url, other.accessToken, 'asks.ask'),
    ]
    const before = source.aborted
    expect(source.running).toBe(2)
    await ways[way]!(mine)
    await call.over
    await expect.poll(() => [source.running, source.aborted - before], { timeout: soonMs }).toEqual([1, 1])
    expect(await knock(team, other.accessToken)).toBe(200)
    await asAdmin(team, 'DELETE', `/sessions/${other.session}`)
    await others.over
    await expect.poll(() => source.running, { timeout: soonMs }).toBe(0)
  })
})

describe('somebody who pasted a key', () => {
  it('loses streams and waiting calls with the key, and holders of other keys do not', async () => {
    await using team = await openTeam({ people: 'keys' })
    await team.board.gateway.addSource('asks', createAskingSource())
    const { keys } = team.board.listener!
    const [mine, theirs] = [await keys.create({ name: 'mine' }), await keys.create({ name: 'theirs' })]
    const { accessToken } = await tokensFor(team.url, { key: mine.key })
    const { accessToken: other } = await tokensFor(team.url, { key: theirs.key })
    const [byToken, byKey, others] = [
      await settle(team, accessToken),
      await settle(team, mine.key),
      await settle(team, other),
    ]
    const at = performance.now()
    expect(await asAdmin(team, 'DELETE', `/keys/${mine.record.id}`)).toBeLessThan(300)
    for (const streams of [byToken, byKey]) expect((await streams.cut) - at).toBeLessThan(soonMs)
    await expect.poll(() => waitingOf(team)).toEqual([`key:${theirs.record.id}`])
    expect(others.open()).toEqual(all)
    expect(await Promise.all([accessToken, mine.key, other].map((each) => knock(team, each)))).toEqual([401, 401, 200])
  })
})
