import { cursorAfter, type ListItem, placeOf } from './list-pages.js'

interface Page {
  readonly keys: readonly string[]
  /** Where each item begins in `bytes`. */
  readonly starts: Uint32Array
  /** From the beginning of the result to its last item; what stands behind depends on who asks. */
  readonly bytes: Buffer
  readonly nextCursor: string | undefined
}

const opening = '{"tools":['
// Texts are turned into bytes so many at a time: as long as they are all strings, a list is in memory three times.
const batchChars = 256 * 1024

/** A list of tools as bytes and nothing else, in pages of so many. Items come in the order of their keys. */
export class ToolList {
  readonly #pages: Page[] = []
  /** Of all items together. */
  readonly itemBytes: number

  constructor(items: Iterable<ListItem>, maxBytes = Number.POSITIVE_INFINITY) {
    let writer = new PageWriter()
    let [used, itemBytes] = [2, 0]
    for (const { key, json } of items) {
      const size = Buffer.byteLength(json)
      // At least one item each: a page of nothing would never end.
      if (!writer.isEmpty && used + size + 1 > maxBytes) {
        this.#pages.push(writer.end('more'))
        writer = new PageWriter()
        used = 2
      }
      writer.add(key, json, size)
      used += size + 1
      itemBytes += size
    }
    this.#pages.push(writer.end('last'))
    this.itemBytes = itemBytes
  }

  /** The part of the list that a cursor asks for: the beginning of a result, and the cursor that follows. */
  after(cursor: unknown): Pick<Page, 'bytes' | 'nextCursor'> {
    const place = placeOf(this.#pages, cursor)
    if (!place) return { bytes: Buffer.from(opening), nextCursor: undefined }
    const { page, first } = place
    if (first === 0) return page
    const rest = page.bytes.subarray(page.starts[first])
    return { bytes: Buffer.concat([Buffer.from(opening), rest]), nextCursor: page.nextCursor }
  }
}

class PageWriter {
  readonly #keys: string[] = []
  readonly #starts: number[] = []
  readonly #parts: Buffer[] = []
  #batch = opening
  #bytes = opening.length

  get isEmpty(): boolean {
    return this.#keys.length === 0
  }

  add(key: string, json: string, size: number): void {
    if (!this.isEmpty) this.#say(',', 1)
    this.#keys.push(key)
    this.#starts.push(this.#bytes)
    this.#say(json, size)
  }

  end(what: 'more' | 'last'): Page {
    this.#flush()
    return {
      keys: this.#keys,
      starts: Uint32Array.from(this.#starts),
      bytes: this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts),
      nextCursor: what === 'more' ? cursorAfter(this.#keys.at(-1)!) : undefined,
    }
  }

  #say(text: string, size: number): void {
    this.#batch += text
    this.#bytes += size
    if (this.#batch.length > batchChars) this.#flush()
  }

  #flush(): void {
    this.#parts.push(Buffer.from(this.#batch))
    this.#batch = ''
  }
}
