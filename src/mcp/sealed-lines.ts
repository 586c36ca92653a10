import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import type { Socket } from 'node:net'
import type { LineChannel } from './client/line-transport.js'
import { createLineSplitter, type LineSplitter } from './framing.js'

export interface SealedLinesOptions {
  readonly socket: Socket
  /** What came with the handshake and is already read. */
  readonly head?: Buffer | undefined
  /** Of this one connection, known to its two ends alone. */
  readonly key: Buffer
  /** Who began it is the client. A server that cannot get rid of its answers reads no more questions. */
  readonly side: 'client' | 'server'
  /** Of one line. */
  readonly maxLineBytes: number
  /** The socket is read by whoever made it, who calls `receive`. Default: false. */
  readonly isFed?: boolean | undefined
}

// One frame of many short lines, or one of the parts of a long one.
const mostInFrame = 256 * 1024
const headBytes = 4
const tagBytes = 16
// Small frames are put together, larger ones are written where they lie.
const smallBytes = 16 * 1024
// What the other side does not read may wait; past this it is not going to. Answers are larger, and who waits for them was let in.
const mostQueuedBytes = { client: 64 * 1024 * 1024, server: 256 * 1024 * 1024 }
const pauseAtBytes = 4 * 1024 * 1024

/**
 * Lines over one socket, unreadable and unchangeable on their way: whatever is said in one turn of the event loop leaves as one
 * frame of AES-256-GCM, numbered by its place. So a message costs a share of a frame and not a signature of its own, nothing
 * can be left out, repeated or moved, and whoever listens on the network between two replicas hears noise.
 */
export class SealedLines implements LineChannel {
  readonly #socket: Socket
  readonly #splitter: LineSplitter
  readonly #writer: FrameKey
  readonly #reader: FrameKey
  readonly #isServer: boolean
  readonly #isFed: boolean
  #lines: (string | Buffer)[] = []
  #lineBytes = 0
  #held: Buffer[] = []
  #heldBytes = 0
  #wanted = headBytes
  #onLine: ((line: Buffer) => void) | undefined
  #early: Buffer[] = []
  #onClose: ((reason: Error | undefined) => void) | undefined
  #reason: Error | undefined
  #closed = false

  constructor({ socket, head, key, side, maxLineBytes, isFed = false }: SealedLinesOptions) {
    this.#socket = socket
    this.#isFed = isFed
    this.#isServer = side === 'server'
    this.#writer = new FrameKey(key, this.#isServer ? 'answers' : 'questions')
    this.#reader = new FrameKey(key, this.#isServer ? 'questions' : 'answers')
    this.#splitter = createLineSplitter({
      maxLineBytes,
      onLine: (line) => (this.#onLine ? this.#onLine(line) : void this.#early.push(line)),
      onTooLong: () => this.#fail(new Error('a message was too long')),
    })
    socket.setNoDelay(true)
    socket.setKeepAlive(true, 15_000)
    if (!isFed) socket.on('data', (bytes: Buffer) => this.receive(bytes))
    socket.on('drain', () => socket.isPaused() && socket.resume())
    socket.on('error', (error) => this.#fail(error))
    socket.on('end', () => this.#fail(new Error('the other side ended it')))
    socket.on('close', () => this.#ended(this.#reason))
    if (head && head.length > 0) this.receive(head)
    if (!isFed) socket.resume()
  }

  send(line: string | Buffer): void {
    if (this.#closed || this.#reason) throw new Error('the connection is closed')
    const most = this.#isServer ? mostQueuedBytes.server : mostQueuedBytes.client
    if (this.#lineBytes + this.#socket.writableLength > most) throw new Error('too much waits to be sent')
    // At the end of this turn of the event loop, for all that is said in it.
    if (this.#lines.length === 0) setImmediate(this.#flush)
    this.#lines.push(line)
    this.#lineBytes += line.length
  }

  onLine(listener: (line: Buffer) => void): void {
    this.#onLine = listener
    for (const line of this.#early.splice(0)) listener(line)
  }

  onClose(listener: (reason: Error | undefined) => void): void {
    this.#onClose = listener
    if (this.#closed) listener(this.#reason)
  }

  /** What was said still leaves. */
  close(): void {
    if (this.#closed) return
    this.#flush()
    this.#socket.destroySoon()
    this.#ended(undefined)
  }

  readonly #flush = (): void => {
    const lines = this.#lines
    if (lines.length === 0) return
    this.#lines = []
    this.#lineBytes = 0
    if (this.#socket.destroyed) return
    const plain = joined(lines)
    for (let at = 0; at < plain.length; at += mostInFrame) this.#write(plain.subarray(at, at + mostInFrame))
    if (this.#isServer && this.#socket.writableLength > pauseAtBytes) this.#socket.pause()
  }

  #write(plain: Buffer): void {
    const head = Buffer.allocUnsafe(headBytes)
    head.writeUInt32BE(plain.length)
    const cipher = createCipheriv('aes-256-gcm', this.#writer.key, this.#writer.next())
    const sealed = cipher.update(plain)
    cipher.final()
    const tag = cipher.getAuthTag()
    if (sealed.length <= smallBytes) return void this.#socket.write(Buffer.concat([head, sealed, tag]))
    this.#socket.cork()
    this.#socket.write(head)
    this.#socket.write(sealed)
    this.#socket.write(tag)
    this.#socket.uncork()
  }

  /** Bytes of the socket, as they come. */
  receive(bytes: Buffer): void {
    if (this.#reason) return
    try {
      if (this.#heldBytes === 0) return this.#readFrames(bytes)
      // Who reads for us reads the next into the same place.
      this.#held.push(this.#isFed ? Buffer.from(bytes) : bytes)
      this.#heldBytes += bytes.length
      if (this.#heldBytes >= this.#wanted) this.#readFrames(Buffer.concat(this.#held, this.#heldBytes))
    } catch {
      this.#fail(new Error('it was changed on its way'))
    }
  }

  /** All whole frames of what is there; then it is known how much the next one needs. */
  #readFrames(bytes: Buffer): void {
    let at = 0
    this.#wanted = headBytes
    while (bytes.length - at >= headBytes) {
      const length = bytes.readUInt32BE(at)
      if (length > mostInFrame) throw new Error('no frame of ours is so long')
      this.#wanted = headBytes + length + tagBytes
      if (bytes.length - at < this.#wanted) break
      this.#open(bytes.subarray(at + headBytes, at + this.#wanted))
      at += this.#wanted
      this.#wanted = headBytes
    }
    this.#heldBytes = bytes.length - at
    // The rest is a piece of what may be long, or somebody else's.
    this.#held = this.#heldBytes === 0 ? [] : [Buffer.from(bytes.subarray(at))]
  }

  #open(frame: Buffer): void {
    const decipher = createDecipheriv('aes-256-gcm', this.#reader.key, this.#reader.next())
    decipher.setAuthTag(frame.subarray(-tagBytes))
    const plain = decipher.update(frame.subarray(0, -tagBytes))
    decipher.final()
    this.#splitter.push(plain)
  }

  #fail(reason: Error): void {
    this.#reason ??= reason
    this.#socket.destroy()
    this.#ended(this.#reason)
  }

  #ended(reason: Error | undefined): void {
    if (this.#closed) return
    this.#closed = true
    this.#onClose?.(reason ?? new Error('it was closed'))
  }
}

/** The key of one direction. No number is used twice: a connection ends long before 2^48 frames. */
class FrameKey {
  readonly key: Buffer
  readonly #number = Buffer.alloc(12)
  #count = 0

  constructor(key: Buffer, direction: 'questions' | 'answers') {
    this.key = Buffer.from(hkdfSync('sha256', key, '', `pegboard link ${direction}`, 32))
  }

  next(): Buffer {
    this.#number.writeUIntBE(this.#count++, 6, 6)
    return this.#number
  }
}

const lineEnd = Buffer.from('\n')

const joined = (lines: readonly (string | Buffer)[]): Buffer => {
  if (lines.every((line) => typeof line === 'string')) return Buffer.from(`${lines.join('\n')}\n`)
  return Buffer.concat(lines.flatMap((line) => [typeof line === 'string' ? Buffer.from(line) : line, lineEnd]))
}
