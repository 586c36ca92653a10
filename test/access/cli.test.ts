import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { builtCli } from '../helpers/built-cli.js'
import { temporaryFolders } from '../helpers/store-samples.js'
import { openStream } from './serve-keys.js'

const newFolder = temporaryFolders()
const running: ChildProcess[] = []
let cli: string

beforeAll(() => {
  cli = builtCli()
})
afterEach(async () => {
  for (const child of running.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
})

interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const environment = (folder: string, extra: Record<string, string> = {}) => ({
  PATH: process.env.PATH ?? '',
  HOME: folder,
  PEGBOARD_DATA_PATH: join(folder, 'data'),
  ...extra,
})

const run = async (folder: string, args: readonly string[], env = {}): Promise<Ran> => {
  const options = { cwd: folder, env: environment(folder, env) }
  try {
    return { code: 0, ...(await promisify(execFile)(process.execPath, [cli, ...args], options)) }
  } catch (error) {
    const { code, stdout, stderr } = error as Ran
    return { code, stdout, stderr }
  }
}

/** A gateway in a process of its own, once it listens. */
const serve = async (folder: string, args: readonly string[] = [], env = {}) => {
  const child = spawn(process.execPath, [cli, 'serve', '--port', '0', ...args], {
    cwd: folder,
    env: environment(folder, env),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  running.push(child)
  let said = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr!.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      const found = /serves MCP at (\S+)/.exec(said)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('exit', (code) => reject(new Error(`serve ended with ${code}: ${said}`)))
  })
  return { child, url, said: () => said }
}

const list = (url: string, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  })

describe('pegboard key', () => {
  it('creates, lists and revokes, for people and for programs', async () => {
    const folder = await newFolder()
    const created = await run(folder, [
      'key',
      'create',
      'ci',
      '--permission',
      'write',
      '--owner',
      'me',
      '--expires-in',
      '60',
    ])
    expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/^rtk_[0-9a-f]{64}\n$/) })
    const json = JSON.parse((await run(folder, ['key', 'list', '--json'])).stdout)
    expect(json).toMatchObject([
      { name: 'ci', role: 'publisher', permission: 'write', owner: 'me', state: 'active', useCount: 0 },
    ])
    const shown = (await run(folder, ['key', 'list'])).stdout
    expect(shown).toMatch(/^ID .*NAME .*ROLE .*\n.*ci .*publisher .*active/)
    expect(shown + JSON.stringify(json)).not.toContain(created.stdout.trim().slice(8))
    expect(await run(folder, ['key', 'list', '--owner', 'nobody'])).toMatchObject({ stdout: 'No keys.\n' })
    expect(await run(folder, ['key', 'revoke', json[0].id])).toMatchObject({ code: 0 })
    expect(await run(folder, ['key', 'revoke', json[0].id])).toMatchObject({ code: 2 })
    expect((await stat(join(folder, 'data', 'keys.json'))).mode & 0o777).toBe(0o600)
  })

  it('has a role; the older words say on the error output which one they mean', async () => {
    const folder = await newFolder()
    const reader = await run(folder, ['key', 'create', 'r', '--role', 'reader', '--json'])
    expect(JSON.parse(reader.stdout)).toMatchObject({ role: 'reader', state: 'active' })
    expect(JSON.parse(reader.stdout)).not.toHaveProperty('permission')
    expect(reader.stderr).toBe('')
    const old = await run(folder, ['key', 'create', 'o', '--permission', 'read', '--json'])
    expect(JSON.parse(old.stdout)).toMatchObject({ role: 'caller', permission: 'read' })
    expect(old.stderr).toContain('--permission read is --role caller: it may call every tool it sees')
    expect(old.stderr).toContain('--role reader')
  })

  it('is api-key to those who come from RegistryTools (002)', async () => {
    const folder = await newFolder()
    const { id } = JSON.parse((await run(folder, ['api-key', 'create', 'old', '--json'])).stdout)
    expect(await run(folder, ['api-key', 'delete', id, '--json'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('revoked'),
    })
  })

  it.each([
    [['key', 'create', 'a', '--permission', 'root'], 1],
    [['key', 'create', 'a', '--role', 'none'], 1],
    [['key', 'create', 'a', '--role', 'reader', '--permission', 'read'], 1],
    [['key', 'create', 'a', '--expires-in', 'soon'], 1],
    [['key', 'create', ' '], 1],
    [['key', 'create', 'a', '--profile', 'nope'], 6],
    [['key', 'create', 'a', '--storage-backend', 'memory'], 6],
    [['key', 'revoke', 'nobody', '--json'], 2],
  ])('%j ends with %i and says why', async (args, code) => {
    const ran = await run(await newFolder(), args)
    expect(ran.code).toBe(code)
    expect(ran.stderr).not.toBe('')
  })
})

describe('a first start in an empty folder (A3)', () => {
  it('serves a stock client without a key, and makes the admin key for its owner only', async () => {
    const folder = await newFolder()
    const { url, said } = await serve(folder)
    const client = new Client({ name: 'stock', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(url)))
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('calculator')
    await client.close()
    const file = join(folder, 'data', 'admin.key')
    const key = (await readFile(file, 'utf8')).trim()
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    // Whatever keeps what is told where no terminal is must not keep the key (S17).
    expect(said()).not.toContain(key)
    expect(said()).toContain(`Admin key: in ${file}`)
    expect((await list(url, { 'x-api-key': key })).status).toBe(200)
    expect((await list(url, { 'x-forwarded-for': '127.0.0.1' })).status).toBe(401)
  })
})

describe('a bind that others can reach (A4)', () => {
  it('is refused without a key, and asks everybody for one with it', async () => {
    const folder = await newFolder()
    const refused = await run(folder, ['serve', '--host', '0.0.0.0', '--port', '0'])
    expect(refused).toMatchObject({ code: 6, stderr: expect.stringContaining('Refusing to listen on 0.0.0.0') })
    await expect(stat(join(folder, 'data'))).rejects.toMatchObject({ code: 'ENOENT' })
    const key = (await run(folder, ['key', 'create', 'a'])).stdout.trim()
    const { url } = await serve(folder, ['--host', '0.0.0.0'])
    expect((await list(url)).status).toBe(401)
    expect((await list(url, { authorization: `Bearer ${key}` })).status).toBe(200)
  })
})

describe('a gateway that runs with --enable-auth', () => {
  it('hears of keys made and revoked by another process, and cuts the streams of the latter (A8)', async () => {
    const folder = await newFolder()
    const { url } = await serve(folder, ['--enable-auth'])
    expect((await list(url)).status).toBe(401)
    const made = JSON.parse((await run(folder, ['key', 'create', 'late', '--json'])).stdout)
    const headers = { 'x-api-key': made.key }
    expect((await list(url, headers)).status).toBe(200)
    const session = await begin(url, headers)
    const stream = await openStream(url, { headers: { ...headers, 'mcp-session-id': session } })
    expect(stream.response.statusCode).toBe(200)
    expect(await run(folder, ['key', 'revoke', made.id])).toMatchObject({ code: 0 })
    await stream.ended
    expect((await list(url, headers)).status).toBe(401)
  })

  it('is the same with REGISTRYTOOLS_ENABLE_AUTH, and a header beats REGISTRYTOOLS_API_KEY (002 compat 9)', async () => {
    const folder = await newFolder()
    const own = (await run(folder, ['key', 'create', 'own'])).stdout.trim()
    const { url } = await serve(folder, [], { REGISTRYTOOLS_ENABLE_AUTH: 'yes', REGISTRYTOOLS_API_KEY: own })
    expect((await list(url)).status).toBe(200)
    expect((await list(url, { 'x-api-key': `rtk_${'0'.repeat(64)}` })).status).toBe(401)
  })

  it('over sqlite keeps keys beside the database', async () => {
    const folder = await newFolder()
    const sqlite = ['--storage-backend', 'sqlite']
    const { url } = await serve(folder, ['--enable-auth', ...sqlite])
    const key = (await readFile(join(folder, 'data', 'admin.key'), 'utf8')).trim()
    expect((await list(url, { 'x-api-key': key })).status).toBe(200)
    expect(JSON.parse((await run(folder, ['key', 'list', '--json', ...sqlite])).stdout)).toMatchObject([
      { name: 'admin' },
    ])
  })
})

describe('stdio', () => {
  const ask = async (folder: string, env: Record<string, string>, request: object): Promise<Ran> => {
    const child = spawn(process.execPath, [cli, 'stdio'], { cwd: folder, env: environment(folder, env) })
    let stdout = ''
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString()
    })
    child.stdin.on('error', () => {})
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString()
      if (stdout.includes('\n')) child.stdin.end()
    })
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, ...request })}\n`)
    const [code] = await once(child, 'close')
    return { code, stdout, stderr }
  }
  const register = {
    method: 'tools/call',
    params: { name: 'register_tool', arguments: { name: 'x', description: 'y' } },
  }

  it('ignores --enable-auth with a warning (002)', async () => {
    const ran = await ask(await newFolder(), { REGISTRYTOOLS_ENABLE_AUTH: '1' }, register)
    expect(ran.stdout).toContain('success')
    expect(ran.stderr).toContain('over HTTP only')
  })

  it('has the rights of REGISTRYTOOLS_API_KEY where one is set', async () => {
    const folder = await newFolder()
    const key = (await run(folder, ['key', 'create', 'r'])).stdout.trim()
    const ran = await ask(folder, { REGISTRYTOOLS_API_KEY: key }, register)
    expect(ran.stdout).toContain('Insufficient permissions: ')
    const refused = await ask(folder, { REGISTRYTOOLS_API_KEY: `rtk_${'0'.repeat(64)}` }, register)
    expect(refused).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('Invalid API Key: ') })
    expect(refused.stderr).not.toContain('rtk_000')
  })
})

/** A session of the earlier era; its id. */
const begin = async (url: string, headers: Record<string, string>): Promise<string> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
    }),
  })
  await response.text()
  return response.headers.get('mcp-session-id')!
}
