// Loaded before the gateway (`node --import`): on SIGUSR2 it writes how late the event loop was since the last time, and,
// where the collector can be asked, what is left on the heap after it.
import { monitorEventLoopDelay } from 'node:perf_hooks'

const resolutionMs = 5
const delay = monitorEventLoopDelay({ resolution: resolutionMs })
delay.enable()
const megabyte = 1024 * 1024
process.on('SIGUSR2', () => {
  // The timer itself takes its resolution; what is over it is lag.
  const lag = Math.max(0, delay.max / 1e6 - resolutionMs)
  globalThis.gc?.()
  globalThis.gc?.()
  const heapMb = globalThis.gc ? process.memoryUsage().heapUsed / megabyte : undefined
  process.stderr.write(`watched ${JSON.stringify({ lag, heapMb, handles: process.getActiveResourcesInfo().length })}\n`)
  // What the collector took is ours.
  setImmediate(() => delay.reset())
})
