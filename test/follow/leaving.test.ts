import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { identityId } from '../../src/access/identity.js'
import { waitingRoomOf } from '../../src/gateway.js'
import type { OpenedBoard } from '../../src/serving/open-board.js'
import { createAskingSource } from '../helpers/asking-source.js'
import { createBrowser } from '../helpers/headless-browser.js'
import { startIdentityProvider, type TestProvider } from '../helpers/identity-provider.js'
import { type OpenStreams, openStreams, parkCall, tokensFor } from '../helpers/open-streams.js'
import { describePostgres } from '../helpers/postgres.js'
import { runCli } from '../helpers/run-cli.js'
import { openReplicas, type Replicas } from './replicas.js'

/** A second, on a machine that does nothing else. */
const soonMs = 10_000
const all = ['legacy', 'modern', 'rest']

/** In front of the replicas: each connection goes to the next of them, so that a sign-in is at both. */
const openBalancer = async (): Promise<{ server: Server; url: string; ports: number[]; sockets: Set<Socket> }> => {
  const ports: number[] = []
  const sockets = new Set<Socket>()
  let count = 0
  const server = createServer((socket) => {
    const there = connect(ports[count++ % ports.length]!, '127.0.0.1')
    for (const each of [socket, there]) {
      sockets.add(each)
      each.on('close', () => sockets.delete(each))
    }
    socket.on('error', () => there.destroy()).on('close', () => there.destroy())
    there.on('error', () => socket.destroy()).on('close', () => socket.destroy())
    socket.pipe(there).pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ports, sockets }
}

describePostgres('somebody who leaves a fleet', () => {
  let provider: TestProvider
  let balancer: Awaited<ReturnType<typeof openBalancer>>
  let fleet: Replicas
  let adminKey: string
  const opened: OpenStreams[] = []
  beforeAll(async () => {
    provider = await startIdentityProvider()
    provider.accounts.erin = { ...provider.accounts.alice!, email: 'erin@example.com', name: 'Erin' }
    balancer = await openBalancer()
    for (const path of ['/authorize/callback', '/session/callback']) provider.allowRedirect(`${balancer.url}${path}`)
    provider.logoutAt(`${balancer.url}/backchannel-logout`)
    const { issuer, clientId, clientSecret } = provider
    fleet = await openReplicas(2, {
      server: { publicUrl: balancer.url },
      auth: { people: { issuer, clientId, clientSecret }, grants: [{ groups: ['eng'], role: 'caller' }] },
    })
    for (const board of fleet.boards) {
      balancer.ports.push(Number(new URL(urlOf(board)).port))
      await board.gateway.addSource('asks', createAskingSource())
    }
    adminKey = (await fleet.boards[0]!.listener!.keys.create({ name: 'admin', permission: 'admin' })).key
  })
  afterEach(() => {
    for (const streams of opened.splice(0)) streams.leave()
    for (const board of fleet.boards) waitingRoomOf(board.gateway).dismiss(() => true)
  })
  afterAll(async () => {
    await fleet?.[Symbol.asyncDispose]()
    for (const socket of balancer?.sockets ?? []) socket.destroy()
    balancer?.server.close()
    await provider?.[Symbol.asyncDispose]()
  })

  const urlOf = (board: OpenedBoard): string => board.listener!.listensAt
  const idOf = (login: string): string => identityId(provider.issuer, login)
  const waitingAt = (board: OpenedBoard): readonly string[] =>
    waitingRoomOf(board.gateway)
      .list()
      .map(({ caller }) => caller)
  const knock = (token: string): Promise<readonly number[]> =>
    Promise.all(
      fleet.boards.map(async (board) => {
        const headers = { authorization: `Bearer ${token}` }
        const response = await fetch(`${urlOf(board)}/api/v1/tools`, { headers })
        await response.arrayBuffer()
        return response.status
      }),
    )
  const atFirst = (method: string, path: string): Promise<Response> =>
    fetch(`${urlOf(fleet.boards[0]!)}/api/admin/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${adminKey}` },
    })
  const settle = async (token: string): Promise<OpenStreams> => {
    const [, second] = fleet.boards
    const streams = await openStreams(urlOf(second!), token)
    opened.push(streams)
    await parkCall(urlOf(second!), token, 'asks.ask')
    return streams
  }

  /** Both are at the second replica, and alice is made to leave elsewhere. */
  const whenLeaves = async (leave: (browser: ReturnType<typeof createBrowser>) => Promise<unknown>): Promise<void> => {
    const browser = createBrowser()
    const { accessToken: token } = await tokensFor(balancer.url, { login: 'alice' }, browser)
    const { accessToken: other } = await tokensFor(balancer.url, { login: 'erin' })
    expect(await knock(token)).toEqual([200, 200])
    const [streams, others] = [await settle(token), await settle(other)]
    await leave(browser)
    const at = performance.now()
    expect((await streams.cut) - at).toBeLessThan(soonMs)
    const [, second] = fleet.boards
    await expect.poll(() => waitingAt(second!)).not.toContain(idOf('alice'))
    await expect.poll(() => knock(token)).toEqual([401, 401])
    expect(others.open()).toEqual(all)
    expect(waitingAt(second!)).toContain(idOf('erin'))
    expect(await knock(other)).toEqual([200, 200])
  }

  it('is ended at one replica, and cut off at the other', async () => {
    await whenLeaves(async () =>
      expect((await atFirst('POST', `/people/${idOf('alice')}/end`)).status).toBeLessThan(300),
    )
  })

  it('is ended by the command line, from a folder that knows nothing but the database', async () => {
    const home = mkdtempSync(join(tmpdir(), 'pegboard-elsewhere-'))
    try {
      await whenLeaves(async () => {
        const env = { PEGBOARD_DATABASE_URL: fleet.url }
        const args = ['people', 'end', 'alice@example.com', '--storage-backend', 'postgres']
        const { code, stderr } = await runCli(args, { cwd: home, home, env })
        expect([code, stderr]).toEqual([0, ''])
      })
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  })

  it('has a session ended at one replica, and that alone is over at the other', async () => {
    const browser = createBrowser()
    const { accessToken: kept } = await tokensFor(balancer.url, { login: 'alice' }, browser)
    const others = await settle(kept)
    const before = new Set(await sessionsOf('alice'))
    const { accessToken: token } = await tokensFor(balancer.url, { login: 'alice' }, browser)
    const streams = await settle(token)
    await expect.poll(async () => (await sessionsOf('alice')).length).toBe(before.size + 1)
    const [id] = (await sessionsOf('alice')).filter((each) => !before.has(each))
    expect((await atFirst('DELETE', `/sessions/${id}`)).status).toBeLessThan(300)
    await streams.cut
    await expect.poll(() => waitingAt(fleet.boards[1]!)).toEqual([idOf('alice')])
    expect(await knock(token)).toEqual([401, 401])
    expect(others.open()).toEqual(all)
    expect(await knock(kept)).toEqual([200, 200])
  })

  it('signs out at the provider, which tells one replica of it', async () => {
    await whenLeaves(async (browser) => {
      const page = await browser.open(`${provider.issuer}/session/end`)
      await browser.submit(page, { logout: 'yes' })
      expect(provider.log.slice(-4)).toContain('LOGOUT told')
    })
  })

  const sessionsOf = async (login: string): Promise<readonly string[]> => {
    const { sessions } = (await (await atFirst('GET', '/people')).json()) as any
    return sessions.filter(({ person }: any) => person === idOf(login)).map(({ id }: any) => id)
  }
})
