import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { v2OverHttp } from '../helpers/clients/sdk-v2.js'
import { openScriptBoard, type ScriptBoardFixture } from '../helpers/script-board.js'

let fixture: ScriptBoardFixture
let key: string
beforeAll(async () => {
  fixture = await openScriptBoard({ telemetry: { audit: 'values' } })
  key = fixture.adminKey()
})
afterAll(() => fixture[Symbol.asyncDispose]())
beforeEach(() => fixture.granted.clear())

const ask = async (path: string, body?: object): Promise<any> => {
  const response = await fetch(`${fixture.url}${path}`, {
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
  })
  return response.json()
}
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const script = 'await tools.list({ page: 1 })\nawait tools.close({ number: 2 }) // ü\nreturn 1'
const mark = { sha256: sha256(script), bytes: Buffer.byteLength(script) }

/** The ways by which a script comes in; each is one call. */
const ways: Readonly<Record<string, (args: object) => Promise<{ readonly run: string }>>> = {
  REST: (args) => ask('/api/v1/scripts', args),
  MCP: async (args) => {
    const client = await v2OverHttp('auto', `${fixture.url}/mcp`)
    try {
      return JSON.parse(String(((await client.call('run_script', args as never)) as any).text))
    } finally {
      await client.close()
    }
  },
}

describe.each(Object.entries(ways))('the record of a script over %s', (_, way) => {
  it('and those of its calls find each other by the run, in history and audit', async () => {
    const { run } = await way({ script })
    const expected = [
      { tool: 'list', run, step: 1 },
      { tool: 'close', run, step: 2 },
      { tool: 'run_script', run, script: mark },
    ]
    const listed = (await ask(`/api/admin/v1/calls?run=${run}`)).calls
    expect(listed).toMatchObject(expected)
    expect(listed[2]).not.toHaveProperty('step')
    expect((await ask(`/api/v1/calls?run=${run}`)).calls.toReversed()).toMatchObject(expected)

    const { entries } = await ask(`/api/admin/v1/audit?run=${run}`)
    expect(entries.toReversed()).toMatchObject([
      { on: { id: 'list' }, run, step: 1 },
      { on: { id: 'close' }, run, step: 2 },
      // The text is there because values are kept here.
      { on: { id: 'run_script' }, run, script: mark, args: { script } },
    ])
  })

  it('is there for one that failed and for one that does not parse', async () => {
    const failing = 'await tools.list({})\nthrow new Error("no")'
    for (const [text, code] of [
      [failing, 'SCRIPT_FAILED'],
      ['return 1 +', 'SCRIPT_INVALID'],
    ] as const) {
      await way({ script: text }).catch(() => undefined)
      const { calls } = await ask('/api/admin/v1/calls')
      const last = calls.at(-1)
      expect(last).toMatchObject({
        tool: 'run_script',
        code,
        run: expect.any(String),
        script: { sha256: sha256(text) },
      })
      expect(calls.filter(({ run }: { run?: string }) => run === last.run)).toHaveLength(text === failing ? 2 : 1)
    }
  })
})

describe('the record of a script that paused', () => {
  it('has the same run and the same hash when it goes on, and every call once', async () => {
    const text = 'await tools.list({})\nreturn tools.delete({ number: 9 })'
    const { run } = await ask('/api/v1/scripts', { script: text })
    fixture.granted.add(9)
    await ask(`/api/v1/scripts/${run}/resume`, {})
    const { calls } = await ask(`/api/admin/v1/calls?run=${run}`)
    expect(calls).toMatchObject([
      { tool: 'list', step: 1, ok: true },
      { tool: 'delete', step: 2, code: 'APPROVAL_REQUIRED' },
      { tool: 'run_script', ok: true, script: { sha256: sha256(text) } },
      { tool: 'delete', step: 2, ok: true },
      { tool: 'run_script', ok: true, script: { sha256: sha256(text) } },
    ])
  })
})

describe('the text of a script', () => {
  it('is in no line where values are not kept', async () => {
    await using quiet = await openScriptBoard()
    const response = await fetch(`${quiet.url}/api/v1/scripts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ script: 'return "canary-of-the-text"' }),
    })
    const { run } = (await response.json()) as { run: string }
    const headers = { authorization: `Bearer ${quiet.adminKey()}` }
    const told = await (await fetch(`${quiet.url}/api/admin/v1/audit?run=${run}`, { headers })).text()
    expect(told).toContain(sha256('return "canary-of-the-text"'))
    expect(told).not.toContain('canary-of-the-text')
  })
})

describe('the record of a stored script', () => {
  const tidy = "await tools.close({ number: 5 })\nreturn 'tidy'"

  it('stands at its place in the script that called it, and its own calls under that', async () => {
    await using board = await openScriptBoard({
      sources: { jobs: { type: 'scripts', scripts: { tidy: { description: 'Tidies up', script: tidy } } } },
    })
    const asked = async (path: string, body?: object): Promise<any> => {
      const headers = { authorization: `Bearer ${board.adminKey()}`, 'content-type': 'application/json' }
      const post = body ? { method: 'POST', body: JSON.stringify(body) } : {}
      return (await fetch(`${board.url}${path}`, { headers, ...post })).json()
    }
    const { run } = await asked('/api/v1/scripts', { script: 'await tools.list({})\nreturn tools.jobs.tidy({})' })
    const expected = [
      { tool: 'list', run, step: 1 },
      { tool: 'close', run: `${run}.2`, step: 1 },
      { tool: 'jobs.tidy', run, step: 2, script: { sha256: sha256(tidy) } },
      { tool: 'run_script', run },
    ]
    expect((await asked(`/api/admin/v1/calls?run=${run}`)).calls).toMatchObject(expected)
    expect((await asked(`/api/v1/calls?run=${run}`)).calls.toReversed()).toMatchObject(expected)
    const { entries } = await asked(`/api/admin/v1/audit?run=${run}`)
    expect(entries.map((entry: any) => entry.on.id).toReversed()).toEqual(['list', 'close', 'jobs.tidy', 'run_script'])

    await asked('/api/v1/tools/jobs.tidy/call', { arguments: {} })
    const { calls } = await asked('/api/admin/v1/calls')
    const [inner, alone] = calls.slice(-2)
    expect(alone).toMatchObject({ tool: 'jobs.tidy', script: { sha256: sha256(tidy) } })
    expect(inner).toMatchObject({ tool: 'close', run: alone.run, step: 1 })
  })
})
