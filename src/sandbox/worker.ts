// The thread that scripts run in: one at a time, each in an engine of its own. `thread.ts` starts it and watches its time.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import variant from '@jitl/quickjs-ng-wasmfile-release-sync'
import { type Engine, Guest, type GuestTurn, makeEngine } from './guest.js'
import { defaultScriptLimits } from './limits.js'
import type { FromScriptThread, ToScriptThread } from './protocol.js'

const port = parentPort!
const meter = workerData as Float64Array
const { WebAssembly } = globalThis as unknown as {
  readonly WebAssembly: { readonly Module: new (bytes: Uint8Array) => unknown }
}
const wasm = createRequire(import.meta.url).resolve('@jitl/quickjs-ng-wasmfile-release-sync/wasm')
const compiled = new WebAssembly.Module(readFileSync(wasm))

const engineFor = (memoryBytes: number): Promise<Engine> => makeEngine(variant, compiled, memoryBytes)

let ahead: Promise<Engine> | undefined
let aheadBytes = defaultScriptLimits.memoryBytes
let current: { readonly id: number; readonly guest: Guest } | undefined
// Messages that came while the engine of their script was being made.
let waiting: ToScriptThread[] | undefined

const say = (message: FromScriptThread): void => port.postMessage(message)

const tell = (id: number, guest: Guest, { calls, end }: GuestTurn): void => {
  if (!end) return say({ type: 'turn', id, calls, answered: guest.answered })
  const { logs, dropped, cpuMs, memoryBytes } = guest
  current = undefined
  say({ type: 'end', id, calls, end, logs, dropped, cpuMs, memoryBytes })
  // While nobody waits for it. After a limit this thread is ended instead.
  if (end.kind !== 'limit') setImmediate(() => (ahead ??= engineFor(aheadBytes)))
}

const run = async (order: Extract<ToScriptThread, { type: 'run' }>): Promise<void> => {
  const { id, script, limits, input, now, seed } = order
  waiting = []
  const ready = limits.memoryBytes === aheadBytes ? ahead : undefined
  ahead = undefined
  aheadBytes = limits.memoryBytes
  const engine = await (ready ?? engineFor(limits.memoryBytes))
  meter.fill(0)
  const guest = new Guest(engine, limits, meter)
  current = { id, guest }
  const late = waiting
  waiting = undefined
  tell(id, guest, guest.begin(script, input, now, seed))
  for (const message of late) hear(message)
}

const hear = (message: ToScriptThread): void => {
  if (message.type === 'run') void run(message)
  else if (waiting) waiting.push(message)
  else if (current?.id !== message.id) return
  else if (message.type === 'answer') tell(message.id, current.guest, current.guest.answer(message.n, message.answer))
  else {
    current = undefined
    setImmediate(() => (ahead ??= engineFor(aheadBytes)))
  }
}

port.on('message', hear)
ahead = engineFor(aheadBytes)
ahead.then(() => say({ type: 'ready' }))
