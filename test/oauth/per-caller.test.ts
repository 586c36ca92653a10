import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Caller, type Identity, localCaller } from '../../src/model/caller.js'
import { type OpenedAdmin, openAdminServer } from '../helpers/open-admin.js'
import { type SignInServers, startSignInServers } from '../helpers/sign-in-servers.js'

const person = (subject: string): Caller => {
  const identity: Identity = { id: `person:${subject}`, issuer: 'https://idp.example', subject, name: subject }
  return { id: identity.id, kind: 'person', rights: ['discover', 'call'], identity }
}
const alice = person('alice')

describe('a source at which each caller signs in', () => {
  let far: SignInServers
  let board: OpenedAdmin

  beforeEach(async () => {
    far = await startSignInServers()
  })
  afterEach(async () => {
    await board[Symbol.asyncDispose]()
    await far[Symbol.asyncDispose]()
  })

  const open = async (more: object = {}) => {
    const source = { type: 'http', url: far.url, auth: { type: 'oauth', per: 'caller' }, ...more }
    board = await openAdminServer(JSON.stringify({ sources: { docs: source } }))
  }
  const stateNow = () => board.gateway.sources().find(({ name }) => name === 'docs')?.status
  /** Resolves at the event: nothing here waits by the clock. */
  const until = (state: string): Promise<void> =>
    new Promise((resolve) => {
      const stop = board.gateway.onSource(({ name, status }) => {
        if (name !== 'docs' || status.state !== state) return
        stop()
        resolve()
      })
      if (stateNow()?.state !== state) return
      stop()
      resolve()
    })
  const call = (caller: Caller) => board.gateway.call({ tool: 'docs.read', args: {}, caller })

  it('waits calmly for the first of them, and tries nothing meanwhile', async () => {
    await open()
    await until('needs-auth')
    expect(stateNow()).toMatchObject({ nextRetryAt: undefined })
    expect(stateNow()?.reason).toContain('Waits for a sign-in')
  })

  it('refuses who has nothing there, and asks its server nothing in their name', async () => {
    far.rules.listsToAll = true
    await open()
    await until('ready')
    const before = far.log.length
    expect(await call(alice)).toMatchObject({
      ok: false,
      error: { code: 'SIGN_IN_REQUIRED', details: { source: 'docs', kind: 'oauth' } },
    })
    const { identity: _, ...nobody } = alice
    for (const caller of [
      nobody,
      { ...nobody, kind: 'key' as const },
      localCaller,
      { ...nobody, kind: 'anonymous' as const },
    ])
      expect(await call(caller)).toMatchObject({
        ok: false,
        error: { code: 'SIGN_IN_REQUIRED', details: { source: 'docs', kind: 'identity' } },
      })
    expect(far.log.slice(before)).toEqual([])
    expect(far.authorizations.every((each) => each === undefined)).toBe(true)
  })
})
