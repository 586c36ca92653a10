import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defineTool } from '../../src/sources/functions/define-tool.js'
import { openRunning, type Running } from './open-running.js'

let folder: string
let running: Running
let server: Server | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pegboard-plugins-'))
})
afterEach(async () => {
  await running?.[Symbol.asyncDispose]()
  server?.closeAllConnections()
  server?.close()
  server = undefined
  rmSync(folder, { recursive: true, force: true })
})
const written = (name: string, text: string): string => {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}
const tools = (): void => running.board.gateway.register(defineTool({ name: 'echo', handler: (args) => args }))
const echo = (args: object) => running.board.gateway.run('echo', args)

describe('plugins of a configuration (N12)', () => {
  it('take part in calls, are given their options, and are followed while the gateway runs', async () => {
    const stamp = written(
      'stamp.mjs',
      'export default ({ word }) => ({ beforeCall: ({ arguments: args }) => ({ arguments: { ...args, word } }) })',
    )
    running = await openRunning({ plugins: [{ module: stamp, options: { word: 'one' } }] })
    tools()
    expect(await echo({ a: 1 })).toEqual({ a: 1, word: 'one' })
    running.edit({ plugins: [{ module: stamp, options: { word: 'two' } }] })
    await expect.poll(() => echo({})).toEqual({ word: 'two' })
    running.edit({})
    await expect.poll(() => echo({})).toEqual({})
    expect(running.board.metricsPage()).toMatch(
      /pegboard_plugin_hooks_total\{plugin="stamp",hook="beforeCall",outcome="ok"\} \d/,
    )
  })

  it('that cannot be loaded are said with file and reason, and left out or stand in the way', async () => {
    const odd = written('odd.mjs', 'export default { beforeCal: 1 }')
    running = await openRunning({ plugins: [odd, join(folder, 'absent.mjs')] })
    tools()
    expect(await echo({ a: 1 })).toEqual({ a: 1 })
    expect(running.log()).toContain(`The plugin '${odd}' cannot be loaded, it is left out: it has none of onList`)
    expect(running.log()).toMatch(/absent\.mjs' cannot be loaded, it is left out: ENOENT/)
    running.edit({ plugins: [{ module: odd, onError: 'refuse' }] })
    await expect.poll(() => echo({}).catch((error) => error.code)).toBe('PLUGIN_FAILED')
    // Mended: the next change of the setting takes the file as it is now.
    writeFileSync(odd, 'export default { beforeCall: () => ({ arguments: { mended: true } }) }')
    running.edit({ plugins: [{ module: odd, onError: 'refuse', timeoutMs: 60 }] })
    await expect.poll(() => echo({}).catch(() => 0)).toEqual({ mended: true })
  })

  it('see what clients are shown, and hide what they should not see, in every list', async () => {
    const hide = written(
      'hide.mjs',
      `export default { onList: (tools) => tools.filter(({ id }) => id === 'calculator').map(({ id }) => ({ id, hide: true })) }`,
    )
    running = await openRunning({ plugins: [hide] })
    const names = async () => JSON.parse((await running.get('/api/v1/tools')).text).tools.map((each: any) => each.name)
    expect(await names()).not.toContain('calculator')
    expect((await running.post('/api/v1/tools/calculator/call', { expression: '1' })).status).toBe(404)
    running.edit({})
    await expect.poll(names).toContain('calculator')
  })

  it('hear of events', async () => {
    const heard = join(folder, 'heard')
    const ear = written(
      'ear.mjs',
      `import { appendFileSync } from 'node:fs'
       export default { onEvent: ({ type, subject }) => appendFileSync(${JSON.stringify(heard)}, type + ' ' + subject.id + '\\n') }`,
    )
    running = await openRunning({ plugins: [ear], mcpServers: { gone: { command: 'no-such-program-at-all' } } })
    const { readFileSync, existsSync } = await import('node:fs')
    await expect.poll(() => (existsSync(heard) ? readFileSync(heard, 'utf8') : '')).toBe('source.down gone\n')
  })

  it('add headers to what an MCP server over HTTP is sent, and cannot replace those of the protocol', async () => {
    const seen: IncomingHttpHeaders[] = []
    server = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk) => {
        body += chunk
      })
      request.on('end', () => {
        const { id, method, params } = body === '' ? ({} as any) : JSON.parse(body)
        if (method === 'tools/call') seen.push(request.headers)
        if (id === undefined) return void response.writeHead(request.method === 'POST' ? 202 : 405).end()
        const result =
          method === 'initialize'
            ? {
                protocolVersion: params.protocolVersion,
                capabilities: { tools: {} },
                serverInfo: { name: 'far', version: '1' },
              }
            : method === 'tools/list'
              ? { tools: [{ name: 'add', inputSchema: { type: 'object' } }] }
              : { content: [{ type: 'text', text: 'done' }] }
        const known = ['initialize', 'tools/list', 'tools/call', 'ping'].includes(method)
        const answer = known ? { result } : { error: { code: -32601, message: 'no' } }
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
      })
    })
    await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
    const header = written(
      'header.mjs',
      `export default { beforeCall: ({ caller }) => ({ headers: { 'X-Team': caller.profile } }) }`,
    )
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
    running = await openRunning({ plugins: [header], mcpServers: { far: { url } } })
    await running.board.settled()
    expect(await running.board.gateway.run('far.add')).toBe('done')
    expect(seen).toHaveLength(1)
    expect(seen[0]).toMatchObject({ 'x-team': 'default', 'content-type': 'application/json' })
  })
})
