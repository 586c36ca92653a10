import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtCli } from '../helpers/built-cli.js'
import { ask } from '../helpers/serve-rest.js'

// Its one tool answers with the `_meta` it was called with.
const mirror = `
  const say = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...result }) + '\\n')
  const tools = [{ name: 'look', inputSchema: { type: 'object' } }]
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line)
    if (method === 'initialize')
      say(id, { result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'm', version: '1' } } })
    else if (method === 'tools/list') say(id, { result: { tools } })
    else if (method === 'tools/call')
      say(id, { result: { content: [], structuredContent: { traceparent: params._meta?.traceparent ?? null } } })
    else if (id !== undefined) say(id, { error: { code: -32601, message: 'unknown' } })
  })
`

describe('a traced gateway', () => {
  let folder: string
  let child: ChildProcess
  let url: string
  const spansFile = () => join(folder, 'spans.jsonl')

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'pegboard-traced-'))
    const config = {
      sources: { mirror: { type: 'stdio', command: process.execPath, args: ['-e', mirror] } },
      telemetry: { otel: true },
      server: { port: 0 },
      storage: { path: join(folder, 'data') },
    }
    writeFileSync(join(folder, 'pegboard.json'), JSON.stringify(config))
    const setUp = fileURLToPath(new URL('../helpers/servers/otel-setup.mjs', import.meta.url))
    const args = ['--import', setUp, builtCli(), 'serve', '--json', '--config', join(folder, 'pegboard.json')]
    child = spawn(process.execPath, args, {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, SPANS_FILE: spansFile() },
    })
    for await (const line of createInterface({ input: child.stderr! })) {
      const [, found] = /Listening: (http:\/\/[^/\s]+)/.exec(line) ?? []
      if (found === undefined) continue
      url = found
      break
    }
    child.stderr!.resume()
    while ((await ask(`${url}/api/v1/tools?source=mirror`, 'GET', undefined)).json.total === 0);
  }, 120_000)
  afterAll(() => {
    child?.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })

  it('carries W3C context from the header through both of its spans to the server', async () => {
    const theirs = { trace: '0af7651916cd43dd8448eb211c80319c', span: 'b7ad6b7169203331' }
    const { status, json } = await ask(
      `${url}/api/v1/tools/mirror.look/call`,
      'POST',
      {},
      { traceparent: `00-${theirs.trace}-${theirs.span}-01` },
    )
    expect(status).toBe(200)
    const ended = readFileSync(spansFile(), 'utf8').trim().split('\n')
    const [client, server] = ended.map((line) => JSON.parse(line))
    expect(server).toMatchObject({ name: 'tools/call mirror.look', kind: 1, parent: theirs.span })
    expect(client).toMatchObject({ name: 'tools/call look', kind: 2, parent: server.spanId })
    expect(client.attributes).toMatchObject({ 'network.transport': 'pipe', 'mcp.protocol.version': '2025-06-18' })
    expect(json.structuredContent.traceparent).toBe(`00-${theirs.trace}-${client.spanId}-01`)
  })

  it.each([
    ['calls', { calls: [{ tool: 'mirror.look' }] }],
    ['tool-calls', { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'mirror__look', input: {} }] }],
  ])('carries it through /api/v1/%s too', async (path, body) => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
    const headers = { traceparent: `00-${trace}-00f067aa0ba902b7-01` }
    const { text } = await ask(`${url}/api/v1/${path}`, 'POST', body, headers)
    expect(text).toContain(`00-${trace}-`)
    expect(text).not.toContain('00f067aa0ba902b7')
  })
})
