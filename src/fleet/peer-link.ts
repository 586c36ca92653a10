import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import type { GatewayError } from '../errors.js'
import { networkFailure, unavailable } from '../mcp/client/failure.js'
import { connectTo } from '../mcp/client/http-wire.js'
import type { LineChannel } from '../mcp/client/line-transport.js'
import { sourceLimits } from '../mcp/parse.js'
import { SealedLines } from '../mcp/sealed-lines.js'
import type { Caller } from '../model/caller.js'
import { isRecord } from '../model/json.js'
import type { Member } from './fleet.js'
import type { PeerPasses } from './peer-pass.js'
import { type LinkedSource, linkProtocol, peerHeader, peerPath } from './peers.js'

export interface DialOptions {
  readonly passes: Pick<PeerPasses, 'write'>
  /** For the whole handshake: nothing is asked yet, so who is slow to let us in is as good as gone. */
  readonly timeoutMs: number
  readonly caller: Caller
}

/** Begins a link to one source at another replica. */
export const dialLink = (
  to: Member,
  asked: LinkedSource,
  options: DialOptions,
  signal: AbortSignal | undefined,
): Promise<LineChannel> => {
  if (to.address === undefined)
    return Promise.reject(unavailable(`Replica ${to.name} does not listen.`, { notSent: true }))
  return new Handshake(to, to.address, asked, options, signal).done
}

// An answer that refuses is short; one that is not is cut.
const mostAnswerBytes = 64 * 1024

/**
 * Not by `node:http`, whose sockets allocate for each read: calls come one by one where few are made, and then reading was the
 * dearest part of a link.
 */
class Handshake {
  readonly done: Promise<LineChannel>
  readonly #to: Member
  readonly #source: string
  readonly #key = randomBytes(32)
  readonly #socket: Socket
  readonly #stop: () => void
  #answer = Buffer.alloc(0)
  #lines: SealedLines | undefined
  #resolve: (lines: LineChannel) => void = () => {}
  #reject: (error: unknown) => void = () => {}

  constructor(
    to: Member,
    address: string,
    { source, epoch }: LinkedSource,
    { passes, timeoutMs, caller }: DialOptions,
    signal: AbortSignal | undefined,
  ) {
    this.#to = to
    this.#source = source
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    const url = new URL(`${peerPath}/mcp/${encodeURIComponent(source)}`, address)
    const pass = passes.write({ method: 'GET', target: url.pathname, caller, epoch, key: this.#key, to })
    const isTls = url.protocol === 'https:'
    this.#socket = connectTo(url, undefined, (bytes) => (this.#lines ? this.#lines.receive(bytes) : this.#read(bytes)))
    const late = setTimeout(() => this.#fail(codedError('UND_ERR_CONNECT_TIMEOUT')), timeoutMs)
    const onAbort = (): void => this.#end(signal!.reason)
    signal?.addEventListener('abort', onAbort)
    this.#stop = () => {
      clearTimeout(late)
      signal?.removeEventListener('abort', onAbort)
    }
    this.#socket.once(isTls ? 'secureConnect' : 'connect', () =>
      this.#socket.write(
        `GET ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nConnection: Upgrade\r\nUpgrade: ${linkProtocol}\r\n${peerHeader}: ${pass}\r\n\r\n`,
      ),
    )
    this.#socket.on('error', (error) => this.#fail(error))
    this.#socket.on('end', () => (this.#lines ? undefined : this.#refused()))
    this.#socket.on('close', () => this.#fail(codedError('UND_ERR_SOCKET')))
    if (signal?.aborted) onAbort()
  }

  #read(bytes: Buffer): void {
    this.#answer = Buffer.concat([this.#answer, bytes])
    const end = this.#answer.indexOf('\r\n\r\n')
    if (end >= 0 && this.#answer.toString('latin1', 0, 12) === 'HTTP/1.1 101')
      this.#letIn(this.#answer.subarray(end + 4))
    else if (this.#answer.length > mostAnswerBytes) this.#refused()
  }

  #letIn(head: Buffer): void {
    this.#stop()
    // As long as any source's answer may be, and its frame.
    const maxLineBytes = sourceLimits.maxBytes + 64 * 1024
    const parts = { socket: this.#socket, key: this.#key, head, maxLineBytes }
    this.#lines = new SealedLines({ ...parts, side: 'client', isFed: true })
    this.#resolve(this.#lines)
  }

  #refused(): void {
    this.#end(refusalOf(this.#to, this.#source, this.#answer.toString('utf8')))
  }

  #fail(error: Error): void {
    if (!this.#lines) this.#end(networkFailure(error, `replica ${this.#to.name}`, true))
  }

  #end(error: unknown): void {
    this.#stop()
    this.#reject(error)
    this.#socket.destroy()
  }
}

const refusalOf = (to: Member, source: string, answer: string): GatewayError => {
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1] ?? 0)
  const movedTo = status === 421 ? bodyOf(answer)?.movedTo : undefined
  const why = movedTo ? 'does not hold it any more' : `answered ${status}`
  const details = movedTo === undefined ? { status } : { movedTo }
  return unavailable(`'${source}' could not be reached at replica ${to.name}, which ${why}.`, {
    notSent: true,
    details,
  })
}

const bodyOf = (answer: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const body: unknown = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))
    return isRecord(body) ? body : undefined
  } catch {
    return undefined
  }
}

const codedError = (code: string): Error => Object.assign(new Error(code), { code })
