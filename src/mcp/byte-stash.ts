/** Bytes that wait for their end. Doubling keeps a stream of one-byte chunks linear in time and bounded in memory. */
export interface ByteStash {
  readonly length: number
  append(chunk: Buffer): void
  /** Everything so far, and the stash is empty again. */
  take(): Buffer
}

const empty: Buffer = Buffer.alloc(0)

export const createByteStash = (): ByteStash => new Stash()

/** A class: an object literal with a getter has a hidden class of its own, which outlives it in the old generation. */
class Stash implements ByteStash {
  #bytes = empty
  #length = 0

  get length(): number {
    return this.#length
  }

  append(chunk: Buffer): void {
    // The usual case, one chunk, is kept as it came and never copied.
    if (this.#length === 0) this.#bytes = chunk
    else {
      if (this.#length + chunk.length > this.#bytes.length) this.#bytes = grown(this.#bytes, this.#length, chunk.length)
      chunk.copy(this.#bytes, this.#length)
    }
    this.#length += chunk.length
  }

  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#length)
    this.#bytes = empty
    this.#length = 0
    return taken
  }
}

// Always a new buffer: the first chunk belongs to the socket's reader, and bytes behind it may be another's.
const grown = (bytes: Buffer, length: number, more: number): Buffer => {
  const larger = Buffer.allocUnsafe(Math.max(1024, 2 * (length + more)))
  bytes.copy(larger, 0, 0, length)
  return larger
}
