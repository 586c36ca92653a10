export interface Ring {
  push(bytes: Buffer): void
  /** The newest bytes, at most the capacity. */
  read(): Buffer
}

const firstBytes = 4096

/**
 * The last bytes of a stream. One buffer instead of a list of chunks: a child that writes byte by byte would otherwise
 * cost a hundred bytes of bookkeeping for each. It grows on demand, since most children say little.
 */
export const createRing = (capacity: number): Ring => {
  let buffer = Buffer.alloc(Math.min(firstBytes, capacity))
  let length = 0
  let next = 0

  const read = (): Buffer =>
    length < buffer.length
      ? Buffer.from(buffer.subarray(0, length))
      : Buffer.concat([buffer.subarray(next), buffer.subarray(0, next)])

  const growFor = (wanted: number) => {
    let size = buffer.length
    while (size < wanted && size < capacity) size = Math.min(size * 2, capacity)
    if (size === buffer.length) return
    const grown = Buffer.alloc(size)
    next = read().copy(grown)
    buffer = grown
  }

  return {
    push: (bytes) => {
      const kept = bytes.subarray(Math.max(0, bytes.length - capacity))
      growFor(length + kept.length)
      const first = kept.copy(buffer, next)
      kept.copy(buffer, 0, first)
      next = (next + kept.length) % buffer.length
      length = Math.min(length + kept.length, buffer.length)
    },
    read,
  }
}
