import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import fc from 'fast-check'
import { rolldown } from 'rolldown'
import { describe, expect, it } from 'vitest'
import { settle } from '../../../test/helpers/virtual-clock.js'
import { createInstance, isInstanceDead, parseMark } from './instance.js'
import { isRunning, parseStat, readStat } from './proc.js'

describe('process stat', () => {
  it('is read past any name a program gives itself', () => {
    const rest = `S 10 20 20 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 987654 1 1`
    fc.assert(
      fc.property(fc.string(), (name) => {
        expect(parseStat(`7 (${name}) ${rest}`)).toEqual({ state: 'S', parent: 10, group: 20, start: '987654' })
      }),
    )
  })

  it('is undefined for what is no stat line', () => {
    for (const text of ['', '1', '1 (x)', '1 (x) S 2', 'garbage']) expect(parseStat(text)).toBeUndefined()
  })

  it('tells a zombie from a process that runs', async () => {
    const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 1000'], { stdio: ['ignore', 'pipe', 'ignore'] })
    const [output] = (await once(parent.stdout, 'data')) as [Buffer]
    const zombie = Number(output.toString())
    while (readStat(zombie)?.state !== 'Z') await settle()
    // The call that misleads: it succeeds.
    expect(process.kill(zombie, 0)).toBe(true)
    expect([isRunning(readStat(zombie)), isRunning(readStat(parent.pid ?? 0))]).toEqual([false, true])
    parent.kill('SIGKILL')
  })
})

describe('instance mark', () => {
  it('names the living gateway', () => {
    const mark = parseMark(createInstance().mark)
    expect(mark?.pid).toBe(process.pid)
    expect(mark && isInstanceDead(mark)).toBe(false)
  })

  it('is never read out of what we did not write', () => {
    for (const text of ['', '1', '1-2-3', '1-2-3-zz', '-1-2-3-0011223344556677', '1-2-3-0011223344556677-x', '%s']) {
      expect(parseMark(text)).toBeUndefined()
    }
  })

  it('leaves alone what it cannot judge', () => {
    expect(isInstanceDead({ pid: 4_000_000, start: '0', namespace: '0' })).toBe(false)
    expect(isInstanceDead({ pid: 4_000_000, start: '5', namespace: '1' })).toBe(false)
  })

  it.runIf(process.platform === 'linux')('is that of a living gateway where files have run out', async () => {
    const built = await rolldown({ input: join(import.meta.dirname, 'instance.ts'), platform: 'node' })
    const { output } = await built.generate()
    const program = `
      import { openSync } from 'node:fs'
      const { createInstance, isInstanceDead, parseMark } = await import(${JSON.stringify(`data:text/javascript,${encodeURIComponent(output[0].code)}`)})
      const living = parseMark(createInstance().mark)
      const gone = { ...living, pid: 4_000_000 }
      let ranOut
      try { for (;;) openSync('/proc/self/stat') } catch ({ code }) { ranOut = code }
      console.log(JSON.stringify([ranOut, isInstanceDead(living), isInstanceDead(gone)]))`
    const limited = spawnSync('sh', ['-c', 'ulimit -n 64 && exec "$0" --input-type=module -', process.execPath], {
      input: program,
      encoding: 'utf8',
    })
    expect(limited.stdout).toBe('["EMFILE",false,true]\n')
  })
})
