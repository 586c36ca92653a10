// Loaded into a gateway by --import: how long its thread has worked without coming back to its timers. Whoever connects to
// the socket in PROBE_SOCKET gets the longest such stretch since the last one asked, in milliseconds.
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { isMainThread } from 'node:worker_threads'

// What the thread itself did: its clock would also count other programs of a busy machine.
const schedule = `/proc/${process.pid}/task/${process.pid}/schedstat`
const counted = existsSync(schedule)
const worked = () => (counted ? Number(readFileSync(schedule, 'utf8').split(' ')[0]) / 1e6 : performance.now())

if (isMainThread && process.env.PROBE_SOCKET) {
  let before = worked()
  let longest = 0
  setInterval(() => {
    const now = worked()
    longest = Math.max(longest, now - before)
    before = now
  }, 1).unref()
  createServer((socket) => {
    socket.on('error', () => {})
    // The next tick sees the turn that is just ending.
    setTimeout(() => {
      socket.end(String(longest))
      longest = 0
    }, 5)
  })
    .listen(process.env.PROBE_SOCKET)
    .unref()
}
