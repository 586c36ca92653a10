/** Bytes that wait for their end. Doubling keeps a stream of one-byte chunks linear in time and bounded in memory. */
export interface ByteStash {
  readonly length: number
  append(chunk: Buffer): void
  /** Everything so far, and the stash is empty again. */
  take(): Buffer
}

const empty: Buffer = Buffer.alloc(0)

export const createByteStash = (): ByteStash => {
  let bytes = empty
  let length = 0
  return {
    get length() {
      return length
    },
    append: (chunk) => {
      // The usual case, one chunk, is kept as it came and never copied.
      if (length === 0) bytes = chunk
      else {
        if (length + chunk.length > bytes.length) bytes = grown(bytes, length, chunk.length)
        chunk.copy(bytes, length)
      }
      length += chunk.length
    },
    take: () => {
      const taken = bytes.subarray(0, length)
      bytes = empty
      length = 0
      return taken
    },
  }
}

// Always a new buffer: the first chunk belongs to the socket's reader, and bytes behind it may be another's.
const grown = (bytes: Buffer, length: number, more: number): Buffer => {
  const larger = Buffer.allocUnsafe(Math.max(1024, 2 * (length + more)))
  bytes.copy(larger, 0, 0, length)
  return larger
}
