import { closeSync, constants, fstatSync, openSync, write, writeSync } from 'node:fs'
import { makeFolderSync } from '../model/make-folder.js'
import { callsPath, newSegmentName, valuesPath } from './folder.js'

const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL } = constants
// Never one that is there: nobody writes behind what somebody else has written.
const flags = O_WRONLY | O_APPEND | O_CREAT | O_EXCL

/** The files of a segment while this process writes them. */
export class OpenSegment {
  readonly name: string
  readonly beganAt: number
  readonly #folder: string
  readonly #calls: number
  #values: number | undefined
  #isBroken = false

  constructor(folder: string, now: number) {
    makeFolderSync(folder)
    this.#folder = folder
    this.beganAt = now
    this.name = newSegmentName(now)
    this.#calls = openSync(callsPath(folder, this.name), flags, 0o600)
  }

  /** Let go of by another process. */
  get isGone(): boolean {
    return fstatSync(this.#calls).nlink === 0
  }

  /** What was said goes first: records point at it. A block that did not arrive whole is the last one. */
  async write(block: Buffer, said: Buffer): Promise<void> {
    if (this.#isBroken) throw new Error('what came before it did not arrive')
    try {
      if (said.length > 0) await writeWhole(this.#valuesFile(), said)
      await writeWhole(this.#calls, block)
    } catch (error) {
      this.#isBroken = true
      throw error
    }
  }

  /** For the end of the process. */
  writeNow(block: Buffer, said: Buffer): void {
    if (said.length > 0) writeSync(this.#valuesFile(), said)
    writeSync(this.#calls, block)
  }

  close(): void {
    closeSync(this.#calls)
    if (this.#values !== undefined) closeSync(this.#values)
  }

  #valuesFile(): number {
    this.#values ??= openSync(valuesPath(this.#folder, this.name), flags, 0o600)
    return this.#values
  }
}

const writeWhole = async (file: number, bytes: Buffer): Promise<void> => {
  for (let rest = bytes; rest.length > 0; ) rest = rest.subarray(await written(file, rest))
}

const written = (file: number, bytes: Buffer): Promise<number> =>
  new Promise((resolve, reject) => {
    write(file, bytes, (error, count) => (error ? reject(error) : resolve(count)))
  })
