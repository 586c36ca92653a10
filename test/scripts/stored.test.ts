import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createGateway, createScripts, defineTool } from '../../src/index.js'
import { createScriptsSource } from '../../src/library/sources.js'
import { localCaller } from '../../src/model/caller.js'
import { createApprovalDesk } from '../../src/serving/approvals/approval-desk.js'
import { v1OverHttp } from '../helpers/clients/sdk-v1.js'
import { v2OverHttp } from '../helpers/clients/sdk-v2.js'
import { openScriptBoard, type ScriptBoardFixture } from '../helpers/script-board.js'

const number = { type: 'object', properties: { number: { type: 'number' } }, required: ['number'] }
const counts = { type: 'object', additionalProperties: { type: 'number' } }

const bugs = `/* {
  "description": "Counts the bugs of each page",
  "input": { "type": "object", "properties": { "label": { "type": "string", "default": "bug" } } },
  "annotations": { "readOnlyHint": true }
} */
const count = {}
for (let page = 1; page <= 3; page++)
  count['page' + page] = (await tools.list({ page })).filter(({ labels }) => labels.includes(input.label)).length
return count
`

// A file is taken as it is.
const beside = ['return `$', '{input.a}?`'].join('')

const scripts = {
  purge: {
    description: 'Closes an issue, deletes it, and closes the next one',
    input: number,
    script: `await tools.close(input)
      const gone = await tools.delete(input)
      await tools.close({ number: input.number + 100 })
      return gone`,
  },
  outer: { input: number, script: 'return { inner: await tools.reports.purge(input) }' },
  narrow: { tools: ['list'], script: 'await tools.close({ number: 1 })' },
  codes: {
    script: `const codes = []
      for (const name of input.names)
        try { await call(name, { script: 'return 1', names: [] }); codes.push('ok') } catch (e) { codes.push(e.code) }
      return codes`,
  },
  many: { script: 'return Promise.all([1, 2, 3, 4].map(() => tools.reports.fits({})))' },
  ring: { script: 'return tools.reports.gnir({})' },
  gnir: { script: 'return tools.reports.ring({})' },
  throws: { script: 'await tools.close({ number: 50 })\nthrow new Error("no")' },
  forever: { script: 'for (;;) {}' },
  large: { script: 'return "x".repeat(1e5)' },
  wrong: { output: counts, script: 'return { a: "one" }' },
  fits: { output: counts, script: 'return { a: 1 }' },
  list: { script: 'return [1, 2]' },
  text: { script: 'console.log("said"); return "text"' },
  page: { script: 'return { content: [{ type: "paragraph", text: "hers" }] }' },
  broken: { script: 'return 1 +' },
  // What two dollar signs are in a configuration.
  template: { script: 'return `$${input.a}!`' },
  beside: { file: './reports/beside.js' },
}

let fixture: ScriptBoardFixture
beforeAll(async () => {
  fixture = await openScriptBoard(
    {
      // No scripts of models: what an operator stored needs neither switch.
      scripts: { maxRunning: 1 },
      profiles: { default: {}, few: { limits: { callsPerMinute: 3 } }, none: { deny: ['reports.*'] } },
      rules: [
        { id: 'not-seven', tools: ['close'], when: { properties: { number: { const: 7 } } }, effect: 'deny' },
        { id: 'ask', tools: ['close'], when: { properties: { number: { const: 99 } } }, effect: 'ask' },
      ],
      sources: { reports: { type: 'scripts', folder: './scripts', scripts } },
    },
    { 'scripts/bugs.js': bugs, 'reports/beside.js': beside },
  )
  await fixture.board.settled()
})
afterAll(() => fixture[Symbol.asyncDispose]())
beforeEach(() => {
  fixture.done.length = 0
  fixture.granted.clear()
})

const call = (tool: string, args: object = {}, profile?: string) =>
  fixture.board.gateway.call({ tool, args, caller: { ...localCaller, profile } })
const codeOf = async (calling: ReturnType<typeof call>) => {
  const outcome = await calling
  return outcome.ok ? 'ok' : outcome.error.code
}

const clients = {
  'SDK v1, with sessions': (path: string) => v1OverHttp(`${fixture.url}${path}`),
  'SDK v2, modern': (path: string) => v2OverHttp('auto', `${fixture.url}${path}`),
} as const

describe.each(Object.entries(clients))('stored scripts over MCP, %s', (_, open) => {
  it('are listed like any tool, and run_script is not there', async () => {
    const client = await open('/mcp')
    const names = await client.list()
    expect(names).toEqual(expect.arrayContaining(['reports__bugs', 'reports__purge']))
    expect(names).not.toContain('run_script')
    expect(names).not.toContain('reports__broken')
    await client.close()
    const other = await open('/mcp/none')
    await expect(other.list()).resolves.not.toContain('reports__bugs')
    await other.close()
  })

  it('answer with what they return', async () => {
    const client = await open('/mcp')
    const said = async (name: string) => (await client.call(name, {})).text
    expect(JSON.parse(await said('reports__bugs'))).toEqual({ page1: 7, page2: 7, page3: 6 })
    expect(await said('reports__text')).toBe('text')
    expect(JSON.parse(await said('reports__list'))).toEqual([1, 2])
    expect(JSON.parse(await said('reports__page'))).toEqual({ content: [{ type: 'paragraph', text: 'hers' }] })
    await client.close()
  })

  it('wait for a person, and the same call goes on where it was: every effect once', async () => {
    const client = await open('/mcp')
    const first = await client.call('reports__purge', { number: 1 })
    expect(first.isError).toBe(true)
    expect(first.text).toMatch(
      /APPROVAL_REQUIRED.*waits for a person to approve its call of 'delete'.*the same call again/,
    )
    expect(fixture.done).toEqual(['close 1'])
    const other = await client.call('reports__purge', { number: 2 })
    expect(other.isError).toBe(true)
    fixture.granted.add(1).add(2)
    expect((await client.call('reports__purge', { number: 1 })).text).toBe('{"deleted":1}')
    expect(fixture.done).toEqual(['close 1', 'close 2', 'delete 1', 'close 101'])
    expect((await client.call('reports__purge', { number: 2 })).text).toBe('{"deleted":2}')
    await client.close()
  })
})

describe('stored scripts', () => {
  it('make calls of their caller, each recorded under the run and counted', async () => {
    const told: (readonly [string, boolean])[] = []
    const runs = new Set<unknown>()
    const leave = fixture.board.gateway.onCall(({ tool, run }) => {
      told.push([tool, run !== undefined])
      if (run) runs.add(run)
    })
    expect(await codeOf(call('reports.bugs', {}))).toBe('ok')
    leave()
    expect(told).toEqual([
      ['list', true],
      ['list', true],
      ['list', true],
      ['reports.bugs', true],
    ])
    expect(runs.size).toBe(1)
    // One for the script and one for each of its calls: the third of these is one too many.
    const ended = await call('reports.bugs', {}, 'few')
    expect(ended).toMatchObject({ ok: false, error: { code: 'SCRIPT_FAILED', details: { code: 'RATE_LIMITED' } } })
  })

  it('are held to their schemas', async () => {
    expect(await codeOf(call('reports.purge', { number: 'one' }))).toBe('ARGUMENTS_INVALID')
    const outcome = await call('reports.wrong')
    expect(outcome).toMatchObject({ ok: false, error: { code: 'RESULT_INVALID' } })
    expect(await codeOf(call('reports.fits'))).toBe('ok')
    expect(await call('reports.template', { a: 1 })).toMatchObject({ answer: { value: '1!' } })
    expect(await call('reports.beside', { a: 1 })).toMatchObject({ answer: { value: '1?' } })
  })

  it('keep to the rules, to their own tools, and leave the board as it is', async () => {
    expect(await call('reports.purge', { number: 7 })).toMatchObject({
      ok: false,
      error: { code: 'SCRIPT_FAILED', details: { code: 'ACCESS_DENIED' } },
    })
    expect(await call('reports.narrow')).toMatchObject({ ok: false, error: { details: { code: 'ACCESS_DENIED' } } })
    const names = ['register_tool', 'unregister_tool', 'call_tool', 'run_script', 'reports.codes', 'reports.list']
    const outcome = await call('reports.codes', { names })
    expect(outcome).toMatchObject({
      ok: true,
      answer: {
        result: {
          content: [
            {
              text: JSON.stringify([
                ...['ACCESS_DENIED', 'ACCESS_DENIED', 'ACCESS_DENIED', 'TOOL_NOT_FOUND', 'LOOP_DETECTED', 'ok'],
              ]),
            },
          ],
        },
      },
    })
  })

  it('may call each other in the place of one, and not in a ring', async () => {
    fixture.granted.add(3)
    expect(await call('reports.outer', { number: 3 })).toMatchObject({
      ok: true,
      answer: { result: { structuredContent: { inner: { deleted: 3 } } } },
    })
    expect(await codeOf(call('reports.many'))).toBe('ok')
    expect(await call('reports.ring')).toMatchObject({
      ok: false,
      error: { code: 'SCRIPT_FAILED', message: expect.stringContaining('LOOP_DETECTED') },
    })
  })

  it('that wait within another make both wait, and both go on', async () => {
    const first = await call('reports.outer', { number: 4 })
    expect(first).toMatchObject({
      ok: false,
      error: { code: 'APPROVAL_REQUIRED', details: { approval: 'a_4', approvals: [{ id: 'a_4', tool: 'delete' }] } },
    })
    fixture.granted.add(4)
    expect(await codeOf(call('reports.outer', { number: 4 }))).toBe('ok')
    expect(fixture.done).toEqual(['close 4', 'delete 4', 'close 104'])
  })

  it('wait for their own caller alone', async () => {
    expect(await codeOf(call('reports.purge', { number: 5 }))).toBe('APPROVAL_REQUIRED')
    fixture.granted.add(5)
    const stranger = { ...localCaller, id: 'somebody' }
    await fixture.board.gateway.call({ tool: 'reports.purge', args: { number: 5 }, caller: stranger })
    expect(fixture.done).toEqual(['close 5', 'close 5', 'delete 5', 'close 105'])
  })

  it.each([
    ['throws', 'SCRIPT_FAILED', /at line 2: .*no[\s\S]*close ×1 ok. What they did stays done/],
    ['forever', 'SCRIPT_LIMIT', /computed for longer than/],
    ['large', 'SCRIPT_LIMIT', /16384 at most/],
  ])('say how they failed: %s', async (name, code, said) => {
    const outcome = await call(`reports.${name}`)
    expect(outcome).toMatchObject({ ok: false, error: { code, message: expect.stringMatching(said) } })
  })

  it('say what is wrong with one of them, and the others stay', () => {
    const info = fixture.board.gateway.sources().find(({ name }) => name === 'reports')
    expect(info?.status).toMatchObject({
      state: 'degraded',
      reason: expect.stringMatching(/The script 'broken', line \d+: /),
    })
  })

  it('are found like any tool', async () => {
    const found = await fixture.board.gateway.search('count the bugs of each page')
    expect(found.results[0]?.tool.id).toBe('reports.bugs')
  })

  it('answer over REST, where a rule that asks within them is 202 until somebody said yes', async () => {
    const ask = async (name: string, body: object) => {
      const response = await fetch(`${fixture.url}/api/v1/tools/reports.${name}/call`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      })
      const { status, headers } = response
      return { status, location: headers.get('location'), body: (await response.json()) as any }
    }
    expect(await ask('bugs', {})).toMatchObject({ status: 200, body: { structuredContent: { page1: 7 } } })
    fixture.granted.add(-1)
    const waits = await ask('purge', { number: -1 })
    const { approval } = waits.body.error.details
    expect(waits).toMatchObject({ status: 202, location: expect.stringContaining(`/approvals/${approval}`) })
    expect(waits.body.error.message).toContain('the 2 calls that it made before are not repeated')
    await fixture.board.gateway.approvals.answer(approval, { decision: 'once', by: { id: 'ann' } })
    expect(await ask('purge', { number: -1 })).toMatchObject({
      status: 200,
      body: { structuredContent: { deleted: -1 } },
    })
    expect(fixture.done).toEqual(['close -1', 'delete -1', 'close 99'])
  })
})

describe('an edited script', () => {
  const source = () => fixture.board.gateway.supervised('reports')!
  const file = () => join(fixture.folder, 'scripts/edited.js')
  const write = (text: string) => writeFileSync(file(), `/* { "description": "Edited" } */\n${text}`)

  it('is followed, and held until somebody approves it', async () => {
    write('return "first"')
    await source().start()
    expect(await codeOf(call('reports.edited'))).toBe('ok')
    write('return tools.delete({ number: 1 })')
    await source().start()
    expect(await codeOf(call('reports.edited'))).toBe('TOOL_HELD')
    expect(createApprovalDesk(fixture.board).list()).toMatchObject([
      { id: 'reports.edited', state: 'pending', changes: [{ path: 'script', kind: 'other' }] },
    ])
    await createApprovalDesk(fixture.board).approve({ ids: ['reports.edited'] }, { id: 'ann', name: 'ann' })
    expect(await codeOf(call('reports.edited'))).toBe('APPROVAL_REQUIRED')
  })

  it('keeps its last good text while it is broken, and goes with its file', async () => {
    write('return "good"')
    await source().start()
    await createApprovalDesk(fixture.board).approve({ ids: ['reports.edited'] }, { id: 'ann', name: 'ann' })
    write('return "good" +')
    await source().start()
    expect(await codeOf(call('reports.edited'))).toBe('ok')
    expect(source().status.reason).toMatch(/edited\.js, line \d+/)
    rmSync(file())
    await source().start()
    expect(await codeOf(call('reports.edited'))).toBe('TOOL_NOT_FOUND')
  })
})

describe('stored scripts in a program', () => {
  const doubled = {
    double: { input: { type: 'object', properties: { n: { type: 'number' } } }, script: 'return tools.twice(input)' },
  }
  const twice = defineTool({ name: 'twice', handler: (args: any) => args.n * 2 })

  it('are mounted by describing them', async () => {
    await using gateway = createGateway({ tools: [twice], mcpServers: { sums: { type: 'scripts', scripts: doubled } } })
    await gateway.ready
    expect(await gateway.run('sums.double', { n: 21 })).toBe(42)
    await expect(gateway.addServer('none', { folder: '/nowhere/scripts' })).rejects.toThrow(/cannot be read/)
    expect(gateway.callSync({ tool: 'sums.double', args: { n: 1 }, caller: localCaller })).toMatchObject({
      error: { code: 'TOOL_ASYNC_ONLY' },
    })
  })

  it('or as a source with limits of their own', async () => {
    await using gateway = createGateway({ tools: [twice] })
    await using scripts = createScripts(gateway, { limits: { resultBytes: 1 } })
    await gateway.addSource('sums', createScriptsSource(scripts, { scripts: doubled }))
    await expect(gateway.run('sums.double', { n: 21 })).rejects.toMatchObject({ code: 'SCRIPT_LIMIT' })
  })
})

describe('stored scripts and scripts of models', () => {
  it('share one sandbox, and models call the stored ones in theirs', async () => {
    await using both = await openScriptBoard({
      scripts: { enabled: true, maxRunning: 1 },
      profiles: { default: { scripts: true } },
      sources: { reports: { scripts: { count: { script: 'return (await tools.list({})).length' } } } },
    })
    await both.board.settled()
    const caller = { ...localCaller, profile: 'default' }
    const script = 'return Promise.all([tools.reports.count({}), tools.reports.count({})])'
    const outcome = await both.board.gateway.call({ tool: 'run_script', args: { script }, caller })
    expect(outcome).toMatchObject({ ok: true, answer: { result: { structuredContent: { result: [20, 20] } } } })
  })

  it.each([
    ['both a file and a text', { file: 'a.js', script: 'return 1' }],
    ['neither', { description: 'x' }],
  ])('one with %s is no source', async (_, one) => {
    const opening = openScriptBoard({ sources: { reports: { scripts: { one } } } })
    await expect(opening).rejects.toThrow(/sources\.reports\.scripts\.one: has to have either "file" or "script"/)
  })
})
