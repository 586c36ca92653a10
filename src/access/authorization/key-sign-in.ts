import type { IncomingMessage } from 'node:http'
import type { ClientPeers } from '../../http/auth-loopback.js'
import type { WrongKeys } from '../../http/wrong-keys.js'
import type { Caller } from '../../model/caller.js'
import { keyIdOf } from '../key-record.js'
import type { Keys } from '../keys.js'

/** A key that was pasted, and who holds it. */
export interface PastedKey {
  readonly id: string
  readonly holder: Caller
}

/** Whether a pasted key opens something; `waitMs` where too many wrong ones came from there. */
export type KeySignIn = (
  key: string | undefined,
  request: IncomingMessage,
) => Promise<{ readonly key: PastedKey } | { readonly wrong: true } | { readonly waitMs: number }>

/** People without an identity provider show their key. Wrong ones are bounded per address, as everywhere (A9). */
export const createKeySignIn =
  (
    keys: Pick<Keys, 'verifyFresh'>,
    { peers, wrongKeys }: { readonly peers: ClientPeers; readonly wrongKeys: WrongKeys },
  ): KeySignIn =>
  async (text, request) => {
    const check = await keys.verifyFresh(text?.trim())
    const id = check.ok ? keyIdOf(check.caller) : undefined
    if (check.ok && id !== undefined) return { key: { id, holder: check.caller } }
    const waitMs = wrongKeys.count(peers.addressOf(request))
    return waitMs === 0 ? { wrong: true } : { waitMs }
  }
