import { closeSync, fstatSync, open, openSync, writeSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { messageOf } from '../errors.js'
import type { Clock } from '../model/clock.js'
import { appendingTo, isCut, written } from './appending.js'
import { closeAtExit, leaveToItself } from './close-at-exit.js'
import { turnPages } from './turn-pages.js'

export interface LateFileOptions {
  readonly path: string
  /** Of one file; then its page is turned. */
  readonly maxBytes: number
  /** Files kept, the oldest goes first. */
  readonly maxFiles: number
  /** The most that may wait for the disk; what comes after is counted and left out. Default: 4 MiB. */
  readonly maxWaitingBytes?: number | undefined
  readonly clock: Clock
  /** Makes the line as it is kept, once it is sure that it will be; in the order in which they are kept. */
  readonly seal: (line: string) => string
  /** The line that stands where so many were left out, before it is sealed. */
  readonly lossLine: (lost: number) => string
  /** Sealed lines for the top of a page that was begun while we write, and for the end of what we write. */
  readonly ownLines: (where: 'top' | 'end') => readonly string[]
  readonly on: {
    /** Once, until it can be written again. */
    readonly trouble: (message: string) => void
    /** Once, when the first line is left out because too much waits. */
    readonly behind: () => void
    readonly lost: (lines: number) => void
  }
}

const flushMs = 50
const chunkBytes = 64 * 1024
// A disk that takes no more is asked again so often.
const retryMs = 1000
// At the end of the process, for a write that is on its way.
const patienceMs = 200
const lineEnd = 10
const lookMs = 1000

/**
 * Lines for a file, written behind those who hand them over: within 50 ms, or when 64 KB are together, never in their
 * turn. What waits is bytes in buffers that are used again, so that nothing of a line survives a collection of new
 * objects (measured: texts or calls held for 50 ms made each call a third dearer). One write is on its way at a time, so
 * lines keep their order, and each holds whole lines and appends, so that several processes may share the file.
 */
export class LateFile {
  readonly #options: LateFileOptions
  readonly #mostWaiting: number
  #file: number
  #size: number
  #filling: Buffer = Buffer.allocUnsafeSlow(chunkBytes)
  #filled = 0
  #spare: Buffer | undefined
  /** What is to be written, the oldest first; `#waiting` are its bytes. */
  readonly #full: Buffer[] = []
  #waiting = 0
  /** What is being filled is to be written too. Not before what is full: a disk that hangs must not collect crumbs. */
  #isDue = false
  #isFull = false
  #lookedAt = Number.NEGATIVE_INFINITY
  #lost = 0
  #isBroken = false
  #isClosed = false
  #timer: (() => void) | undefined
  #draining: Promise<void> | undefined
  #closing: Promise<void> | undefined
  /** How large the file is when the write that is on its way has arrived. */
  #sizeThen: number | undefined

  constructor(options: LateFileOptions) {
    this.#options = options
    this.#mostWaiting = options.maxWaitingBytes ?? 4 * 1024 * 1024
    this.#file = openSync(options.path, appendingTo(options.path, 'reads'), 0o600)
    this.#size = fstatSync(this.#file).size
    // Or the first line would be the end of one that a crash has cut.
    this.isCut = isCut(this.#file, this.#size)
    if (this.isCut) this.#push('')
    closeAtExit(this)
  }

  /** The last line that was there when we came had no end. */
  readonly isCut: boolean

  append(line: string): void {
    if (this.#isClosed) return
    if (this.#lost > 0 || this.#waiting + this.#filled > this.#mostWaiting) return this.#lose()
    this.#push(this.#options.seal(line))
    this.#timer ??= this.#options.clock.after(flushMs, this.#onTime)
  }

  /** One that is sealed already, and is kept even where others are left out: there are few. */
  appendSealed(line: string): void {
    if (this.#isClosed) return
    this.#push(line)
    this.#timer ??= this.#options.clock.after(flushMs, this.#onTime)
  }

  /** Begins a new page after what is written next, however little is on this one. */
  turnPage(): void {
    this.#isFull = true
    this.#timer ??= this.#options.clock.after(flushMs, this.#onTime)
  }

  /** Resolves when what was appended so far is written, or cannot be. */
  flush(): Promise<void> {
    this.#timer?.()
    this.#timer = undefined
    this.#isDue = true
    return this.#drain()
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#end())
  }

  /** For the end of the process, when nothing can be awaited any more. */
  closeNow(): void {
    for (const line of this.#options.ownLines('end')) this.#push(line)
    this.#isClosed = true
    if (this.#sizeThen !== undefined && !this.#arrives(this.#sizeThen)) return
    // The one that has arrived is still the first in the row.
    if (this.#sizeThen !== undefined) this.#full.shift()
    this.#turn()
    try {
      for (let rest = Buffer.concat(this.#full); rest.length > 0; ) rest = rest.subarray(writeSync(this.#file, rest))
    } catch (error) {
      this.#tellTrouble(error)
    }
  }

  async #end(): Promise<void> {
    await this.flush()
    for (const line of this.#options.ownLines('end')) this.#push(line)
    // Once more for what came meanwhile, the line that tells a loss included.
    await this.flush()
    this.#isClosed = true
    this.#timer?.()
    leaveToItself(this)
    this.#giveUp()
    closeSync(this.#file)
  }

  readonly #onTime = (): void => void this.flush()

  #push(line: string): void {
    // The longest that this can be in UTF-8, which costs less than asking how long it is.
    const most = line.length * 3 + 1
    if (this.#filled + most > chunkBytes) {
      this.#turn()
      void this.#drain()
    }
    if (most > chunkBytes) return this.#enqueue(Buffer.from(`${line}\n`))
    this.#filled += this.#filling.write(line, this.#filled)
    this.#filling[this.#filled++] = lineEnd
  }

  #turn(): void {
    if (this.#filled === 0) return
    this.#enqueue(this.#filling.subarray(0, this.#filled))
    this.#filling = this.#spare ?? Buffer.allocUnsafeSlow(chunkBytes)
    this.#spare = undefined
    this.#filled = 0
  }

  #enqueue(chunk: Buffer): void {
    this.#full.push(chunk)
    this.#waiting += chunk.length
  }

  async #drain(): Promise<void> {
    return (this.#draining ??= this.#next() && this.#writeAll())
  }

  #next(): Buffer | undefined {
    if (this.#full.length === 0 && this.#isDue) {
      this.#isDue = false
      this.#turn()
    }
    return this.#full[0]
  }

  async #writeAll(): Promise<void> {
    try {
      // The file may be another by now: moved out of the way, or on a disk that was mounted again.
      if (this.#isBroken) await this.#reopen()
      else await this.#follow()
      for (let chunk = this.#next(); chunk; chunk = this.#next()) {
        await this.#write(chunk)
        this.#isBroken = false
        if (chunk.buffer.byteLength === chunkBytes) this.#spare ??= Buffer.from(chunk.buffer)
        this.#tellLoss()
        if (this.#isFull || this.#size > this.#options.maxBytes) await this.#rotate()
      }
    } catch (error) {
      this.#tellTrouble(error)
      this.#timer ??= this.#options.clock.after(retryMs, this.#onTime)
    } finally {
      // In the same turn as the last look at what waits, or somebody would await a writer that is about to leave.
      this.#draining = undefined
    }
  }

  /** The first chunk. What the disk took of it is not given to it again. */
  async #write(chunk: Buffer): Promise<void> {
    for (let rest = chunk; rest.length > 0; ) {
      this.#sizeThen = this.#size + rest.length
      const taken = await written(this.#file, rest).finally(() => {
        this.#sizeThen = undefined
      })
      this.#size += taken
      this.#waiting -= taken
      rest = rest.subarray(taken)
      if (rest.length > 0) this.#full[0] = rest
    }
    this.#full.shift()
  }

  // Another process that writes here may have turned the page: then its new one is ours too. Looked at now and then, since
  // whoever writes little would write on pages that are about to go.
  async #follow(): Promise<void> {
    const now = this.#options.clock.now()
    if (now - this.#lookedAt < lookMs) return
    this.#lookedAt = now
    if (!(await this.#isCurrent())) await this.#begin()
  }

  async #isCurrent(): Promise<boolean> {
    const named = await stat(this.#options.path).catch(() => undefined)
    return named?.ino === fstatSync(this.#file).ino
  }

  async #rotate(): Promise<void> {
    const { path, maxFiles } = this.#options
    this.#isFull = false
    try {
      if ((await this.#isCurrent()) && !(await turnPages(path, maxFiles))) return
      await this.#begin()
    } catch (error) {
      // The old page is filled on, and turned when as much is on it again.
      this.#size = 0
      this.#tellTrouble(error)
    }
  }

  async #begin(): Promise<void> {
    await this.#reopen()
    for (const line of this.#options.ownLines('top')) this.#push(line)
    this.#isDue = true
  }

  async #reopen(): Promise<void> {
    const next = await promisify(open)(this.#options.path, appendingTo(this.#options.path, 'reads'), 0o600)
    closeSync(this.#file)
    this.#file = next
    this.#size = fstatSync(next).size
  }

  #lose(): void {
    if (this.#lost === 0 && !this.#isBroken) this.#options.on.behind()
    this.#lost += 1
  }

  #tellLoss(): void {
    if (this.#lost === 0) return
    const lost = this.#lost
    this.#lost = 0
    this.#options.on.lost(lost)
    this.#push(this.#options.seal(this.#options.lossLine(lost)))
    this.#timer ??= this.#options.clock.after(flushMs, this.#onTime)
  }

  #giveUp(): void {
    this.#turn()
    let lines = this.#lost
    for (const chunk of this.#full) for (const byte of chunk) if (byte === lineEnd) lines += 1
    if (lines > 0) this.#options.on.lost(lines)
  }

  #tellTrouble(error: unknown): void {
    if (!this.#isBroken) this.#options.on.trouble(messageOf(error))
    this.#isBroken = true
  }

  #arrives(size: number): boolean {
    const endAt = performance.now() + patienceMs
    while (fstatSync(this.#file).size < size) {
      if (performance.now() > endAt) return false
      Atomics.wait(sleeper, 0, 0, 1)
    }
    return true
  }
}

const sleeper = new Int32Array(new SharedArrayBuffer(4))
