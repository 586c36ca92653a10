import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type GatewayProcess, startGateway, toConfig } from '../helpers/gateway-process.js'
import { ask, parseAnswer, sendRaw } from '../helpers/raw-http.js'
import { cliPath } from '../helpers/run-cli.js'

/** Headers as real proxies, content networks, balancers and tunnels write them. */
const written =
  `Via Forwarded X-Forwarded X-Forwarded-For X-Forwarded-Host X-Forwarded-Proto X-Forwarded-Port X-Forwarded-Server
  X-Forwarded-Scheme X-Forwarded-Prefix X-Forwarded-Client-Cert X-Forwarded-User X-Original-Forwarded-For Forwarded-For X-Real-IP
  X-RealIP X-Client-IP Client-IP True-Client-IP X-True-IP X-Cluster-Client-IP X-ProxyUser-Ip X-Remote-IP X-Remote-Addr
  X-Originating-IP X-Source-IP Fly-Client-IP Fly-Forwarded-Port Fastly-Client-IP Fastly-SSL CF-Connecting-IP CF-Ray CF-Visitor
  CF-IPCountry CDN-Loop X-Envoy-External-Address X-Envoy-Expected-Rq-Timeout-Ms X-Azure-ClientIP X-Azure-SocketIP X-Azure-Ref
  X-FD-HealthProbe X-ARR-LOG-ID X-ARR-SSL X-ARR-ClientCert X-AppGW-Trace-Id X-Original-Host X-Original-URL X-Rewrite-URL
  X-Amzn-Trace-Id X-Amz-Cf-Id CloudFront-Viewer-Address CloudFront-Forwarded-Proto X-Cloud-Trace-Context X-AppEngine-User-IP
  X-Goog-IAP-JWT-Assertion Tailscale-User-Login Tailscale-User-Name Ngrok-Skip-Browser-Warning X-Vercel-Id
  X-Vercel-Forwarded-For X-NF-Client-Connection-IP X-Request-Start X-Nginx-Proxy X-Varnish Surrogate-Capability
  Proxy-Authorization Proxy-Connection Proxy-Client-IP WL-Proxy-Client-IP X-Proxy-Id X-Scheme X-SSL-Client-Cert SSL-Client-Verify
  Front-End-Https X-Kong-Request-Id X-Consumer-Username X-Auth-Request-User Remote-User X-Authentik-Username
  X-Pomerium-Claim-Email L5D-Client-Id Ali-CDN-Real-IP EO-Connecting-IP Incap-Client-IP X-Sucuri-ClientIP Akamai-Origin-Hop
  X-Akamai-Edgescape X-Tunnel-Proxy Rndr-Id`
    .trim()
    .split(/\s+/)

/** What clients themselves send, by any of which nobody must cease to be local. */
const own =
  `Accept Accept-Encoding Accept-Language Content-Type User-Agent Cache-Control Pragma Connection Cookie DNT Priority
  If-None-Match MCP-Protocol-Version Mcp-Method Mcp-Name Mcp-Param-Client-Ip Mcp-Param-Via Last-Event-ID Traceparent Tracestate
  Baggage X-Request-Id X-Correlation-Id X-B3-TraceId X-Datadog-Trace-Id Sec-Fetch-Mode Sec-CH-UA Upgrade-Insecure-Requests
  X-Client-Name X-Client-Version X-Client-Info X-Stainless-Lang X-Requested-With X-Http-Method-Override X-Account-Id
  X-Business-Domain X-Trip X-Equip Recipient Idempotency-Key X-User-Agent X-Session-Id Sentry-Trace`
    .trim()
    .split(/\s+/)

const portOf = ({ url }: GatewayProcess): number => Number(new URL(url).port)
const ownHost = (gateway: GatewayProcess): string => `Host: 127.0.0.1:${portOf(gateway)}`
const list = (gateway: GatewayProcess, ...lines: string[]) =>
  ask(portOf(gateway), 'GET /api/v1/tools', [ownHost(gateway), ...lines])

describe('a gateway that was told of no proxy (S12, A5)', () => {
  let gateway: GatewayProcess
  beforeAll(async () => {
    gateway = await startGateway({})
  })
  afterAll(() => gateway.dispose())

  it('takes nobody for local whose request a proxy has written into', async () => {
    const letIn: string[] = []
    for (const name of written) if ((await list(gateway, `${name}: 127.0.0.1`)).status !== 401) letIn.push(name)
    expect(letIn).toEqual([])
    expect(written.length).toBeGreaterThan(80)
  })

  it('still knows programs of this machine by what they send', async () => {
    const refused: string[] = []
    for (const name of own) {
      const value = name === 'Connection' ? 'keep-alive, close' : name === 'Content-Type' ? 'application/json' : '1'
      if ((await list(gateway, `${name}: ${value}`)).status !== 200) refused.push(name)
    }
    expect(refused).toEqual([])
  })

  it('takes HTTP/1.0, which nginx speaks to whom it passes requests on, for a proxy', async () => {
    const plain = `GET /api/v1/tools HTTP/1.0\r\n${ownHost(gateway)}\r\n\r\n`
    expect(parseAnswer(await sendRaw(portOf(gateway), plain)).status).toBe(401)
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    const call = `POST /mcp HTTP/1.0\r\n${ownHost(gateway)}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    expect(parseAnswer(await sendRaw(portOf(gateway), call)).status).toBe(401)
  })

  it('gives the same verdict on every route that asks who is there', async () => {
    const routes = [
      'GET /api/v1/tools',
      'GET /api/v1/sources',
      'GET /api/v1/events',
      'GET /mcp',
      'GET /metrics',
      'GET /xiaozhi/status',
    ]
    for (const route of routes) {
      const answer = await ask(portOf(gateway), route, [
        ownHost(gateway),
        'X-Envoy-External-Address: 10.0.0.9',
        'Accept: text/event-stream, application/json',
      ])
      expect({ route, status: answer.status }).toEqual({ route, status: 401 })
    }
    // A probe is answered, and tells nothing.
    const ready = await ask(portOf(gateway), 'GET /readyz', [ownHost(gateway), 'CDN-Loop: x'])
    expect(ready).toMatchObject({ status: 200, body: '{"ok":true}' })
  })
})

describe('a gateway behind a proxy', () => {
  let gateway: GatewayProcess
  afterEach(() => gateway.dispose())
  const adminKey = (): string => readFileSync(join(gateway.folder, 'data', 'admin.key'), 'utf8').trim()
  const wrong = (name: string, value: string) => list(gateway, 'X-API-Key: rtk_wrong', `${name}: ${value}`)
  const untilThrottled = async (name: string, value: string, most = 12): Promise<number> => {
    for (let count = 1; count <= most; count++) if ((await wrong(name, value)).status === 429) return count
    return Number.POSITIVE_INFINITY
  }
  const start = async (behindProxy: unknown): Promise<void> => {
    gateway = await startGateway({ server: { behindProxy } }, { greet: false })
  }

  it('asks everybody for a key, also who is on this machine', async () => {
    await start(true)
    expect((await list(gateway)).status).toBe(401)
    expect((await list(gateway, `X-API-Key: ${adminKey()}`)).status).toBe(200)
    expect((await list(gateway, `X-API-Key: ${adminKey()}`, 'X-Forwarded-For: 203.0.113.7')).status).toBe(200)
  })

  it('counts wrong keys by the address that the proxy adds, whatever the client wrote before it (T5)', async () => {
    await start(true)
    // The last address is the proxy's word, the others are the client's.
    for (let count = 0; count < 10; count++)
      expect((await wrong('X-Forwarded-For', `198.51.100.${count}, 203.0.113.7`)).status).toBe(401)
    expect((await wrong('X-Forwarded-For', '198.51.100.99, 203.0.113.7')).status).toBe(429)
    expect((await wrong('X-Forwarded-For', '203.0.113.8')).status).toBe(401)
    expect((await wrong('Forwarded', 'for=198.51.100.1, For="203.0.113.7:4711";proto=https')).status).toBe(429)
    // Proxies of this machine are passed over: the client is behind them.
    expect((await wrong('X-Forwarded-For', '203.0.113.7, 127.0.0.1')).status).toBe(429)
    expect((await list(gateway, `X-API-Key: ${adminKey()}`, 'X-Forwarded-For: 203.0.113.7')).status).toBe(200)
  })

  it('believes no header of somebody who is not the proxy', async () => {
    await start(['10.20.0.0/16', '2001:db8::/32'])
    let count = 0
    const each = () => wrong('X-Forwarded-For', `203.0.113.${count++}`)
    while ((await each()).status === 401) expect(count).toBeLessThan(12)
    expect(count).toBe(11)
  })

  it('takes two headers that disagree for nobody but the proxy', async () => {
    await start(true)
    for (let count = 0; count < 10; count++)
      expect(
        (await list(gateway, 'X-API-Key: rtk_x', `X-Forwarded-For: 198.51.100.${count}`, 'Forwarded: for=203.0.113.7'))
          .status,
      ).toBe(401)
    expect(
      (await list(gateway, 'X-API-Key: rtk_x', 'X-Forwarded-For: 198.51.100.77', 'Forwarded: for=203.0.113.9')).status,
    ).toBe(429)
    expect(await untilThrottled('X-Forwarded-For', '203.0.113.7')).toBe(11)
  })

  it('warns of an admin key that came over plain HTTP, in its answer and its log (A15)', async () => {
    await start(true)
    const asked = (proto: string) =>
      list(gateway, `X-API-Key: ${adminKey()}`, 'X-Forwarded-For: 203.0.113.7', `X-Forwarded-Proto: ${proto}`)
    expect((await asked('https')).headers.warning).toBeUndefined()
    const plain = await asked('http')
    expect([plain.status, plain.headers.warning]).toEqual([
      200,
      expect.stringContaining('admin key came over plain HTTP'),
    ])
    await gateway.logged('came over plain HTTP from another machine')
  })

  it('may be told while it runs', async () => {
    gateway = await startGateway({})
    expect((await list(gateway)).status).toBe(200)
    writeFileSync(gateway.file, toConfig({ server: { behindProxy: true } }))
    await expect.poll(async () => (await list(gateway)).status).toBe(401)
  })

  it('refuses a list that trusts everybody, or nobody that exists', async () => {
    gateway = await startGateway({})
    for (const behindProxy of [['0.0.0.0/0'], ['::/0'], ['proxy.example.com'], ['10.0.0.0/33'], 'yes']) {
      writeFileSync(join(gateway.folder, 'other.json'), JSON.stringify({ server: { behindProxy } }))
      const check = () =>
        execFileSync(process.execPath, [cliPath(), 'check', '--config', join(gateway.folder, 'other.json')], {
          stdio: 'pipe',
        })
      expect(check, JSON.stringify(behindProxy)).toThrow(/behindProxy/)
    }
  })
})

describe("recall's account", () => {
  let gateway: GatewayProcess
  const seen: (string | undefined)[] = []
  const service = createServer((request, response) => {
    seen.push(request.headers['x-account-id'] as string | undefined)
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify({ actions: [], action_source: { type: 'mcp', mcp_id: 'm', tool_name: 't' } }))
  })
  let knowledge: string
  beforeAll(async () => {
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
    knowledge = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  })
  afterEach(() => gateway.dispose())
  afterAll(() => void service.close())

  const recall = async (...lines: string[]): Promise<string | undefined> => {
    seen.length = 0
    const body = JSON.stringify({ kn_id: 'k', at_id: 'a' })
    const headers = [
      ownHost(gateway),
      'x-account-id: root-admin',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ]
    await ask(portOf(gateway), 'POST /api/agent-retrieval/in/v1/kn/get_action_info', [...headers, ...lines], body)
    return seen[0]
  }
  const start = async (server: object, more: object = {}): Promise<void> => {
    gateway = await startGateway({ server, recall: { knowledge: { url: knowledge }, ...more } }, { greet: false })
  }
  const newKey = (...flags: string[]): string =>
    execFileSync(
      process.execPath,
      [
        cliPath(),
        'key',
        'create',
        'k',
        '--data-path',
        join(gateway.folder, 'data'),
        '--config',
        gateway.file,
        ...flags,
      ],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
    ).trim()

  it('is believed from programs of this machine without a key, and from keys made for it (S9, C20)', async () => {
    await start({})
    expect(await recall()).toBe('root-admin')
    const key = newKey()
    expect(await recall(`X-API-Key: ${key}`)).toMatch(/^key:/)
    expect(await recall(`X-API-Key: ${key}`, 'X-Forwarded-For: 127.0.0.1')).toMatch(/^key:/)
    expect(await recall('X-Forwarded-For: 127.0.0.1')).toBeUndefined()
    expect(await recall(`X-API-Key: ${newKey('--acts-for-accounts')}`)).toBe('root-admin')
  })

  it('is believed from a trusted proxy only where recall.accountsFromProxy says so', async () => {
    await start({ behindProxy: true })
    expect(await recall(`X-API-Key: ${newKey()}`, 'X-Forwarded-For: 203.0.113.7')).toMatch(/^key:/)
    await gateway.dispose()
    await start({ behindProxy: true }, { accountsFromProxy: true })
    expect(await recall(`X-API-Key: ${newKey()}`, 'X-Forwarded-For: 203.0.113.7')).toBe('root-admin')
    await gateway.dispose()
    await start({ behindProxy: ['10.0.0.1'] }, { accountsFromProxy: true })
    expect(await recall(`X-API-Key: ${newKey()}`, 'X-Forwarded-For: 203.0.113.7')).toMatch(/^key:/)
  })
})
