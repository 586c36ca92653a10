import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type GatewayProcess, startGateway } from '../helpers/gateway-process.js'
import { cliPath, runCli } from '../helpers/run-cli.js'
import { Random, samples } from '../helpers/secret-samples.js'

const token = samples['github-token']![0]![0](new Random(23))
// Nothing but the search knows this one.
const other = samples['digitalocean-token']![0]![0](new Random(29))
const label = '‹secret: github-token›'
const modernVersion = '2026-07-28'

let gateway: GatewayProcess
let folder: string
beforeAll(async () => {
  cliPath()
  folder = mkdtempSync(join(tmpdir(), 'pegboard-leaky-'))
  const program = fileURLToPath(new URL('leaky-server.mjs', import.meta.url))
  gateway = await startGateway({
    sources: {
      leaky: { type: 'stdio', command: process.execPath, args: [program, token, join(folder, 'asked'), other] },
    },
    profiles: {
      default: { secrets: 'mask', expose: 'hybrid' },
      flagged: {},
      blocked: { secrets: 'block' },
      one: { secrets: { arguments: 'off', results: 'mask', allow: ['jwt'] } },
    },
    telemetry: { audit: 'values' },
    logging: { level: 'debug' },
  })
  await modern('flagged', 'tools/list', {})
}, 120_000)
afterAll(async () => {
  await gateway.dispose()
  rmSync(folder, { recursive: true, force: true })
})

const post = async (path: string, message: object, headers: Record<string, string> = {}) => {
  const answer = await fetch(new URL(path, gateway.url), {
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...headers },
    body: JSON.stringify(message),
  })
  return { text: await answer.text(), session: answer.headers.get('mcp-session-id'), status: answer.status }
}

const placeOf = (profile: string): string => (profile === 'default' ? '/mcp' : `/mcp/${profile}`)

const modern = async (profile: string, method: string, params: Record<string, unknown>): Promise<string> => {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': modernVersion,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  }
  const name = params.name ?? params.uri
  const headers = { 'mcp-protocol-version': modernVersion, 'mcp-method': method }
  const message = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }
  return (
    await post(placeOf(profile), message, name === undefined ? headers : { ...headers, 'mcp-name': String(name) })
  ).text
}

const legacy = async (profile: string, method: string, params: object): Promise<string> => {
  const version = '2025-11-25'
  const hello = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  const begun = await post(placeOf(profile), { jsonrpc: '2.0', id: 0, method: 'initialize', params: hello })
  const headers = { 'mcp-protocol-version': version, 'mcp-session-id': begun.session! }
  await post(placeOf(profile), { jsonrpc: '2.0', method: 'notifications/initialized' }, headers)
  return (await post(placeOf(profile), { jsonrpc: '2.0', id: 1, method, params }, headers)).text
}

const completion = { ref: { type: 'ref/prompt', name: 'leaky__greet' }, argument: { name: 'x', value: '' } }
const requests: readonly (readonly [string, string, Record<string, unknown>])[] = [
  ['a tool', 'tools/call', { name: 'leaky__say', arguments: {} }],
  ['a tool that fails', 'tools/call', { name: 'leaky__fail', arguments: {} }],
  ['call_tool', 'tools/call', { name: 'call_tool', arguments: { tool_name: 'leaky.say', arguments: {} } }],
  ['a prompt', 'prompts/get', { name: 'leaky__greet', arguments: {} }],
  ['a resource', 'resources/read', { uri: 'note://one' }],
  ['a completion', 'completion/complete', completion],
]

describe('a secret in what a server answers (T23)', () => {
  it.each(requests)('is taken out for %s, in both eras', async (_, method, params) => {
    for (const ask of [modern, legacy]) {
      const text = await ask('default', method, params)
      expect(text).not.toContain(token)
      expect(text).toContain(label)
    }
  })

  it.each(requests.filter(([name]) => name !== 'call_tool'))(
    'is refused for %s, in both eras',
    async (_, method, params) => {
      for (const ask of [modern, legacy]) {
        const text = await ask('blocked', method, params)
        expect(text).not.toContain(token)
        expect(text).toMatch(/github-token/)
      }
    },
  )

  it('passes and is told of where it is only flagged, which is the default', async () => {
    const text = await modern('flagged', 'tools/call', { name: 'leaky__say', arguments: { note: token } })
    expect(text).toContain(token)
    const calls = await (await fetch(new URL('/api/v1/calls?limit=1', gateway.url))).text()
    expect(JSON.parse(calls)).toMatchObject({
      calls: [{ tool: 'leaky.say', secrets: { arguments: { 'github-token': 1 }, results: { 'github-token': 3 } } }],
    })
    expect(calls).not.toContain(token)
  })

  it('is taken out over REST, in batches, and on the command line', async () => {
    const one = await post('/api/v1/tools/leaky.say/call', { arguments: {} })
    const many = await post('/api/v1/calls', { calls: [{ tool: 'leaky.say', arguments: {} }] })
    const typed = await runCli(['call', 'leaky.say', '--config', gateway.file], { cwd: folder, home: folder })
    for (const text of [one.text, many.text, typed.stdout + typed.stderr]) {
      expect(text).not.toContain(token)
      expect(text).toContain(label)
    }
  })
})

describe('a secret in what a caller sends', () => {
  const asked = (): string => readFileSync(join(folder, 'asked'), 'utf8')
  const send = (profile: string, note: string) =>
    modern(profile, 'tools/call', { name: 'leaky__take', arguments: { note, token } })

  it('does not reach the server where it is taken out', async () => {
    await send('default', 'masked one')
    expect(asked()).toContain('masked one')
    expect(
      asked()
        .split('\n')
        .find((line) => line.includes('masked one')),
    ).not.toContain(token)
  })

  it('keeps the call from the server where it is refused, and the place is told', async () => {
    const text = await send('blocked', 'blocked one')
    expect(text).toContain("What was sent to 'leaky.take' holds a secret (github-token) at token.")
    expect(text).not.toContain(token)
    expect(asked()).not.toContain('blocked one')
  })

  it('reaches it where nobody looks', async () => {
    await send('one', 'open one')
    expect(
      asked()
        .split('\n')
        .find((line) => line.includes('open one')),
    ).toContain(token)
  })
})

describe('what is written down', () => {
  it('has kinds and counts, and no secret anywhere (T23, T40)', async () => {
    await modern('flagged', 'tools/call', { name: 'leaky__take', arguments: { token } })
    await gateway.logged('asked tools/call')
    const metrics = await (await fetch(new URL('/metrics', gateway.url))).text()
    gateway.child.kill('SIGTERM')
    await gateway.exited
    const audit = readdirSync(join(gateway.folder, 'data', 'audit'))
      .map((name) => readFileSync(join(gateway.folder, 'data', 'audit', name), 'utf8'))
      .join('')
    expect(audit).toContain('"secrets":{"arguments":{"github-token":1}}')
    expect(audit).toContain(`"token":"${label}"`)
    expect(audit + metrics).not.toContain(token)
    expect(gateway.log()).toContain('‹secret: digitalocean-token›')
    expect(gateway.log()).not.toContain(token)
    expect(gateway.log()).not.toContain(other)
  })
})
