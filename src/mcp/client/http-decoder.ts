import { createRequire } from 'node:module'
import type { GatewayError } from '../../errors.js'
import { invalidAnswer, tooLargeAnswer } from './failure.js'

/** Who takes the decoded bytes; it counts them. */
interface DecodedSink {
  decoded(bytes: Buffer): void
  decodedEnd(): void
  fail(error: GatewayError): void
}

/** A compressed body on its way to plain bytes. */
export interface Decoder {
  write(bytes: Buffer): void
  end(): void
  /** Nothing more is told. */
  close(): void
}

// Text packs five- to twenty-fold, a list of rows all alike perhaps a hundredfold; only what was made for it packs a thousandfold.
const mostRatio = 200
// Below it nobody is hurt, and the ratio of a short text says nothing.
const freeBytes = 256 * 1024

/**
 * Decodes what a server compressed, also where nobody asked it to: that is its fault and no reason to refuse it. The sink
 * bounds the bytes that come out; the ratio is bounded here, so that a bomb ends after its first kilobytes (T31). undefined
 * where the body is plain, or in a coding that we do not know, which fails the sink.
 */
export const openDecoder = (
  encoding: string,
  place: string,
  maxBytes: number,
  sink: DecodedSink,
): Decoder | undefined => {
  const coding = encoding.trim().toLowerCase()
  if (coding === '' || coding === 'identity') return undefined
  if (codings.has(coding)) return new ZlibDecoder(coding, place, maxBytes, sink)
  sink.fail(
    invalidAnswer(
      `${place} compressed its answer as "${coding.slice(0, 32)}"; only gzip, deflate and br are understood.`,
    ),
  )
  return undefined
}

const codings: ReadonlySet<string> = new Set(['gzip', 'x-gzip', 'deflate', 'br'])

class ZlibDecoder implements Decoder {
  #stream: import('node:zlib').Gunzip | undefined
  #inBytes = 0
  #outBytes = 0
  #closed = false
  readonly #coding: string
  readonly #place: string
  readonly #maxBytes: number
  readonly #sink: DecodedSink

  constructor(coding: string, place: string, maxBytes: number, sink: DecodedSink) {
    this.#coding = coding
    this.#place = place
    this.#maxBytes = maxBytes
    this.#sink = sink
  }

  write(bytes: Buffer): void {
    this.#inBytes += bytes.length
    this.#stream ??= this.#open(bytes)
    // What waits to be decoded is bounded as what comes out of it.
    if (this.#stream.writableLength > this.#maxBytes) this.#sink.fail(tooLargeAnswer(this.#maxBytes))
    else this.#stream.write(bytes)
  }

  end(): void {
    if (this.#stream) this.#stream.end()
    else this.#sink.decodedEnd()
  }

  close(): void {
    this.#closed = true
    this.#stream?.destroy()
  }

  #open(first: Buffer): import('node:zlib').Gunzip {
    // Loaded for the first answer of this kind: most gateways never see one.
    const zlib = createRequire(import.meta.url)('node:zlib') as typeof import('node:zlib')
    const stream =
      this.#coding === 'br'
        ? zlib.createBrotliDecompress()
        : this.#coding !== 'deflate'
          ? zlib.createGunzip()
          : // Some servers leave out the wrapper that the standard wants around it.
            (first[0]! & 0x0f) === 8
            ? zlib.createInflate()
            : zlib.createInflateRaw()
    return stream
      .on('data', (bytes: Buffer) => this.#decoded(bytes))
      .on('end', () => {
        if (!this.#closed) this.#sink.decodedEnd()
      })
      .on('error', () => this.#fail('in a way that cannot be read'))
  }

  #decoded(bytes: Buffer): void {
    if (this.#closed) return
    this.#outBytes += bytes.length
    if (this.#outBytes > freeBytes && this.#outBytes > this.#inBytes * mostRatio)
      this.#fail(`more than ${mostRatio}-fold, as only a trap is`)
    else this.#sink.decoded(bytes)
  }

  #fail(how: string): void {
    if (this.#closed) return
    this.close()
    this.#sink.fail(invalidAnswer(`${this.#place} compressed its answer ${how}.`))
  }
}
