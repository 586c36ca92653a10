import { afterAll, describe, expect, it } from 'vitest'
import { VirtualClock } from '../../test/helpers/virtual-clock.js'
import { systemClock } from '../model/clock.js'
import { scriptLimits } from './limits.js'
import type { ScriptAnswer } from './protocol.js'
import { createSandbox } from './sandbox.js'
import type { HeldCall, ScriptEnd, ScriptRequest } from './script-run.js'

const sandbox = createSandbox(systemClock)
afterAll(() => sandbox.close())

const echo: ScriptRequest['onCall'] = async ({ tool, args }): Promise<ScriptAnswer | HeldCall> =>
  tool === 'fail.now'
    ? { ok: false, code: 'TOOL_FAILED', message: 'no', details: '{"why":"tired"}' }
    : { ok: true, json: args }

const run = (script: string, more: Partial<ScriptRequest> = {}): Promise<ScriptEnd> =>
  sandbox.run({ script, input: '{}', limits: scriptLimits(), seed: 7, now: 1_700_000_000_000, onCall: echo, ...more })

const value = async (script: string, more: Partial<ScriptRequest> = {}): Promise<unknown> => {
  const end = await run(script, more)
  if (end.state === 'failed') throw end.error
  return end.state === 'done' ? JSON.parse(end.json) : end.held.length
}

const failure = async (script: string, more: Partial<ScriptRequest> = {}) => {
  const end = await run(script, more)
  if (end.state !== 'failed') throw new Error(`it ended ${end.state}`)
  return end.error
}

describe('a script', () => {
  it('is the body of an async function, and what it returns comes back as JSON', async () => {
    await expect(value('const two = 2\nreturn { sum: 1 + two }')).resolves.toEqual({ sum: 3 })
    await expect(value('await null')).resolves.toBeNull()
  })

  it('calls tools by their path or by name, and gets their answers as plain data', async () => {
    const script = `
      const one = await tools.git.list({ a: input.n })
      const other = await call('x.y', { b: [1] })
      const odd = await tools['weird-ns']['a.b'].name.length({ c: true })
      return [one, other, odd]`
    const seen: string[] = []
    const onCall: ScriptRequest['onCall'] = (call, signal) => {
      seen.push(call.tool)
      return echo(call, signal)
    }
    await expect(value(script, { input: '{"n":3}', onCall })).resolves.toEqual([{ a: 3 }, { b: [1] }, { c: true }])
    expect(seen).toEqual(['git.list', 'x.y', 'weird-ns.a.b.name.length'])
  })

  it('makes several calls at once, at most as many as allowed', async () => {
    let now = 0
    let most = 0
    const onCall: ScriptRequest['onCall'] = async ({ args }) => {
      most = Math.max(most, ++now)
      await new Promise((resolve) => setImmediate(resolve))
      now--
      return { ok: true, json: args }
    }
    const script = 'return (await Promise.all([...Array(20).keys()].map(i => tools.a.b({ i })))).map(x => x.i)'
    const limits = scriptLimits({ parallel: 3 })
    await expect(value(script, { onCall, limits })).resolves.toEqual([...Array(20).keys()])
    expect(most).toBe(3)
  })

  it('gets a failed call as an error that has the code, the tool and the line', async () => {
    const script = `try { await tools.fail.now({}) } catch (e) {
      return [e instanceof ToolError, e.name, e.code, e.tool, e.message, e.details, /script.js:1/.test(e.stack)] }`
    const told = [true, 'ToolError', 'TOOL_FAILED', 'fail.now', 'no', { why: 'tired' }, true]
    await expect(value(script)).resolves.toEqual(told)
  })

  it('tells where it failed, and what its calls did', async () => {
    const thrown = await failure('await tools.a.b()\nconst who = null\nawait 1\nreturn who.login')
    expect(thrown).toMatchObject({ code: 'SCRIPT_FAILED', details: { line: 4, calls: { made: 1, failed: 0 } } })
    expect(thrown.message).toMatch(/at line 4: TypeError: cannot read property 'login' of null/)
    expect(thrown.message).toContain('a.b ×1 ok. What they did stays done; do not repeat it blindly.')
    await expect(failure('1\n2\nthrow new Error("mine")')).resolves.toMatchObject({ details: { line: 3 } })
    await expect(failure('\nawait tools.fail.now()')).resolves.toMatchObject({
      code: 'SCRIPT_FAILED',
      details: { line: 2, code: 'TOOL_FAILED', calls: { made: 1, failed: 1 } },
    })
  })

  it('that does not parse says on which line', async () => {
    const error = await failure('const a = 1\nconst b = ;\nreturn a')
    expect(error).toMatchObject({ code: 'SCRIPT_INVALID', details: { line: 2 }, notSent: true })
  })

  it('that waits for a promise nobody settles is ended at once', async () => {
    const error = await failure('await tools.a.b(); await new Promise(() => {})')
    expect(error).toMatchObject({ code: 'SCRIPT_FAILED' })
    expect(error.message).toContain('waits for a promise that nobody settles')
  })

  it('has a clock that stands still and chance that repeats', async () => {
    const script = 'return [Date.now(), new Date().toISOString(), Date().length > 10, Math.random()]'
    const [first, second] = [await value(script), await value(script)]
    expect(first).toEqual(second)
    expect(first).toMatchObject([1_700_000_000_000, '2023-11-14T22:13:20.000Z', true, expect.any(Number)])
    expect(await value(script, { seed: 8 })).not.toEqual(first)
    await expect(value('return new Date(0).getTime() + Date.UTC(1970, 0, 2)')).resolves.toBe(86_400_000)
  })

  it('logs so many lines; what is more is counted', async () => {
    const limits = scriptLimits({ logBytes: 40 })
    const end = await run('console.log("one", { a: 1 }); console.warn("x".repeat(100)); console.error(2)', { limits })
    expect(end).toMatchObject({ state: 'done', logs: ['one {"a":1}', '2'], logsDropped: 1 })
  })

  it('waits at its end for calls that nobody awaited, and counts their failures', async () => {
    const end = await run('tools.fail.now().catch(() => {}); tools.a.b(); return 1')
    expect(end).toMatchObject({ state: 'done', json: '1' })
    expect(end.calls.map(({ ended }) => ended)).toEqual(['TOOL_FAILED', 'ok'])
  })

  it('whose result is too large is told how large, and how it began', async () => {
    const error = await failure('return "x".repeat(20000)')
    expect(error).toMatchObject({ code: 'SCRIPT_LIMIT', details: { limit: 'result' } })
    expect(error.message).toMatch(/20002 bytes, 16384 at most.*"xxx/)
  })

  it('may read no more of answers than allowed', async () => {
    const onCall: ScriptRequest['onCall'] = async () => ({ ok: true, json: JSON.stringify('x'.repeat(600)) })
    const error = await failure('for (;;) await tools.a.b()', { onCall, limits: scriptLimits({ answerBytes: 2000 }) })
    expect(error).toMatchObject({ code: 'SCRIPT_LIMIT', details: { limit: 'answers', calls: { made: 4 } } })
  })

  it('ends at its deadline, and its calls are cancelled', async () => {
    let reason: unknown
    const clock = new VirtualClock()
    const timed = createSandbox(clock)
    const onCall: ScriptRequest['onCall'] = (_, signal) =>
      new Promise((resolve) => {
        setImmediate(() => clock.advance(30_000))
        signal.addEventListener('abort', () => {
          reason = signal.reason
          resolve({ ok: false, code: 'CALL_CANCELLED', message: 'gone' })
        })
      })
    const request = { script: 'await tools.slow.one()', input: '{}', limits: scriptLimits(), seed: 1, now: 0, onCall }
    const end = await timed.run(request)
    await timed.close()
    const error = end.state === 'failed' ? end.error : undefined
    expect(error).toMatchObject({ code: 'DEADLINE_EXCEEDED' })
    expect(error?.message).toContain('slow.one 1 not ended when the script was')
    expect(reason).toBe(error)
  })

  it('pauses when all that is left are calls that wait for a person, and goes on where it was', async () => {
    const script = `const a = await tools.read.it({ n: 1 })
      const [x, y] = await Promise.all([tools.write.it({ a }), tools.read.it({ n: 2 })])
      return [x, y]`
    const asked: string[] = []
    let isGranted = false
    const onCall: ScriptRequest['onCall'] = async ({ tool, args }) => {
      asked.push(tool)
      return tool === 'write.it' && !isGranted ? { held: { approval: 'a_1' } } : { ok: true, json: args }
    }
    const first = await run(script, { onCall })
    expect(first).toMatchObject({ state: 'paused', held: [{ held: { approval: 'a_1' }, call: { n: 2 } }] })
    expect(asked).toEqual(['read.it', 'write.it', 'read.it'])
    isGranted = true
    const journal = first.state === 'paused' ? first.journal : []
    const second = await run(script, { onCall, journal })
    expect(second).toMatchObject({ state: 'done', json: '[{"a":{"n":1}},{"n":2}]' })
    expect(asked).toEqual(['read.it', 'write.it', 'read.it', 'write.it'])
    const other = await run(script.replace('n: 1', 'n: 3'), { onCall, journal })
    expect(other).toMatchObject({ state: 'failed', error: { code: 'SCRIPT_FAILED' } })
  })
})
