const newline = 0x0a
const carriageReturn = 0x0d

export interface LineSplitter {
  /** Takes the next bytes. False when a line passed the limit: nothing more is delivered from then on. */
  push(chunk: Buffer): boolean
  /** Delivers what came after the last newline. */
  end(): void
}

/**
 * Cuts a byte stream into lines. Lines stay bytes, so a character that arrives in two chunks is never torn, and the
 * newline byte cannot occur inside a UTF-8 character. Empty lines and the `\r` of a Windows line ending are framing.
 */
export const createLineSplitter = (maxLineBytes: number, onLine: (line: Buffer) => void): LineSplitter => {
  let parts: Buffer[] = []
  let held = 0
  let overflown = false

  const deliver = (last: Buffer) => {
    const line = withoutCarriageReturn(parts.length === 0 ? last : Buffer.concat([...parts, last], held + last.length))
    parts = []
    held = 0
    if (line.length > 0) onLine(line)
  }
  const overflow = () => {
    overflown = true
    parts = []
    return false
  }

  return {
    push: (chunk) => {
      if (overflown) return false
      let start = 0
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
        if (held + end - start > maxLineBytes) return overflow()
        deliver(chunk.subarray(start, end))
        start = end + 1
      }
      held += chunk.length - start
      if (held > maxLineBytes) return overflow()
      if (start < chunk.length) parts.push(chunk.subarray(start))
      return true
    },
    end: () => {
      if (!overflown && held > 0) {
        const last = parts.pop() ?? Buffer.alloc(0)
        held -= last.length
        deliver(last)
      }
    },
  }
}

const withoutCarriageReturn = (line: Buffer): Buffer =>
  line[line.length - 1] === carriageReturn ? line.subarray(0, -1) : line
