import { describe, expect, it } from 'vitest'
import { cautionsAbout } from './cautions.js'
import type { HostEnvironment } from './client.js'
import { clients, findClient } from './known.js'
import { ourEntry } from './our-entry.js'
import { serversIn } from './servers.js'

const place = (platform: NodeJS.Platform, home: string): HostEnvironment => ({ platform, home, cwd: '/p', env: {} })

describe('the known clients', () => {
  it('keep their files where each platform has them', () => {
    const at = (id: string, where: HostEnvironment): string | undefined => findClient(id)!.files(where)[0]?.path
    expect(at('claude-desktop', place('darwin', '/Users/a'))).toBe(
      '/Users/a/Library/Application Support/Claude/claude_desktop_config.json',
    )
    expect(at('claude-desktop', place('linux', '/h'))).toBe('/h/.config/Claude/claude_desktop_config.json')
    expect(at('claude-desktop', place('win32', 'C:\\U\\a'))).toBe(
      'C:\\U\\a\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
    )
    expect(at('vscode', place('linux', '/h'))).toBe('/h/.config/Code/User/mcp.json')
    expect(at('codex', { ...place('linux', '/h'), env: { CODEX_HOME: '/c' } })).toBe('/c/config.toml')
  })

  it('are found by id and by title', () => {
    expect(findClient('Claude Code')?.id).toBe('claude-code')
    expect(findClient('VSCODE')?.id).toBe('vscode')
    expect(findClient('nobody')).toBeUndefined()
  })

  it('get our address under the key that each of them reads', () => {
    const remote = (id: string) => ourEntry(findClient(id)!, { via: 'http', url: 'http://h/mcp', tokenVariable: 'T' })
    expect(remote('claude-code')).toEqual({
      type: 'http',
      url: 'http://h/mcp',
      headers: { Authorization: `Bearer \${T}` },
    })
    expect(remote('windsurf')).toMatchObject({ serverUrl: 'http://h/mcp' })
    expect(remote('gemini')).toEqual({ httpUrl: 'http://h/mcp', headers: { Authorization: 'Bearer $T' } })
    expect(remote('codex')).toEqual({ url: 'http://h/mcp', bearer_token_env_var: 'T' })
    expect(() => remote('claude-desktop')).toThrow('Leave --http out')
  })

  it('have ids that are unique and say what to do afterwards', () => {
    expect(new Set(clients.map(({ id }) => id)).size).toBe(clients.length)
    for (const { afterwards } of clients) expect(afterwards).toMatch(/\.$/)
  })
})

describe('servers in a file', () => {
  it('are those at the top and those of each project', () => {
    const value = {
      mcpServers: { a: { command: 'a' }, bad: 3 },
      projects: { '/x': { mcpServers: { b: { command: 'b' } } }, '/y': 1 },
    }
    expect(serversIn(value, findClient('claude-code')!).map(({ name, project }) => [name, project])).toEqual([
      ['a', undefined],
      ['b', '/x'],
    ])
  })

  it('say of an address what their client means by it', () => {
    const typeOf = (id: string, entry: object): unknown =>
      serversIn({ mcpServers: { a: entry } }, findClient(id)!)[0]!.entry.type
    expect(typeOf('gemini', { url: 'https://x.test' })).toBe('sse')
    expect(typeOf('gemini', { httpUrl: 'https://x.test' })).toBeUndefined()
    expect(typeOf('windsurf', { serverUrl: 'https://x.test/sse' })).toBe('sse')
  })

  it.each([null, 3, [], 'x', { mcpServers: [] }, { projects: 3 }])('are none in %j', (value) => {
    expect(serversIn(value, findClient('claude-code')!)).toEqual([])
  })
})

describe('cautions', () => {
  it.each([
    [{ command: 'sh', args: ['-c', 'x'] }, 'shell'],
    [{ command: '/bin/bash', args: ['x'] }, 'shell'],
    [{ command: 'node', args: ['-e', 'x'] }, 'written in its arguments'],
    [{ command: 'python3', args: ['-c', 'x'] }, 'written in its arguments'],
    [{ command: 'npx', args: ['-y', 'x'] }, 'name a version'],
    [{ command: 'uvx', args: ['x'] }, 'name a version'],
    [{ command: 'x', env: { LD_PRELOAD: 'y' } }, 'LD_PRELOAD'],
    [{ command: 'x', env: { NODE_OPTIONS: 'y' } }, 'NODE_OPTIONS'],
    [{ url: 'http://x.test/mcp' }, 'without encryption'],
  ])('T15: %j gives one', (entry, word) => {
    expect(cautionsAbout(entry).join()).toContain(word)
  })

  it.each([
    { command: 'node', args: ['server.js'] },
    { command: 'npx', args: ['-y', 'x@1.2.3'] },
    { command: 'npx', args: ['-y', '@scope/x@1.2.3'] },
    { command: 'uvx', args: ['x==1.0'] },
    { url: 'http://127.0.0.1:3000/mcp' },
    { url: 'https://x.test' },
  ])('%j gives none', (entry) => {
    expect(cautionsAbout(entry)).toEqual([])
  })
})
