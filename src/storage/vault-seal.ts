import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { isRecord, type JsonObject, type JsonValue } from '../model/json.js'
import { maxDocumentChars } from './documents.js'

/** What everything is sealed under, and the name by which sealed values know it. */
export interface VaultRoot {
  readonly keyId: string
  /** What keys are derived from: the first half of HKDF, done once. */
  readonly extracted: Buffer
}

export const vaultRootOf = (secret: string | Buffer): VaultRoot => {
  const extracted = createHmac('sha256', '').update(secret).digest()
  return { keyId: expanded(extracted, 'pegboard vault key id').subarray(0, 6).toString('base64url'), extracted }
}

/** A key of this root for one purpose, which tells nothing of the others. */
export const deriveFrom = ({ extracted }: VaultRoot, purpose: string): Buffer =>
  expanded(extracted, `pegboard vault for ${purpose}`)

/** Whose value it is: the kind of document and its id. Both are in the key and in what is authenticated. */
export interface SealedPlace {
  readonly kind: string
  readonly id: string
}

/** A value as it is kept: `{ "sealed": "v1.keyId.iv.tag.body" }`. */
export const sealValue = (root: VaultRoot, place: SealedPlace, value: JsonValue): JsonObject => {
  const iv = nextIv()
  const cipher = createCipheriv('aes-256-gcm', keyOf(root, place), iv).setAAD(boundTo(root, place))
  // GCM gives everything at once: nothing is left for `final`, which makes the tag.
  const body = cipher.update(JSON.stringify(value), 'utf8')
  cipher.final()
  const parts = [iv, cipher.getAuthTag(), body].map((part) => part.toString('base64url'))
  return { sealed: `${version}.${root.keyId}.${parts.join('.')}` }
}

/** The key id of a sealed value; undefined for what was never sealed by a vault. */
export const sealedBy = (stored: JsonValue): string | undefined => textOf(stored)?.split('.', 2)[1]

/** Whether it says of itself that a vault sealed it, well or badly written. */
export const isSealed = (stored: JsonValue): boolean => textOf(stored) !== undefined

/** Undefined for what this root did not seal for this place, or what was changed since. */
export const openValue = (root: VaultRoot, place: SealedPlace, stored: JsonValue): JsonValue | undefined => {
  const text = textOf(stored)
  // Twice the longest document: what is sealed grows by a third.
  if (text === undefined || text.length > 2 * maxDocumentChars) return undefined
  const [, keyId, ...parts] = text.split('.')
  if (keyId !== root.keyId || parts.length !== 3) return undefined
  const [iv, tag, body] = parts.map(bytesOf)
  if (iv?.length !== ivBytes || tag?.length !== tagBytes || body === undefined) return undefined
  try {
    const decipher = createDecipheriv('aes-256-gcm', keyOf(root, place), iv).setAAD(boundTo(root, place))
    decipher.setAuthTag(tag)
    const clear = decipher.update(body)
    // Throws where the tag does not fit: before that nothing of it is looked at.
    decipher.final()
    return JSON.parse(clear.toString()) as JsonValue
  } catch {
    return undefined
  }
}

const version = 'v1'
const ivBytes = 12
const tagBytes = 16

// Asked of the system for many at once: a tenth of what sealing costs, measured. None is used twice.
const ivsAtOnce = 64
let ivs = Buffer.alloc(0)
const nextIv = (): Buffer => {
  if (ivs.length === 0) ivs = randomBytes(ivBytes * ivsAtOnce)
  const iv = ivs.subarray(0, ivBytes)
  ivs = ivs.subarray(ivBytes)
  return iv
}

const textOf = (stored: JsonValue): string | undefined => {
  const text = isRecord(stored) ? stored.sealed : undefined
  return typeof text === 'string' && text.startsWith(`${version}.`) ? text : undefined
}

// Several spellings can decode to the same bytes; only ours counts.
const bytesOf = (text: string): Buffer | undefined => {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : undefined
}

// A kind has no space, so no two places are written alike.
const keyOf = ({ extracted }: VaultRoot, { kind, id }: SealedPlace): Buffer =>
  expanded(extracted, `pegboard vault value ${kind} ${id}`)

const boundTo = ({ keyId }: VaultRoot, { kind, id }: SealedPlace): Buffer =>
  Buffer.from(`pegboard vault ${version} ${keyId} ${kind} ${id}`)

/** The second half of HKDF-SHA-256 for 32 bytes (RFC 5869): Node's own does both, at four times the cost, and takes no long ids. */
const expanded = (extracted: Buffer, info: string): Buffer =>
  createHmac('sha256', extracted).update(info).update(last).digest()

const last = Buffer.of(1)
