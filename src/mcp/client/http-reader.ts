/** Who takes an answer as it is read. `bytes` are the reader's: what is kept of them must be copied. */
export interface AnswerSink {
  /** Status and headers are here, and the body follows. */
  onHead(status: number, head: AnswerHead): void
  onBytes(bytes: Buffer): void
  /** The answer is whole; `reusable` where the connection may carry another. */
  onDone(reusable: boolean): void
}

/** A head or a line of the framing longer than this is refused, as undici does. */
const maxHeadBytes = 16 * 1024
const maxSizeLineBytes = 1024
// Hints that come before an answer (103 and the like); a server that only ever hints would hold us.
const maxInformational = 16

/**
 * Answers of HTTP/1.1 out of bytes that may be cut anywhere (RFC 9112). Whatever could be read in two ways is refused: both
 * lengths, two lengths, odd chunk sizes, bare line feeds, folded headers, bytes that nobody asked for. It throws then, and
 * the connection is of no more use.
 */
export class AnswerReader {
  #state: (bytes: Buffer) => number = this.#idle
  #held = nothing
  #left = 0
  #reusable = false
  #informational = 0
  readonly #sink: AnswerSink

  constructor(sink: AnswerSink) {
    this.#sink = sink
  }

  /** A request was sent, so one answer may come. */
  expect(): void {
    this.#informational = 0
    this.#state = this.#head
  }

  /** Nothing is told from here on. */
  stop(): void {
    this.#state = this.#ignored
    this.#held = nothing
  }

  push(chunk: Buffer): void {
    let bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk])
    this.#held = nothing
    while (bytes.length > 0) {
      const used = this.#state(bytes)
      // The rest of a line is still to come. Lines are short, so what is held is copied without a second thought.
      if (used === 0) return void (this.#held = Buffer.from(bytes))
      bytes = bytes.subarray(used)
    }
  }

  /** The other side says no more. True where that is how the answer ends, which then is whole. */
  end(): boolean {
    if (this.#state !== this.#untilClose) return false
    this.#done()
    return true
  }

  // Each state takes bytes and says how many it used; none means that it needs more than these.

  #idle(): number {
    throw fault('it sent bytes that nobody asked for')
  }

  #ignored(bytes: Buffer): number {
    return bytes.length
  }

  #head(bytes: Buffer): number {
    const end = bytes.indexOf('\r\n\r\n')
    if (end < 0 || end > maxHeadBytes) {
      checkBeginning(bytes)
      return 0
    }
    const head = new AnswerHead(bytes.toString('latin1', 0, end + 2))
    const { status } = head
    if (status < 200) {
      if (status === 101 || ++this.#informational > maxInformational) throw fault('it changed the protocol')
      return end + 4
    }
    this.#frame(status, head)
    this.#sink.onHead(status, head)
    if (this.#state === this.#untilLength && this.#left === 0) this.#done()
    return end + 4
  }

  #frame(status: number, head: AnswerHead): void {
    const { length, coding } = head
    this.#reusable = head.isReusable
    this.#left = 0
    if (length !== undefined && coding !== undefined) throw fault('its answer has two lengths')
    if (length !== undefined && !/^\d{1,15}$/.test(length)) throw fault('the length of its answer is no number')
    if (status === 204 || status === 304) this.#state = this.#untilLength
    else if (coding !== undefined) {
      if (coding.toLowerCase() !== 'chunked') throw fault('its answer has a transfer coding other than chunked')
      this.#state = this.#size
    } else if (length !== undefined) {
      this.#left = Number(length)
      this.#state = this.#untilLength
    } else {
      this.#reusable = false
      this.#state = this.#untilClose
    }
  }

  #untilLength(bytes: Buffer): number {
    const used = this.#take(bytes)
    if (this.#left === 0) this.#done()
    return used
  }

  #untilClose(bytes: Buffer): number {
    this.#sink.onBytes(bytes)
    return bytes.length
  }

  #size(bytes: Buffer): number {
    const end = bytes.indexOf('\r\n')
    if (end > maxSizeLineBytes || (end < 0 && bytes.length > maxSizeLineBytes)) throw fault('a chunk size is too long')
    if (end < 0) return 0
    const [, size] = sizeLine.exec(bytes.toString('latin1', 0, end)) ?? []
    if (size === undefined) throw fault('a chunk size is no number')
    this.#left = Number.parseInt(size, 16)
    this.#state = this.#left === 0 ? this.#trailers : this.#chunk
    return end + 2
  }

  #chunk(bytes: Buffer): number {
    const used = this.#take(bytes)
    if (this.#left === 0 && this.#state === this.#chunk) this.#state = this.#chunkEnd
    return used
  }

  #chunkEnd(bytes: Buffer): number {
    if (bytes[0] !== 0x0d || (bytes.length > 1 && bytes[1] !== 0x0a)) throw fault('a chunk is longer than its size')
    if (bytes.length < 2) return 0
    this.#state = this.#size
    return 2
  }

  /** Read past and forgotten: nothing of ours comes by trailers. */
  #trailers(bytes: Buffer): number {
    const empty = bytes[0] === 0x0d && bytes[1] === 0x0a
    const end = empty ? -2 : bytes.indexOf('\r\n\r\n')
    if (end > maxHeadBytes || (end === -1 && bytes.length > maxHeadBytes)) throw fault('its trailers are too long')
    if (end === -1) return 0
    if (!empty && !trailerLines.test(bytes.toString('latin1', 0, end + 2))) throw fault('its trailers cannot be read')
    this.#done()
    return end + 4
  }

  #take(bytes: Buffer): number {
    const used = Math.min(this.#left, bytes.length)
    this.#left -= used
    this.#sink.onBytes(used === bytes.length ? bytes : bytes.subarray(0, used))
    return used
  }

  #done(): void {
    // The sink may have hung up while it took the last bytes.
    if (this.#state === this.#ignored) return
    this.#state = this.#idle
    this.#sink.onDone(this.#reusable)
  }
}

/** Status line and headers as they came: what the framing hangs on is read at once, the others are looked up when asked for. */
export class AnswerHead {
  readonly length: string | undefined
  readonly coding: string | undefined
  readonly #text: string
  readonly keepAlive: string | undefined
  readonly #type: string | undefined
  readonly #encoding: string | undefined
  readonly #connection: string | undefined

  /** With the line end of its last line. */
  constructor(text: string) {
    if (!headLines.test(text)) throw fault('its answer is not HTTP/1.1')
    this.#text = text
    for (let at = text.indexOf('\r\n') + 2; at < text.length; ) {
      const colon = text.indexOf(':', at)
      const end = text.indexOf('\r\n', colon)
      // By length first: nearly every header is passed over without comparing text.
      const size = colon - at
      if (size === 10 || size === 12 || size === 14 || size === 16 || size === 17) {
        const name = text.slice(at, colon).toLowerCase()
        const value = text.slice(colon + 1, end)
        if (name === 'content-length') this.length = once(this.length, name, value)
        else if (name === 'transfer-encoding') this.coding = once(this.coding, name, value)
        else if (name === 'content-type') this.#type = joined(this.#type, value)
        else if (name === 'content-encoding') this.#encoding = joined(this.#encoding, value)
        else if (name === 'connection') this.#connection = joined(this.#connection, value)
        else if (name === 'keep-alive') this.keepAlive = joined(this.keepAlive, value)
      }
      at = end + 2
    }
  }

  get status(): number {
    return Number(this.#text.slice(9, 12))
  }

  /** By HTTP/1.1, and nobody said that it closes. */
  get isReusable(): boolean {
    if (this.#text.charCodeAt(7) !== 0x31) return false
    return this.#connection === undefined || !/(?:^|[\s,])close(?:$|[\s,])/i.test(this.#connection)
  }

  /** Its value; several are joined by commas, so that none of them can be picked. The name is in lower case. */
  get(name: string): string | undefined {
    if (name === 'content-type') return this.#type
    if (name === 'content-length') return this.length
    if (name === 'content-encoding') return this.#encoding
    const mark = `\r\n${name}:`
    const lower = this.#text.toLowerCase()
    let found: string | undefined
    for (let at = lower.indexOf(mark); at >= 0; at = lower.indexOf(mark, at + mark.length)) {
      const start = at + mark.length
      found = joined(found, this.#text.slice(start, this.#text.indexOf('\r\n', start)))
    }
    return found
  }
}

const joined = (known: string | undefined, value: string): string =>
  known === undefined ? value.trim() : `${known}, ${value.trim()}`

/** For what the framing hangs on: a second one is refused, even where it says the same. */
const once = (known: string | undefined, name: string, value: string): string => {
  if (known !== undefined) throw fault(`its answer has two ${name} headers`)
  return value.trim()
}

const nothing: Buffer = Buffer.alloc(0)

// A header's name is a token, and its value holds no control characters but the tab (RFC 9110 5.5, 5.6.2).
const field = "[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\\t\\x20-\\x7e\\x80-\\xff]*\\r\\n"
const headLines = new RegExp(`^HTTP/1\\.[01] [1-9]\\d\\d(?: [\\t\\x20-\\x7e\\x80-\\xff]*)?\\r\\n(?:${field})*$`)
const trailerLines = new RegExp(`^(?:${field})*$`)
// Eight digits are four gigabytes, more than any answer of ours may have.
const sizeLine = /^([0-9A-Fa-f]{1,8})[\t ]*(?:;[\t\x20-\x7e\x80-\xff]*)?$/

/** Of a head that is not whole yet: what cannot become one is refused now, since the rest of it might never come. */
const checkBeginning = (bytes: Buffer): void => {
  if (bytes.length > maxHeadBytes) throw fault('the headers of its answer are too long')
  const text = bytes.toString('latin1')
  if (!text.startsWith('HTTP/1.'.slice(0, text.length))) throw fault('its answer is not HTTP/1.1')
  if (/(?:^|[^\r])\n/.test(text)) throw fault('its answer has a bare line feed')
}

/** What made an answer unreadable, in words that fit behind "because". */
export class HttpFault extends Error {
  readonly code = 'HTTP_INVALID'
}

const fault = (reason: string): HttpFault => new HttpFault(reason)
