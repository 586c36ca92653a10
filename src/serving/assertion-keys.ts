import { createPrivateKey, createPublicKey, generateKeyPairSync, type JsonWebKey, type KeyObject } from 'node:crypto'
import { sendJson } from '../http/answer.js'
import type { Route } from '../http/route.js'
import type { Clock } from '../model/clock.js'
import { isRecord, type JsonValue } from '../model/json.js'
import type { AssertionKey } from '../sources/caller-assertions.js'
import type { Storage } from '../storage/storage.js'
import type { SealedDocuments, Vault } from '../storage/vault.js'

/** The keys by which we say who calls: private ones in the vault, public ones for whoever wants to check. */
export interface AssertionKeys {
  /** The one that signs now; made with the first call that needs it, and another one every month. */
  current(): Promise<AssertionKey>
  /** A key set (RFC 7517 §5); empty where nothing was ever signed. */
  published(): Promise<{ readonly keys: readonly JsonWebKey[] }>
  close(): Promise<void>
}

interface KeptKey {
  readonly kid: string
  readonly madeAt: number
  readonly key: KeyObject
}

export const assertionKind = 'assertion-keys'
const dayMs = 24 * 3600 * 1000
const signsForMs = 30 * dayMs
// Whoever has fetched the set just before the change learns of the new one within their own cache's time.
const publishedForMs = signsForMs + dayMs
const readAgainMs = 60_000

export const createAssertionKeys = (storage: Storage, vault: Pick<Vault, 'sealed'>, clock: Clock): AssertionKeys => {
  let documents: SealedDocuments | undefined
  let known: { readonly keys: readonly KeptKey[]; readonly at: number } | undefined
  let making: Promise<AssertionKey> | undefined
  const open = (): SealedDocuments => {
    documents ??= vault.sealed(storage.shared(assertionKind), assertionKind)
    return documents
  }
  const read = async (): Promise<readonly KeptKey[]> => {
    if (known && clock.now() - known.at < readAgainMs) return known.keys
    const keys = (await open().all()).flatMap(({ id, value }) => parse(id, value))
    known = { keys: keys.sort((a, b) => b.madeAt - a.madeAt), at: clock.now() }
    return known.keys
  }
  const signing = (keys: readonly KeptKey[]): KeptKey | undefined =>
    keys.find(({ madeAt }) => clock.wall() - madeAt < signsForMs)
  const make = async (): Promise<AssertionKey> => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const madeAt = clock.wall()
    const kid = `${new Date(madeAt).toISOString().slice(0, 10)}-${privateKey.export({ format: 'jwk' }).x!.slice(0, 8)}`
    const value = { madeAt, key: privateKey.export({ format: 'pem', type: 'pkcs8' }) as string }
    // Of two replicas that make one at the same time, the second takes the first one's.
    const isThere = (there: readonly { readonly id: string; readonly value: JsonValue }[]): boolean =>
      signing(there.flatMap(({ id, value: each }) => parse(id, each))) !== undefined
    await open().addUnless(kid, value, isThere)
    known = undefined
    const keys = await read()
    for (const { kid: old, madeAt: at } of keys) if (clock.wall() - at > publishedForMs) await open().delete(old)
    return signing(keys)!
  }
  return {
    current: async () => {
      const found = signing(await read())
      if (found) return found
      making ??= make().finally(() => {
        making = undefined
      })
      return making
    },
    published: async () => ({
      keys: (await read())
        .filter(({ madeAt }) => clock.wall() - madeAt < publishedForMs)
        .map(({ kid, key }) => ({
          ...createPublicKey(key).export({ format: 'jwk' }),
          ...{ kid, alg: 'ES256', use: 'sig' },
        })),
    }),
    close: async () => documents?.[Symbol.asyncDispose](),
  }
}

const parse = (kid: string, value: JsonValue): readonly KeptKey[] => {
  if (!isRecord(value) || typeof value.key !== 'string' || typeof value.madeAt !== 'number') return []
  try {
    return [{ kid, madeAt: value.madeAt, key: createPrivateKey(value.key) }]
  } catch {
    return []
  }
}

export const keySetPath = '/.well-known/jwks.json'

/** Where servers find our public keys. */
export const keySetRoute = (keys: Pick<AssertionKeys, 'published'>): Route => ({
  method: 'GET',
  path: keySetPath,
  right: 'open',
  anyOrigin: true,
  handle: async ({ response }) => {
    sendJson(response, 200, await keys.published(), headers)
    return undefined
  },
})

const headers = { 'Cache-Control': 'public, max-age=300', 'Access-Control-Allow-Origin': '*' }
