import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Dispatched, HttpWire } from './http-dispatch.js'
import { type AnswerHead, AnswerReader, type AnswerSink } from './http-reader.js'

export interface OwnWireOptions {
  readonly url: URL
  readonly connections: number
  readonly connectTimeoutMs: number
  readonly headersTimeoutMs: number
  /** How often silent connections are looked at; idle ones are kept for so many looks as the server named seconds. Default: 1 s. */
  readonly sweepMs?: number | undefined
}

/**
 * Connections of our own to one server, HTTP/1.1 and nothing else, each with one request at a time. undici cost a quarter of a
 * call's CPU, most of it for what our requests never are; proxies and whatever else is unusual stay with it.
 */
export const createOwnWire = (options: OwnWireOptions): HttpWire => new Connections(options)

// As undici has it: what a server does not say to keep for longer may be closed by it after five seconds.
const keepAliveSeconds = 4
const longestKeepAliveSeconds = 600
const defaultSweepMs = 1000

class Connections implements HttpWire {
  /** The last used first, so that a pool that was once large becomes small again. */
  readonly #idle: Connection[] = []
  readonly #all = new Set<Connection>()
  #waiting: Dispatched[] = []
  #opening = 0
  #flushes = false
  #closed = false
  #sweeper: NodeJS.Timeout | undefined
  /** Of the last TLS connection, which makes the next one cheaper. */
  session: Buffer | undefined
  readonly options: OwnWireOptions

  constructor(options: OwnWireOptions) {
    this.options = options
  }

  send(exchange: Dispatched): void {
    if (this.#closed) return exchange.failed(failure('UND_ERR_CLOSED'))
    this.#waiting.push(exchange)
    this.#flushSoon()
  }

  /**
   * At the end of this turn of the event loop, for all that came in it: a server that closed an idle connection has been
   * heard by then, so a request is not written to where nobody reads. Nothing else would tell whether it was processed.
   */
  #flushSoon(): void {
    if (this.#flushes) return
    this.#flushes = true
    setImmediate(this.#flush)
  }

  readonly #flush = (): void => {
    this.#flushes = false
    while (this.#waiting.length > 0) {
      if (this.#waiting[0]!.over) this.#waiting.shift()
      else if (this.#idle.length > 0) this.#idle.pop()!.send(this.#waiting.shift()!)
      else break
    }
    const wanted = this.#waiting.length - this.#opening
    const allowed = this.options.connections - this.#all.size
    for (let count = Math.min(wanted, allowed); count > 0; count--) this.#open()
    this.#watch()
  }

  #open(): void {
    this.#opening++
    this.#all.add(new Connection(this))
  }

  opened(connection: Connection): void {
    this.#opening--
    this.freed(connection)
  }

  freed(connection: Connection): void {
    this.#idle.push(connection)
    if (this.#waiting.length > 0) this.#flushSoon()
    else this.#watch()
  }

  /** It is about to be gone, so it must not be used any more. */
  dropped(connection: Connection): void {
    const at = this.#idle.indexOf(connection)
    if (at >= 0) this.#idle.splice(at, 1)
  }

  /** It is gone; `unopened` by why it never was there, for which somebody who waits is told that nothing was sent. */
  lost(connection: Connection, unopened: Error | undefined): void {
    this.#all.delete(connection)
    this.dropped(connection)
    if (unopened) {
      this.#opening--
      this.#waiting.shift()?.failed(unopened)
    }
    if (this.#waiting.length > 0) this.#flushSoon()
    else this.#watch()
  }

  // One timer for all connections: it looks after the silent ones, and keeps the process alive exactly while somebody waits.
  #watch(): void {
    if (this.#all.size === 0) {
      clearInterval(this.#sweeper)
      this.#sweeper = undefined
      return
    }
    this.#sweeper ??= setInterval(() => {
      for (const connection of this.#all) connection.swept()
    }, this.options.sweepMs ?? defaultSweepMs)
    if (this.#waiting.length > 0 || this.#all.size > this.#idle.length) this.#sweeper.ref()
    else this.#sweeper.unref()
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const exchange of this.#waiting.splice(0)) exchange.failed(failure('UND_ERR_CLOSED'))
    for (const connection of [...this.#all]) connection.destroy(failure('UND_ERR_CLOSED'))
  }
}

class Connection implements AnswerSink {
  #exchange: Dispatched | undefined
  #error: Error | undefined
  #isOpen = false
  #hasHead = false
  #sweeps = 0
  #keepSeconds = keepAliveSeconds
  readonly #wire: Connections
  readonly #socket: Socket
  readonly #reader = new AnswerReader(this)

  constructor(wire: Connections) {
    this.#wire = wire
    const { connectTimeoutMs, url } = wire.options
    const late = setTimeout(() => this.destroy(failure('UND_ERR_CONNECT_TIMEOUT')), connectTimeoutMs)
    this.#socket = connectTo(url, wire.session, (bytes) => this.#read(bytes))
      .on(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        clearTimeout(late)
        this.#isOpen = true
        this.#socket.unref()
        wire.opened(this)
      })
      .on('session', (session: Buffer) => void (wire.session = session))
      .on('error', (error) => this.destroy(error))
      .on('end', () => {
        if (!this.#reader.end()) this.destroy(failure('UND_ERR_SOCKET'))
      })
      .on('close', () => {
        clearTimeout(late)
        const error = this.#error ?? failure('UND_ERR_SOCKET')
        const exchange = this.#exchange
        this.#exchange = undefined
        wire.lost(this, this.#isOpen ? undefined : error)
        exchange?.failed(error)
      })
  }

  send(exchange: Dispatched): void {
    this.#exchange = exchange
    this.#hasHead = false
    this.#sweeps = 0
    this.#reader.expect()
    exchange.requestStarted(this)
    const { method, headers, text } = exchange
    const head = `${method} ${exchange.target.path} HTTP/1.1\r\nconnection: keep-alive\r\n${headers}`
    if (text === undefined) return void this.#socket.write(`${head}\r\n`, 'latin1')
    const length = Buffer.byteLength(text)
    const whole = `${head}content-length: ${length}\r\n\r\n`
    // One string, one write. Only ASCII is the same bytes in both codings, and headers are never UTF-8.
    if (length === text.length) return void this.#socket.write(whole + text, 'latin1')
    this.#socket.cork()
    this.#socket.write(whole, 'latin1')
    this.#socket.write(text)
    this.#socket.uncork()
  }

  /** As a controller: whoever waits for the answer does no more. */
  abort(): void {
    this.#exchange = undefined
    this.destroy(failure('UND_ERR_ABORTED'))
  }

  destroy(error: Error): void {
    this.#error ??= error
    this.#reader.stop()
    this.#wire.dropped(this)
    this.#socket.destroy()
  }

  onHead(status: number, head: AnswerHead): void {
    this.#hasHead = true
    this.#keepSeconds = keepSecondsOf(head.keepAlive)
    this.#exchange?.answerStarted(status, head)
  }

  onBytes(bytes: Buffer): void {
    this.#exchange?.bytesCame(bytes)
  }

  onDone(reusable: boolean): void {
    const exchange = this.#exchange
    this.#exchange = undefined
    this.#sweeps = 0
    // An answer to half a request says that nobody reads the rest.
    if (reusable && this.#keepSeconds > 0 && this.#socket.writableLength === 0) this.#wire.freed(this)
    else this.destroy(failure('UND_ERR_CLOSED'))
    exchange?.answerEnded()
  }

  /** Once a second. */
  swept(): void {
    const seconds = ++this.#sweeps
    if (!this.#exchange) {
      if (this.#isOpen && seconds >= this.#keepSeconds) this.destroy(failure('UND_ERR_CLOSED'))
    } else if (!this.#hasHead) {
      const { headersTimeoutMs, sweepMs = defaultSweepMs } = this.#wire.options
      if (seconds * sweepMs > headersTimeoutMs) this.destroy(failure('UND_ERR_HEADERS_TIMEOUT'))
    }
  }

  #read(bytes: Buffer): void {
    try {
      this.#reader.push(bytes)
    } catch (error) {
      this.destroy(error as Error)
    }
  }
}

/** One second is left for the way: the server counts from when it answered, we from when that came. */
const keepSecondsOf = (hint: string | undefined): number => {
  const seconds = hint === undefined ? undefined : /\btimeout\s*=\s*(\d{1,9})/i.exec(hint)?.[1]
  return seconds === undefined ? keepAliveSeconds : Math.min(Number(seconds) - 1, longestKeepAliveSeconds)
}

// What is read lies in one place of ours: what Node would allocate for each read cost more than reading. It is used up before
// the next read of any socket begins, except on Windows, where the system may hold it.
const shared = process.platform === 'win32' ? undefined : Buffer.allocUnsafeSlow(64 * 1024)

export const connectTo = (url: URL, session: Buffer | undefined, onBytes: (bytes: Buffer) => void): Socket => {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const options = {
    host,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 60_000,
    onread: {
      buffer: shared ?? Buffer.allocUnsafeSlow(64 * 1024),
      callback: (length: number, buffer: Uint8Array): boolean => {
        onBytes((buffer as Buffer).subarray(0, length))
        return true
      },
    },
  }
  if (url.protocol === 'http:') return connectTcp({ ...options, port: Number(url.port || 80) })
  const servername = isIP(host) ? '' : host
  const tls = { ...options, port: Number(url.port || 443), servername, session, ALPNProtocols: ['http/1.1'] }
  return connectTls(tls)
}

const failure = (code: string): Error => Object.assign(new Error(code), { code })
