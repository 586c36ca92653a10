import { randomBytes } from 'node:crypto'
import type { Seal } from '../../model/seal.js'
import type { AskedAccess } from './asked.js'
import { roundMs } from './browser.js'

/** A sign-in on its way, in the hands of a browser: what was asked, bound to the browser and to its time. */
export interface ConsentRound {
  /** `form` while somebody is asked, `provider` while they are away to sign in: neither counts for the other. */
  readonly stage: 'form' | 'provider'
  readonly id: string
  readonly client: string
  /** As the client was when they were asked. */
  readonly version: string
  readonly redirect: string
  readonly state: string | undefined
  readonly challenge: string
  readonly resource: string
  readonly scope: string
  readonly browser: string
  readonly until: number
  readonly nonce: string
  readonly verifier: string
}

export interface Rounds {
  begin(asked: AskedAccess, browser: string): string
  /** On to the provider: the state that goes with the browser, and what it stands for. */
  toProvider(round: ConsentRound): { readonly state: string; readonly round: ConsentRound }
  /** Undefined for what is not ours, over, or of the other stage. */
  open(text: string | undefined, stage: ConsentRound['stage']): ConsentRound | undefined
  /** True once for each round, as far as this process remembers. */
  spend(round: ConsentRound): boolean
}

const mostSpent = 10_000

export const createRounds = (seal: Seal, now: () => number): Rounds => {
  const spent = new Map<string, number>()
  return {
    begin: ({ client, redirect, state, challenge, endpoint, scope }, browser) =>
      seal.close({
        k: 'form',
        i: random(12),
        c: client.id,
        f: client.version,
        r: redirect.text,
        s: state,
        h: challenge,
        a: endpoint.resource,
        o: scope,
        b: browser,
        e: now() + roundMs,
      }),
    toProvider: (form) => {
      const round: ConsentRound = {
        ...form,
        stage: 'provider',
        id: random(12),
        nonce: random(16),
        verifier: random(32),
      }
      const { id, client, version, redirect, state, challenge, resource, scope, browser, until, nonce, verifier } =
        round
      const names = { c: client, f: version, r: redirect, s: state, h: challenge, a: resource, o: scope, b: browser }
      return { round, state: seal.close({ k: 'provider', i: id, e: until, n: nonce, v: verifier, ...names }) }
    },
    open: (text, stage) => {
      const content = seal.open(text) as Record<string, string> | undefined
      if (content?.k !== stage || !(Number(content.e) > now())) return undefined
      const { i, c, f, r, s, h, a, o, b, e, n = '', v = '' } = content
      return {
        ...{ stage, id: i!, client: c!, version: f!, redirect: r!, state: s, challenge: h!, resource: a!, scope: o! },
        ...{ browser: b!, until: Number(e), nonce: n, verifier: v },
      }
    },
    spend: ({ id, until }) => {
      if (spent.has(id)) return false
      for (const [old, over] of spent) {
        if (over > now() && spent.size < mostSpent) break
        spent.delete(old)
      }
      spent.set(id, until)
      return true
    },
  }
}

const random = (bytes: number): string => randomBytes(bytes).toString('base64url')
