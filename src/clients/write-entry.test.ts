import fc from 'fast-check'
import { parse } from 'jsonc-parser'
import { describe, expect, it } from 'vitest'
import { findClient } from './known.js'
import { withEntry } from './write-entry.js'

const cursor = findClient('cursor')!
const codex = findClient('codex')!
const entry = { command: 'node', args: ['x.js', 'stdio'] }
const inJson = (text: string, value: Readonly<Record<string, unknown>> | undefined = entry) =>
  withEntry(text, { client: cursor, file: 'mcp.json', name: 'pegboard', entry: value })
const inToml = (text: string, value: Readonly<Record<string, unknown>> | undefined = entry) =>
  withEntry(text, { client: codex, file: 'config.toml', name: 'pegboard', entry: value })

describe('an entry in JSON', () => {
  it('comes into an empty file, a file without the section, and beside others', async () => {
    for (const text of ['', '{}', '{ "theme": "dark" }', '{"mcpServers":{}}', '{"mcpServers":{"a":{"command":"a"}}}'])
      expect(parse(await inJson(text)).mcpServers.pegboard, text).toEqual(entry)
  })

  it('keeps comments, tabs, Windows line ends, trailing commas and the byte order mark', async () => {
    const text = '\ufeff{\r\n\t// mine\r\n\t"mcpServers": {\r\n\t\t"a": { "command": "a" },\r\n\t},\r\n}\r\n'
    const written = await inJson(text)
    expect(written.startsWith('\ufeff{\r\n\t// mine\r\n')).toBe(true)
    expect(written).toContain('\r\n\t\t"pegboard": {\r\n')
    expect(written.replaceAll('\r\n', '')).not.toContain('\n')
  })

  it('leaves a text alone that has it already, and one that never had it when it is taken out', async () => {
    const written = await inJson('{}')
    expect(await inJson(written)).toBe(written)
    expect(await withEntry('{ "a": 1 }', { client: cursor, file: 'f', name: 'pegboard', entry: undefined })).toBe(
      '{ "a": 1 }',
    )
  })

  it('changes nothing else, whatever stands in the file', async () => {
    const file = fc.dictionary(
      fc.string().filter((key) => key !== 'mcpServers' && key !== '__proto__'),
      fc.jsonValue(),
      { maxKeys: 4 },
    )
    await fc.assert(
      fc.asyncProperty(file, fc.constantFrom(undefined, 2, 4, '\t'), async (value, indent) => {
        const text = JSON.stringify({ ...value, mcpServers: { other: { url: 'https://x.test' } } }, null, indent)
        const { mcpServers, ...rest } = JSON.parse(await inJson(text))
        const { mcpServers: _, ...before } = JSON.parse(text)
        expect(rest).toEqual(before)
        expect(mcpServers).toEqual({ other: { url: 'https://x.test' }, pegboard: entry })
      }),
    )
  })

  it.each([
    ['[]', 'does not look like'],
    ['{"mcpServers": 3}', 'does not look like'],
    ['{ "a": ', 'mcp.json:1: not JSON'],
    ['{\n\n"a" 3}', 'mcp.json:3: not JSON'],
    ['['.repeat(300), 'nested deeper'],
  ])('is refused for %s', async (text, reason) => {
    await expect(inJson(text)).rejects.toThrow(reason)
  })
})

describe('an entry in TOML', () => {
  const text =
    '# mine\nmodel = "x" # why\n\n[mcp_servers.a]\ncommand = "a"\n\n[mcp_servers.a.env]\nK = "v"\n\n[tui]\nn = true\n'

  it('is put at the end, and everything before stays', async () => {
    const written = await inToml(text)
    expect(written.startsWith(text)).toBe(true)
    expect(written.slice(text.length)).toBe('\n[mcp_servers.pegboard]\ncommand = "node"\nargs = [ "x.js", "stdio" ]\n')
    expect(await inToml(written)).toBe(written)
  })

  it('is replaced with its own tables only, and taken out again to the same bytes', async () => {
    const first = await inToml(text)
    const second = await inToml(first, { command: 'other', env: { A: 'b' } })
    expect(second).toContain('[mcp_servers.pegboard.env]')
    expect(second).not.toContain('x.js')
    const gone = await withEntry(second, { client: codex, file: 'f', name: 'pegboard', entry: undefined })
    expect(gone).toBe(text)
  })

  it('is refused where the file writes servers in a way that cannot be kept', async () => {
    await expect(inToml('mcp_servers = { pegboard = { command = "x" } }\n')).rejects.toThrow('Add this by hand')
    await expect(inToml('[mcp_servers\n')).rejects.toThrow('config.toml:1: not TOML')
  })
})
