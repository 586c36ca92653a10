import { hostname } from 'node:os'
import { describe, expect, it } from 'vitest'
import type { Config } from '../config/schema.js'
import { createOwnAddress } from './own-address.js'

const isOurs = (url: string, host: string, port = 8000, listening = ''): boolean =>
  createOwnAddress(
    () => ({ host, port }) as Config['server'],
    () => listening,
  )(url)

describe('an address that is our own (D9)', () => {
  it.each([
    'http://localhost:8000/mcp',
    'http://LOCALHOST.:8000/',
    'ws://127.0.0.1:8000/mcp',
    'http://127.1:8000/',
    'http://2130706433:8000/',
    'http://[::1]:8000/mcp/work',
    'http://[::ffff:127.0.0.1]:8000/',
    'http://0.0.0.0:8000/',
    'http://[::]:8000/',
    'http://board.localhost:8000/',
  ])('is known as %s, wherever we listen', (url) => {
    for (const host of ['127.0.0.1', '::1', 'localhost', '0.0.0.0']) expect(isOurs(url, host)).toBe(true)
  })

  it('is this machine’s name only where we listen beyond loopback', () => {
    const url = `http://${hostname()}:8000/mcp`
    expect([isOurs(url, '0.0.0.0'), isOurs(url, '::'), isOurs(url, '127.0.0.1')]).toEqual([true, true, false])
    expect(isOurs('http://board.example:8000/', 'board.example')).toBe(true)
  })

  it('goes by the port: the one configured, and the one that was free', () => {
    expect(isOurs('http://localhost:8001/', '127.0.0.1')).toBe(false)
    expect(isOurs('http://localhost:8001/', '127.0.0.1', 0, 'http://127.0.0.1:8001')).toBe(true)
    expect(isOurs('http://localhost/', '127.0.0.1', 80)).toBe(true)
    expect(isOurs('https://localhost/', '127.0.0.1', 80)).toBe(false)
    expect(isOurs('http://localhost:0/', '127.0.0.1', 0)).toBe(false)
  })

  it('is none of others’, nor what is no address', () => {
    for (const url of ['http://example.com:8000/', 'http://127.example.com:8000/', 'nonsense', ''])
      expect(isOurs(url, '0.0.0.0')).toBe(false)
  })
})
