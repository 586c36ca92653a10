// Loaded before the gateway (`node --import`): on SIGUSR2 it writes how late the event loop was since the last time, how
// much of that it was itself at work, and, where the collector can be asked, what is left on the heap after it.
import { performance } from 'node:perf_hooks'

const everyMs = 5
const megabyte = 1024 * 1024
let lag = 0
let busy = 0
let due = performance.now() + everyMs
let spent = process.cpuUsage()
const tick = () => {
  const now = performance.now()
  const { user, system } = process.cpuUsage(spent)
  const late = now - due
  if (late > lag) lag = late
  // On a machine that others use, too, the rest was theirs. Threads of the engine count as ours.
  busy = Math.max(busy, Math.min(late, (user + system) / 1000))
  due = now + everyMs
  spent = process.cpuUsage()
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
  spent = process.cpuUsage()
  lag = 0
  busy = 0
})
