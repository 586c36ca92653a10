import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { v1OverHttp } from '../helpers/clients/sdk-v1.js'
import { v2OverHttp } from '../helpers/clients/sdk-v2.js'
import { openScriptBoard, type ScriptBoardFixture } from '../helpers/script-board.js'

let fixture: ScriptBoardFixture
beforeAll(async () => {
  fixture = await openScriptBoard()
})
afterAll(() => fixture[Symbol.asyncDispose]())
beforeEach(() => {
  fixture.done.length = 0
  fixture.granted.clear()
})

const clients = {
  'SDK v1, with sessions': (path: string) => v1OverHttp(`${fixture.url}${path}`),
  'SDK v2, modern': (path: string) => v2OverHttp('auto', `${fixture.url}${path}`),
} as const

const record = () => {
  const told: { tool: string; ok: boolean; code: string | undefined; run: string | undefined }[] = []
  const leave = fixture.board.gateway.onCall(({ tool, ok, code, run }) => told.push({ tool, ok, code, run }))
  return { told, leave }
}

describe.each(Object.entries(clients))('run_script over MCP, %s', (_, open) => {
  const connect = async (path = '/mcp') => {
    const client = await open(path)
    const run = async (args: object) => {
      const { text, isError, structured } = (await client.call('run_script', args as never)) as any
      return { text: String(text), isError, value: structured }
    }
    return { client, run, [Symbol.asyncDispose]: () => client.close() }
  }

  it('is listed and runs where the profile switches it on, and is not there elsewhere', async () => {
    await using on = await connect()
    await expect(on.client.list()).resolves.toContain('run_script')
    await using off = await connect('/mcp/plain')
    await expect(off.client.list()).resolves.not.toContain('run_script')
    await expect(off.run({ script: 'return 1' })).rejects.toThrow(/Unknown tool: run_script/)
  })

  it('calls tools as its caller, and gives back what it returns and how many calls it made', async () => {
    await using on = await connect()
    const { told, leave } = record()
    const { text } = await on.run({
      script: `const bugs = []
        for (let page = 1; ; page++) {
          const list = await tools.list({ page })
          if (list.length === 0) break
          bugs.push(...list.filter(i => i.labels.includes(input.label)))
        }
        const count = {}
        for (const { assignee } of bugs) count[assignee?.login ?? 'nobody'] = (count[assignee?.login ?? 'nobody'] ?? 0) + 1
        return count`,
      input: { label: 'bug' },
    })
    leave()
    const report = JSON.parse(text)
    expect(report).toMatchObject({ result: { nobody: 5 }, calls: { made: 4, failed: 0 } })
    expect(report.run).toMatch(/^r_[0-9a-f]{16}$/)
    expect(text.length).toBeLessThan(400)
    expect(told.map(({ tool, run }) => [tool, run])).toEqual([
      ...Array.from({ length: 4 }, () => ['list', report.run]),
      ['run_script', report.run],
    ])
  })

  it('tells the line of an error, and what was done before it', async () => {
    await using on = await connect()
    const { text, isError } = await on.run({
      script: 'for (const number of [11, 12, 13, 14])\n  await tools.close({ number })\nreturn 1',
    })
    expect(isError).toBe(true)
    expect(text).toMatch(/SCRIPT_FAILED.*at line 2: TOOL_FAILED: .*13 cannot be closed/)
    expect(text).toContain('close ×2 ok, 1 failed (TOOL_FAILED). What they did stays done; do not repeat it blindly.')
    expect(fixture.done).toEqual(['close 11', 'close 12'])
  })

  it('pauses where a person has to be asked, and goes on when they have answered: every effect once', async () => {
    await using on = await connect()
    const script = `await tools.close({ number: 1 })
      const gone = await Promise.all([2, 3].map(number => tools.delete({ number })))
      await tools.close({ number: 4 })
      return gone`
    const first = JSON.parse((await on.run({ script })).text)
    expect(first).toMatchObject({ paused: true, approvals: [{ id: 'a_2' }, { id: 'a_3' }] })
    expect(first.calls).toEqual({ made: 1, failed: 0, waiting: 2 })
    expect(first.hint).toContain(`resume: "${first.run}"`)
    fixture.granted.add(2)
    const second = JSON.parse((await on.run({ resume: first.run })).text)
    expect(second).toMatchObject({ paused: true, run: first.run, approvals: [{ id: 'a_3' }] })
    fixture.granted.add(3)
    const third = JSON.parse((await on.run({ resume: first.run })).text)
    expect(third).toMatchObject({ result: [{ deleted: 2 }, { deleted: 3 }], calls: { made: 4, failed: 0 } })
    expect(fixture.done).toEqual(['close 1', 'delete 2', 'delete 3', 'close 4'])
    const again = await on.run({ resume: first.run })
    expect(again).toMatchObject({ isError: true })
    expect(again.text).toContain('Run the script anew')
  })

  it('narrows what scripts may call, and how often, by the profile', async () => {
    await using on = await connect('/mcp/narrow')
    const script = `const codes = []
      for (const name of ['close', 'list', 'list', 'list', 'list', 'run_script', 'call_tool', 'nothing'])
        try { await call(name, { number: 1 }); codes.push('ok') } catch (e) { codes.push(e.code) }
      return codes`
    const { result } = JSON.parse((await on.run({ script })).text)
    expect(result).toEqual(['ACCESS_DENIED', 'ok', 'ok', ...Array(5).fill('SCRIPT_LIMIT')])
  })

  it('does not run scripts from scripts, and lets them search', async () => {
    await using on = await connect()
    const script = `const codes = []
      for (const name of ['run_script', 'register_tool', 'call_tool', 'nothing'])
        try { await call(name, { script: 'return 1' }); codes.push('ok') } catch (e) { codes.push(e.code) }
      const { results } = await tools.search_tools({ query: 'close an issue' })
      return [codes, results[0].tool_name]`
    const { result } = JSON.parse((await on.run({ script })).text)
    expect(result).toEqual([['LOOP_DETECTED', 'ACCESS_DENIED', 'ACCESS_DENIED', 'TOOL_NOT_FOUND'], 'close'])
  })

  it.each([
    ['does not parse', 'const a = 1\nreturn a +', /SCRIPT_INVALID|does not parse at line \d/],
    ['never ends', 'for (;;) {}', /computed for longer than/],
    ['takes all memory', 'const a = []; for (;;) a.push(new Uint8Array(5e6))', /more than 64 MB|computed for longer/],
    ['waits for a promise nobody settles', 'await new Promise(() => {})', /nobody settles/],
    ['returns too much', 'return "x".repeat(1e5)', /100002 bytes, 16384 at most/],
    ['is empty', ' ', /empty/],
  ])('says what is wrong with a script that %s', async (_name, script, said) => {
    await using on = await connect()
    const { text, isError } = await on.run({ script })
    expect(isError).toBe(true)
    expect(text).toMatch(said)
  })

  it('runs ten thousand promises', async () => {
    await using on = await connect()
    const script = 'return (await Promise.all([...Array(10000).keys()].map(async i => i))).length'
    const { text } = await on.run({ script })
    expect(text).toMatch(/"result":10000|computed for longer/)
  })
})
