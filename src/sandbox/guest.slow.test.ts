import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import variant from '@jitl/quickjs-ng-wasmfile-release-sync'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Engine, Guest, type GuestTurn, makeEngine } from './guest.js'
import { type ScriptLimits, scriptLimits } from './limits.js'
import { newMeter, type ScriptAnswer } from './protocol.js'

const { WebAssembly } = globalThis as unknown as {
  readonly WebAssembly: { readonly Module: new (bytes: Uint8Array) => unknown }
}
let compiled: unknown
beforeAll(() => {
  const wasm = createRequire(import.meta.url).resolve('@jitl/quickjs-ng-wasmfile-release-sync/wasm')
  compiled = new WebAssembly.Module(readFileSync(wasm))
})

const engineOf = (limits: ScriptLimits): Promise<Engine> => makeEngine(variant, compiled, limits.memoryBytes)

/** One script in an engine of this thread: what it said first, and how it goes on by answers. */
const begun = async (script: string, wanted: Partial<ScriptLimits> = {}, input = 'null') => {
  const limits = scriptLimits(wanted)
  const guest = new Guest(await engineOf(limits), limits, newMeter())
  return { guest, first: guest.begin(script, input, 1_700_000_000_000, 7) }
}

const ok = (value: unknown): ScriptAnswer => ({ ok: true, json: JSON.stringify(value) })
const endOf = async (script: string, wanted: Partial<ScriptLimits> = {}): Promise<GuestTurn['end']> =>
  (await begun(script, wanted)).first.end

describe('a script in its engine', () => {
  it('says what it calls, goes on by the answer, and ends with what it returns', async () => {
    const { guest, first } = await begun('return (await tools.a.b({ n: input.n })).m + 1', {}, '{"n":1}')
    expect(first).toEqual({ calls: [{ n: 1, tool: 'a.b', args: '{"n":1}' }], end: undefined })
    expect(guest.answer(1, ok({ m: 41 }))).toEqual({ calls: [], end: { kind: 'value', json: '42' } })
    expect(guest.answered).toBe(1)
    expect(guest.memoryBytes).toBeGreaterThan(0)
    expect(guest.cpuMs).toBeGreaterThan(0)
  })

  it('may make several calls at once, and hears of each as it ends', async () => {
    const { guest, first } = await begun("return Promise.all(['x', 'y'].map((name) => call(name)))")
    expect(first.calls.map(({ tool }) => tool)).toEqual(['x', 'y'])
    expect(guest.answer(2, ok('second'))).toEqual({ calls: [], end: undefined })
    expect(guest.answer(1, ok('first')).end).toEqual({ kind: 'value', json: '["first","second"]' })
  })

  it('gets a refusal as an error with its code, and may go on', async () => {
    const { guest } = await begun('try { await call("x") } catch (e) { return [e.code, e.tool, e.message, e.details] }')
    const answer = { ok: false, code: 'TOOL_FAILED', message: 'no', details: '{"why":1}' } as const
    expect(guest.answer(1, answer).end).toEqual({ kind: 'value', json: '["TOOL_FAILED","x","no",{"why":1}]' })
  })

  it('is told what is wrong with a call before anybody is asked', async () => {
    const codes = async (script: string, wanted: Partial<ScriptLimits> = {}) => {
      const { first } = await begun(`try { await ${script} } catch (e) { return e.code }`, wanted)
      return first.end
    }
    expect(await codes('call("")')).toEqual({ kind: 'value', json: '"TOOL_NOT_FOUND"' })
    expect(await codes('call("a\\u0000b")')).toEqual({ kind: 'value', json: '"TOOL_NOT_FOUND"' })
    expect(await codes('call("x".repeat(600))')).toEqual({ kind: 'value', json: '"TOOL_NOT_FOUND"' })
    expect(await codes('call("x", { a: "y".repeat(2e6) })')).toEqual({ kind: 'value', json: '"ARGUMENTS_INVALID"' })
    expect(await codes('call("x", { n: 1n })')).toEqual({ kind: 'value', json: '"ARGUMENTS_INVALID"' })
    const { first } = await begun('call("x"); try { await call("y") } catch (e) { return e.code }', { maxCalls: 1 })
    expect(first).toMatchObject({ calls: [{ tool: 'x' }], end: { kind: 'value', json: '"SCRIPT_LIMIT"' } })
  })

  it('says on which line it failed', async () => {
    expect(await endOf('const a = 1\nthrow new Error("gone")')).toEqual({
      ...{ kind: 'threw', syntax: false, code: '', message: 'Error: gone', line: 2 },
    })
    expect(await endOf('return 1 +')).toMatchObject({ kind: 'threw', syntax: true })
    expect(await endOf('throw { get message() { throw 1 } }')).toMatchObject({
      ...{ kind: 'threw', message: 'something that cannot be read' },
    })
    expect(await endOf('await new Promise(() => {})')).toMatchObject({
      message: expect.stringContaining('nobody settles'),
    })
    expect(await endOf('return () => 1')).toMatchObject({ message: expect.stringContaining('plain data') })
  })

  it.each<[string, string, Partial<ScriptLimits>]>([
    ['cpu', 'for (;;) {}', { cpuMs: 20 }],
    ['cpu', 'for (;;) try { for (;;) {} } catch {}', { cpuMs: 20 }],
    ['jobs', 'for (;;) await null', { jobs: 2000 }],
    ['memory', 'const a = []; for (;;) a.push(new Array(1e4).fill(a.length))', { memoryBytes: 8 * 1024 ** 2 }],
    ['result', 'return "x".repeat(2000)', { resultBytes: 1000 }],
  ])('ends at its limit: %s by %s', async (limit, script, wanted) => {
    expect(await endOf(script, wanted)).toMatchObject({ kind: 'limit', limit })
  })

  it('keeps so many lines of what it logs, and counts the others', async () => {
    const { guest } = await begun('for (let i = 0; i < 9; i++) console.log("line", i, { i })', { logLines: 4 })
    expect(guest.logs).toEqual(['line 0 {"i":0}', 'line 1 {"i":1}', 'line 2 {"i":2}', 'line 3 {"i":3}'])
    expect(guest.dropped).toBe(5)
  })
})
