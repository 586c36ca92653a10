import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openScriptBoard, type ScriptBoardFixture } from '../helpers/script-board.js'

let fixture: ScriptBoardFixture
let adminKey: string
beforeAll(async () => {
  fixture = await openScriptBoard({ scripts: { enabled: true, cpuMs: 10_000 } })
  adminKey = fixture.adminKey()
})
afterAll(() => fixture[Symbol.asyncDispose]())

const request = (path: string, body?: object, key = adminKey, signal?: AbortSignal): Promise<Response> =>
  fetch(`${fixture.url}/api/admin/v1${path}`, {
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    ...(signal ? { signal } : {}),
  })
const ask = async (path: string, body?: object, key?: string): Promise<any> => (await request(path, body, key)).json()

describe('scripts by hand', () => {
  it('are offered in the profiles that have them, to a tied key in its own', async () => {
    const { enabled, profiles } = await ask('/scripts')
    expect(enabled).toBe(true)
    expect(profiles).toMatchObject([
      { name: 'default', maxCalls: 200, timeoutMs: 30_000 },
      { name: 'narrow', maxCalls: 3 },
    ])
    const { key } = await ask('/keys', { name: 'tied', role: 'operator', profile: 'narrow' })
    expect((await ask('/scripts', undefined, key)).profiles).toMatchObject([{ name: 'narrow' }])
    const refused = await request('/scripts', { script: 'return 1', profile: 'default' }, key)
    expect([refused.status, ((await refused.json()) as any).error.code]).toEqual([403, 'ACCESS_DENIED'])
  })

  it('say which run they are before they have ended, and end with whoever leaves', async () => {
    const leaving = new AbortController()
    const response = await request(
      '/scripts',
      { script: 'await tools.list({}); for (;;) {}' },
      adminKey,
      leaving.signal,
    )
    const run = response.headers.get('x-pegboard-run')
    expect(run).toMatch(/^r_/)
    const ended = new Promise<{ code: string | undefined }>((resolve) => {
      const leave = fixture.board.gateway.onCall((record) => {
        if (record.run !== run || record.step !== undefined) return
        leave()
        resolve(record)
      })
    })
    leaving.abort()
    expect(await ended).toMatchObject({ code: 'CALL_CANCELLED' })
  })

  it('answer with the line of a failure, what was done and what was logged', async () => {
    const script = 'console.log("x")\nawait tools.close({ number: 1 })\nawait tools.close({ number: 13 })'
    const { ok, error } = await ask('/scripts', { script })
    expect({ ok, error }).toMatchObject({
      ok: false,
      error: { code: 'SCRIPT_FAILED', line: 3, calls: { made: 2, failed: 1 }, logs: ['x'], run: expect.any(String) },
    })
  })

  it('pause, and are gone on with', async () => {
    const { report } = await ask('/scripts', { script: 'return tools.delete({ number: 5 })', profile: 'default' })
    expect(report).toMatchObject({ paused: true, approvals: [{ id: 'a_5', tool: 'delete' }] })
    fixture.granted.add(5)
    expect(await ask('/scripts', { resume: report.run, profile: 'default' })).toMatchObject({
      ok: true,
      report: { result: { deleted: 5 }, run: report.run },
    })
  })

  it('are refused where the profile has none', async () => {
    expect(await ask('/scripts', { script: 'return 1', profile: 'plain' })).toMatchObject({
      ok: false,
      error: { code: 'TOOL_NOT_FOUND' },
    })
  })

  it('find tools in their own words, with a call to begin with', async () => {
    const { results } = await ask('/search', { query: 'close an issue', declarations: true })
    const { declaration, call } = results.find(({ id }: { id: string }) => id === 'close')
    expect(declaration).toContain('tools.close(args: { number: number }): any')
    expect(call).toBe('await tools.close({ number: 0 })')
    expect((await ask('/search', { query: 'close an issue' })).results[0]).not.toHaveProperty('declaration')
  })
})
