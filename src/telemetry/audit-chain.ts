import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { isoOf } from './audit-line.js'

/** Before the first line of all. */
export const noLine = '0'.repeat(64)

/** What another line calls this one by. `printf %s "$line" | sha256sum` says the same. */
export const hashOf = (line: string): string => hash('sha256', line)

/** By what checkpoints are signed. */
export interface AuditSigner {
  /** Names the root; tells nothing else of it. */
  readonly keyId: string
  readonly key: Buffer
}

export interface ChainOptions {
  /** What the first line follows: the last one that was there. */
  readonly prev: string
  readonly replica?: string | undefined
  /** Asked when the first checkpoint is due. Undefined: there is nothing to sign with, and no checkpoint. */
  readonly signer?: (() => AuditSigner | undefined) | undefined
}

/**
 * The lines of one process: each names the hash of the one before, so that none can be changed, taken out or put elsewhere
 * without a trace. Several processes may share a file; each has a chain.
 */
export class AuditChain {
  readonly id = randomBytes(6).toString('base64url')
  readonly #options: ChainOptions
  readonly #head: string
  #seq = 0
  #prev: string
  #isSigned = true

  constructor(options: ChainOptions) {
    this.#options = options
    this.#prev = options.prev
    this.#head = `{"v":1,"chain":"${this.id}","seq":`
  }

  /** Puts a line behind the last. `line` begins at `"at"`. */
  seal(line: string): string {
    this.#seq += 1
    const sealed = `${this.#head}${this.#seq},"prev":"${this.#prev}",${line}`
    this.#prev = hashOf(sealed)
    this.#isSigned = false
    return sealed
  }

  /** The first of its lines. */
  start(at: number, facts: { readonly version?: string | undefined; readonly torn: boolean }): string {
    const more = { after: facts.version, replica: this.#options.replica, torn: facts.torn || undefined }
    return systemLine(at, 'start', more)
  }

  /** A line that vouches for all before it, where something is new and there is a key; sealed already. */
  checkpoint(at: number, action: 'checkpoint' | 'stop'): string | undefined {
    const signer = this.#isSigned && action === 'checkpoint' ? undefined : this.#options.signer?.()
    if (!signer) return action === 'stop' ? this.seal(systemLine(at, 'stop')) : undefined
    this.#seq += 1
    const line = systemLine(at, action, { replica: this.#options.replica, key: signer.keyId })
    const unsigned = `${this.#head}${this.#seq},"prev":"${this.#prev}",${line}`
    const signed = `${unsigned.slice(0, -1)},"mac":"${macOf(signer.key, unsigned).toString('hex')}"}`
    this.#prev = hashOf(signed)
    this.#isSigned = true
    return signed
  }
}

const macOf = (key: Buffer, line: string): Buffer => createHmac('sha256', key).update(line).digest()

const macAtEnd = /,"mac":"([0-9a-f]{64})"\}$/

/** Whether a checkpoint is ours, and what it says has not changed. */
export const isSignedBy = (line: string, key: Buffer): boolean => {
  const [ending, mac] = macAtEnd.exec(line) ?? []
  if (ending === undefined || mac === undefined) return false
  return timingSafeEqual(macOf(key, `${line.slice(0, -ending.length)}}`), Buffer.from(mac, 'hex'))
}

/** What the trail says of itself. */
export const systemLine = (at: number, action: string, more: object = {}): string =>
  `"at":"${isoOf(at)}",${JSON.stringify({ kind: 'system', action, actor: system, outcome: 'ok', ...more }).slice(1)}`

const system = { id: 'pegboard', type: 'system' }
