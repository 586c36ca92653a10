import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { isRecord } from './json.js'

/** Puts what only we may write into text that others carry for us: unreadable, unchangeable, and useless elsewhere. */
export interface Seal {
  close(content: Readonly<Record<string, unknown>>): string
  /** Undefined for anything that we did not make; why it does not open is nobody's business. */
  open(text: unknown): Record<string, unknown> | undefined
}

/**
 * What is sealed, each under a key of its own: session ids, states and task ids that clients carry, passes between replicas,
 * and values at rest; of our authorization server, the clients that registered, a sign-in on its way, codes and tokens;
 * of the console, its cookies.
 */
export type SealPurpose =
  | 'session'
  | 'state'
  | 'peer'
  | 'rest'
  | 'client'
  | 'sign-in'
  | 'code'
  | 'access-token'
  | 'refresh-token'
  | 'console'
  | 'console-sign-in'
  | 'connect'

/** The seals of one secret. Whoever has the secret opens what was sealed, whichever process did. */
export interface Seals {
  of(purpose: SealPurpose): Seal
}

const ivBytes = 12
const tagBytes = 16
// A state or a task id that a client sends back; ours carry at most what a source gave us.
const longest = 256 * 1024

/** A secret, or how it is found once something is to be sealed or opened. */
export type Secret = string | Buffer | (() => string)

/**
 * AES-256-GCM under keys that are derived once. What earlier secrets sealed still opens, and nothing is sealed by them any
 * more: that is how a secret is changed without anybody losing a session. Default: a secret that ends with the process.
 */
export const createSeals = (secret: Secret = randomBytes(32), previous: readonly string[] = []): Seals => {
  let found: string | Buffer | undefined
  const secrets = (): readonly (string | Buffer)[] => {
    found ??= typeof secret === 'function' ? secret() : secret
    return [found, ...previous]
  }
  const seals = new Map<SealPurpose, Seal>()
  return {
    of: (purpose) => {
      const known = seals.get(purpose) ?? sealOf(purpose, secrets)
      seals.set(purpose, known)
      return known
    },
  }
}

/** By which two processes see whether their secrets are the same; it tells nothing else of them. */
export const fingerprintOf = (secret: string | Buffer): string =>
  Buffer.from(hkdfSync('sha256', secret, '', 'pegboard fingerprint', 8)).toString('hex')

interface SealKey {
  readonly key: Buffer
  /** Names the key in front of what it sealed, so that the right one is tried first. */
  readonly generation: number
}

const sealOf = (purpose: SealPurpose, secrets: () => readonly (string | Buffer)[]): Seal => {
  const aad = Buffer.from(`pegboard ${purpose} 1`)
  let derived: readonly SealKey[] | undefined
  const keys = (): readonly SealKey[] => (derived ??= secrets().map((secret) => keyOf(secret, purpose)))
  return {
    close: (content) => {
      const own = keys()[0]!
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', own.key, iv).setAAD(aad)
      const parts = [Buffer.of(own.generation), iv, cipher.update(JSON.stringify(content), 'utf8'), cipher.final()]
      return Buffer.concat([...parts, cipher.getAuthTag()]).toString('base64url')
    },
    open: (text) => {
      if (typeof text !== 'string' || text.length > longest || !/^[A-Za-z0-9_-]+$/.test(text)) return undefined
      const bytes = Buffer.from(text, 'base64url')
      // Several spellings can decode to the same bytes; only ours counts.
      if (bytes.length <= 1 + ivBytes + tagBytes || bytes.toString('base64url') !== text) return undefined
      for (const { key, generation } of keys()) {
        const content = generation === bytes[0] ? decrypt(bytes.subarray(1), key, aad) : undefined
        if (content) return content
      }
      return undefined
    },
  }
}

const keyOf = (secret: string | Buffer, purpose: SealPurpose): SealKey => {
  const derived = Buffer.from(hkdfSync('sha256', secret, '', `pegboard ${purpose}`, 33))
  return { key: derived.subarray(0, 32), generation: derived[32]! }
}

const decrypt = (bytes: Buffer, key: Buffer, aad: Buffer): Record<string, unknown> | undefined => {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes)).setAAD(aad)
    decipher.setAuthTag(bytes.subarray(-tagBytes))
    const plain = Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()])
    const content: unknown = JSON.parse(plain.toString())
    return isRecord(content) ? content : undefined
  } catch {
    return undefined
  }
}
