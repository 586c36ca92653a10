import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { answers, dial } from '../../src/serving/running/dial.js'
import { newLocalKey, type RunRecord, readRecord, recordFileIn } from '../../src/serving/running/record.js'
import { ownIdentity } from '../../src/storage/process-identity.js'
import { sendRaw } from '../helpers/raw-http.js'
import { bareEnv, cliPath, runCli } from '../helpers/run-cli.js'
import { type ServedCli, serveCli } from './serve-cli.js'

const dataFolderOf = (home: string): string => join(home, '.local/share/pegboard')

const recordOf = (home: string): RunRecord =>
  JSON.parse(readFileSync(recordFileIn(dataFolderOf(home)), 'utf8')) as RunRecord

describe('the run record (U4, U6)', () => {
  let home: string
  let gateway: ServedCli
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'pegboard-record-'))
    gateway = await serveCli(home)
  })
  afterAll(async () => {
    await gateway.stop()
    rmSync(home, { recursive: true, force: true })
  })

  it('says where the gateway is, to its user alone', () => {
    const record = recordOf(home)
    expect(record).toMatchObject({ url: gateway.url, config: home, shared: false, pid: expect.any(Number) })
    expect(statSync(recordFileIn(dataFolderOf(home))).mode & 0o777).toBe(0o600)
  })

  it('leads to the gateway, and to nobody who does not know the key', async () => {
    const record = recordOf(home)
    expect(await answers(record)).toBe(true)
    expect(await answers({ ...record, key: newLocalKey() })).toBe(false)
    const stranger = createServer((socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n')).listen(
      0,
      '127.0.0.1',
    )
    await once(stranger, 'listening')
    const { port } = stranger.address() as { port: number }
    await expect(dial({ ...record, url: `http://127.0.0.1:${port}` }, '/local/hello')).rejects.toThrow('somebody else')
    stranger.close()
  })

  it('opens no door for pages, for other names, or for a request without the proof', async () => {
    const upgrade = ['Connection: Upgrade', 'Upgrade: pegboard-local']
    const ask = (...lines: string[]) =>
      sendRaw(Number(gateway.port), ['GET /local/hello HTTP/1.1', ...lines, ...upgrade, '', ''].join('\r\n'))
    const host = `Host: 127.0.0.1:${gateway.port}`
    expect(await ask(host)).toMatch(/^HTTP\/1\.1 403 /)
    expect(await ask(host, 'pegboard-proof: abc.def')).toMatch(/^HTTP\/1\.1 403 /)
    expect(await ask(host, 'Origin: https://evil.example')).toMatch(/^HTTP\/1\.1 403 /)
    expect(await ask('Host: evil.example')).toMatch(/^HTTP\/1\.1 (?:403|421) /)
    expect((await fetch(`${gateway.url}/local/hello`)).status).toBe(404)
  })

  it('is not in what the gateway logs or shows', async () => {
    const { key } = recordOf(home)
    const env = { PEGBOARD_ADMIN_KEY: readFileSync(join(dataFolderOf(home), 'admin.key'), 'utf8').trim() }
    for (const args of [
      ['logs', '--json', '--lines', '500'],
      ['stats', '--json'],
      ['config', 'show'],
    ])
      expect(
        (await runCli([...args, ...(args[0] === 'config' ? [] : ['--port', gateway.port])], { cwd: home, home, env }))
          .stdout,
      ).not.toContain(key)
  })

  it('lets a second `serve` say where the first one is, whatever its port, in both languages (U6)', async () => {
    for (const port of [gateway.port, '0']) {
      const { code, stderr } = await runCli(['serve', '--port', port], { cwd: home, home })
      expect({ code, stderr }).toMatchObject({ code: 1 })
      expect(stderr).toContain(`Pegboard already runs at ${gateway.url} (pid ${recordOf(home).pid}).`)
      expect(stderr).toContain('--data-path')
      expect(stderr).not.toContain('EADDRINUSE')
    }
    const { stderr } = await runCli(['serve'], { cwd: home, home, env: { LANG: 'zh_CN.UTF-8' } })
    expect(stderr).toContain(`Pegboard 已在 ${gateway.url} 运行`)
    // What it wrote is still the first one's.
    expect(await answers(recordOf(home))).toBe(true)
  })
})

describe('a run record that is not to be trusted (U4)', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'pegboard-record-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const record = (more: Partial<RunRecord> = {}): RunRecord => ({
    protocol: 1,
    url: 'http://127.0.0.1:1',
    version: '0',
    config: '/x',
    key: newLocalKey(),
    shared: false,
    ...ownIdentity(),
    ...more,
  })
  const write = (text: string): string => {
    writeFileSync(recordFileIn(folder), text, { mode: 0o600 })
    return recordFileIn(folder)
  }

  it('is none where there is none, or where its writer has ended', async () => {
    expect(await readRecord(folder)).toEqual({ state: 'none' })
    write(JSON.stringify(record({ start: 'another boot:1' })))
    expect(await readRecord(folder)).toEqual({ state: 'none' })
    const child = spawn(process.execPath, ['-e', '0'])
    await once(child, 'exit')
    write(JSON.stringify(record({ pid: child.pid!, start: '' })))
    expect(await readRecord(folder)).toEqual({ state: 'none' })
  })

  it.each([
    ['nothing', ''],
    ['half a file', '{"protocol": 1, "url": "http://127'],
    ['another shape', '[]'],
    ['null', 'null'],
    ['an address elsewhere', JSON.stringify({ ...{ protocol: 1 }, url: 'https://evil.example/x' })],
    ['too much', ' '.repeat(70_000)],
  ])('is refused with a code: %s', async (_, text) => {
    write(text)
    expect(await readRecord(folder)).toMatchObject({ state: 'refused', error: { code: 'STORE_CORRUPT' } })
  })

  it('is refused where others could have written or read it', async () => {
    const file = write(JSON.stringify(record()))
    expect(await readRecord(folder)).toMatchObject({ state: 'found' })
    for (const mode of [0o640, 0o602, 0o666]) {
      chmodSync(file, mode)
      expect(await readRecord(folder)).toMatchObject({ state: 'refused', error: { code: 'ACCESS_DENIED' } })
    }
  })

  it.runIf(process.getuid?.() === 0)('is refused where it is another user’s', async () => {
    chownSync(write(JSON.stringify(record())), 4321, 4321)
    const looked = await readRecord(folder)
    expect(looked).toMatchObject({ state: 'refused', error: { code: 'ACCESS_DENIED' } })
    expect(looked.state === 'refused' && looked.error.message).toContain('uid 4321')
  })

  it('keeps nobody waiting whose gateway does not answer', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as { port: number }
    expect(await answers(record({ url: `http://127.0.0.1:${port}` }), 50)).toBe(false)
    silent.close()
  })
})

describe('a start', () => {
  let home: string
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'pegboard-start-'))
  })
  afterEach(() => rmSync(home, { recursive: true, force: true }))

  const serve = (...args: string[]): ChildProcess =>
    spawn(process.execPath, [cliPath(), 'serve', '--json', ...args], { cwd: home, env: bareEnv(home) })

  it('says in one sentence that a stranger has the port, and takes back the key nobody was told (U10)', async () => {
    const stranger = createServer().listen(0, '127.0.0.1')
    await once(stranger, 'listening')
    const { port } = stranger.address() as { port: number }
    const { code, stderr } = await runCli(['serve', '--port', String(port)], { cwd: home, home })
    stranger.close()
    expect(code).toBe(6)
    expect(stderr).toContain(`port ${port} is in use`)
    expect(stderr).not.toContain('EADDRINUSE')
    expect(existsSync(join(dataFolderOf(home), 'admin.key'))).toBe(false)
    expect(existsSync(recordFileIn(dataFolderOf(home)))).toBe(false)
    const child = serve('--port', '0')
    await heard(child, 'Open the console: http')
    child.kill('SIGTERM')
    await once(child, 'close')
  })

  it('has the admin key and the record in place when the port answers, and leaves no record behind', async () => {
    const child = serve('--port', '0')
    await heard(child, 'Listening: ')
    expect(existsSync(join(dataFolderOf(home), 'admin.key'))).toBe(true)
    expect(await answers(recordOf(home))).toBe(true)
    child.kill('SIGTERM')
    await once(child, 'close')
    expect(existsSync(recordFileIn(dataFolderOf(home)))).toBe(false)
  })

  it('goes on where an earlier gateway was killed', async () => {
    const first = serve('--port', '0')
    await heard(first, 'Listening: ')
    first.kill('SIGKILL')
    await once(first, 'close')
    expect(existsSync(recordFileIn(dataFolderOf(home)))).toBe(true)
    const second = serve('--port', '0')
    await heard(second, 'Listening: ')
    expect(recordOf(home).pid).toBe(second.pid)
    second.kill('SIGTERM')
    await once(second, 'close')
  })

  it('replaces a damaged record', async () => {
    mkdirSync(dataFolderOf(home), { recursive: true })
    writeFileSync(recordFileIn(dataFolderOf(home)), 'x')
    const child = serve('--port', '0')
    await heard(child, 'Listening: ')
    expect(await answers(recordOf(home))).toBe(true)
    child.kill('SIGTERM')
    await once(child, 'close')
  })
})

const heard = (child: ChildProcess, words: string): Promise<void> =>
  new Promise((resolve, reject) => {
    let text = ''
    child.stderr!.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (text.includes(words)) resolve()
    })
    child.once('close', () => reject(new Error(`It ended:\n${text}`)))
  })
