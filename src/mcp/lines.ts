import { createByteStash } from './byte-stash.js'

export interface LineSplitterOptions {
  /** A line without its end. Default: 16 MiB, as for any message of a source. */
  readonly maxLineBytes?: number | undefined
  /** One line as it came, without `\n` or `\r\n`; lines of nothing are left out. */
  readonly onLine: (line: Buffer) => void
  /** Once per line that was too long; the rest of it is thrown away, the next line is read again. */
  readonly onTooLong: () => void
}

export interface LineSplitter {
  push(chunk: Buffer): void
  /** The stream is over: what came after the last `\n` is a line too. */
  end(): void
}

/**
 * Lines out of chunks that may end anywhere, also inside a character: lines are cut by bytes, and `\n` is never part of
 * another UTF-8 character.
 */
export const createLineSplitter = (options: LineSplitterOptions): LineSplitter => {
  const maxLineBytes = options.maxLineBytes ?? 16 * 1024 * 1024
  const stash = createByteStash()
  let skipping = false

  const add = (part: Buffer): void => {
    if (skipping) return
    // One more byte is let in, for a `\r` that the line's end will take away.
    if (stash.length + part.length <= maxLineBytes + 1) {
      stash.append(part)
      return
    }
    stash.take()
    skipping = true
    options.onTooLong()
  }

  const finish = (): void => {
    const skipped = skipping
    skipping = false
    const bytes = stash.take()
    if (!skipped) deliver(bytes)
  }

  const deliver = (bytes: Buffer): void => {
    const line = trimReturn(bytes)
    if (line.length === 0) return
    if (line.length > maxLineBytes) options.onTooLong()
    else options.onLine(line)
  }

  return {
    push: (chunk) => {
      let start = 0
      for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
        const part = chunk.subarray(start, end)
        start = end + 1
        // A line that lies whole in its chunk, as most do, is handed on where it lies.
        if (stash.length === 0 && !skipping) deliver(part)
        else {
          add(part)
          finish()
        }
      }
      if (start < chunk.length) add(chunk.subarray(start))
    },
    end: finish,
  }
}

const newline = 0x0a
const carriageReturn = 0x0d

const trimReturn = (line: Buffer): Buffer =>
  line.length > 0 && line[line.length - 1] === carriageReturn ? line.subarray(0, -1) : line
