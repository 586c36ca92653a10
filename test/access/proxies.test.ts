import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { bothIn, type Certificate, hasOpenssl, makeCertificate } from '../helpers/certificates.js'
import { fixtureCommand } from '../helpers/fixture-servers.js'
import { freePort } from '../helpers/free-port.js'
import { type GatewayProcess, startGateway } from '../helpers/gateway-process.js'
import { ask } from '../helpers/raw-http.js'
import { cliPath } from '../helpers/run-cli.js'

const name = 'tools.example.com'
const recipe = (file: string): string => readFileSync(new URL(`../../ops/proxies/${file}`, import.meta.url), 'utf8')

interface Recipe {
  readonly program: string
  /** Writes its configuration from the recipe, with ports and certificates of ours, and says how to start it. */
  start(
    folder: string,
    ports: { readonly here: number; readonly board: number },
    certificate: Certificate,
  ): readonly string[]
}

const placed = (text: string, folder: string, { here, board }: { here: number; board: number }): string =>
  text
    .replaceAll('127.0.0.1:8000', `127.0.0.1:${board}`)
    .replaceAll('/etc/ssl/pegboard', folder)
    .replace(/\b443\b/, String(here))

const nginxAround = (folder: string, inside: string): readonly string[] => {
  const file = join(folder, 'nginx.conf')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (each) => `${each}_temp_path ${folder}/${each};`,
  )
  writeFileSync(
    file,
    `daemon off; master_process off; pid ${folder}/nginx.pid; error_log stderr; events {}
     http { access_log off; ${temporary.join(' ')}\n${inside}\n}`,
  )
  return ['-p', folder, '-e', 'stderr', '-c', file]
}

const recipes: Readonly<Record<string, Recipe>> = {
  nginx: {
    program: '/usr/sbin/nginx',
    start: (folder, ports) => nginxAround(folder, placed(recipe('nginx.conf'), folder, ports)),
  },
  Caddy: {
    program: '/usr/bin/caddy',
    start: (folder, ports) => {
      const file = join(folder, 'Caddyfile')
      const before = `{\n\tadmin off\n\tauto_https disable_redirects\n\tstorage file_system ${folder}\n}\n`
      writeFileSync(file, before + placed(recipe('Caddyfile'), folder, ports))
      return ['run', '--adapter', 'caddyfile', '--config', file]
    },
  },
  HAProxy: {
    program: '/usr/sbin/haproxy',
    start: (folder, ports, certificate) => {
      bothIn(join(folder, 'both.pem'), certificate)
      const file = join(folder, 'haproxy.cfg')
      writeFileSync(file, placed(recipe('haproxy.cfg'), folder, ports))
      return ['-db', '-f', file]
    },
  },
}

/** Runs a proxy until it takes connections. */
const startProxy = async (
  program: string,
  args: readonly string[],
  folder: string,
  port: number,
): Promise<ChildProcess> => {
  const env = { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  await vi.waitUntil(
    () => {
      if (child.exitCode !== null) throw new Error(`${program} ended:\n${said}`)
      return ask(port, 'GET /', []).then(
        () => true,
        () => false,
      )
    },
    { timeout: 50_000 },
  )
  return child
}

const stop = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

for (const [title, { program }] of Object.entries(recipes))
  if (!existsSync(program))
    console.log(
      `Skipped: the recipe of ${title}, since there is no ${program}; node scripts/debian-packages.mjs installs it.`,
    )

describe.each(Object.entries(recipes))('behind %s, as in ops/proxies', (title, { program, start }) => {
  describe.runIf(hasOpenssl && existsSync(program))(title, () => {
    let gateway: GatewayProcess
    let proxy: ChildProcess | undefined
    let folder: string
    let here: number
    let key: string
    let ca: Buffer
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'pegboard-proxy-'))
      mkdirSync(folder, { recursive: true })
      const certificate = makeCertificate(folder, 'fullchain', { names: `DNS:${name}` })
      writeFileSync(join(folder, 'privkey.pem'), readFileSync(certificate.key))
      ca = readFileSync(certificate.cert)
      here = await freePort()
      gateway = await startGateway(
        {
          server: { behindProxy: true, publicUrl: `https://${name}:${here}` },
          sources: { raw: { type: 'stdio', ...fixtureCommand('stdio-raw') } },
        },
        { greet: false },
      )
      const board = Number(new URL(gateway.url).port)
      const args = ['key', 'create', 'k', '--data-path', join(gateway.folder, 'data'), '--config', gateway.file]
      key = execFileSync(process.execPath, [cliPath(), ...args], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim()
      proxy = await startProxy(program, start(folder, { here, board }, certificate), folder, here)
      await vi.waitUntil(async () => (await send('GET', '/readyz')).status === 200, { timeout: 50_000 })
    })
    afterAll(async () => {
      if (proxy) await stop(proxy)
      await gateway?.dispose()
      rmSync(folder, { recursive: true, force: true })
    })

    interface Told {
      readonly status: number
      readonly headers: IncomingMessage['headers']
      readonly body: string
    }
    const open = (
      method: string,
      path: string,
      headers: Record<string, string> = {},
      body?: string,
      localAddress = '127.0.0.1',
    ): Promise<IncomingMessage> =>
      new Promise((resolve, reject) => {
        const options = {
          host: '127.0.0.1',
          port: here,
          servername: name,
          ca,
          method,
          path,
          localAddress,
          agent: false,
        }
        const sent = httpsRequest({ ...options, headers: { host: `${name}:${here}`, ...headers } }, resolve)
        sent.on('error', reject)
        sent.end(body)
      })
    const send = async (...asked: Parameters<typeof open>): Promise<Told> => {
      const answer = await open(...asked)
      let body = ''
      for await (const chunk of answer) body += chunk
      return { status: answer.statusCode!, headers: answer.headers, body }
    }
    const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const message = (id: number, method: string, params: object = {}) =>
      JSON.stringify({ jsonrpc: '2.0', id, method, params })
    const withKey = () => ({ ...json, authorization: `Bearer ${key}` })

    it('asks everybody for a key (S12)', async () => {
      expect((await send('GET', '/api/v1/tools')).status).toBe(401)
      expect((await send('POST', '/mcp', json, message(1, 'tools/list'))).status).toBe(401)
      expect((await send('GET', '/api/v1/tools', withKey())).status).toBe(200)
      const origin = { origin: `https://${name}:${here}` }
      expect((await send('GET', '/api/v1/tools', { ...withKey(), ...origin })).status).toBe(200)
      expect((await send('GET', '/api/v1/tools', { ...withKey(), origin: 'https://evil.example' })).status).toBe(403)
    })

    it('carries sessions, and progress before the end', async () => {
      const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } }
      const begun = await send('POST', '/mcp', withKey(), message(1, 'initialize', hello))
      const session = { ...withKey(), 'mcp-session-id': String(begun.headers['mcp-session-id']) }
      expect(begun.status).toBe(200)
      const call = { name: 'raw.steps', arguments: { key: 'k' }, _meta: { progressToken: 'p' } }
      const answer = await open('POST', '/mcp', session, message(2, 'tools/call', call))
      let seen = ''
      for await (const chunk of answer) {
        const before = seen
        seen += chunk
        // Only what has come through by now lets the call end.
        if (!before.includes('"two"') && seen.includes('"two"')) {
          const released = await send(
            'POST',
            '/mcp',
            session,
            message(3, 'tools/call', { name: 'raw.release', arguments: { key: 'k' } }),
          )
          expect(released.body).toContain('true')
        }
      }
      expect(seen).toContain('done')
      expect((await send('DELETE', '/mcp', session)).status).toBeLessThan(300)
      expect((await send('POST', '/mcp', session, message(4, 'tools/list'))).status).toBe(404)
    })

    it('hands on an event while the stream is open', async () => {
      const stream = await open('GET', '/api/v1/events', { ...withKey(), accept: 'text/event-stream' })
      expect(stream.statusCode).toBe(200)
      let seen = ''
      let isCalled = false
      for await (const chunk of stream) {
        seen += chunk
        if (!isCalled)
          void send('POST', '/api/v1/tools/raw.add/call', withKey(), JSON.stringify({ arguments: { a: 1, b: 2 } }))
        isCalled = true
        if (seen.includes('raw.add')) break
      }
      expect(seen).toContain('raw.add')
      stream.destroy()
    })

    it('throttles wrong keys by the address of the client, whatever the client says it is (T5)', async () => {
      let count = 0
      const wrong = (from: string) =>
        send(
          'GET',
          '/api/v1/tools',
          {
            'x-api-key': 'rtk_wrong',
            'x-forwarded-for': `198.51.100.${count}`,
            forwarded: `for=198.51.100.${count++}`,
            'x-real-ip': `198.51.100.${count}`,
          },
          undefined,
          from,
        )
      while ((await wrong('127.0.0.3')).status === 401) expect(count).toBeLessThan(20)
      expect(count).toBe(11)
      expect((await wrong('127.0.0.4')).status).toBe(401)
    })

    it('keeps out what is too large, and the way in of programs of its machine', async () => {
      const large = await send('POST', '/mcp', withKey(), JSON.stringify({ large: 'x'.repeat(5_000_000) })).catch(
        () => ({ status: 413 }),
      )
      // Whoever refuses first, while the other still sends: a proxy may tell our early end as its own 502.
      expect([413, 502]).toContain(large.status)
      const upgrade = { connection: 'Upgrade', upgrade: 'pegboard-local' }
      expect((await send('GET', '/local/mcp', { ...withKey(), ...upgrade })).status).toBe(404)
    })

    it('speaks no TLS older than 1.2', async () => {
      const socket = connectTls({
        host: '127.0.0.1',
        port: here,
        servername: name,
        ca,
        minVersion: 'TLSv1',
        maxVersion: 'TLSv1.1',
        ciphers: 'DEFAULT@SECLEVEL=0',
      })
      const ended = await new Promise((resolve) => {
        socket.once('secureConnect', () => resolve('open'))
        socket.once('error', () => resolve('refused'))
      })
      socket.destroy()
      expect(ended).toBe('refused')
    })
  })
})

describe.runIf(existsSync('/usr/sbin/nginx'))(
  'a plain proxy_pass of nginx, before a gateway that was not told of it',
  () => {
    let gateway: GatewayProcess
    let proxy: ChildProcess | undefined
    let folder: string
    afterAll(async () => {
      if (proxy) await stop(proxy)
      await gateway?.dispose()
      rmSync(folder, { recursive: true, force: true })
    })

    it('makes nobody local (S12)', async () => {
      folder = mkdtempSync(join(tmpdir(), 'pegboard-proxy-'))
      const port = await freePort()
      gateway = await startGateway({})
      const board = new URL(gateway.url).host
      const args = nginxAround(
        folder,
        `server { listen 127.0.0.1:${port}; location / { proxy_pass http://${board}; } }`,
      )
      proxy = await startProxy('/usr/sbin/nginx', args, folder, port)
      expect((await ask(port, 'GET /api/v1/tools', ['Host: anything.example'])).status).toBe(401)
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
      const lines = [
        'Host: x',
        'Content-Type: application/json',
        'Accept: application/json, text/event-stream',
        `Content-Length: ${body.length}`,
      ]
      expect((await ask(port, 'POST /mcp', lines, body)).status).toBe(401)
    })
  },
)
