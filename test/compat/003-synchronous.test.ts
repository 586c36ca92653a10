import { describe, expect, it } from 'vitest'
import { syncify } from '../../src/compat/shift.js'
import { runProgram } from '../helpers/library-process.js'

/** Each line is a call; what it gave or threw is printed, and so is that the process went on. */
const outcomes = async (calls: readonly string[], options?: Parameters<typeof runProgram>[1]) => {
  const program = `
    import { syncify, ToolManager } from 'PEGBOARD'
    const said = []
    const attempt = (call) => {
      try { said.push({ value: call() }) } catch (error) { said.push({ name: error.name, code: error.code, message: error.message }) }
    }
    ${calls.map((call) => `attempt(() => ${call})`).join('\n')}
    // At its natural end: whatever a thread left behind has happened by then.
    process.once('beforeExit', () => console.log(JSON.stringify(said)))`
  const ended = await runProgram(program, options)
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  return JSON.parse(ended.stdout) as { value?: unknown; name?: string; code?: string; message?: string }[]
}

describe('a synchronous call of an asynchronous function in a program of its own (B6)', () => {
  it('works under --input-type=module, by flag and by NODE_OPTIONS', async () => {
    const call = ['syncify(async (n) => n + 1)(1)', `syncify(async () => (await import('node:os')).EOL.length)()`]
    expect(await outcomes(call)).toEqual([{ value: 2 }, { value: 1 }])
    expect(await outcomes(call, { env: { NODE_OPTIONS: '--input-type=module --no-warnings' } })).toEqual([
      { value: 2 },
      { value: 1 },
    ])
  })

  it('survives a stray rejection, a throwing timer and process.exit in the tool, and says what happened', async () => {
    const said = await outcomes([
      `syncify(async () => { Promise.reject(new RangeError('stray')); await new Promise(() => {}) })()`,
      `syncify(async () => { setTimeout(() => { throw Object.assign(new Error('late'), { code: 'E_LATE' }) }); await new Promise(() => {}) })()`,
      `syncify(async () => { process.exit(3) })()`,
      `syncify(async () => { setTimeout(() => { throw new Error('too late') }, 20); return 'first' })()`,
      `syncify(async () => 'still here')()`,
    ])
    expect(said).toEqual([
      { name: 'RangeError', message: 'stray' },
      { name: 'Error', code: 'E_LATE', message: 'late' },
      { name: 'Error', code: 'ERR_WORKER_EXITED', message: 'it ended its thread with process.exit(3)' },
      { value: 'first' },
      { value: 'still here' },
    ])
  })

  it('keeps name and code of what was thrown', async () => {
    const [said] = await outcomes([`syncify(async () => (await import('node:fs')).readFileSync('/no/such/file'))()`])
    expect(said).toMatchObject({ name: 'Error', code: 'ENOENT' })
  })

  it('goes on after a tool that never settles', async () => {
    const [given, empty] = await outcomes([
      'syncify(async () => new Promise(() => setInterval(() => {}, 1000)), { timeoutMs: 50 })()',
      'syncify(async () => new Promise(() => {}))()',
    ])
    expect(given).toMatchObject({ code: 'TOOL_ASYNC_ONLY', message: expect.stringContaining('within 50 ms') })
    expect(empty).toMatchObject({ code: 'TOOL_ASYNC_ONLY', message: expect.stringContaining('nothing was left') })
  })

  it('ends a program whose last line was one', async () => {
    const ended = await runProgram(`import { syncify } from 'PEGBOARD'
      console.log(syncify(async () => { setInterval(() => {}, 10); return 1 })())`)
    expect(ended).toEqual({ code: 0, stdout: '1\n', stderr: '' })
  })
})

describe('what has no synchronous form says why (B6)', () => {
  class Counter {
    count = 41
    #secret = 1
    async next() {
      return this.count + 1
    }
    async hidden() {
      return this.#secret
    }
    later = async () => this.count
  }
  const counter = new Counter()

  it.each([
    ['a method that lost its object', counter.next, /uses `this`/],
    ['an arrow that holds on to its object', counter.later, /uses `this`/],
    ['one that uses private members', counter.hidden, /cannot stand alone|uses `this`/],
    ['a bound one', counter.next.bind(counter), /bound or native/],
    ['one that needs names from around it', async () => counter, /counter is not defined/],
  ])('%s', (_what, fn, why) => {
    expect(() => syncify(fn)()).toThrow(expect.objectContaining({ code: 'TOOL_ASYNC_ONLY' }))
    expect(() => syncify(fn)()).toThrow(why)
  })

  it('a method that does not need its object is copied', () => {
    const maths = {
      async twice(n: number) {
        return n * 2
      },
    }
    expect(syncify(maths.twice)(4)).toBe(8)
  })
})
