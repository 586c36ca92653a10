import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { RpcError, rpcCodes } from '../../mcp/rpc-error.js'
import { isRecord } from '../../model/json.js'

/** Puts what only we may write into text that a client carries for us: unreadable, unchangeable, and useless elsewhere. */
export interface Seal {
  close(content: Readonly<Record<string, unknown>>): string
  /** Throws -32602 for anything that we did not make. */
  open(text: unknown): Record<string, unknown>
}

const version = Buffer.from('pegboard state 1')
const ivBytes = 12
const tagBytes = 16
// A state or a task id that a client sends back; ours carry at most what a source gave us.
const longest = 256 * 1024

/** AES-256-GCM under a key of this process: what is sealed must come back to the process that knows what it means. */
export const createSeal = (key: Buffer = randomBytes(32)): Seal => ({
  close: (content) => {
    const iv = randomBytes(ivBytes)
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(version)
    const sealed = Buffer.concat([iv, cipher.update(JSON.stringify(content), 'utf8'), cipher.final()])
    return Buffer.concat([sealed, cipher.getAuthTag()]).toString('base64url')
  },
  open: (text) => {
    if (typeof text !== 'string' || text.length > longest || !/^[A-Za-z0-9_-]+$/.test(text)) throw notOurs()
    const bytes = Buffer.from(text, 'base64url')
    // Several spellings can decode to the same bytes; only ours counts.
    if (bytes.length <= ivBytes + tagBytes || bytes.toString('base64url') !== text) throw notOurs()
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes)).setAAD(version)
      decipher.setAuthTag(bytes.subarray(-tagBytes))
      const plain = Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()])
      const content: unknown = JSON.parse(plain.toString())
      if (isRecord(content)) return content
    } catch {
      // Falls through: why it does not open is nobody's business.
    }
    throw notOurs()
  },
})

/** One answer for forged, foreign, expired and used ones: anything finer would tell which of them it is. */
export const notOurs = (): RpcError =>
  new RpcError(
    rpcCodes.invalidParams,
    'This state is not valid here: it is used up, expired or not yours. Begin again.',
  )
