import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import type { Clock } from '../../model/clock.js'

const quietMs = 50
const maxRounds = 20

/**
 * Reads what an ended child left in its pipes, then lets go of them. Normally the pipes end by themselves at once; they
 * stay open when a process that left the group has inherited them, and that one must not hold us up (F12).
 */
export const drainOutput = (child: ChildProcessWithoutNullStreams, clock: Clock): Promise<void> =>
  new Promise((resolve) => {
    const streams = [child.stdout, child.stderr]
    let heard = false
    let rounds = 0
    let cancel = () => {}
    const hear = () => {
      heard = true
    }
    const finish = () => {
      cancel()
      for (const stream of streams) stream.off('data', hear).destroy()
      child.stdin.destroy()
      resolve()
    }
    const wait = () => {
      heard = false
      rounds += 1
      // The immediate comes after one more poll, so a slow machine's timer cannot overtake data that waits to be read.
      cancel = clock.after(quietMs, () => setImmediate(() => (heard && rounds < maxRounds ? wait() : finish())))
    }
    if (streams.every((stream) => stream.closed)) return finish()
    child.once('close', finish)
    // The consumer's pause ends here: what is left is at most a pipe's worth.
    for (const stream of streams) stream.on('data', hear).resume()
    wait()
  })
