import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import fc from 'fast-check'

// The quick loop is quick because nothing in it waits for another program. What must start one says so in its name, and runs
// with `npm test`.
const starts = ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork'] as const
// Node makes no FIFO, and this program is gone before a test could wait for it.
const allowed = 'mkfifo'
const refusing = Symbol.for('pegboard.quick-loop')

type Start = (command: string, ...rest: unknown[]) => unknown

for (const name of starts) {
  const start = childProcess[name] as Start & { readonly [refusing]?: true }
  // Files of one worker share one world, and this runs before each of them.
  if (start[refusing]) continue
  const guarded: Start = (command, ...rest) => {
    if (command === allowed) return start(command, ...rest)
    throw new Error(`The quick loop starts no process (${command}): name the test's file *.slow.test.ts.`)
  }
  Object.assign(childProcess, { [name]: Object.assign(guarded, { [refusing]: true }) })
}
syncBuiltinESMExports()

// A draw that is slow, or a failure that is made smaller for ever, ends; a failure that was found stays one.
if (process.env.FUZZ === undefined) fc.configureGlobal({ interruptAfterTimeLimit: 20_000 })
