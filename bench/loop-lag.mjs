// Loaded before a program (`node --import`): on SIGUSR2 it writes how late its event loop was since the last time.
import { monitorEventLoopDelay } from 'node:perf_hooks'

const resolutionMs = 5
const delay = monitorEventLoopDelay({ resolution: resolutionMs })
delay.enable()
process.on('SIGUSR2', () => {
  // The timer itself takes its resolution; what is over it is lag.
  const lag = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - resolutionMs)
  const [p50, p99, max] = [lag(delay.percentile(50)), lag(delay.percentile(99)), lag(delay.max)]
  process.stderr.write(`loop-lag ${JSON.stringify({ p50, p99, max })}\n`)
  delay.reset()
})
