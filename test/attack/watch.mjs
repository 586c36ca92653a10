// Loaded before the gateway (`node --import`): on SIGUSR2 it writes how late the event loop was since the last time, how
// much of that its own thread was at work, and, where the collector can be asked, what is left on the heap after it.
import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'

const everyMs = 5
const megabyte = 1024 * 1024
let lag = 0
let busy = 0
let due = performance.now() + everyMs

/** Milliseconds that the main thread was at work: attackers and victims share this machine's cores, and waiting for one is theirs. */
const atWork = () => {
  try {
    return Number.parseInt(readFileSync('/proc/self/schedstat', 'latin1'), 10) / 1e6
  } catch {
    // Elsewhere the engine's other threads count too.
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
}
let spent = atWork()
const tick = () => {
  const now = performance.now()
  const late = now - due
  const worked = atWork()
  if (late > lag) lag = late
  busy = Math.max(busy, Math.min(late, worked - spent))
  due = now + everyMs
  spent = worked
  setTimeout(tick, everyMs).unref()
}
setTimeout(tick, everyMs).unref()

process.on('SIGUSR2', () => {
  const told = { lag, busy, handles: process.getActiveResourcesInfo().length }
  globalThis.gc?.()
  globalThis.gc?.()
  if (globalThis.gc) told.heapMb = process.memoryUsage().heapUsed / megabyte
  process.stderr.write(`watched ${JSON.stringify(told)}\n`)
  // What the collector took is ours, not the gateway's.
  due = performance.now() + everyMs
  spent = atWork()
  lag = 0
  busy = 0
})
