/** Whole lines out of chunks, many at once: a bridge looks at lines but hands on blocks. */
export interface WholeLines {
  /** All that is whole by now, its last line end included; undefined while there is none. */
  take(chunk: Buffer): Buffer | undefined
  /** Forgets the beginning of a line that will never end. */
  clear(): void
}

const newline = 0x0a

export const createWholeLines = (): WholeLines => {
  let rest: Buffer[] = []
  return {
    take: (chunk) => {
      const end = chunk.lastIndexOf(newline) + 1
      if (end === 0) {
        rest.push(chunk)
        return undefined
      }
      const whole = rest.length === 0 ? chunk.subarray(0, end) : Buffer.concat([...rest, chunk.subarray(0, end)])
      rest = end === chunk.length ? [] : [chunk.subarray(end)]
      return whole
    },
    clear: () => {
      rest = []
    },
  }
}

/** Each line of a block without its end. */
export function* linesOf(block: Buffer): Generator<Buffer> {
  let start = 0
  for (let end = block.indexOf(newline); end >= 0; end = block.indexOf(newline, start)) {
    if (end > start) yield block.subarray(start, end)
    start = end + 1
  }
}
