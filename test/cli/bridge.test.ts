import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type RunRecord, recordFileIn } from '../../src/serving/running/record.js'
import { isAlive } from '../helpers/gateway-process.js'
import { bareEnv, cliPath, runCli } from '../helpers/run-cli.js'
import { countedSource, startsIn } from './counted-source.js'
import { type LineClient, startLineClient } from './line-client.js'

let home: string
let starts: string
const children = new Set<ChildProcess>()
const clients = new Set<LineClient>()

beforeAll(() => void cliPath(), 120_000)
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pegboard-bridge-'))
  starts = join(home, 'starts')
  configure({})
})
afterEach(async () => {
  for (const client of clients) await client.close()
  clients.clear()
  for (const child of children) await stop(child, 'SIGTERM')
  children.clear()
  await endShared()
  rmSync(home, { recursive: true, force: true })
})

const configure = (more: object, names: readonly string[] = ['one', 'two']): void => {
  const sources = Object.fromEntries(names.map((name) => [name, countedSource(name, starts)]))
  writeFileSync(join(home, 'pegboard.json'), JSON.stringify({ sources, ...more }))
}
const recordFile = (): string => recordFileIn(join(home, '.local/share/pegboard'))
const record = (): RunRecord => JSON.parse(readFileSync(recordFile(), 'utf8')) as RunRecord

/** A gateway as a process; resolves when all sources are there. */
const serve = async (): Promise<ChildProcess> => {
  const child = spawn(process.execPath, [cliPath(), 'serve', '--port', '0', '--json'], {
    cwd: home,
    env: bareEnv(home),
  })
  children.add(child)
  child.stderr.resume()
  await expect.poll(() => existsSync(recordFile()) && record().pid === child.pid, { timeout: 30_000 }).toBe(true)
  await expect.poll(starting, { timeout: 30_000 }).toEqual([])
  return child
}
const starting = async (): Promise<readonly string[]> => {
  const { sources } = (await (await fetch(`${record().url}/api/v1/sources`)).json()) as {
    sources: { name: string; state: string }[]
  }
  return sources.flatMap(({ name, state }) => (state === 'starting' ? [name] : []))
}
const stop = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill(signal)
  await once(child, 'close')
}
const endShared = async (): Promise<void> => {
  if (!existsSync(recordFile())) return
  const { pid, shared } = record()
  if (!shared) return
  process.kill(pid, 'SIGTERM')
  while (isAlive(pid)) await new Promise(setImmediate)
}
const connect = (args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): LineClient => {
  const client = startLineClient(home, args, env)
  clients.add(client)
  return client
}
const echo = (client: LineClient, text: string, source = 'one') =>
  client.ask('tools/call', { name: `${source}__echo`, arguments: { text } })
const toolsOf = async (client: LineClient): Promise<readonly string[]> => {
  const { result } = await client.ask('tools/list')
  return (result!.tools as { name: string }[]).map(({ name }) => name)
}
const text = (value: string) => [{ type: 'text', text: JSON.stringify({ text: value }) }]

describe('`pegboard stdio` beside a running gateway (U5)', () => {
  it('starts no children, and its calls are the gateway’s', async () => {
    await serve()
    expect(startsIn(starts)).toEqual(['one', 'two'])
    const [a, b] = [connect(), connect()]
    await Promise.all([a.greet(), b.greet()])
    expect(await toolsOf(a)).toContain('two__echo')
    expect((await echo(a, 'hi')).result).toMatchObject({ content: text('hi') })
    expect((await echo(b, 'ho', 'two')).result).toMatchObject({ content: text('ho') })
    expect(startsIn(starts)).toEqual(['one', 'two'])
    const stats = JSON.parse((await runCli(['stats', '--json'], { cwd: home, home })).stdout)
    expect(stats.stats.calls).toBe(2)
    expect(a.stderr() + b.stderr()).toBe('')
    expect(await a.close()).toBe(0)
  }, 60_000)

  it('answers a client that says all at once and closes its pipe', async () => {
    await serve()
    const child = spawn(process.execPath, [cliPath(), 'stdio'], { cwd: home, env: bareEnv(home) })
    children.add(child)
    let said = ''
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk
    })
    const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'once', version: '1' } }
    const lines = [
      { jsonrpc: '2.0', id: 1, method: 'initialize', params: hello },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 2, method: 'tools/list' },
    ]
    child.stdin.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const [code] = await once(child, 'close')
    const answers = said
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number })
    expect([code, answers.map(({ id }) => id)]).toEqual([0, [1, 2]])
  }, 60_000)

  it('has the profile that it asks for, and follows edits of the file', async () => {
    configure({ profiles: { work: { allow: ['one.*'] } } })
    await serve()
    const [all, work] = [connect(), connect(['--profile', 'work'])]
    await Promise.all([all.greet(), work.greet()])
    expect(await toolsOf(work)).not.toContain('two__echo')
    expect(await toolsOf(all)).toContain('two__echo')
    configure({ profiles: { work: { allow: ['two.*'] } } }, ['one', 'two', 'three'])
    await expect.poll(() => toolsOf(work), { timeout: 20_000 }).toContain('two__echo')
    await expect.poll(() => toolsOf(all), { timeout: 20_000 }).toContain('three__echo')
    for (const { heard } of [all, work])
      await expect.poll(() => heard.some(({ method }) => method === 'notifications/tools/list_changed')).toBe(true)
    expect(startsIn(starts)).toEqual(['one', 'three', 'two'])
  }, 60_000)

  it('is who its key says, and ends with it', async () => {
    await serve()
    const made = await runCli(['key', 'create', 'guest', '--permission', 'write', '--json'], { cwd: home, home })
    const { key, id } = JSON.parse(made.stdout) as { key: string; id: string }
    const client = connect([], { PEGBOARD_API_KEY: key })
    await client.greet()
    await echo(client, 'x')
    const wrong = connect([], { PEGBOARD_API_KEY: `rtk_${'0'.repeat(64)}` })
    const [code] = await once(wrong.child, 'close')
    expect(code).toBe(3)
    // It may be gone before the command that revokes is.
    const ended = once(client.child, 'close')
    expect((await runCli(['key', 'revoke', id], { cwd: home, home })).code).toBe(0)
    await ended
    expect(client.stderr()).not.toContain(key)
  }, 60_000)

  it('serves in its own process where it is told to be alone, or means another configuration', async () => {
    await serve()
    const alone = connect(['--alone'])
    await alone.greet()
    await expect.poll(() => startsIn(starts), { timeout: 20_000 }).toEqual(['one', 'one', 'two', 'two'])
    writeFileSync(join(home, 'other.json'), JSON.stringify({ sources: { other: countedSource('other', starts) } }))
    const other = connect(['--config', 'other.json'])
    await other.greet()
    await expect.poll(() => toolsOf(other), { timeout: 20_000 }).toContain('other__echo')
  }, 60_000)
})

describe('a gateway that dies under its bridge (U5)', () => {
  const hang = (client: LineClient) => client.ask('tools/call', { name: 'one__hang', arguments: { key: 'k' } })
  const reached = async (): Promise<void> => {
    const running = async () => {
      const metrics = await (await fetch(`${record().url}/metrics`)).text()
      return Number(/pegboard_calls_in_flight\{[^}]*"one"[^}]*\} (\d+)/.exec(metrics)?.[1] ?? 0)
    }
    await expect.poll(running, { timeout: 20_000 }).toBe(1)
  }

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'fails what was asked with a code; the next one answers what comes then (%s)',
    async (signal) => {
      const first = await serve()
      const client = connect()
      await client.greet()
      const lost = hang(client)
      await reached()
      await stop(first, signal)
      expect((await lost).error).toMatchObject({ code: -32603, data: { code: 'GATEWAY_LOST' } })
      const next = echo(client, 'still here')
      await serve()
      expect(await next).toMatchObject({ result: { content: text('still here') } })
      expect(client.heard.filter(({ method }) => method === 'notifications/tools/list_changed').length).toBeGreaterThan(
        0,
      )
      // Its own words to the new gateway are not the client's.
      expect(client.heard.filter(({ id }) => String(id).startsWith('pegboard'))).toEqual([])
    },
    90_000,
  )

  it('says a modern client’s listening again', async () => {
    const first = await serve()
    const client = connect()
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    client.send({
      id: 'ear',
      method: 'subscriptions/listen',
      params: { notifications: { toolsListChanged: true }, _meta },
    })
    const acknowledged = () =>
      client.heard.filter(({ method }) => method === 'notifications/subscriptions/acknowledged')
    await expect.poll(() => acknowledged().length, { timeout: 20_000 }).toBe(1)
    await stop(first, 'SIGTERM')
    await serve()
    await expect.poll(() => acknowledged().length, { timeout: 20_000 }).toBe(2)
    const changed = () => client.heard.filter(({ method }) => method === 'notifications/tools/list_changed')
    await expect.poll(() => changed().length, { timeout: 20_000 }).toBeGreaterThan(0)
    const told = changed().length
    configure({}, ['one'])
    await expect.poll(() => changed().length, { timeout: 20_000 }).toBeGreaterThan(told)
    // Listening itself never ended.
    expect(client.heard.filter(({ id }) => id === 'ear')).toEqual([])
  }, 90_000)

  it('is replaced by the bridge itself where none comes back', async () => {
    const first = await serve()
    const client = connect()
    await client.greet()
    await stop(first, 'SIGKILL')
    await expect.poll(() => toolsOf(client), { timeout: 30_000 }).toContain('one__echo')
    expect((await echo(client, 'alone')).result).toMatchObject({ content: text('alone') })
    expect(client.stderr()).toContain('serving by itself')
    // The data folder is not taken from the next gateway.
    await serve()
  }, 90_000)
})

describe('a gateway that clients share (U5)', () => {
  it('is one, with one set of children, however many start at once; and ends after the last', async () => {
    const env = { PEGBOARD_STDIO_SHARE: 'true', PEGBOARD_STDIO_IDLE_EXIT_MS: '1' }
    const ten = Array.from({ length: 10 }, () => connect([], env))
    await Promise.all(ten.map((client) => client.greet()))
    for (const client of ten) await expect.poll(() => toolsOf(client), { timeout: 60_000 }).toContain('two__echo')
    expect(startsIn(starts)).toEqual(['one', 'two'])
    const { pid, shared } = record()
    expect(shared).toBe(true)
    const asked = await runCli(['list', '--sources'], { cwd: home, home })
    expect(asked).toMatchObject({ code: 0, stderr: '' })
    for (const client of ten) await client.close()
    await expect.poll(() => existsSync(recordFile()), { timeout: 30_000 }).toBe(false)
    await expect.poll(() => isAlive(pid), { timeout: 30_000 }).toBe(false)
    expect(startsIn(starts)).toEqual(['one', 'two'])
  }, 180_000)

  it('is started again when it dies, by whoever asks next', async () => {
    configure({ stdio: { share: true } })
    const client = connect()
    await client.greet()
    await expect.poll(() => toolsOf(client), { timeout: 30_000 }).toContain('one__echo')
    const { pid } = record()
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => toolsOf(client), { timeout: 30_000 }).toContain('one__echo')
    expect(record()).toMatchObject({ shared: true })
    expect(record().pid).not.toBe(pid)
  }, 90_000)

  it('says why where it cannot start, and the client is served alone', async () => {
    configure({ stdio: { share: true } })
    const busy = connect(['--alone'])
    await busy.greet()
    await expect
      .poll(() => existsSync(join(home, '.local/share/pegboard/tools.json.lock')), { timeout: 20_000 })
      .toBe(true)
    const client = connect()
    await client.greet()
    await expect.poll(() => toolsOf(client), { timeout: 30_000 }).toContain('one__echo')
    expect(client.stderr()).toContain('The shared gateway did not start')
  }, 90_000)
})

describe('`pegboard stdio` by itself', () => {
  it('follows edits of its file', async () => {
    const client = connect()
    await client.greet()
    await expect.poll(() => toolsOf(client), { timeout: 30_000 }).toContain('two__echo')
    configure({}, ['one', 'three'])
    await expect.poll(() => toolsOf(client), { timeout: 30_000 }).toContain('three__echo')
    expect(await toolsOf(client)).not.toContain('two__echo')
    expect(client.heard.some(({ method }) => method === 'notifications/tools/list_changed')).toBe(true)
  }, 60_000)
})
