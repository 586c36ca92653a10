import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyTrail } from '../../src/telemetry/audit-verify.js'
import { builtCli } from '../helpers/built-cli.js'
import { type EchoApi, startEchoApi } from '../helpers/echo-api.js'
import { recallUrl } from '../helpers/serve-recall.js'
import { ask } from '../helpers/serve-rest.js'

let folder: string
let child: ChildProcess
let url: string
let api: EchoApi

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pegboard-served-'))
  api = await startEchoApi()
  const spec = fileURLToPath(new URL('apis/pet-store.yaml', import.meta.url))
  const config = {
    sources: { pets: { type: 'openapi', spec, baseUrl: api.url } },
    server: { port: 0 },
    storage: { path: join(folder, 'data') },
    recall: {
      actions: [
        {
          kn_id: 'kn',
          at_id: 'find',
          action_source: { type: 'mcp', mcp_id: 'pets', tool_name: 'getPet' },
          actions: [{ parameters: { id: 'rex' } }],
        },
      ],
    },
  }
  writeFileSync(join(folder, 'pegboard.json'), JSON.stringify(config))
  child = spawn(process.execPath, [builtCli(), 'serve', '--config', join(folder, 'pegboard.json')], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  url = await new Promise<string>((resolve, reject) => {
    let said = ''
    child.once('exit', () => reject(new Error(`It did not start:\n${said}`)))
    child.stderr!.on('data', (part) => {
      said += part
      const found = /serves MCP at (http:\/\/[^/\s]+)/.exec(said)
      if (found) resolve(found[1]!)
    })
  })
  while ((await ask(`${url}/api/v1/tools?source=pets`, 'GET', undefined)).json.total === 0);
})
afterAll(async () => {
  child?.kill('SIGKILL')
  await api.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('one `pegboard serve`', () => {
  it('recalls a declared action whose api_url answers', async () => {
    const { json } = await ask(`${url}${recallUrl}`, 'POST', { kn_id: 'kn', at_id: 'find' })
    const [tool] = json._dynamic_tools
    expect(tool).toMatchObject({ name: 'getPet', fixed_params: { id: 'rex' } })
    const answer = await ask(tool.api_url, 'POST', tool.fixed_params)
    expect(answer.json.structuredContent).toMatchObject({ method: 'GET', url: '/pets/rex' })
  })

  it('describes itself, lists for providers, counts', async () => {
    expect((await ask(`${url}/openapi.json`, 'GET', undefined)).json.openapi).toBe('3.1.0')
    const list = await ask(`${url}/api/v1/tools?format=anthropic`, 'GET', undefined)
    expect(list.json.names.pets__getPet).toBe('pets.getPet')
    expect((await ask(`${url}/metrics`, 'GET', undefined)).text).toContain(
      'pegboard_calls_total{source="pets",outcome="ok",kind="tool"}',
    )
  })

  it('T40: has every call of 50 ms ago in its trail after kill -9, refusals included', async () => {
    const calls = Array.from({ length: 50 }, (_, index) =>
      ask(`${url}/api/v1/tools/pets.getPet/call`, 'POST', { id: `canary-${index}` }),
    )
    await Promise.all(calls)
    await ask(`${url}/api/v1/tools/pets.none/call`, 'POST', {})
    const path = join(folder, 'data', 'audit', 'audit.jsonl')
    // They come by themselves: nobody asks for the trail, and nobody ends the process.
    await expect.poll(() => readFileSync(path, 'utf8')).toContain('"id":"pets.none"')
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    const trail = readFileSync(path, 'utf8')
    const lines = trail.split('\n').filter((line) => line !== '')
    const ids = lines.map((line) => JSON.parse(line)).filter(({ on }) => on?.id === 'pets.getPet')
    expect(ids.filter(({ outcome }) => outcome === 'ok').length).toBeGreaterThanOrEqual(50)
    expect(trail).not.toContain('canary')
    // What the killed process had written down is a whole chain, without an end.
    const { ok, torn, chains } = await verifyTrail(path)
    expect([ok, torn <= 1, chains.length, chains[0]!.stopped]).toEqual([true, true, 1, false])
  })
})
