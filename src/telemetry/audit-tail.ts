import { open } from 'node:fs/promises'
import { type AuditPage, longestLine, pagesOf } from './audit-pages.js'

const chunkBytes = 256 * 1024
const lineEnd = 10

/** What is written into a trail from a moment on, turned pages included: each line once, in the order in which they stand there. */
export class AuditTail {
  readonly #trail: string
  /** The page that is read, by its inode, and how far. */
  #page: number | undefined
  #offset = 0

  private constructor(trail: string) {
    this.#trail = trail
  }

  /** From what is there now. */
  static async at(trail: string): Promise<AuditTail> {
    const tail = new AuditTail(trail)
    const [newest] = await pagesOf(trail)
    tail.#page = newest?.ino
    tail.#offset = newest?.size ?? 0
    return tail
  }

  /** The whole lines that came since, some at a time; ends where there are no more for now. */
  async *more(): AsyncGenerator<readonly string[]> {
    const pages = [...(await pagesOf(this.#trail))].reverse()
    // Thrown away meanwhile: all that is left came after it.
    const from = Math.max(
      0,
      pages.findIndex(({ ino }) => ino === this.#page),
    )
    for (const page of pages.slice(from)) {
      if (page.ino !== this.#page) this.#offset = 0
      this.#page = page.ino
      yield* this.#rest(page)
    }
  }

  async *#rest({ path, ino }: AuditPage): AsyncGenerator<readonly string[]> {
    // Turned just now: it is found under its next name.
    const handle = await open(path, 'r').catch(() => undefined)
    if (!handle) return
    try {
      if ((await handle.stat()).ino !== ino) return
      for (let bytes = chunkBytes; ; ) {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, this.#offset)
        if (bytesRead === 0) return
        const end = buffer.subarray(0, bytesRead).lastIndexOf(lineEnd) + 1
        // A line that is longer than what was read, or whose end is not written yet.
        if (end === 0 && bytesRead < bytes) return
        if (end === 0 && bytes < longestLine) bytes *= 4
        else {
          this.#offset += end === 0 ? bytesRead : end
          bytes = chunkBytes
          if (end > 0) yield buffer.toString('utf8', 0, end - 1).split('\n')
        }
      }
    } finally {
      await handle.close()
    }
  }
}
