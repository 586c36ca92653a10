import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
} from 'quickjs-emscripten-core'
import { bootstrap } from './bootstrap.js'
import { type ScriptLimitName, type ScriptLimits, stackBytes } from './limits.js'
import { type GuestEnd, meterSince, meterUsed, processMs, type ScriptAnswer, type ScriptCall } from './protocol.js'

type Variant = Parameters<typeof newQuickJSWASMModuleFromVariant>[0]

/** An engine of its own for one script: a WebAssembly instance with the first code in place, made ahead while nothing runs. */
export interface Engine {
  readonly context: QuickJSContext
  readonly memoryBytes: number
  readonly begin: QuickJSHandle
  readonly settle: QuickJSHandle
  readonly watch: QuickJSHandle
  readonly report: QuickJSHandle
  /** Where the first code's words go; set when a script takes the engine. */
  readonly line: { send: Send }
}

/** The one function that the inside has: texts in, a number out. */
type Send = (word: GuestWord | undefined, a: string, b: string, c: string) => number

/** What it may tell, by the numbers that the first code has for them. */
const guestWords = ['call', 'log', 'value', 'syntax', 'fail'] as const
type GuestWord = (typeof guestWords)[number]

const pageBytes = 65_536
// The engine itself, its library and the garbage between two collections.
const overheadBytes = 32 * 1024 * 1024

export const makeEngine = async (variant: unknown, wasmModule: unknown, memoryBytes: number): Promise<Engine> => {
  // The memory itself ends a little above what the engine counts, should its counting fail.
  const pages = Math.ceil((memoryBytes + overheadBytes) / pageBytes)
  const wasmMemory = newMemory(256, Math.max(256, pages))
  const options = { wasmModule, wasmMemory } as Parameters<typeof newVariant>[1]
  const context = (await newQuickJSWASMModuleFromVariant(newVariant(variant as never, options) as Variant)).newContext()
  context.runtime.setMaxStackSize(stackBytes)
  context.runtime.setMemoryLimit(memoryBytes)
  const line: { send: Send } = { send: () => -1 }
  const text = (handle: QuickJSHandle | undefined): string => (handle ? context.getString(handle) : '')
  const send = context.newFunction('send', (word, a, b, c) =>
    context.newNumber(line.send(guestWords[context.getNumber(word)], text(a), text(b), text(c))),
  )
  const first = context.unwrapResult(context.evalCode(bootstrap, 'pegboard'))
  const hands = context.unwrapResult(context.callFunction(first, context.undefined, send))
  const hand = (name: string): QuickJSHandle => context.getProp(hands, name)
  const [begin, settle, watch, report] = [hand('begin'), hand('settle'), hand('watch'), hand('report')]
  return { context, memoryBytes, begin, settle, watch, report, line }
}

interface Memories {
  new (size: { readonly initial: number; readonly maximum: number }): unknown
}

// The compiler's library for servers does not describe WebAssembly.
const newMemory = (initial: number, maximum: number): unknown =>
  new (globalThis as unknown as { readonly WebAssembly: { readonly Memory: Memories } }).WebAssembly.Memory({
    initial,
    maximum,
  })

/** What a script said and did since it was last asked. */
export interface GuestTurn {
  readonly calls: readonly ScriptCall[]
  readonly end: GuestEnd | undefined
}

const jobsAtOnce = 500
const mostNameLength = 512
const outOfMemory = /^InternalError: (?:out of memory|string too long)$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const control = /[\u0000-\u001f\u007f]/

/**
 * One script in its engine. Whatever runs inside is measured, ends at its budget, and tells the outside by text alone. An engine
 * is used once and then left to the garbage collector: taking one down that was interrupted aborts.
 */
export class Guest {
  readonly #engine: Engine
  readonly #limits: ScriptLimits
  readonly #meter: Float64Array
  readonly logs: string[] = []
  dropped = 0
  #logBytes = 0
  #made = 0
  #answered = 0
  #jobs = 0
  #calls: ScriptCall[] = []
  #end: GuestEnd | undefined
  #isSyntax = false
  #isLate = false

  constructor(engine: Engine, limits: ScriptLimits, meter: Float64Array) {
    this.#engine = engine
    this.#limits = limits
    this.#meter = meter
    engine.line.send = (word, a, b, c) => this.#told(word, a, b, c)
    engine.context.runtime.setInterruptHandler(() => {
      this.#isLate ||= this.cpuMs > limits.cpuMs
      return this.#isLate
    })
  }

  get cpuMs(): number {
    const since = this.#meter[meterSince]!
    return this.#meter[meterUsed]! + (since === 0 ? 0 : processMs() - since)
  }

  get answered(): number {
    return this.#answered
  }

  get memoryBytes(): number {
    // Of the whole instance: what the engine counts itself is not to be asked for after an interrupt.
    return this.#engine.memoryBytes
  }

  begin(script: string, input: string, now: number, seed: number): GuestTurn {
    const { context, begin, watch } = this.#engine
    return this.#inside(() => {
      const values = [context.newString(input), context.newNumber(now), context.newNumber(seed)]
      if (!this.#did(context.callFunction(begin, context.undefined, ...values))) return
      // On the first line, so that line 1 is the script's own.
      const evaluated = context.evalCode(`(async()=>{${script}\n})()`, 'script.js')
      if (!this.#did(evaluated)) return
      this.#did(context.callFunction(watch, context.undefined, (evaluated as { value: QuickJSHandle }).value))
    })
  }

  answer(n: number, answer: ScriptAnswer): GuestTurn {
    const { context, settle } = this.#engine
    return this.#inside(() => {
      this.#answered++
      const texts = answer.ok
        ? [answer.json]
        : [JSON.stringify(answer.code), JSON.stringify(answer.message), answer.details ?? '']
      const number = context.newNumber(n)
      const handles = texts.map((text) => context.newString(text))
      this.#did(
        context.callFunction(settle, context.undefined, number, answer.ok ? context.true : context.false, ...handles),
      )
      number.dispose()
      for (const handle of handles) handle.dispose()
    })
  }

  /** Runs something inside, and then whatever has become ready, until the script rests or ends. */
  #inside(work: () => void): GuestTurn {
    this.#meter[meterSince] = processMs()
    try {
      work()
      this.#pump()
      // Many short turns, none of them long enough to be interrupted.
      if (!this.#end && this.cpuMs > this.#limits.cpuMs) this.#stop('cpu')
      if (!this.#end && this.#made === this.#answered) this.#end = nobodySettles
    } catch (error) {
      // Of the host: the stack of this thread, or the engine gave itself up. Nothing in it is to be trusted any more.
      this.#stop(this.#isLate ? 'cpu' : error instanceof RangeError ? 'stack' : 'memory')
    } finally {
      const used = this.cpuMs
      this.#meter[meterSince] = 0
      this.#meter[meterUsed] = used
    }
    const calls = this.#calls
    this.#calls = []
    return { calls, end: this.#end }
  }

  #pump(): void {
    const { runtime } = this.#engine.context
    while (!this.#end && runtime.hasPendingJob()) {
      const ran = runtime.executePendingJobs(jobsAtOnce)
      if (!this.#did(ran)) return
      this.#jobs += (ran as { value: number }).value
      if (this.#jobs > this.#limits.jobs) return this.#stop('jobs')
    }
  }

  /** Whether it went well. What went wrong is read inside, on the script's time; an interrupt is not the script's to read. */
  #did(result: { readonly error?: QuickJSHandle | undefined }): boolean {
    if (this.#isLate) {
      this.#stop('cpu')
      return false
    }
    if (!result.error) return true
    const { context, report } = this.#engine
    context.callFunction(report, context.undefined, result.error)
    if (this.#isLate) this.#stop('cpu')
    else this.#end ??= failed('something that cannot be read')
    return false
  }

  #stop(limit: ScriptLimitName): void {
    this.#end = { kind: 'limit', limit, message: '', line: undefined }
  }

  #told(word: GuestWord | undefined, a: string, b: string, c: string): number {
    if (this.#end) return -1
    if (word === 'call') return this.#called(textOf(a), b)
    if (word === 'log') this.#log(textOf(a))
    else if (word === 'value') this.#returned(a)
    else if (word === 'syntax') this.#isSyntax = true
    else if (word === 'fail') this.#threw(textOf(a), textOf(b), textOf(c))
    return 0
  }

  #called(tool: string, args: string): number {
    const { maxCalls, argumentBytes } = this.#limits
    if (tool === '' || tool.length > mostNameLength || control.test(tool)) return -4
    if (args.length > argumentBytes || Buffer.byteLength(args) > argumentBytes) return -3
    if (this.#made >= maxCalls) return -2
    this.#calls.push({ n: ++this.#made, tool, args })
    return this.#made
  }

  #log(line: string): void {
    const { logBytes, logLines } = this.#limits
    const bytes = Buffer.byteLength(line) + 1
    if (this.logs.length >= logLines || this.#logBytes + bytes > logBytes) {
      this.dropped++
      return
    }
    this.#logBytes += bytes
    this.logs.push(line)
  }

  #returned(json: string): void {
    const { resultBytes } = this.#limits
    const bytes = Buffer.byteLength(json)
    if (bytes <= resultBytes) {
      this.#end = { kind: 'value', json }
      return
    }
    const message = `The result has ${bytes} bytes, ${resultBytes} at most are given back. It began: ${json.slice(0, 300)}`
    this.#end = { kind: 'limit', limit: 'result', message, line: undefined }
  }

  #threw(code: string, message: string, stack: string): void {
    const line = lineIn(stack)
    if (outOfMemory.test(message)) {
      this.#end = { kind: 'limit', limit: 'memory', message: '', line }
      return
    }
    this.#end = { kind: 'threw', syntax: this.#isSyntax && this.#made === 0, code, message, line }
  }
}

const lineIn = (stack: string): number | undefined => {
  const [, line] = /script\.js:(\d+)/.exec(stack) ?? []
  return line === undefined ? undefined : Number(line)
}

/** The inside writes its texts as JSON of one string; anything else is no text of its. */
const textOf = (json: string): string => {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'string' ? value : ''
  } catch {
    return ''
  }
}

const failed = (message: string): GuestEnd => ({ kind: 'threw', syntax: false, code: '', message, line: undefined })

const nobodySettles = failed('The script waits for a promise that nobody settles.')
