import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openRaw, readUntil } from '../../test/helpers/raw-http.js'
import { createAuthenticator, createPeers } from './auth-loopback.js'
import { clientAddressOf, networkProblem, trustedProxies } from './behind-proxy.js'
import { createHttpHost } from './host.js'
import { networkOf } from './wrong-keys.js'

const trusted = trustedProxies(['10.0.0.0/8', '::1', '2001:db8::/32'])!
const client = (headers: Record<string, string>) => clientAddressOf(headers, '10.0.0.1', trusted)

describe('the client behind trusted proxies', () => {
  it.each([
    [{ 'x-forwarded-for': '203.0.113.7' }, '203.0.113.7'],
    [{ 'x-forwarded-for': '1.1.1.1, 203.0.113.7, 10.9.9.9' }, '203.0.113.7'],
    [{ 'x-forwarded-for': '203.0.113.7:51234' }, '203.0.113.7'],
    [{ 'x-forwarded-for': '[2001:dead::1]:443' }, '2001:dead::1'],
    [{ 'x-forwarded-for': '::ffff:203.0.113.7' }, '203.0.113.7'],
    [{ 'x-forwarded-for': '10.1.1.1, 10.2.2.2' }, '10.1.1.1'],
    [{ 'x-forwarded-for': 'unknown' }, '10.0.0.1'],
    [{ 'x-forwarded-for': '203.0.113.7, unknown, 10.3.3.3' }, '10.3.3.3'],
    [{ 'x-forwarded-for': '' }, '10.0.0.1'],
    [{ forwarded: 'for=203.0.113.7' }, '203.0.113.7'],
    [{ forwarded: 'proto=https;For="[2001:dead::1]:4711";by=10.0.0.1' }, '2001:dead::1'],
    [{ forwarded: 'for=1.1.1.1, for=203.0.113.7;host=x' }, '203.0.113.7'],
    [{ forwarded: 'for=_hidden' }, '10.0.0.1'],
    [{ forwarded: 'host="a;for=6.6.6.6"' }, '10.0.0.1'],
    [{ forwarded: 'for=203.0.113.7', 'x-forwarded-for': '203.0.113.7' }, '203.0.113.7'],
    [{ forwarded: 'for=203.0.113.7', 'x-forwarded-for': '203.0.113.8' }, '10.0.0.1'],
    [{}, '10.0.0.1'],
  ])('%j is %s', (headers, expected) => {
    expect(client(headers as Record<string, string>)).toBe(expected)
  })

  it('is decided by what proxies wrote, whatever a client put before it', () => {
    const address = fc.ipV4().filter((each) => !trusted(each))
    const proxies = fc.array(fc.constantFrom('10.0.0.2', '10.255.1.1', '2001:db8::5'), { maxLength: 4 })
    fc.assert(
      fc.property(fc.array(fc.string()), address, proxies, (forged, real, hops) => {
        expect(client({ 'x-forwarded-for': [...forged, real, ...hops].join(', ') })).toBe(real)
        const plain = forged.map((text) => text.replace(/[",;\\]/g, ''))
        const elements = [
          ...plain.map((text) => `for=${text}`),
          `for=${real}`,
          ...hops.map((hop) => `for="[${hop}]"`.replace(/\[(\d+\.[\d.]+)\]/, '$1')),
        ]
        expect(client({ forwarded: elements.join(',') })).toBe(real)
      }),
    )
  })

  it('is always an address, of whatever the header holds', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        for (const name of ['x-forwarded-for', 'forwarded'])
          expect(client({ [name]: text })).toMatch(/^[0-9a-fA-F:.]+$/)
      }),
    )
  })
})

it('wrong keys of one IPv6 network count together, however their addresses are written (A9)', () => {
  const group = fc.nat(0xffff).map((each) => each.toString(16))
  fc.assert(
    fc.property(fc.tuple(group, group, group, group), fc.ipV6(), (prefix, other) => {
      const [from, to] = [prefix.join(':'), new URL(`http://[${prefix.join(':')}:1:2:3:4]`).hostname.slice(1, -1)]
      for (const rest of ['0:0:0:1', '1:2:3:4', 'ffff:0:0:0']) expect(networkOf(`${from}:${rest}`)).toBe(from)
      expect(networkOf(to)).toBe(from)
      expect(networkOf(other)).toMatch(/^(?:[0-9a-f]{1,4}:){3}[0-9a-f]{1,4}$|^[\d.]+$/)
    }),
  )
  expect(networkOf('2001:db8::1')).toBe(networkOf('2001:db8::ffff:2'))
  expect(networkOf('::ffff:10.0.0.1')).toBe('10.0.0.1')
  expect(networkOf('64:ff9b::10.0.0.1')).toBe('64:ff9b:0:0')
})

describe('the networks of proxies', () => {
  it('are addresses and networks, and never everybody', () => {
    for (const good of ['127.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8']) expect(networkProblem(good)).toBeUndefined()
    for (const bad of [
      '',
      '10.0.0.0/0',
      '::/00',
      '10.0.0.0/33',
      '10.0.0',
      'a.example',
      '1.2.3.4/8/8',
      'fe80::1%eth0',
      '*',
    ])
      expect(networkProblem(bad), bad).toBeDefined()
  })

  it('hold their addresses, also those written inside IPv6, and no others', () => {
    expect(['10.1.2.3', '::ffff:10.1.2.3', '2001:db8:1::1', '::1'].every(trusted)).toBe(true)
    expect([undefined, '', '11.0.0.1', '::ffff:11.0.0.1', '127.0.0.1', '2001:db9::1', 'x'].some(trusted)).toBe(false)
    expect(trustedProxies(undefined)).toBeUndefined()
    expect(trustedProxies(false)).toBeUndefined()
    expect(trustedProxies(true)!('127.9.9.9')).toBe(true)
  })
})

it('a handshake is judged as a request is (S12)', async () => {
  const host = createHttpHost({ authenticate: createAuthenticator({ openLoopback: true, peers: createPeers() }) })
  host.onUpgrade({
    path: '/ws',
    right: 'call',
    handle: ({ socket }) => void socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
  })
  const { port } = await host.listen({ port: 0 })
  const shake = async (...lines: string[]): Promise<string> => {
    const socket = await openRaw(port)
    const head = ['GET /ws HTTP/1.1', `Host: 127.0.0.1:${port}`, 'Connection: Upgrade', 'Upgrade: websocket', ...lines]
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    const said = await readUntil(socket, '\r\n')
    socket.destroy()
    return said.slice(9, 12)
  }
  expect(await shake()).toBe('101')
  expect(await shake('X-Cluster-Client-IP: 127.0.0.1')).toBe('401')
  expect(await shake('Tailscale-User-Login: a')).toBe('401')
  expect(await shake('Sec-Fetch-Site: cross-site')).toBe('403')
  await host.close({ graceMs: 0 })
})
