import childProcess from 'node:child_process'
import { describe, expect, it } from 'vitest'

describe('the quick loop', () => {
  it.each(['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork'] as const)(
    'starts no process by %s, and says what to do',
    (start) => {
      expect(() => childProcess[start](process.execPath)).toThrow('*.slow.test.ts')
    },
  )
})
