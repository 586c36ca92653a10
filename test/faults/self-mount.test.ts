import { writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { builtCli } from '../helpers/built-cli.js'
import { fixtureCommand } from '../helpers/fixture-servers.js'
import { childrenOf, type GatewayProcess, startGateway, toConfig, untilListed } from '../helpers/gateway-process.js'

// Compiled before any test counts its time.
beforeAll(() => void builtCli(), 120_000)

const good = { type: 'stdio', ...fixtureCommand('stdio-raw') }
const http = (url: string) => ({ type: 'http', url })
const cleanup: (() => unknown)[] = []
afterEach(async () => {
  for (const task of cleanup.splice(0).reverse()) await task()
})

const start = async (sources: object): Promise<GatewayProcess> => {
  const gateway = await startGateway({ sources })
  cleanup.push(() => gateway.dispose())
  return gateway
}

const edit = ({ file }: GatewayProcess, sources: object): void => writeFileSync(file, toConfig({ sources }))

interface Row {
  readonly name: string
  readonly state: string
  readonly reason?: string
}
const sourcesOf = async ({ url }: GatewayProcess): Promise<readonly Row[]> => {
  const { sources } = (await (await fetch(new URL('/api/v1/sources', url))).json()) as {
    readonly sources: readonly Row[]
  }
  return sources
}
const stateOf = async (gateway: GatewayProcess, name: string) =>
  (await sourcesOf(gateway)).find((source) => source.name === name)?.state

/** What clients see, looked at again and again: the same each time. */
const rests = async ({ client }: GatewayProcess): Promise<readonly string[]> => {
  const first = await client.list()
  for (let look = 0; look < 20; look++) expect(await client.list()).toEqual(first)
  return first
}

/** Passes on what it is sent and knows nothing of MCP, as any proxy in front of a gateway. */
const startProxy = async (to: string): Promise<string> => {
  const target = new URL(to)
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, host: target.host }
    const { method, url = '' } = incoming
    const passed = request({ host: target.hostname, port: target.port, path: url, method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    passed.on('error', () => outgoing.destroy())
    outgoing.on('close', () => passed.destroy())
    incoming.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanup.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${target.pathname}`
}

describe('a gateway that is told to mount itself (D9, 001-22)', () => {
  it('refuses its own address in every spelling, says so, and its list rests', async () => {
    const gateway = await start({ good })
    const { port } = new URL(gateway.url)
    const hosts = ['localhost', '127.0.0.1', '127.1', '[::1]', '0.0.0.0', '[::ffff:127.0.0.1]', 'x.localhost']
    const own = Object.fromEntries(hosts.map((host, at) => [`me_${at}`, http(`http://${host}:${port}/mcp`)]))
    edit(gateway, { good, ...own, socket: { type: 'websocket', url: `ws://localhost:${port}/mcp` } })
    const states = async () => (await sourcesOf(gateway)).filter(({ state }) => state === 'needs-config').length
    await expect.poll(states).toBe(hosts.length + 1)
    await untilListed(gateway.client, ['good'])
    expect((await rests(gateway)).some((name) => /^me_|^socket/.test(name))).toBe(false)
    const me = (await sourcesOf(gateway)).find(({ name }) => name === 'me_0')
    expect(me?.reason).toMatch(/own.*Take it out of the configuration/)
  })

  it('knows itself behind a proxy', async () => {
    const gateway = await start({ good })
    const proxy = await startProxy(gateway.url)
    edit(gateway, { good, mirror: http(proxy) })
    await expect.poll(() => stateOf(gateway, 'mirror')).toBe('needs-config')
    await untilListed(gateway.client, ['good'])
    expect((await rests(gateway)).some((name) => name.startsWith('mirror'))).toBe(false)
    expect(gateway.log().match(/'mirror' did not start/g)).toHaveLength(1)
  })

  it('mounts another gateway, and breaks the ring where that one mounts it back', async () => {
    const [a, b] = await Promise.all([start({ good }), start({ good })])
    edit(a, { good, b: http(b.url) })
    await untilListed(a.client, ['good', 'b'])
    expect(await stateOf(a, 'b')).toBe('ready')
    edit(b, { good, a: http(a.url) })
    await expect.poll(() => stateOf(b, 'a')).toBe('needs-config')
    expect((await sourcesOf(b)).find(({ name }) => name === 'a')?.reason).toContain('leads back to this one')
    expect(await stateOf(a, 'b')).toBe('ready')
    const [listed] = await Promise.all([rests(a), rests(b)])
    expect(listed.some((name) => name.startsWith('b.good.'))).toBe(true)
    expect(listed.some((name) => name.startsWith('b.a.'))).toBe(false)
  })

  it('breaks a ring of three, which none of them can see when it is closed', async () => {
    const [a, b, c] = await Promise.all([start({ good }), start({ good }), start({ good })])
    edit(a, { good, b: http(b.url) })
    await untilListed(a.client, ['b'])
    edit(b, { good, c: http(c.url) })
    await untilListed(b.client, ['c'])
    edit(c, { good, a: http(a.url) })
    const refused = async () =>
      [await stateOf(a, 'b'), await stateOf(b, 'c'), await stateOf(c, 'a')].filter((state) => state === 'needs-config')
        .length
    await expect.poll(refused).toBeGreaterThan(0)
    await expect.poll(async () => (await a.client.list()).some((name) => name.includes('a.b.'))).toBe(false)
    await Promise.all([rests(a), rests(b), rests(c)])
  })

  it('does not start itself as its own child, over and over', async () => {
    const gateway = await start({ good })
    const self = { type: 'stdio', command: process.execPath, args: [builtCli(), 'stdio', '--config', gateway.file] }
    edit(gateway, { good, self })
    await gateway.logged("'self' did not start")
    expect(gateway.log()).toContain('same configuration')
    await untilListed(gateway.client, ['good'])
    expect((await rests(gateway)).some((name) => name.startsWith('self'))).toBe(false)
    expect(childrenOf(gateway.pid).length).toBeLessThan(4)
  })
})
