import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isGatewayError } from '../errors.js'
import { parseTransport } from './mcp-transport.js'

describe('parseTransport', () => {
  it.each([
    ['http://127.0.0.1:9/mcp', 'http'],
    ['https://host.example/sse', 'sse'],
    ['https://host.example/sse/x?y', 'sse'],
    ['https://host.example/assets', 'http'],
    ['ws://127.0.0.1:9/', 'websocket'],
  ])('reads %s as %s', (url, type) => {
    expect(parseTransport(url)).toEqual([{ name: new URL(url).hostname, reach: { type, url, headers: {} } }])
    expect(parseTransport(new URL(url))[0]?.reach.type).toBe(type)
  })

  it('003-08 runs a script by its kind: our own node, or python3', () => {
    const folder = mkdtempSync(join(tmpdir(), 'transport-'))
    const commandOf = (file: string) => {
      writeFileSync(join(folder, file), '')
      const [server] = parseTransport(join(folder, file))
      return [server?.name, server?.reach.type === 'stdio' && server.reach.command]
    }
    try {
      expect(commandOf('a.mjs')).toEqual(['a', process.execPath])
      expect(commandOf('b.JS')).toEqual(['b', process.execPath])
      expect(commandOf('c.py')).toEqual(['c', process.platform === 'win32' ? 'python' : 'python3'])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('003-08 reads servers by name, each with its own way', () => {
    expect(
      parseTransport({
        mcpServers: {
          a: { command: 'run', args: ['x'], env: { K: 'v' }, cwd: '/tmp', keep_alive: false, timeout: 5 },
          b: { transport: 'streamable-http', url: 'http://h/sse', headers: { X: '1' }, auth: 'secret' },
          c: { type: 'sse', url: 'http://h/' },
        },
      }),
    ).toEqual([
      {
        name: 'a',
        reach: { type: 'stdio', command: 'run', args: ['x'], env: { K: 'v' }, cwd: '/tmp' },
        timeoutMs: 5,
        idleStopMs: expect.any(Number),
      },
      { name: 'b', reach: { type: 'http', url: 'http://h/sse', headers: { Authorization: 'Bearer secret', X: '1' } } },
      { name: 'c', reach: { type: 'sse', url: 'http://h/', headers: {} } },
    ])
  })

  it('T24 keeps secrets out of what it says', () => {
    const transport = { mcpServers: { a: { url: 'no url?token=hunter2', headers: { Authorization: 'hunter2' } } } }
    expect(() => parseTransport(transport)).toThrow(/^(?!.*hunter2)/)
  })

  it('ends in servers or in SOURCE_INVALID, whatever it is given', () => {
    const entry = fc.object({ key: fc.constantFrom('command', 'args', 'url', 'env', 'type', 'auth', '__proto__') })
    fc.assert(
      fc.property(fc.oneof(fc.anything(), entry, fc.record({ mcpServers: fc.oneof(entry, fc.anything()) })), (any) => {
        try {
          expect(parseTransport(any).length).toBeGreaterThan(0)
        } catch (error) {
          expect(isGatewayError(error) && error.code).toBe('SOURCE_INVALID')
        }
      }),
    )
  })
})
