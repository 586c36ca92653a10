import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { Agent, request as httpsRequest } from 'node:https'
import { connect as connectTcp, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type TLSSocket } from 'node:tls'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hasOpenssl, makeCertificate } from '../helpers/certificates.js'
import { fixtureCommand } from '../helpers/fixture-servers.js'
import { type GatewayProcess, startGateway, toConfig } from '../helpers/gateway-process.js'
import { bareEnv, cliPath, runCli } from '../helpers/run-cli.js'

describe.runIf(hasOpenssl)('a port that speaks TLS', () => {
  let folder: string
  let gateway: GatewayProcess | undefined
  let files: { cert: string; key: string }
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'pegboard-tls-'))
    files = makeCertificate(folder, 'server')
  })
  afterEach(async () => {
    await gateway?.dispose()
    gateway = undefined
    rmSync(folder, { recursive: true, force: true })
  })

  const start = async (tls: object = {}, more: object = {}): Promise<void> => {
    gateway = await startGateway({ server: { tls: { ...files, ...tls } }, ...more }, { greet: false })
  }
  const port = (): number => Number(new URL(gateway!.url).port)
  interface Told {
    readonly status: number
    readonly body: string
    readonly socket: TLSSocket
  }
  const send = (path: string, options: object = {}, body?: string): Promise<Told> =>
    new Promise((resolve, reject) => {
      const sent = httpsRequest(
        {
          host: '127.0.0.1',
          port: port(),
          path,
          ca: readFileSync(files.cert),
          agent: false,
          method: body === undefined ? 'GET' : 'POST',
          ...options,
        },
        (answer: IncomingMessage) => {
          let text = ''
          const socket = answer.socket as TLSSocket
          answer.on('data', (chunk) => {
            text += chunk
          })
          answer.on('end', () => resolve({ status: answer.statusCode!, body: text, socket }))
        },
      )
      sent.on('error', reject)
      sent.end(body)
    })
  const adminKey = (): string => readFileSync(join(gateway!.folder, 'data', 'admin.key'), 'utf8').trim()
  const cli = (...args: string[]) =>
    runCli([...args, '--config', gateway!.file, '--data-path', join(gateway!.folder, 'data')], {
      cwd: gateway!.folder,
      home: gateway!.folder,
    })

  it('says so in its address, and serves over connections that are kept', async () => {
    await start()
    expect(gateway!.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/mcp$/)
    const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: readFileSync(files.cert) })
    const message = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
    })
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const first = await send('/mcp', { agent, headers, method: 'POST' }, message)
    const second = await send('/api/v1/tools', { agent })
    expect([first.status, second.status, first.socket === second.socket]).toEqual([200, 200, true])
    expect(second.socket.getProtocol()).toBe('TLSv1.3')
    expect(second.socket.alpnProtocol || 'http/1.1').toBe('http/1.1')
    agent.destroy()
    // A request that offers what we do not speak is served as it would be without the offer.
    const offered = await send('/api/v1/tools', {
      headers: { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAoAAAAAIAAAAA' },
    })
    expect(offered.status).toBe(200)
  })

  it('speaks nothing older than TLS 1.2, no cipher without forward secrecy, and no plain HTTP', async () => {
    await start()
    const shake = (options: object): Promise<string> =>
      new Promise((resolve) => {
        const socket = connect({ host: '127.0.0.1', port: port(), rejectUnauthorized: false, ...options })
        socket.once('secureConnect', () => {
          resolve(socket.getProtocol() ?? '')
          socket.destroy()
        })
        socket.once('error', () => resolve('refused'))
      })
    const old = 'DEFAULT@SECLEVEL=0'
    expect(await shake({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: old })).toBe('refused')
    expect(await shake({ maxVersion: 'TLSv1.2' })).toBe('TLSv1.2')
    for (const ciphers of ['AES128-GCM-SHA256', 'ECDHE-ECDSA-AES128-SHA', 'AES256-SHA'])
      expect(await shake({ maxVersion: 'TLSv1.2', ciphers: `${ciphers}:@SECLEVEL=0` })).toBe('refused')
    const plain = connectTcp(port(), '127.0.0.1')
    plain.write(`GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${port()}\r\n\r\n`)
    let said = ''
    plain.on('data', (chunk) => {
      said += chunk
    })
    plain.on('error', () => {})
    await once(plain, 'close')
    expect(said).not.toContain('200')
  })

  it('is found and known by the commands of this user, also where clients need certificates', async () => {
    const ca = makeCertificate(folder, 'authority', { isAuthority: true })
    await start(
      { ca: ca.cert, clients: 'required' },
      { sources: { raw: { type: 'stdio', ...fixtureCommand('stdio-raw') } } },
    )
    await expect.poll(async () => (await cli('list', '--json')).stdout).toContain('raw.add')
    expect((await cli('call', 'raw.add', 'a=1', 'b=2')).stdout).toContain('3')
    const record = JSON.parse(readFileSync(join(gateway!.folder, 'data', 'running.json'), 'utf8'))
    expect(record).toMatchObject({
      url: gateway!.url.replace('/mcp', ''),
      pin: expect.stringMatching(/^(?:[0-9A-F]{2}:){31}/),
    })
    const stats = await cli('stats', '--json')
    expect({ code: stats.code, stderr: stats.stderr }).toEqual({ code: 0, stderr: '' })
    const doctor = await cli('doctor', '--json')
    const { findings } = JSON.parse(doctor.stdout) as { findings: { area: string; state: string; message: string }[] }
    expect(findings.find(({ area }) => area === 'port')).toMatchObject({
      state: 'ok',
      message: expect.stringContaining('https://'),
    })
    expect(findings.find(({ area }) => area === 'tls')).toMatchObject({
      state: 'warn',
      message: expect.stringContaining('1 days left'),
    })
    // Whoever shows another certificate there is told nothing.
    writeFileSync(
      join(gateway!.folder, 'data', 'running.json'),
      JSON.stringify({ ...record, pin: record.pin.replace(/^../, '00') }),
      { mode: 0o600 },
    )
    const fooled = await cli('stats', '--json')
    expect(fooled.code).not.toBe(0)
    expect(fooled.stderr).toContain('another certificate')
  })

  it('takes up a new pair without dropping a connection, and keeps the old one where the new is wrong', async () => {
    await start()
    const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: readFileSync(files.cert) })
    const first = await send('/healthz', { agent })
    const old = first.socket.getPeerX509Certificate()!.fingerprint256
    const shown = async (): Promise<string> =>
      (await send('/healthz', { rejectUnauthorized: false })).socket.getPeerX509Certificate()!.fingerprint256
    const next = makeCertificate(folder, 'next')
    const other = makeCertificate(folder, 'other')
    // As renewals do: written aside and renamed, one file after the other.
    const put = (from: string, to: string) => {
      copyFileSync(from, `${to}.new`)
      renameSync(`${to}.new`, to)
    }
    put(other.key, files.key)
    await gateway!.logged('The new certificate is not used, the old one stays in force')
    expect(await shown()).toBe(old)
    put(next.cert, files.cert)
    put(next.key, files.key)
    await gateway!.logged('The certificate was read anew')
    const now = await shown()
    expect(now).not.toBe(old)
    const again = await send('/healthz', { agent })
    expect([again.status, again.socket === first.socket]).toEqual([200, true])
    agent.destroy()
    // The run record knows it, so commands still do.
    await expect
      .poll(() => JSON.parse(readFileSync(join(gateway!.folder, 'data', 'running.json'), 'utf8')).pin)
      .toBe(now)
    expect((await cli('list', '--json')).code).toBe(0)
    // A file that is cut short or replaced by something else takes nothing down.
    writeFileSync(files.cert, 'rubbish')
    await gateway!.logged('The new certificate is not used, the old one stays in force', 2)
    expect(await shown()).toBe(now)
  })

  it('takes a certificate for a key where the configuration says whose it is (mTLS)', async () => {
    const ca = makeCertificate(folder, 'authority', { isAuthority: true })
    const strangers = makeCertificate(folder, 'strangers', { isAuthority: true })
    const clientOf = (name: string, by = ca, names = `DNS:${name}.example.com`) => {
      const made = makeCertificate(folder, name, { by, names })
      return { cert: readFileSync(made.cert), key: readFileSync(made.key) }
    }
    const build = clientOf('build')
    const ops = clientOf('ops')
    const unknown = clientOf('unknown')
    const forged = clientOf('forged', strangers, 'DNS:build.example.com')
    const callers = {
      builder: { san: 'DNS:build.example.com', role: 'caller' },
      operator: { cn: 'ops', permission: 'admin' },
    }
    await start({ ca: ca.cert, clients: 'required', callers }, { auth: { required: true } })
    const tools = async (shown: object, headers: object = {}) =>
      (await send('/api/v1/tools', { ...shown, headers })).status
    const admin = async (shown: object) => (await send('/api/admin/v1/keys', shown)).status
    expect({
      none: await tools({}),
      forged: await tools(forged),
      unknown: await tools(unknown),
      unknownWithKey: await tools(unknown, { 'x-api-key': adminKey() }),
      keyAlone: await tools({}, { 'x-api-key': adminKey() }),
      build: await tools(build),
      buildAdmin: await admin(build),
      ops: await admin(ops),
      page: (await send('/')).status,
      document: (await send('/openapi.json')).status,
      probe: (await send('/healthz')).status,
    }).toEqual({
      none: 403,
      forged: 403,
      unknown: 401,
      unknownWithKey: 200,
      keyAlone: 403,
      build: 200,
      buildAdmin: 403,
      ops: 200,
      page: 403,
      document: 403,
      probe: 200,
    })
    // A name taken out of the file is gone at once, also on connections that are open.
    const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: readFileSync(files.cert), ...build })
    expect((await send('/api/v1/tools', { agent })).status).toBe(200)
    const rest = { operator: callers.operator }
    writeFileSync(
      gateway!.file,
      toConfig({
        server: { tls: { ...files, ca: ca.cert, clients: 'required', callers: rest } },
        auth: { required: true },
      }),
    )
    await expect.poll(async () => (await send('/api/v1/tools', { agent })).status).toBe(401)
    agent.destroy()
  })

  it('asks for certificates and needs none where they are optional, and does not resume past a changed authority', async () => {
    const ca = makeCertificate(folder, 'authority', { isAuthority: true })
    const shared = join(folder, 'clients.pem')
    copyFileSync(ca.cert, shared)
    const made = makeCertificate(folder, 'build', { by: ca })
    const build = { cert: readFileSync(made.cert), key: readFileSync(made.key) }
    await start(
      { ca: shared, clients: 'optional', callers: { all: { any: true, permission: 'write' } } },
      { auth: { required: true } },
    )
    expect((await send('/api/v1/tools')).status).toBe(401)
    expect((await send('/api/v1/tools', build)).status).toBe(200)
    const session = await new Promise<Buffer>((resolve) => {
      const socket = connect({ host: '127.0.0.1', port: port(), ca: readFileSync(files.cert), ...build })
      socket.once('session', (each) => {
        resolve(each)
        socket.destroy()
      })
    })
    const resumed = await send('/api/v1/tools', { ...build, session })
    expect([resumed.status, resumed.socket.isSessionReused()]).toEqual([200, true])
    const other = makeCertificate(folder, 'others', { isAuthority: true })
    copyFileSync(other.cert, shared)
    await gateway!.logged('The certificate was read anew')
    expect((await send('/api/v1/tools', build)).status).toBe(401)
    expect((await send('/api/v1/tools', { ...build, session })).status).toBe(401)
  })

  it('counts required certificates as a credential of a bind that others can reach (A4)', async () => {
    const ca = makeCertificate(folder, 'authority', { isAuthority: true })
    const config = (tls: object) => {
      const file = join(folder, 'pegboard.json')
      writeFileSync(file, JSON.stringify({ server: { host: '0.0.0.0', port: 0, tls: { ...files, ...tls } } }))
      return ['serve', '--config', file, '--data-path', join(folder, 'data')]
    }
    const refused = await runCli(config({ ca: ca.cert, clients: 'optional' }), { cwd: folder, home: folder })
    expect(refused.stderr).toContain('Refusing to listen on 0.0.0.0')
    const child = spawn(process.execPath, [cliPath(), ...config({ ca: ca.cert, clients: 'required' })], {
      cwd: folder,
      env: bareEnv(folder),
    })
    let said = ''
    child.stderr.on('data', (chunk) => {
      said += chunk
    })
    await expect.poll(() => said).toContain('Listening: https://127.0.0.1:')
    child.kill('SIGKILL')
    await once(child, 'close')
  })

  it.each([
    [
      'a key of another certificate',
      () => ({ key: makeCertificate(folder, 'other').key }),
      'does not belong to the certificate',
    ],
    ['a file that is not there', () => ({ cert: join(folder, 'none.pem') }), 'cannot be read'],
    ['what is no certificate', () => ({ cert: files.key }), 'is not what it should be'],
    ['clients that nobody vouches for', () => ({ clients: 'required' }), 'server.tls.ca does not say'],
  ])('does not start with %s, and says so', async (_, wrong, words) => {
    const file = join(folder, 'pegboard.json')
    writeFileSync(file, JSON.stringify({ server: { port: 0, tls: { ...files, ...wrong() } } }))
    const { code, stderr } = await runCli(['serve', '--config', file, '--data-path', join(folder, 'data')], {
      cwd: folder,
      home: folder,
    })
    expect({ code, said: stderr.includes(words) }).toEqual({ code: 6, said: true })
    const doctor = await runCli(['doctor', '--json', '--config', file, '--data-path', join(folder, 'data')], {
      cwd: folder,
      home: folder,
    })
    expect(JSON.parse(doctor.stdout).findings.find(({ area }: { area: string }) => area === 'tls')).toMatchObject({
      state: 'fail',
    })
  })

  it('warns of a key that others can read', async () => {
    chmodSync(files.key, 0o644)
    await start()
    await gateway!.logged('Every user of this machine can read the key of our certificate')
    expect((await send('/healthz')).status).toBe(200)
  })

  it('holds its ground while handshakes are begun and never ended', async () => {
    await start()
    const open: Socket[] = []
    const flood = 1500
    for (let index = 0; index < flood; index++) {
      const socket = connectTcp(port(), '127.0.0.1')
      socket.on('error', () => {})
      open.push(socket)
      await once(socket, 'connect')
    }
    // The oldest of them were let go, and whoever shakes hands is served.
    await expect
      .poll(() => open.filter(({ readyState, destroyed }) => destroyed || readyState !== 'open').length)
      .toBeGreaterThanOrEqual(flood - 1001)
    for (const socket of open) socket.resume()
    expect((await send('/healthz')).status).toBe(200)
    for (const socket of open) socket.destroy()
  })
})
