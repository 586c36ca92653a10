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
  /** Milliseconds since the epoch, to the second. */
  readonly bornMs: number
}

/** Headers are short: some proxies take 4 KiB of all of them together. */
export const longestSessionId = 1024
const mostCapabilityBytes = 512
const longestProfile = 64
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
    const content = { s: sid, o: digest(owner), p: shortProfile(profile), v: version, c: capabilities, t: seconds }
    return { id: `${prefix}${this.#seal.close(content)}`, sid, version, capabilities, bornMs: seconds * 1000 }
  }

  /** Undefined for what is not ours, or is of another caller or profile: one answer for all of them (T8). */
  open(id: string, owner: string, profile: string): SessionFacts | undefined {
    if (id.length > longestSessionId || !id.startsWith(prefix)) return undefined
    const content = this.#seal.open(id.slice(prefix.length))
    if (content?.o !== digest(owner) || content.p !== shortProfile(profile)) return undefined
    const { s, v, c, t } = content
    if (typeof s !== 'string' || typeof v !== 'string' || !isRecord(c) || typeof t !== 'number') return undefined
    return { id, sid: s, version: v, capabilities: declaredCapabilities(c), bornMs: t * 1000 }
  }

  ageMs({ bornMs }: SessionFacts): number {
    return this.#now() - bornMs
  }
}

const shortProfile = (profile: string): string =>
  Buffer.byteLength(JSON.stringify(profile)) > longestProfile ? digest(profile) : profile

const digest = (text: string): string =>
  createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url')
