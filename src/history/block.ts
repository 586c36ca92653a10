import { recordBytes } from './record.js'

/**
 * What is written at once: a head of sixteen bytes, new words of the dictionary, records. Its sum tells whether all of it
 * arrived: a process that is killed leaves a block cut short at the end of its file, and nobody writes behind that.
 */
export interface CallBlock {
  /** Where its records begin in the file, and how many there are. */
  readonly at: number
  readonly records: number
}

export interface Blocks {
  readonly blocks: readonly CallBlock[]
  /** Lines of the dictionary, in their order. */
  readonly words: string
  /** `cut`: the last block is not whole. `damaged`: one in the middle is not what was written; what follows is not read. */
  readonly state: 'whole' | 'cut' | 'damaged'
  /** So many bytes of it are good. */
  readonly good: number
}

const magic = 0x31484750
const headBytes = 16

/** A block of these lines and records, ready to be appended. */
export const blockOf = (words: string, records: Uint8Array): Buffer => {
  const text = Buffer.from(words)
  const padded = Math.ceil(text.length / 16) * 16
  const memory = new ArrayBuffer(headBytes + padded + records.length)
  const block = Buffer.from(memory)
  // Blanks between lines mean nothing to whoever reads them.
  block.fill(0x20, headBytes + text.length, headBytes + padded)
  text.copy(block, headBytes)
  block.set(records, headBytes + padded)
  const numbers = new Uint32Array(memory)
  numbers[0] = magic
  numbers[1] = padded
  numbers[2] = records.length / recordBytes
  numbers[3] = sumOf(numbers, 0, numbers.length)
  return block
}

/** The blocks of a whole file. `checked`: so many bytes at its beginning were found to be good before. */
export const blocksIn = (memory: ArrayBuffer, size: number, checked = 0): Blocks => {
  const numbers = new Uint32Array(memory, 0, Math.floor(size / 4))
  const bytes = Buffer.from(memory)
  const blocks: CallBlock[] = []
  let words = ''
  let at = 0
  const ended = (state: Blocks['state']): Blocks => ({ blocks, words, state, good: at })
  while (at < size) {
    const first = at / 4
    if (size - at < headBytes) return ended('cut')
    if (numbers[first] !== magic) return ended('damaged')
    const padded = numbers[first + 1]!
    const records = numbers[first + 2]!
    const end = at + headBytes + padded + records * recordBytes
    // One that a crash has cut says how long it was meant to be.
    if (end > size) return ended('cut')
    if (padded % 16 !== 0) return ended('damaged')
    if (end > checked && sumOf(numbers, first, end / 4) !== numbers[first + 3])
      return ended(end === size ? 'cut' : 'damaged')
    words += bytes.toString('utf8', at + headBytes, at + headBytes + padded)
    blocks.push({ at: at + headBytes + padded, records })
    at = end
  }
  return ended('whole')
}

/** FNV by words of 32 bits, without the place of the sum itself. */
const sumOf = (numbers: Uint32Array, start: number, end: number): number => {
  let sum = 0x811c9dc5
  for (let index = start; index < end; index++)
    if (index !== start + 3) sum = Math.imul(sum ^ numbers[index]!, 0x01000193)
  return sum >>> 0
}
