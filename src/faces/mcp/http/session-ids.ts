import { createHash, randomBytes } from 'node:crypto'
import { declaredCapabilities, shortenedCapabilities } from '../../../mcp/capabilities.js'
import { negotiateVersion } from '../../../mcp/eras.js'
import { isRecord, type JsonObject } from '../../../model/json.js'
import type { Seal } from '../../../model/seal.js'

/** What a session id says to us alone: the whole handshake, so that nobody has to remember it. */
export interface SessionFacts {
  /** What the client sends: opaque to it. */
  readonly id: string
  /** What the session is called where something is remembered of it. */
  readonly sid: string
  readonly version: string
  readonly capabilities: JsonObject
  /** Who the client said it is, as far as there is room. */
  readonly client?: ClientName | undefined
  /** Milliseconds since the epoch, to the second. */
  readonly bornMs: number
}

export interface ClientName {
  readonly name: string
  readonly version?: string | undefined
}

/** Headers are short: some proxies take 4 KiB of all of them together. */
export const longestSessionId = 1024
const mostCapabilityBytes = 512
const longestProfile = 64
const mostClientBytes = 64
const prefix = 'pb1.'

/** Session ids that any process opens which has the secret: `pb1.` and the handshake, sealed. */
export class SessionIds {
  readonly #seal: Seal
  readonly #now: () => number

  /** `now` is the time, in milliseconds since the epoch, for all who open these ids: clocks of machines differ. */
  constructor(seal: Seal, now: () => number) {
    this.#seal = seal
    this.#now = now
  }

  /** For a handshake. Throws where it says too much (S5). */
  issue(owner: string, profile: string, params: JsonObject | undefined): SessionFacts {
    const sid = randomBytes(12).toString('base64url')
    const version = negotiateVersion(params?.protocolVersion)
    const capabilities = shortenedCapabilities(declaredCapabilities(params?.capabilities), mostCapabilityBytes)
    const seconds = Math.floor(this.#now() / 1000)
    const client = clientIn(params)
    const content = { s: sid, o: digest(owner), p: shortProfile(profile), v: version, c: capabilities, t: seconds }
    const sealed = this.#seal.close(client ? { ...content, n: [client.name, client.version ?? ''] } : content)
    return { id: `${prefix}${sealed}`, sid, version, capabilities, client, bornMs: seconds * 1000 }
  }

  /** Undefined for what is not ours, or is of another caller or profile: one answer for all of them (T8). */
  open(id: string, owner: string, profile: string): SessionFacts | undefined {
    if (id.length > longestSessionId || !id.startsWith(prefix)) return undefined
    const content = this.#seal.open(id.slice(prefix.length))
    if (content?.o !== digest(owner) || content.p !== shortProfile(profile)) return undefined
    const { s, v, c, t, n } = content
    if (typeof s !== 'string' || typeof v !== 'string' || !isRecord(c) || typeof t !== 'number') return undefined
    const client = Array.isArray(n) ? clientOf(n[0], n[1]) : undefined
    return { id, sid: s, version: v, capabilities: declaredCapabilities(c), client, bornMs: t * 1000 }
  }

  ageMs({ bornMs }: SessionFacts): number {
    return this.#now() - bornMs
  }
}

/** Undefined where it says nothing, or more than an id has room for. */
const clientIn = (params: JsonObject | undefined): ClientName | undefined => {
  const info = params?.clientInfo
  const client = isRecord(info) ? clientOf(info.name, info.version) : undefined
  if (!client || Buffer.byteLength(JSON.stringify(client)) <= mostClientBytes) return client
  const alone = { name: client.name.slice(0, 20), version: undefined }
  return Buffer.byteLength(JSON.stringify(alone)) <= mostClientBytes ? alone : undefined
}

const clientOf = (name: unknown, version: unknown): ClientName | undefined =>
  typeof name !== 'string' || name === ''
    ? undefined
    : { name, version: typeof version === 'string' && version !== '' ? version : undefined }

const shortProfile = (profile: string): string =>
  Buffer.byteLength(JSON.stringify(profile)) > longestProfile ? digest(profile) : profile

const digest = (text: string): string =>
  createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url')
