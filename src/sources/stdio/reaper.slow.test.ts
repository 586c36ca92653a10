import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { settle, until } from '../../../test/helpers/virtual-clock.js'
import { systemClock } from '../../model/clock.js'
import { silentLogger } from '../../telemetry/logger.js'
import { instanceVariable } from './environment.js'
import { groupOf } from './group.js'
import { createInstance } from './instance.js'
import { isRunning, readStat } from './proc.js'
import { createReaper } from './reaper.js'
import { sweepOrphans } from './sweep.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'pegboard-reaper-'))
const stubborn = 'trap "" TERM HUP INT; echo $$; while :; do sleep 1000; done'

// A gateway that can be killed is a process of its own, so this room is compiled for it as the build would do it.
beforeAll(() => {
  const compilerOptions = {
    noEmit: false,
    rootDir: join(root, 'src'),
    outDir: folder,
    typeRoots: [join(root, 'node_modules/@types')],
  }
  const files = ['child.ts', 'reaper.ts', 'instance.ts'].map((name) => join(root, 'src/sources/stdio', name))
  const config = { extends: join(root, 'tsconfig.json'), compilerOptions, files, include: [] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stdout)
})
const gateways = new Set<ChildProcess>()
afterEach(() => {
  for (const gateway of gateways) gateway.kill('SIGKILL')
  gateways.clear()
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs `body` as a gateway: it may start children and tells us things with `say`. */
const gateway = (body: string, launcher: readonly string[] = []) => {
  const program = `
    import { startChild } from './sources/stdio/child.js'
    import { createReaper } from './sources/stdio/reaper.js'
    import { createInstance } from './sources/stdio/instance.js'
    import { systemClock as clock } from './model/clock.js'
    const logger = { log() {}, child: () => logger }
    const reaper = createReaper({ instance: createInstance(), clock, logger })
    const say = (value) => console.log(JSON.stringify(value))
    const start = (command, args, more) => startChild({ command, args, clock, logger, reaper, hostEnv: process.env, ...more })
    const firstLines = (child, count) => new Promise((resolve) => {
      const lines = []
      child.onLine((line) => lines.push(String(line)) === count && resolve(lines))
    })
    ${body}`
  const file = join(folder, `gateway-${Math.random().toString(36).slice(2)}.mjs`)
  writeFileSync(file, program)
  const [command = '', ...args] = [...launcher, process.execPath, file]
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  gateways.add(child)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return { process: child, hear: async () => JSON.parse((await lines.next()).value ?? 'null') }
}

const runs = (pid: number): boolean => isRunning(readStat(pid))
const ended = (child: ChildProcess) => (child.exitCode ?? child.signalCode) !== null || once(child, 'exit')
/** The reaper of a gateway once its program runs: it takes its title after it has set its signal handlers. */
const reaperOf = async (parent: ChildProcess, isNew = (_pid: number) => true): Promise<number> => {
  const find = () =>
    readdirSync('/proc')
      .map(Number)
      .find((pid) => isReaperOf(parent, pid) && isNew(pid))
  await until(() => find() !== undefined)
  return find() ?? expect.fail('no reaper')
}
const isReaperOf = (parent: ChildProcess, pid: number): boolean => {
  if (readStat(pid)?.parent !== parent.pid) return false
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').startsWith('pegboard-reaper')
  } catch {
    return false
  }
}

const treeOfTen = `
  const trees = await Promise.all(Array.from({ length: 10 }, async () => {
    const child = await start('/bin/sh', ['-c', ${JSON.stringify(`trap "" TERM; sh -c '${stubborn}' & sh -c '${stubborn}' & wait; wait`)}])
    return [child.pid, ...(await firstLines(child, 2)).map(Number)]
  }))
  say(trees.flat())`

describe('reaper', () => {
  it.each([1, 2, 3, 4, 5])('ends ten stubborn trees after kill -9 of the gateway (F14, run %i)', async () => {
    const { process: parent, hear } = gateway(treeOfTen)
    const pids: number[] = await hear()
    expect(pids.filter(runs)).toHaveLength(30)
    parent.kill('SIGKILL')
    await until(() => !pids.some(runs))
  })

  it('also ends what left its group, by the mark (F14)', async () => {
    const { process: parent, hear } = gateway(`
      const child = await start(process.execPath, ['-e', \`
        const { spawn } = require('child_process')
        console.log(spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' }).pid); setInterval(() => {}, 1e6)\`])
      say([child.pid, ...(await firstLines(child, 1)).map(Number)])`)
    const pids: number[] = await hear()
    expect(pids.filter(runs)).toHaveLength(2)
    parent.kill('SIGKILL')
    await until(() => !pids.some(runs))
  })

  it('ignores the signals of a terminal and goes with the gateway when that ends by itself', async () => {
    const { process: parent, hear } = gateway(`
      const child = await start('cat', [])
      say(child.pid)
      process.stdin.once('data', () => child.close())`)
    await hear()
    const helper = await reaperOf(parent)
    for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) process.kill(helper, signal)
    for (let turn = 0; turn < 50; turn += 1) await settle()
    expect(runs(helper)).toBe(true)
    // After its child is closed nothing of ours keeps the gateway alive: not the reaper, no timer.
    parent.stdin.end('close\n')
    await ended(parent)
    expect(parent.exitCode).toBe(0)
    await until(() => !runs(helper))
  })

  it('is started again when someone kills it, and still knows its groups', async () => {
    const { process: parent, hear } = gateway(treeOfTen)
    const pids: number[] = await hear()
    const helper = await reaperOf(parent)
    process.kill(helper, 'SIGKILL')
    await reaperOf(parent, (pid) => pid !== helper)
    parent.kill('SIGKILL')
    await until(() => !pids.some(runs))
  })

  it('spares a group whose id was given to strangers', async () => {
    const reaper = createReaper({ instance: createInstance(), clock: systemClock, logger: silentLogger })
    const stranger = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' })
    const own = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' })
    reaper.ready()
    reaper.watch({ ...groupOf(stranger.pid ?? 0), start: '1' })
    reaper.watch(groupOf(own.pid ?? 0))
    await reaper.close()
    await ended(own)
    expect(runs(stranger.pid ?? 0)).toBe(true)
    stranger.kill('SIGKILL')
  })

  it('forgets groups, and its close is idempotent', async () => {
    const reaper = createReaper({ instance: createInstance(), clock: systemClock, logger: silentLogger })
    const other = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' })
    reaper.ready()
    reaper.watch(groupOf(other.pid ?? 0))
    reaper.forget(groupOf(other.pid ?? 0))
    await Promise.all([reaper.close(), reaper.close()])
    expect(runs(other.pid ?? 0)).toBe(true)
    other.kill('SIGKILL')
  })
})

describe('sweep', () => {
  const marked = (mark: string) =>
    spawn('sleep', ['1000'], {
      env: { PATH: process.env.PATH, [instanceVariable]: mark },
      detached: true,
      stdio: 'ignore',
    })
  const markOfTheDead = async (): Promise<string> => {
    const { process: parent, hear } = gateway('say(reaper.instance.mark)')
    const mark = await hear()
    await ended(parent)
    return mark
  }

  it('ends what carries the mark of a gateway that is gone, and only that (F14)', async () => {
    const orphan = marked(await markOfTheDead())
    const living = marked(createInstance().mark)
    const foreign = marked('not-a-mark')
    await Promise.all([once(orphan, 'spawn'), once(living, 'spawn'), once(foreign, 'spawn')])
    const report = await sweepOrphans({ logger: silentLogger })
    expect(report.killed).toContain(orphan.pid)
    expect(report.killed).not.toContain(living.pid)
    await ended(orphan)
    expect([living, foreign].map(({ pid }) => runs(pid ?? 0))).toEqual([true, true])
    for (const child of [living, foreign]) child.kill('SIGKILL')
  })

  it('spares the gateway whose pid was given to another, and marks of other containers', async () => {
    const [pid, start, , nonce] = (await markOfTheDead()).split('-')
    const elsewhere = marked([pid, start, '1', nonce].join('-'))
    const reused = marked([process.pid, '1', createInstance().mark.split('-')[2], nonce].join('-'))
    await Promise.all([once(elsewhere, 'spawn'), once(reused, 'spawn')])
    const { killed } = await sweepOrphans({ logger: silentLogger })
    expect(killed).not.toContain(elsewhere.pid)
    // Our own pid with another start time: that gateway is gone, and its child an orphan.
    expect(killed).toContain(reused.pid)
    elsewhere.kill('SIGKILL')
  })
})

describe('start at the limits of the system', () => {
  const attempts = `
    const outcomes = []
    const tryOnce = () => start('cat', []).then((child) => outcomes.push(child), (error) => outcomes.push(error))`
  const verdict = `
    const failed = outcomes.filter((outcome) => outcome instanceof Error)
    say({ codes: [...new Set(failed.map((error) => error.code + ' ' + error.details.reason))], started: outcomes.length - failed.length })`

  it('reports EMFILE as a failed start and recovers when files are free again (F8)', async () => {
    const { process: parent, hear } = gateway(
      `${attempts}
      for (let i = 0; i < 40; i += 1) await tryOnce()
      ${verdict}
      await Promise.all(outcomes.filter((outcome) => outcome.close).map((child) => child.close()))
      const again = await start('cat', [])
      say(again.pid > 0)
      await again.close()`,
      ['sh', '-c', 'ulimit -n 64; exec "$@"', 'sh'],
    )
    const first = await hear()
    expect(first.codes).toEqual(['SOURCE_START_FAILED EMFILE'])
    expect(first.started).toBeGreaterThan(3)
    expect(await hear()).toBe(true)
    await ended(parent)
    expect(parent.exitCode).toBe(0)
  })

  // Root is exempt from the limit, so a gateway that runs as root becomes nobody first.
  const canLimit = spawnSync('prlimit', ['--version']).status === 0
  it.runIf(canLimit)('reports EAGAIN as a failed start when no process may be made (F9)', async () => {
    const { process: parent, hear } = gateway(`
      ${attempts}
      const running = await start('cat', [])
      say('limit me')
      await new Promise((resolve) => process.stdin.once('data', resolve))
      if (process.getuid() === 0) { process.setgroups([]); process.setgid(65534); process.setuid(65534) }
      process.stdin.destroy()
      await tryOnce()
      ${verdict}
      say(running.pid > 0)
      running.send('x')
      say(await firstLines(running, 1))
      process.exit(0)`)
    await hear()
    const limit = spawnSync('prlimit', ['--pid', String(parent.pid), '--nproc=1:1'], { encoding: 'utf8' })
    expect(limit.stderr).toBe('')
    parent.stdin.write('go\n')
    expect(await hear()).toEqual({ codes: ['SOURCE_START_FAILED EAGAIN'], started: 0 })
    expect(await hear()).toBe(true)
    expect(await hear()).toEqual(['x'])
    await ended(parent)
  })
})
