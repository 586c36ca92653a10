import { afterAll, describe, expect, it } from 'vitest'
import { systemClock } from '../model/clock.js'
import { type ScriptLimits, scriptLimits } from './limits.js'
import { createSandbox } from './sandbox.js'
import type { ScriptEnd, ScriptRequest } from './script-run.js'

const sandbox = createSandbox(systemClock, { maxRunning: () => 1 })
afterAll(() => sandbox.close())

const answers = new Map([
  ['evil.proto', '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}},"then":"me","toJSON":"no"}'],
  ['evil.script', '"});process.exit(1);//"'],
])

const onCall: ScriptRequest['onCall'] = async ({ tool, args }) => {
  const json = answers.get(tool) ?? (tool.startsWith('ok.') ? args : undefined)
  return json === undefined ? { ok: false, code: 'TOOL_NOT_FOUND', message: `No tool '${tool}'.` } : { ok: true, json }
}

const run = (script: string, limits: Partial<ScriptLimits> = {}): Promise<ScriptEnd> =>
  sandbox.run({ script, input: '{}', limits: scriptLimits(limits), seed: 1, now: 1e12, onCall })

/** `value`: what it returns. `code`, with `limit`: how it fails. Anything: as long as it ends within its limits. */
type Ending = { readonly value: unknown } | { readonly code: string; readonly limit?: string | undefined } | 'ended'

const attacks: Readonly<Record<string, Readonly<Record<string, readonly [script: string, ending: Ending]>>>> = {
  'reaching out': {
    'names of the host': [
      `return ['process', 'require', 'module', 'fetch', 'WebAssembly', 'setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask',
        'performance', 'SharedArrayBuffer', 'Atomics', 'WeakRef', 'FinalizationRegistry', 'Buffer', 'global', 'std', 'os', 'bjson', 'gc',
        'navigator', 'crypto', 'structuredClone', 'send', 'begin', 'settle', 'watch', 'report', '__begin', 'DOMException']
        .filter((name) => name in globalThis)`,
      { value: [] },
    ],
    'the constructor of constructors': [
      `return [typeof ({}).constructor.constructor('return typeof process')(), ({}).constructor.constructor('return typeof process')()]`,
      { value: ['string', 'undefined'] },
    ],
    'constructors of what is given': [
      `return [call, console.log, tools.x, ToolError, console].map((f) => {
        const F = (f.constructor ?? Object).constructor ?? Function; return F('return typeof process + typeof require')() })`,
      { value: Array(5).fill('undefinedundefined') },
    ],
    'constructors of async and generator functions': [
      `const A = (async () => {}).constructor, G = (function* () {}).constructor
       return [await A('return typeof process')(), G('yield typeof process')().next().value]`,
      { value: ['undefined', 'undefined'] },
    ],
    'Error.prepareStackTrace': [
      `let sites = 0; try { Error.prepareStackTrace = (e, s) => { sites = s; return s } } catch {}
       try { Object.defineProperty(Error, 'prepareStackTrace', { value: (e, s) => { sites = s } }) } catch {}
       try { await tools.nope.x() } catch (e) { void e.stack }
       void new Error().stack; return sites`,
      { value: 0 },
    ],
    'a subclass with prepareStackTrace': [
      `class E extends Error { static prepareStackTrace(e, s) { return s } }
       const s = new E('x').stack; return typeof s === 'string' ? 'text' : s.map((x) => String(x.getFunction?.()))`,
      { value: 'text' },
    ],
    'Error.captureStackTrace': [
      `const o = {}; Error.captureStackTrace?.(o); return typeof o.stack === 'string' && !/\\/|node:/.test(o.stack)`,
      { value: true },
    ],
    "the stack of a tool's error": [
      `try { await tools.nope.x() } catch (e) { return /node:|file:|\\/(work|home|usr|tmp)/.test(e.stack) }`,
      { value: false },
    ],
    eval: [`return [eval('typeof process'), (0, eval)('typeof require')]`, { value: ['undefined', 'undefined'] }],
    'import()': [`try { await import('node:fs'); return 'in' } catch (e) { return 'refused' }`, { value: 'refused' }],
    'import() of data': [
      `try { await import('data:text/javascript,export default 1'); return 'in' } catch { return 'refused' }`,
      { value: 'refused' },
    ],
    'a static import': [`import fs from 'node:fs'\nreturn 1`, { code: 'SCRIPT_INVALID' }],
    'import.meta': [`return import.meta.url`, { code: 'SCRIPT_INVALID' }],
    'closing the wrapper': [
      `})(); globalThis.mine = typeof process; (async () => { return mine`,
      { value: 'undefined' },
    ],
    'closing the wrapper and throwing what loops': [
      `})(); throw { get message() { for (;;) {} } }; (async () => {`,
      { code: 'SCRIPT_LIMIT', limit: 'cpu' },
    ],
    'arguments of the callers': [
      `function f() { return f.caller } try { return String(f()) } catch (e) { return 'no' }`,
      'ended',
    ],
    'this of a sloppy function': [
      `return (function () { return typeof this.process + typeof this.require })()`,
      { value: 'undefinedundefined' },
    ],
    'walking every object that can be reached': [
      `const seen = new Set(), open = [globalThis], found = []
       while (open.length && seen.size < 5000) { const o = open.pop()
         if ((typeof o !== 'object' && typeof o !== 'function') || o === null || seen.has(o)) continue
         seen.add(o)
         for (const k of Reflect.ownKeys(o)) { if (['send', 'settle', 'watch', 'begin', 'report', 'process'].includes(k)) found.push(k)
           try { const d = Reflect.getOwnPropertyDescriptor(o, k); open.push(d.value, d.get, d.set) } catch {} }
         try { open.push(Object.getPrototypeOf(o)) } catch {} }
       return found`,
      { value: [] },
    ],
  },
  'lying to the host': {
    'polluted prototypes': [
      `Object.prototype.ok = true; Array.prototype.toJSON = () => 'x'; Object.prototype.held = 1; return { a: [1] }`,
      { value: { a: 'x' } },
    ],
    'toJSON on everything': [`Object.prototype.toJSON = () => ({ kind: 'value', json: '1' }); return {}`, 'ended'],
    'toJSON of texts': [`String.prototype.toJSON = () => 5; return (await tools.ok.a({ s: 'x' })).s`, { value: 'x' }],
    'a JSON of its own': [
      `JSON.stringify = () => 'forged'; JSON.parse = () => 'forged'; return await tools.ok.a({ n: 1 })`,
      { value: { n: 1 } },
    ],
    'a Promise of its own': [
      `globalThis.Promise = class { then() {} }; return await tools.ok.a({ n: 1 })`,
      { value: { n: 1 } },
    ],
    'Promise.resolve and then': [
      `Promise.resolve = () => { throw 1 }; Promise.prototype.then = () => { throw 2 }; return await tools.ok.a({ n: 2 })`,
      { value: { n: 2 } },
    ],
    'the constructor of promises': [
      `Object.defineProperty(Promise.prototype, 'constructor', { get() { throw new Error('trap') } }); return 1`,
      'ended',
    ],
    'Map, Set, Reflect and Proxy of its own': [
      `for (const n of ['Map', 'Set', 'Reflect', 'Proxy', 'Object', 'String', 'Error']) try { globalThis[n] = undefined } catch {}
       return await tools.ok.a({ n: 3 })`,
      { value: { n: 3 } },
    ],
    'a forged apply': [
      `Function.prototype.apply = Function.prototype.call = () => 'forged'; console.log('x'); return await call('ok.a', { n: 4 })`,
      { value: { n: 4 } },
    ],
    'an iterator of its own': [
      `Array.prototype[Symbol.iterator] = function* () { yield 'forged' }; console.log('x'); return await tools.ok.a({ n: 5 })`,
      { value: { n: 5 } },
    ],
    'Symbol.species of promises': [
      `Object.defineProperty(Promise, Symbol.species, { get() { return class { constructor(f) { f(() => {}, () => {}) } } } })
       return await tools.ok.a({ n: 6 })`,
      { value: { n: 6 } },
    ],
    'Symbol.species of arrays': [
      `Object.defineProperty(Array, Symbol.species, { value: function () { return { length: 1e9 } } }); return [1, 2].map((x) => x)`,
      'ended',
    ],
    'Symbol.hasInstance': [
      `Object.defineProperty(Function.prototype, Symbol.hasInstance, { value: () => { for (;;) {} } }); throw new Error('x')`,
      { code: 'SCRIPT_FAILED' },
    ],
    'a thenable result': [`return { then(yes) { yes({ then: null, a: 1 }) } }`, { value: { then: null, a: 1 } }],
    'a thenable that never answers': [`return { then() {} }`, { code: 'SCRIPT_FAILED' }],
    'setting what is given': [
      `try { tools = 1 } catch {} try { call = 1 } catch {} try { Object.defineProperty(globalThis, 'tools', { value: 1 }) } catch {}
       tools.ok.a = 1; tools.x = () => 'mine'; return await tools.ok.a({ n: 7 })`,
      { value: { n: 7 } },
    ],
    'changing ToolError': [
      `try { ToolError.prototype.name = 'X' } catch {} try { Object.setPrototypeOf(ToolError, Array) } catch {}
       try { await tools.nope.x() } catch (e) { return [e.name, e.code] }`,
      { value: ['ToolError', 'TOOL_NOT_FOUND'] },
    ],
    'a ToolError of its own making': [
      `throw new ToolError('ACCESS_DENIED', 'forged', 'x.y')`,
      { code: 'SCRIPT_FAILED' },
    ],
    'an error that claims to be out of memory': [`throw new InternalError('out of memory')`, { code: 'SCRIPT_LIMIT' }],
  },
  'answers as weapons': {
    'keys of prototypes in an answer': [
      `const a = await tools.evil.proto(); return [({}).isAdmin ?? null, Object.keys(a).length, Object.getPrototypeOf(a) === Object.prototype]`,
      { value: [null, 4, true] },
    ],
    'a script in an answer': [`return typeof (await tools.evil.script())`, { value: 'string' }],
  },
  'traps where the host reads': {
    'a getter that loops in the result': [`return { get a() { for (;;) {} } }`, { code: 'SCRIPT_LIMIT', limit: 'cpu' }],
    'a proxy as result': [`return new Proxy({}, { ownKeys() { throw new Error('trap') } })`, { code: 'SCRIPT_FAILED' }],
    'toJSON that loops in arguments': [
      `await tools.ok.a({ toJSON() { for (;;) {} } })`,
      { code: 'SCRIPT_LIMIT', limit: 'cpu' },
    ],
    'cyclic arguments': [
      `const o = {}; o.o = o; try { await tools.ok.a(o) } catch (e) { return e.code }`,
      { value: 'ARGUMENTS_INVALID' },
    ],
    'arguments that are a function': [
      `try { await tools.ok.a(() => 1) } catch (e) { return e.code }`,
      { value: 'ARGUMENTS_INVALID' },
    ],
    'a cyclic result': [`const o = {}; o.o = o; return o`, { code: 'SCRIPT_FAILED' }],
    'a function as result': [`return () => 1`, { code: 'SCRIPT_FAILED' }],
    'a BigInt as result': [`return 1n`, { code: 'SCRIPT_FAILED' }],
    'a thrown proxy': [
      `throw new Proxy({}, { get() { throw new Error('trap') }, getPrototypeOf() { throw 1 } })`,
      { code: 'SCRIPT_FAILED' },
    ],
    'a thrown getter that loops': [`throw { get message() { for (;;) {} } }`, { code: 'SCRIPT_LIMIT', limit: 'cpu' }],
    'a thrown error without words': [
      `throw Object.create(null, { message: { value: 5 }, name: { value: {} } })`,
      { code: 'SCRIPT_FAILED' },
    ],
    'nothing thrown': [`throw undefined`, { code: 'SCRIPT_FAILED' }],
    'a log that loops': [`console.log({ toJSON() { for (;;) {} } })`, { code: 'SCRIPT_LIMIT', limit: 'cpu' }],
    'a log that throws': [`console.log({ toJSON() { throw 1 } }, Symbol('x'), 1n, null); return 1`, { value: 1 }],
    'a tool name that loops': [`await call({ toString() { for (;;) {} } })`, { code: 'SCRIPT_LIMIT', limit: 'cpu' }],
    'a tool name that is a symbol': [
      `try { await call(Symbol('x')) } catch (e) { return e.code }`,
      { value: 'TOOL_NOT_FOUND' },
    ],
  },
  size: {
    'huge arguments': [
      `try { await tools.ok.a({ s: 'x'.repeat(2e6) }) } catch (e) { return e.code }`,
      { value: 'ARGUMENTS_INVALID' },
    ],
    'a huge result': [`return 'x'.repeat(1e6)`, { code: 'SCRIPT_LIMIT', limit: 'result' }],
    'huge logs': [`for (let i = 0; i < 1000; i++) console.log('x'.repeat(1000)); return 'ok'`, { value: 'ok' }],
    'a memory bomb': [`const a = []; for (;;) a.push(new Array(1e5).fill(a.length))`, { code: 'SCRIPT_LIMIT' }],
    'a memory bomb that catches': [
      `const a = []; for (;;) try { a.push(new Array(1e6).fill(1)) } catch {}`,
      { code: 'SCRIPT_LIMIT' },
    ],
    'a memory bomb of typed arrays': [
      `const a = []; for (;;) a.push(new Uint8Array(5e6))`,
      { code: 'SCRIPT_LIMIT', limit: 'memory' },
    ],
    'one buffer of four gigabytes': [
      `try { return new ArrayBuffer(4e9).byteLength } catch (e) { return 'refused' }`,
      { value: 'refused' },
    ],
    'doubling texts': [`let s = 'x'; for (;;) s += s`, { code: 'SCRIPT_LIMIT' }],
    padStart: [`let s = ''; for (;;) s += 'x'.padStart(1e8)`, 'ended'],
    'replace that blows up': [`return 'x'.repeat(1e5).replace(/x/g, '$&'.repeat(1e4)).length`, 'ended'],
    // Its time is up, or the engine's own bound of a BigInt comes first.
    'squares of a BigInt': [`let b = 3n; for (;;) b *= b`, 'ended'],
    'deep recursion': [
      `const f = () => f() + 1; try { return f() } catch (e) { return e.name }`,
      { value: 'RangeError' },
    ],
    'deep recursion through a comparator': [
      `const f = () => [2, 1].sort(f); try { f() } catch (e) { return e.name }`,
      { value: 'RangeError' },
    ],
    'deep JSON': [
      `let o = {}; for (let i = 0; i < 1e5; i++) o = { o }; try { return JSON.stringify(o).length } catch (e) { return e.name }`,
      'ended',
    ],
    'a deep result': [`let o = {}; for (let i = 0; i < 1e5; i++) o = { o }; return o`, 'ended'],
    'deep text to parse': [`try { JSON.parse('['.repeat(1e5)); return 1 } catch (e) { return 'no' }`, { value: 'no' }],
    'deep source': [`try { eval('['.repeat(1e5)) } catch (e) { return 'no' }`, 'ended'],
    'a long chain of proxies': [
      `let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); try { return p.x ?? null } catch (e) { return e.name }`,
      'ended',
    ],
  },
  time: {
    'an endless loop': [`for (;;) {}`, { code: 'SCRIPT_LIMIT', limit: 'cpu' }],
    'a loop that swallows': [`for (;;) try { for (;;) {} } catch {}`, { code: 'SCRIPT_LIMIT', limit: 'cpu' }],
    'a loop in finally': [`try { for (;;) {} } finally { for (;;) {} }`, { code: 'SCRIPT_LIMIT', limit: 'cpu' }],
    'a generator without end': [
      `function* g() { for (;;) yield 1 } for (const x of g()) {}`,
      { code: 'SCRIPT_LIMIT', limit: 'cpu' },
    ],
    'a pattern that backtracks': [
      `return /^(a+)+$/.test('a'.repeat(40) + 'b')`,
      { code: 'SCRIPT_LIMIT', limit: 'cpu' },
    ],
    'promises without end': [
      `const f = () => Promise.resolve().then(f); await f()`,
      { code: 'SCRIPT_LIMIT', limit: 'cpu' },
    ],
    'await without end': [`for (;;) await null`, { code: 'SCRIPT_LIMIT', limit: 'cpu' }],
    'promises without end while a call waits': [
      `tools.ok.a(); for (;;) await 1`,
      { code: 'SCRIPT_LIMIT', limit: 'cpu' },
    ],
    'ten thousand promises': [
      `return (await Promise.all([...Array(10000).keys()].map(async (i) => i))).length`,
      { value: 10_000 },
    ],
    'a million to sort': [
      `const a = []; for (let i = 0; i < 1e6; i++) a.push(Math.random()); a.sort(); return 1`,
      'ended',
    ],
    'native work in one piece': [
      `const a = new Array(3e6).fill(0); for (;;) a.join('xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx').indexOf('y')`,
      { code: 'SCRIPT_LIMIT' },
    ],
    'a promise nobody settles': [`await new Promise(() => {})`, { code: 'SCRIPT_FAILED' }],
  },
  calls: {
    'a thousand at once': [
      `const all = await Promise.allSettled([...Array(1000).keys()].map((i) => tools.ok.a({ i })))
       return [all.filter((x) => x.status === 'fulfilled').length, all.find((x) => x.reason)?.reason.code]`,
      { value: [200, 'SCRIPT_LIMIT'] },
    ],
    'odd names': [
      `const names = ['__proto__', 'constructor', '', 'a\\u0000b', '../x', ' ', 'x'.repeat(5000), 'then', 'a\\nb']
       const codes = []; for (const n of names) try { await call(n) } catch (e) { codes.push(e.code) }
       return codes.every((c) => c === 'TOOL_NOT_FOUND') && codes.length`,
      { value: 9 },
    ],
    'odd members': [
      `return [await tools, typeof tools.constructor, typeof tools.prototype, typeof tools.then, Object.keys(tools), String(typeof tools)]
        .map((x) => typeof x === 'function' ? 'f' : x)`,
      { value: ['f', 'undefined', 'undefined', 'undefined', [], 'function'] },
    ],
    'work after the end': [
      `Promise.resolve().then(() => {}).then(() => {}).then(() => {}).then(async () => { for (;;) await tools.ok.a() }); return 1`,
      'ended',
    ],
    'rejections that nobody sees': [`Promise.reject(new Error('x')); tools.nope.x(); return 1`, { value: 1 }],
  },
  clock: {
    'every way to the time': [
      `return [Date.now(), +new Date(), new (Object.getPrototypeOf(new Date()).constructor)().getTime(), Reflect.construct(Date, []).getTime(),
        new (class extends Date {})().getTime()].every((t) => t === 1e12)`,
      { value: true },
    ],
    'waiting for the time to pass': [
      `const t = Date.now(); while (Date.now() === t) {}`,
      { code: 'SCRIPT_LIMIT', limit: 'cpu' },
    ],
  },
  text: {
    'line separators, NUL and halves of pairs': [
      `const s = 'a\\u2028b\\u0000c\\ud800d'; return [s, (await tools.ok.a({ s })).s === s]`,
      { value: ['a\u2028b\u0000c\ud800d', true] },
    ],
  },
}

const names = (): string => JSON.stringify([Reflect.ownKeys(Object.prototype), Reflect.ownKeys(globalThis).map(String)])

for (const [group, scripts] of Object.entries(attacks))
  describe(`a script that attacks by ${group}`, () => {
    it.each(Object.entries(scripts))('%s', async (_, [script, ending]) => {
      const before = names()
      const startedAt = performance.now()
      // What should come to its end gets the time for it; what should be ended, little.
      const isQuick = ending === 'ended' || (!('value' in ending) && ending.limit !== 'memory')
      const end = await run(script, { cpuMs: isQuick ? 300 : 5000 })
      const tookMs = performance.now() - startedAt
      expect(names()).toBe(before)
      // Budget, grace, the watchdog's turn and the start of a thread, on a machine that others use too.
      expect(tookMs).toBeLessThan(6000)
      expect(end.cpuMs).toBeLessThan(5500)
      if (ending === 'ended') expect(end.state).not.toBe('paused')
      else if ('value' in ending) {
        if (end.state === 'failed') throw end.error
        expect(end.state === 'done' && JSON.parse(end.json)).toEqual(ending.value)
      } else {
        const error = end.state === 'failed' ? end.error : undefined
        expect(error?.code, error?.message ?? JSON.stringify(end)).toBe(ending.code)
        if (ending.limit) expect(error?.details?.limit).toBe(ending.limit)
      }
      // Whatever it did, the next script finds a world as new.
      const next = await run('return [typeof mine, ({}).ok ?? null, Object.keys(Object.prototype).length, 1 + 1]')
      expect(next).toMatchObject({ state: 'done', json: '["undefined",null,0,2]' })
    })
  })

describe('scripts that attack', () => {
  it('are a hundred or so, and leave the process as large as it was', () => {
    expect(Object.values(attacks).flatMap((group) => Object.keys(group)).length).toBeGreaterThanOrEqual(85)
    expect(process.memoryUsage().rss).toBeLessThan(700 * 1024 ** 2)
  })
})
