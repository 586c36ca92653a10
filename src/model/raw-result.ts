import { isAscii } from 'node:buffer'
import type { JsonObject, JsonValue } from './json.js'
import type { ToolResult } from './result.js'

// Shorter ones are joined to the text around them; a longer one goes out beside it, where it lies.
const longestText = 8192
const comma = Buffer.from(',')

/**
 * A result as it came from its source. Its syntax and bounds were checked and the places of its members are known; it is
 * parsed when somebody asks for more than that, and nobody does on the way of a plain call.
 */
export class RawResult {
  readonly #message: Buffer
  readonly #start: number
  readonly #end: number
  /** Four numbers per member: where its key begins and ends, without the quotes, and its value. */
  readonly #members: readonly number[]
  #value: JsonObject | undefined
  #isAscii: boolean | undefined

  /** `start` and `end` are those of the object, its braces included. */
  constructor(message: Buffer, start: number, end: number, members: readonly number[]) {
    this.#message = message
    this.#start = start
    this.#end = end
    this.#members = members
  }

  get bytes(): number {
    return this.#end - this.#start
  }

  /** The bytes of the object, where they lie. */
  slice(): Buffer {
    return this.#message.subarray(this.#start, this.#end)
  }

  /** The result as an object. Whoever reads this pays for the parse, once. */
  get value(): JsonObject {
    return (this.#value ??= JSON.parse(this.#message.toString('utf8', this.#start, this.#end)) as JsonObject)
  }

  has(name: string): boolean {
    return this.#find(name) >= 0
  }

  /** Whether a member is there and its value begins with this character: `{`, `[`, `"` or that of a number or a word. */
  begins(name: string, character: string): boolean {
    const at = this.#find(name)
    return at >= 0 && this.#message[this.#members[at + 2]!] === character.charCodeAt(0)
  }

  /** A member's value as its text. */
  textOf(name: string): string | undefined {
    const at = this.#find(name)
    return at < 0 ? undefined : this.#text(this.#members[at + 2]!, this.#members[at + 3]!)
  }

  /** A member's value where it is a string. */
  stringOf(name: string): string | undefined {
    const text = this.textOf(name)
    if (text?.[0] !== '"') return undefined
    return text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1)
  }

  /** One member, parsed. */
  memberOf(name: string): JsonValue | undefined {
    const text = this.textOf(name)
    return text === undefined ? undefined : (JSON.parse(text) as JsonValue)
  }

  /** Its members as they came, without the braces and without these: text where it is short, else bytes that are not copied. */
  without(names: readonly string[]): string | readonly Buffer[] {
    const ranges = this.#rangesWithout(names)
    if (this.bytes > longestText) return this.#slices(ranges)
    let text = ''
    for (let index = 0; index < ranges.length; index += 2)
      text += `${index === 0 ? '' : ','}${this.#text(ranges[index]!, ranges[index + 1]!)}`
    return text
  }

  #slices(ranges: readonly number[]): readonly Buffer[] {
    const slices: Buffer[] = []
    for (let index = 0; index < ranges.length; index += 2) {
      if (index > 0) slices.push(comma)
      slices.push(this.#message.subarray(ranges[index]!, ranges[index + 1]!))
    }
    return slices
  }

  /** Where neighbours that stay begin and end. */
  #rangesWithout(names: readonly string[]): readonly number[] {
    const members = this.#members
    const ranges: number[] = []
    let goesOn = false
    for (let at = 0; at < members.length; at += 4) {
      const stays = !names.some((name) => this.#is(at, name))
      if (stays && goesOn) ranges[ranges.length - 1] = members[at + 3]!
      else if (stays) ranges.push(members[at]! - 1, members[at + 3]!)
      goesOn = stays
    }
    return ranges
  }

  #text(start: number, end: number): string {
    // One byte, one character: half the work of reading UTF-8, where finding it out is worth it.
    this.#isAscii ??= this.bytes <= longestText && isAscii(this.#message.subarray(this.#start, this.#end))
    return this.#message.toString(this.#isAscii ? 'latin1' : 'utf8', start, end)
  }

  #find(name: string): number {
    for (let at = 0; at < this.#members.length; at += 4) if (this.#is(at, name)) return at
    return -1
  }

  #is(at: number, name: string): boolean {
    const start = this.#members[at]!
    if (this.#members[at + 1]! - start !== name.length) return false
    for (let index = 0; index < name.length; index++)
      if (this.#message[start + index] !== name.charCodeAt(index)) return false
    return true
  }
}

/**
 * The answer of a tool that came as bytes. What it is made of is no property of its own: a copy of it, or what is written out
 * of it, must not keep bytes beside a result that somebody changed.
 */
export class RawToolAnswer {
  readonly type = 'result'
  readonly #raw: RawResult

  constructor(raw: RawResult) {
    this.#raw = raw
  }

  get raw(): RawResult {
    return this.#raw
  }

  get bytes(): number {
    return this.#raw.bytes
  }

  get result(): ToolResult {
    return this.#raw.value as unknown as ToolResult
  }

  toJSON(): { readonly type: 'result'; readonly result: ToolResult } {
    return { type: 'result', result: this.result }
  }

  /** Whoever prints it wants to see what the tool said. */
  [Symbol.for('nodejs.util.inspect.custom')](): unknown {
    return this.toJSON()
  }
}
