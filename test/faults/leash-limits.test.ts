import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { builtCli } from '../helpers/built-cli.js'
import {
  childrenOf,
  type GatewayProcess,
  isAlive,
  startGateway,
  toConfig,
  untilGone,
  untilListed,
} from '../helpers/gateway-process.js'
import { prisoner, tell } from '../helpers/prisoner.js'

const cleanup: (() => unknown)[] = []
afterEach(async () => {
  for (const task of cleanup.splice(0).reverse()) await task()
})

const start = async (sources: object, settings: object = {}): Promise<GatewayProcess> => {
  const gateway = await startGateway({ sources, ...settings })
  cleanup.push(gateway.dispose)
  await untilListed(gateway.client, Object.keys(sources))
  return gateway
}

/** A source as `pegboard inspect` has it from the running gateway. */
const sourceOf = ({ file, folder }: GatewayProcess, name: string) => {
  const args = [builtCli(), 'inspect', name, '--json', '--config', file, '--data-path', join(folder, 'data')]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
}

const onLinux = process.platform === 'linux' ? describe : describe.skip

onLinux('a child with limits (needs /proc and util-linux)', () => {
  it('is ended when it eats memory, by name, and is there again; the others never notice', async () => {
    const gateway = await start({ eater: prisoner({ limits: { memory: '300mb' } }), other: prisoner() })
    const { client } = gateway
    const before = await tell(client, 'other', 'return process.pid')
    const eaten = await tell(
      client,
      'eater',
      'globalThis.held = []; for (;;) { held.push(Buffer.alloc(8e6, 1)); await new Promise(setImmediate) }',
    )
    expect(eaten.isError).toBe(true)
    expect(eaten.text).toContain('was ended: over its memory limit of 300 MB')
    await gateway.logged('over its memory limit of 300 MB')
    // Started again by the usual rules.
    await expect.poll(async () => (await tell(client, 'eater', 'return 1')).text, { interval: 50 }).toBe('1')
    expect(await tell(client, 'other', 'return process.pid')).toEqual(before)
  })

  it('is ended when its helpers eat it, whatever process group they are in', async () => {
    const { client } = await start({ eater: prisoner({ limits: { memory: '300mb' } }) })
    const helper = 'const held = []; setInterval(() => held.push(Buffer.alloc(20e6, 1)), 10)'
    const eaten = await tell(
      client,
      'eater',
      `const { spawn } = await import('node:child_process')
       spawn(process.execPath, ['-e', ${JSON.stringify(helper)}], { detached: true, stdio: 'ignore' })
       await new Promise(() => {})`,
    )
    expect(eaten.text).toContain('over its memory limit of 300 MB')
  })

  it('is ended when it starts too many processes, and takes all of them along', async () => {
    const { client } = await start({ forker: prisoner({ limits: { processes: 40 } }) })
    const pids = await tell(
      client,
      'forker',
      `const { spawn } = await import('node:child_process')
       const { readdirSync } = await import('node:fs')
       return [spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' }).pid, readdirSync('/proc/self/task').length]`,
    )
    const [escaped, threads] = JSON.parse(pids.text) as [number, number]
    expect(threads).toBeLessThan(40)
    const ended = await tell(
      client,
      'forker',
      `const { spawn } = await import('node:child_process')
       for (let i = 0; i < 60; i += 1) spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' })
       await new Promise(() => {})`,
    )
    expect(ended.text).toContain('over its limit of processes of 40')
    await untilGone([escaped])
  })

  it('is ended when it has used its processor time, all its processes together', async () => {
    const { client } = await start({ burner: prisoner({ limits: { cpuSeconds: 3 } }) })
    const burnt = await tell(
      client,
      'burner',
      `const { spawn } = await import('node:child_process')
       for (let i = 0; i < 2; i += 1) spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' })
       await new Promise(() => {})`,
    )
    expect(burnt.text).toContain('over its limit of processor time of 3 s')
  })

  it('cannot open more files or write larger ones than it may; who does not see to it is ended by name', async () => {
    const limits = { openFiles: 64, fileSize: '1mb' }
    const gateway = await start({ a: prisoner({ limits }) })
    const { client, folder } = gateway
    const opened = await tell(
      client,
      'a',
      `const { openSync, closeSync } = await import('node:fs')
       const open = []
       try { for (;;) open.push(openSync('/dev/null', 'r')) } finally { open.forEach((each) => closeSync(each)) }`,
    )
    expect(opened.text).toContain('EMFILE')
    const big = join(folder, 'big')
    const written = await tell(
      client,
      'a',
      `(await import('node:fs')).writeFileSync(${JSON.stringify(big)}, Buffer.alloc(2e6))`,
    )
    expect(written.text).toContain('EFBIG')
    expect(readFileSync(big).length).toBeLessThanOrEqual(1024 * 1024)
    const dd = await tell(
      client,
      'a',
      `const { spawnSync } = await import('node:child_process')
       return spawnSync('dd', ['if=/dev/zero', 'of=' + ${JSON.stringify(big)}, 'bs=2M', 'count=1']).signal`,
    )
    expect(dd.text).toBe('SIGXFSZ')
  })

  it('runs with its niceness, and as itself: one process, no helper beside it', async () => {
    const gateway = await start({ plain: prisoner(), nice: prisoner({ limits: { niceness: 7, openFiles: 128 } }) })
    const asked = 'return [process.pid, process.ppid, (await import("node:os")).getPriority()]'
    const [plain, nice] = await Promise.all(
      ['plain', 'nice'].map(
        async (name) => JSON.parse((await tell(gateway.client, name, asked)).text) as [number, number, number],
      ),
    )
    expect(nice![2] - plain![2]).toBe(7)
    expect([plain![1], nice![1]]).toEqual([gateway.pid, gateway.pid])
    // The two, and the reaper.
    expect(childrenOf(gateway.pid)).toHaveLength(3)
  })

  it('shares no process with an equal command under other limits', async () => {
    const { client } = await start({
      a: prisoner(),
      b: prisoner({ limits: { openFiles: 64 } }),
      c: prisoner({ limits: { openFiles: 64 } }),
    })
    const [a, b, c] = await Promise.all(['a', 'b', 'c'].map((name) => tell(client, name, 'return process.pid')))
    expect(b!.text).not.toBe(a!.text)
    expect(c!.text).toBe(b!.text)
  })

  it('takes what is said for all children, its own words first; a change restarts whom it changes', async () => {
    const files =
      'return (await import("node:fs")).readFileSync("/proc/self/limits", "utf8").match(/open files +(\\d+)/)[1]'
    const sources = {
      all: prisoner(),
      own: prisoner({ limits: { openFiles: 99 } }),
      free: prisoner({ limits: { openFiles: 'none' } }),
    }
    const gateway = await start(sources, { children: { limits: { openFiles: 77 } } })
    const { client } = gateway
    expect((await tell(client, 'all', files)).text).toBe('77')
    expect((await tell(client, 'own', files)).text).toBe('99')
    expect(Number((await tell(client, 'free', files)).text)).toBeGreaterThan(99)
    const pid = (name: string) => tell(client, name, 'return process.pid')
    const before = { all: await pid('all'), own: await pid('own') }
    writeFileSync(gateway.file, toConfig({ sources, children: { limits: { openFiles: 88 } } }))
    await expect.poll(async () => (await tell(client, 'all', files)).text, { interval: 50 }).toBe('88')
    expect(await pid('own')).toEqual(before.own)
    expect(await pid('all')).not.toEqual(before.all)
  })

  it('says what keeps it, and what nothing here can', async () => {
    const gateway = await start({ a: prisoner({ limits: { memory: '1gb', openFiles: 128, cpus: 0.5 } }) })
    const { limits, lacking } = sourceOf(gateway, 'a').status.guards
    expect(limits).toContainEqual({ limit: 'openFiles', amount: 128, shown: '128', by: 'rlimit' })
    expect(limits).toContainEqual({
      limit: 'memory',
      amount: 1024 ** 3,
      shown: '1 GB',
      by: expect.stringMatching(/^(watch|cgroup)$/),
    })
    if (!limits.some(({ by }: { by: string }) => by === 'cgroup')) {
      expect(lacking).toEqual([{ limit: 'cpus', why: expect.stringContaining('cgroup v2') }])
      await gateway.logged('A limit is not enforced on this machine')
    }
  })

  it('F14 dies with a gateway that is killed, escaped helpers of its own group included', async () => {
    const gateway = await start({ a: prisoner({ limits: { memory: '500mb', niceness: 3 } }) })
    const { text } = await tell(
      gateway.client,
      'a',
      `const { spawn } = await import('node:child_process')
       return [process.pid, spawn('sleep', ['1000'], { stdio: 'ignore' }).pid]`,
    )
    const pids = JSON.parse(text) as number[]
    expect(pids.filter(isAlive)).toEqual(pids)
    gateway.child.kill('SIGKILL')
    await untilGone(pids)
  })
})
