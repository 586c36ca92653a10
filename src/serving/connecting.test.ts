import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../test/helpers/virtual-clock.js'
import type { Caller } from '../model/caller.js'
import { Cancel } from '../model/cancel.js'
import { createSeals } from '../model/seal.js'
import type { Deed } from '../telemetry/deed.js'
import { createConnecting, type PersonalSignIns } from './connecting.js'

const alice: Caller = {
  id: 'person:alice',
  kind: 'person',
  rights: ['call'],
  identity: { id: 'person:alice', issuer: 'https://idp.example', subject: 'alice' },
}
const nobody: Caller = { id: 'key', kind: 'key', rights: ['call'] }

const open = () => {
  const clock = new VirtualClock()
  const deeds: Deed[] = []
  const state = { signedIn: false }
  const signIns = {
    listFor: async () => [{ source: 'docs', state: state.signedIn ? 'signed-in' : 'not-signed-in' }],
    paste: async () => {
      state.signedIn = true
    },
    signOut: async () => ({ signedOut: true }),
    begin: async () => ({ url: 'https://far.example/authorize', expiresAt: 1 }),
  } as unknown as PersonalSignIns
  const connecting = createConnecting({
    fleet: { seals: createSeals('one'), now: () => clock.wall() },
    storage: { commons: undefined },
    note: (deed) => void deeds.push(deed),
    clock,
  })
  const listen = () => connecting.listenAt(() => 'https://tools.example', signIns)
  const desk = connecting.desk(
    async () => alice,
    () => undefined,
  )
  return { clock, deeds, state, connecting, desk, listen, door: connecting.door }
}

describe('asking people to sign in', () => {
  it('gives no link where nobody listens, and none to nobody', async () => {
    const { door, listen } = open()
    expect([await door.link(alice, 'docs'), door.page()]).toEqual([undefined, undefined])
    listen()
    expect(await door.link(nobody, 'docs')).toBeUndefined()
    expect(await door.link(alice, 'docs')).toMatch(/^https:\/\/tools\.example\/connect\?t=/)
    expect(door.page()).toBe('https://tools.example/me')
  })

  it('waits for a sign-in no longer than it should, and not for who has left', async () => {
    const { door, listen, clock } = open()
    listen()
    let ended: boolean | undefined
    const waits = door.signedIn(alice, 'docs', 25_000, new Cancel()).then((is) => (ended = is))
    await clock.advance(24_000)
    expect(ended).toBeUndefined()
    await clock.advance(1000)
    expect(await waits).toBe(false)
    const left = new Cancel()
    const gone = door.signedIn(alice, 'docs', 25_000, left)
    left.abort(new Error('left'))
    expect(await gone).toBe(false)
    expect(await door.signedIn(nobody, 'docs', 25_000, new Cancel())).toBe(false)
    await clock.advance(1000)
    expect(clock.pendingTimers).toBe(0)
  })

  it('is told at once of what was done here, and soon of what was done at another replica', async () => {
    const { door, desk, listen, clock, state, deeds } = open()
    listen()
    const here = door.signedIn(alice, 'docs', 25_000, new Cancel())
    let told = 0
    door.whenSignedIn(alice, 'docs', () => told++)
    door.whenSignedIn(nobody, 'docs', () => told++)
    await desk.pasteOwn(alice, 'docs', 'canary')
    expect([await here, told]).toEqual([true, 1])
    state.signedIn = false
    const elsewhere = door.signedIn(alice, 'docs', 25_000, new Cancel())
    await clock.advance(500)
    state.signedIn = true
    await clock.advance(1000)
    expect(await elsewhere).toBe(true)
    expect(deeds).toEqual([expect.objectContaining({ kind: 'credential', action: 'paste', source: 'docs' })])
    expect(JSON.stringify(deeds)).not.toContain('canary')
  })

  it('notes who opened the link of another, and who signed out', async () => {
    const { desk, listen, deeds } = open()
    listen()
    desk.refused(alice, 'docs')
    await desk.signOutOwn(alice, 'docs')
    expect(deeds.map(({ kind, action, outcome }) => [kind, action, outcome])).toEqual([
      ['refusal', 'connect', 'refused'],
      ['credential', 'sign-out', 'ok'],
    ])
    await expect(desk.signOutOwn(nobody, 'docs')).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
    expect(desk.signInAt('x')).toBe('https://tools.example/?next=connect&t=x')
  })
})
