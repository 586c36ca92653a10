import { afterEach, beforeEach, expect, it } from 'vitest'
import { type OpenedReplica, openReplica } from '../helpers/open-replica.js'
import { describePostgres, newDatabase } from '../helpers/postgres.js'
import { type SignInServers, startSignInServers } from '../helpers/sign-in-servers.js'

describePostgres('a sign-in of a fleet', () => {
  let far: SignInServers
  let database: string
  const open: OpenedReplica[] = []
  beforeEach(async () => {
    far = await startSignInServers()
    database = await newDatabase()
  })
  afterEach(async () => {
    await closeAll()
    await far[Symbol.asyncDispose]()
  })
  const closeAll = async () => {
    for (const replica of open.splice(0).reverse()) await replica[Symbol.asyncDispose]()
  }
  const start = async (name: string, fleet: object = {}): Promise<OpenedReplica> => {
    const config = {
      fleet,
      server: { publicUrl: 'https://tools.example.com' },
      sources: { docs: { type: 'http', url: far.url } },
    }
    const replica = await openReplica({ database, name, config })
    open.push(replica)
    return replica
  }
  const until = ({ board: { gateway } }: OpenedReplica, state: string): Promise<void> =>
    new Promise((resolve) => {
      const isThere = () => gateway.sources().some(({ name, status }) => name === 'docs' && status.state === state)
      const stop = gateway.onSource(() => void (isThere() && resolve()))
      if (isThere()) resolve()
      void stop
    })
  const call = ({ board }: OpenedReplica) =>
    board.gateway.call({ tool: 'docs.read', args: {}, caller: { id: 'me', rights: ['discover', 'call'] } })
  /** Begun at one replica, finished at another: what a balancer makes of it. */
  const signIn = async (begunAt: OpenedReplica, backAt: OpenedReplica): Promise<string> => {
    const { body } = await begunAt.ask('POST', '/sources/docs/sign-in')
    const location = new URL((await fetch(body.url, { redirect: 'manual' })).headers.get('location')!)
    expect(location.origin + location.pathname).toBe('https://tools.example.com/oauth/callback')
    const back = `${backAt.url}${location.pathname}${location.search}`
    const page = await fetch(back)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('docs')])
    return back
  }
  const refreshes = () => far.tokenRequests.filter((each) => each.get('grant_type') === 'refresh_token').length

  it('is begun at one replica, finished at another, once, and counts at all of them', async () => {
    const [a, b, c] = [await start('a'), await start('b'), await start('c')]
    for (const each of [a, b, c]) await until(each, 'needs-auth')
    const ready = Promise.all([a, b, c].map((each) => until(each, 'ready')))
    const back = await signIn(a, b)
    expect((await fetch(back.replace(b.url, c.url))).status).toBe(400)
    await ready
    for (const each of [a, b, c]) expect(await call(each)).toMatchObject({ ok: true })
    expect(far.tokenRequests).toHaveLength(1)
    const stored = JSON.stringify(await a.board.storage.shared('sign-ins').all())
    expect(stored).toContain('sealed')
    expect(stored).not.toContain(far.rules.canary)
    const out = Promise.all([a, b, c].map((each) => until(each, 'needs-auth')))
    expect((await c.ask('POST', '/sources/docs/sign-out')).body).toEqual({ signedOut: true, revoked: 'not-offered' })
    await out
  })

  it('is renewed by one of those who find it run out at once; the server takes each refresh token once', async () => {
    const [a, b] = [await start('a'), await start('b')]
    for (const each of [a, b]) await until(each, 'needs-auth')
    const ready = Promise.all([a, b].map((each) => until(each, 'ready')))
    await signIn(b, a)
    await ready
    for (let turn = 1; turn <= 3; turn++) {
      far.revokeAccess()
      const outcomes = await Promise.all([a, b, a, b, a, b].map(call))
      expect(outcomes.map(({ ok }) => ok)).toEqual([true, true, true, true, true, true])
      expect(refreshes()).toBe(turn)
    }
  })

  it('that was sealed by a secret that is gone refuses the start, and is there again with it', async () => {
    const a = await start('a')
    await until(a, 'needs-auth')
    const ready = until(a, 'ready')
    await signIn(a, a)
    await ready
    await closeAll()
    const secret = 'another secret, which nobody has used before'
    await expect(start('b', { secret })).rejects.toMatchObject({ code: 'CREDENTIAL_UNREADABLE' })
    const again = await start('c')
    await until(again, 'ready')
    expect(await call(again)).toMatchObject({ ok: true })
  })
})
