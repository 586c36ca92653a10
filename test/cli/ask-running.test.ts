import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newLocalKey, recordFileIn } from '../../src/serving/running/record.js'
import { ownIdentity } from '../../src/storage/process-identity.js'
import { bareEnv, type CliRun, cliPath, runCli } from '../helpers/run-cli.js'
import { countedSource, startsIn } from './counted-source.js'
import { type ServedCli, serveCli } from './serve-cli.js'

const names = Array.from({ length: 16 }, (_, index) => `s${String(index).padStart(2, '0')}`)

let home: string
let starts: string
const pegboard = (...args: readonly string[]): Promise<CliRun> => runCli(args, { cwd: home, home })
const dataFolder = (): string => join(home, '.local/share/pegboard')

const newHome = (sources: readonly string[]): void => {
  home = mkdtempSync(join(tmpdir(), 'pegboard-ask-'))
  starts = join(home, 'starts')
  const config = { sources: Object.fromEntries(sources.map((name) => [name, countedSource(name, starts)])) }
  writeFileSync(join(home, 'pegboard.json'), JSON.stringify(config))
}

describe('commands beside a running gateway (U4)', () => {
  let gateway: ServedCli
  beforeAll(async () => {
    newHome(names)
    gateway = await serveCli(home)
    expect(startsIn(starts)).toEqual(names)
  }, 120_000)
  afterAll(async () => {
    await gateway.stop()
    rmSync(home, { recursive: true, force: true })
  })

  const stats = async (): Promise<{ stats: { calls: number } }> =>
    JSON.parse((await pegboard('stats', '--json')).stdout)

  it('start nothing, and what they call is recorded there', async () => {
    const before = { calls: (await stats()).stats.calls, starts: startsIn(starts) }
    expect(await pegboard('call', 's07.echo', 'text=hi')).toMatchObject({
      code: 0,
      stdout: '{"text":"hi"}\n',
      stderr: '',
    })
    expect((await pegboard('call', 's07.echo', '--args-json', '{"text":"x"}', '--json')).stdout).toContain('"content"')
    for (const args of [
      ['list'],
      ['list', '--sources'],
      ['search', 'echo'],
      ['inspect', 's01.add'],
      ['inspect', 's01'],
      ['doctor'],
      ['profile', 'list'],
    ])
      expect({ args, ...(await pegboard(...args)) }).toMatchObject({ code: 0 })
    expect((await stats()).stats.calls).toBe(before.calls + 2)
    expect(startsIn(starts)).toEqual(before.starts)
  }, 60_000)

  it('see what was just added, without waiting for anybody to notice', async () => {
    const before = readFileSync(join(home, 'pegboard.json'), 'utf8')
    const { args, command } = countedSource('late', starts)
    expect((await pegboard('add', 'late', '--', command, ...args)).code).toBe(0)
    expect((await pegboard('list')).stdout).toContain('late.echo')
    expect((await pegboard('call', 'late.echo', 'text=1')).code).toBe(0)
    expect(startsIn(starts).filter((name) => name === 'late')).toHaveLength(1)
    writeFileSync(join(home, 'pegboard.json'), before)
    expect((await pegboard('list')).stdout).not.toContain('late.echo')
  }, 60_000)

  it('say what is wrong with a file that the gateway cannot use either', async () => {
    const file = join(home, 'pegboard.json')
    const before = readFileSync(file, 'utf8')
    writeFileSync(file, before.replace('{', '{ "server": { "path": "no slash" }, '))
    expect(await pegboard('call', 's07.echo', 'text=hi')).toMatchObject({ code: 6, stdout: '' })
    writeFileSync(file, before)
    expect(await pegboard('call', 's07.echo', 'text=hi')).toMatchObject({ code: 0, stderr: '' })
  })

  it('do not ask it about another file, or from another folder', async () => {
    const other = join(home, 'other')
    mkdirSync(other)
    writeFileSync(join(other, 'pegboard.json'), JSON.stringify({ sources: { only: countedSource('only', starts) } }))
    const run = await runCli(['list', '--sources', '--json'], { cwd: other, home })
    expect(JSON.parse(run.stdout).map(({ name }: { name: string }) => name)).toEqual(['only'])
    // The same file by another way is the same file.
    const calls = (await stats()).stats.calls
    expect((await runCli(['call', 's00.echo', '--config', '../pegboard.json'], { cwd: other, home })).code).toBe(0)
    expect((await stats()).stats.calls).toBe(calls + 1)
  })

  it('end a call there when they are interrupted', async () => {
    const child = spawn(process.execPath, [cliPath(), 'call', 's03.hang', 'key=a'], { cwd: home, env: bareEnv(home) })
    const state = async () => (await pegboard('stats', '--json')).stdout
    const running = async (): Promise<number> => {
      const metrics = await (await fetch(`${gateway.url}/metrics`)).text()
      return Number(/pegboard_calls_in_flight\{[^}]*s03[^}]*\} (\d+)/.exec(metrics)?.[1] ?? 0)
    }
    await expect.poll(running, { timeout: 20_000 }).toBe(1)
    child.kill('SIGINT')
    await once(child, 'close')
    await expect.poll(running, { timeout: 20_000 }).toBe(0)
    expect(await state()).toContain('"calls"')
  }, 60_000)
})

describe('commands beside a running gateway and alone (U4)', () => {
  let gateway: ServedCli
  beforeAll(async () => {
    newHome(names.slice(0, 3))
    gateway = await serveCli(home)
  }, 60_000)
  afterAll(async () => {
    await gateway.stop()
    rmSync(home, { recursive: true, force: true })
  })

  it('say the same as alone, where everything is started again', async () => {
    const questions = [
      ['list'],
      ['list', '--json'],
      ['list', '--sources'],
      ['search', 'echo', 'something', '--limit', '3'],
      ['search', 'echo', '--json', '--limit', '2'],
      ['search', 'zzzz'],
      ['search', 'x', '--limit', '0'],
      ['inspect', 's01.echo'],
      ['inspect', 's01'],
      ['inspect', 'nope'],
      ['profile', 'list'],
      ['profile', 'show', '--json'],
      ['profile', 'show', 'nope'],
      ['export', '--format', 'openai'],
      ['lock', 'diff'],
      ['lock', 'approve', 's01.echo'],
    ]
    for (const question of questions) {
      const there = await pegboard(...question)
      const alone = await pegboard(...question, '--alone')
      expect({ question, ...there }).toEqual({ question, ...alone })
    }
    // Last, since how often a tool was called moves it up in a search.
    for (const question of [
      ['call', 's02.echo', 'text=hi'],
      ['call', 's02.echo', 'text=hi', '--json'],
      ['call', 's02__echo', 'text=hi'],
      ['call', 's02.fail'],
      ['call', 's02.fail', '--json'],
      ['call', 's02.ecko'],
      ['call', 's02.ecko', '--json'],
      ['call', 's02.echo', 'text'],
    ]) {
      const there = await pegboard(...question)
      const alone = await pegboard(...question, '--alone')
      expect({ question, ...there }).toEqual({ question, ...alone })
    }
  }, 300_000)
})

describe('commands without a gateway (U4)', () => {
  beforeEach(() => newHome(names.slice(0, 4)))
  afterEach(() => rmSync(home, { recursive: true, force: true }))

  it('start only the source that the tool is of', async () => {
    expect(await pegboard('call', 's02.echo', 'text=hi')).toMatchObject({
      code: 0,
      stdout: '{"text":"hi"}\n',
      stderr: '',
    })
    expect((await pegboard('inspect', 's01.add')).code).toBe(0)
    expect((await pegboard('inspect', 's03')).code).toBe(0)
    expect(startsIn(starts)).toEqual(['s01', 's02', 's03'])
    expect((await pegboard('call', 's00.nope')).stderr).toContain("There is no tool 's00.nope'")
  }, 60_000)

  const goOn = async (words: string): Promise<void> => {
    const { code, stdout, stderr } = await pegboard('call', 's02.echo', 'text=hi')
    expect({ code, stdout }).toEqual({ code: 0, stdout: '{"text":"hi"}\n' })
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(stderr).toContain(words)
  }
  const writeRecord = (record: object | string): string => {
    mkdirSync(dataFolder(), { recursive: true, mode: 0o700 })
    const file = recordFileIn(dataFolder())
    writeFileSync(file, typeof record === 'string' ? record : JSON.stringify(record), { mode: 0o600 })
    return file
  }
  const record = (port: number, more: object = {}) => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    return {
      protocol: 1,
      url: `http://127.0.0.1:${port}`,
      version,
      config: '',
      key: newLocalKey(),
      ...ownIdentity(),
      ...more,
    }
  }

  it('go on with a word where the run record is damaged', async () => {
    writeRecord('{"protocol": 1')
    await goOn('STORE_CORRUPT')
  })

  it('go on without a word where its process is gone', async () => {
    const child = spawn(process.execPath, ['-e', '0'])
    await once(child, 'exit')
    writeRecord(record(1, { pid: child.pid, start: '' }))
    expect(await pegboard('call', 's02.echo', 'text=hi')).toMatchObject({ code: 0, stderr: '' })
  })

  it('go on with a word where it is open to others, or another user’s', async () => {
    const file = writeRecord(record(1))
    chmodSync(file, 0o644)
    await goOn('ACCESS_DENIED')
    if (process.getuid?.() !== 0) return
    chmodSync(file, 0o600)
    chownSync(file, 4321, 4321)
    await goOn('uid 4321')
  })

  it('go on with a word where somebody else has its port, or nobody answers there', async () => {
    const stranger = createServer((socket) => socket.resume().end('HTTP/1.1 200 OK\r\n\r\n')).listen(0, '127.0.0.1')
    await once(stranger, 'listening')
    writeRecord(record((stranger.address() as { port: number }).port))
    await goOn('somebody else answers there')
    stranger.close()
    await once(stranger, 'close')
    await goOn('GATEWAY_LOST')
  })

  it('go on with a word where the gateway is of another version', async () => {
    writeRecord(record(1, { version: '99.0.0' }))
    await goOn('Pegboard 99.0.0')
  })
})

describe('example tools (U10)', () => {
  it('leave the running gateway when there are sources, and come back when there are none', async () => {
    home = mkdtempSync(join(tmpdir(), 'pegboard-ask-'))
    starts = join(home, 'starts')
    const gateway = await serveCli(home)
    expect((await pegboard('list')).stdout).toContain('calculator')
    const { args, command } = countedSource('mine', starts)
    await pegboard('add', 'mine', '--', command, ...args)
    const { stdout } = await pegboard('list')
    expect(stdout).toContain('mine.echo')
    expect(stdout).not.toContain('calculator')
    expect(JSON.parse((await pegboard('stats', '--json')).stdout)).toMatchObject({ tools: 10 })
    await pegboard('remove', 'mine')
    expect((await pegboard('list')).stdout).toContain('calculator')
    await gateway.stop()
    rmSync(home, { recursive: true, force: true })
  }, 60_000)
})
