import { describe, expect, it } from 'vitest'
import { MCPRegistry } from '../../src/compat/mcp-registry.js'
import { type PlanStep, runPlan } from '../../src/compat/run-plan.js'
import { KeyError, ValueError } from '../../src/errors.js'
import { calculate } from '../../src/sources/examples/calculate.js'
import { VirtualClock } from '../helpers/virtual-clock.js'

const add = {
  name: 'add',
  description: 'adds',
  input_schema: { type: 'object' },
  call: ({ a, b }: { a: number; b: number }) => a + b,
}
const echo = { name: 'echo', call: (args: unknown) => ({ ok: true, echo: args }) }
const calculator = {
  name: 'calculator',
  description: 'Evaluate a simple arithmetic expression',
  input_schema: { type: 'object', properties: { expr: { type: 'string' } }, required: ['expr'] },
  call: ({ expr }: { expr: string }) => ({ output: String(calculate(expr)) }),
}

const registryWith = (...tools: { name: string; call: (args: any) => unknown }[]) => {
  const registry = new MCPRegistry()
  for (const tool of tools) registry.register(tool)
  return registry
}

describe('000 MCPRegistry', () => {
  it('000-16 test_register_and_describe: 000-06 000-07 describes exactly description and input_schema', () => {
    const registry = registryWith(add, echo)
    expect(registry.describe()).toEqual({
      add: { description: 'adds', input_schema: { type: 'object' } },
      echo: { description: '', input_schema: {} },
    })
    expect(Object.keys(registry.describe().add!)).toEqual(['description', 'input_schema'])
  })

  it('000-16 test_call_success', async () => {
    const registry = registryWith({ name: 'echo', call: ({ text }) => ({ output: text }) })
    expect(await registry.call('echo', { text: 'hi' })).toEqual({ output: 'hi' })
  })

  it('000-16 test_call_missing_tool: 000-08 rejects with KeyError', async () => {
    const error = await registryWith()
      .call('nope', {})
      .catch((each: unknown) => each)
    expect(error).toBeInstanceOf(KeyError)
    expect(error).toMatchObject({ name: 'KeyError', message: 'Tool not found: nope' })
  })

  it('000-16 test_register_invalid: 000-09 throws TypeError without name or call (000 compat 2)', () => {
    const registry = new MCPRegistry()
    for (const tool of [
      {},
      { call: () => 1 },
      { name: 'x' },
      { name: '', call: () => 1 },
      { name: 7, call: () => 1 },
      null,
      'tool',
    ])
      expect(() => registry.register(tool as never)).toThrow(
        new TypeError('Tool must have `name` and `call(arguments)`'),
      )
  })

  it('000-02 takes class instances and calls them on themselves', async () => {
    class Counter {
      name = 'counter'
      #count = 0
      call() {
        return ++this.#count
      }
    }
    const registry = registryWith(new Counter())
    await registry.call('counter')
    expect(await registry.call('counter')).toBe(2)
  })

  it('000-02 takes both spellings of the schema', () => {
    const schema = { type: 'object', properties: { a: {} } }
    const registry = registryWith({ name: 'a', inputSchema: schema, call: () => 1 } as never)
    expect(registry.describe().a!.input_schema).toBe(schema)
  })

  it('000-05 needs no argument', () => {
    expect(new MCPRegistry().describe()).toEqual({})
  })

  it('000-10 lets a tool’s error through unchanged, whatever it is', async () => {
    for (const thrown of [new RangeError('boom'), 'text', null, { code: 7 }]) {
      const registry = registryWith({
        name: 'bad',
        call: () => {
          throw thrown
        },
      })
      await expect(registry.call('bad')).rejects.toBe(thrown)
      expect(await new Promise((resolve) => resolve(registry.callSync('bad'))).catch((error) => error)).toBe(thrown)
    }
  })

  it('000-11 calculates without eval', async () => {
    expect(await registryWith(calculator).call('calculator', { expr: '21*2+5' })).toEqual({ output: '47' })
  })

  it('000 compat 1: add and echo', async () => {
    const registry = registryWith(add, echo)
    expect(await registry.call('add', { a: 1, b: 2 })).toBe(3)
    expect(await registry.call('echo', { k: 'v' })).toEqual({ ok: true, echo: { k: 'v' } })
    expect(registry.callSync('add', { a: 1, b: 2 })).toBe(3)
  })

  it('000 compat 3: a later tool of the same name replaces the earlier (C3), or is refused if asked', async () => {
    const registry = registryWith({ name: 'same', call: () => 1 }, { name: 'same', call: () => 2 })
    expect(await registry.call('same')).toBe(2)
    const strict = new MCPRegistry({ onConflict: 'error' })
    strict.register({ name: 'same', call: () => 1 })
    expect(() => strict.register({ name: 'same', call: () => 2 })).toThrow(/already registered/)
    expect(await strict.call('same')).toBe(1)
  })

  it('000 compat 4: execute describes', async () => {
    const registry = registryWith(echo)
    for (const data of [undefined, null, 'describe', { op: 'describe' }, { op: 'describe', foo: 1 }])
      expect(await registry.execute(data)).toHaveProperty('echo')
  })

  it('000 compat 5: execute calls', async () => {
    const registry = registryWith(add)
    expect(await registry.execute({ name: 'add', arguments: { a: 10, b: 5 } })).toBe(15)
    expect(await registry.execute({ op: 'call', name: 'add', arguments: { a: 2, b: 3 } })).toBe(5)
  })

  it('000 compat 6: execute refuses what it cannot read, and call passes anything through', async () => {
    const registry = registryWith(echo)
    await expect(registry.execute({ name: 'not_exist' })).rejects.toBeInstanceOf(KeyError)
    await expect(registry.execute({ op: 'delete', name: 'echo' })).rejects.toThrow(
      new ValueError('Unsupported op: delete'),
    )
    await expect(registry.execute([])).rejects.toBeInstanceOf(TypeError)
    await expect(registry.execute(7)).rejects.toBeInstanceOf(TypeError)
    for (const data of [{ op: 'call', arguments: {} }, { name: '' }])
      await expect(registry.execute(data)).rejects.toThrow(/^Missing or invalid 'name'/)
    await expect(registry.execute({ name: 'echo', arguments: 123 })).rejects.toThrow(
      new TypeError("'arguments' must be a dict."),
    )
    expect(await registry.call('echo', 123)).toEqual({ ok: true, echo: 123 })
  })

  it('000-01 000 compat 7: runs a plan to its reply, or sums up what happened', async () => {
    const registry = registryWith(calculator)
    const step: PlanStep = { type: 'tool', name: 'calculator', arguments: { expr: '21*2' } }
    const replied = await runPlan(registry, [
      { ...step, arguments: { expr: '21*2+5' } },
      { type: 'reply', text: 'It is 47.' },
    ])
    expect(replied).toMatchObject({
      reply: 'It is 47.',
      observations: [{ step: 0, tool: 'calculator', ok: true, result: { output: '47' } }],
    })
    const summed = await runPlan(registry, [step])
    expect(summed.reply).toMatch(/succeeded/)
    expect(summed.reply).toContain('42')
  })

  it('000-15 hands on a result with output and meta as it is, and forces that shape on nobody', async () => {
    const result = { output: 'hi', meta: { latency_ms: 3, cost: 0.1, cache_hit: false } }
    const registry = registryWith({ name: 'shaped', call: () => result }, { name: 'plain', call: () => 7 })
    expect(await registry.call('shaped', {})).toBe(result)
    expect(await registry.call('plain', {})).toBe(7)
  })

  it('000-14 runs a step without arguments with {}, notes missing fields and goes on', async () => {
    const registry = registryWith(
      calculator,
      { name: 'now', call: (args) => args },
      { name: 'bad', call: () => Promise.reject(new Error('boom')) },
    )
    const { observations } = await runPlan(registry, [
      { type: 'tool', name: 'now' },
      { type: 'tool', name: 'calculator' },
      { type: 'tool', name: 'bad' },
      { type: 'tool', name: 'absent' },
    ])
    expect(observations).toMatchObject([
      { ok: true, result: {} },
      { ok: false, error: 'Missing required fields: ["expr"]' },
      { ok: false, error: 'boom' },
      { ok: false, error: 'Tool not found: absent' },
    ])
  })

  it('runs at most six steps unless told otherwise', async () => {
    const registry = registryWith({ name: 'now', call: () => 1 })
    const plan = Array.from({ length: 9 }, (): PlanStep => ({ type: 'tool', name: 'now' }))
    expect((await runPlan(registry, plan)).observations).toHaveLength(6)
    expect((await runPlan(registry, plan, { maxSteps: 2 })).observations).toHaveLength(2)
  })
})

describe('000-17 rules a registry can be given', () => {
  it('validates strictly with defaults merged', async () => {
    const registry = new MCPRegistry({ validation: 'strict' })
    registry.register({
      name: 'f',
      input_schema: { type: 'object', properties: { n: { type: 'integer', default: 2 } }, additionalProperties: false },
      call: (args) => args,
    })
    expect(await registry.call('f')).toEqual({ n: 2 })
    await expect(registry.call('f', { n: 'x' })).rejects.toBeInstanceOf(TypeError)
    await expect(registry.call('f', { m: 1 })).rejects.toThrow(/f/)
  })

  it('hides what its lists forbid, from calls and descriptions alike', async () => {
    const registry = new MCPRegistry({ allow: ['a*'], deny: ['*_danger'] })
    for (const name of ['a_safe', 'a_danger', 'b']) registry.register({ name, call: () => name })
    expect(Object.keys(registry.describe())).toEqual(['a_safe'])
    await expect(registry.call('a_danger')).rejects.toBeInstanceOf(KeyError)
    expect(await registry.call('a_safe')).toBe('a_safe')
  })

  it('ends slow tools and tries again those that may be', async () => {
    const clock = new VirtualClock()
    const registry = new MCPRegistry({ timeoutMs: 50, clock })
    registry.register({ name: 'slow', call: () => new Promise(() => {}) })
    const call = registry.call('slow').catch((error: unknown) => error)
    await clock.advance(50)
    expect(await call).toMatchObject({ code: 'DEADLINE_EXCEEDED' })
  })

  it('tells a listener about each call', async () => {
    const records: unknown[] = []
    const registry = new MCPRegistry({ onCall: (record) => records.push(record) })
    registry.register(add)
    await registry.call('add', { a: 1, b: 1 })
    await registry.call('nope').catch(() => {})
    expect(records).toMatchObject([
      { tool: 'add', ok: true },
      { tool: 'nope', ok: false, code: 'TOOL_NOT_FOUND' },
    ])
  })

  it('queues calls of a slow tool', async () => {
    const registry = new MCPRegistry({ limits: { concurrencyPerTool: 1 } })
    let running = 0
    let most = 0
    registry.register({
      name: 'slow',
      call: async () => {
        most = Math.max(most, ++running)
        await Promise.resolve()
        running -= 1
      },
    })
    await Promise.all(Array.from({ length: 10 }, () => registry.call('slow')))
    expect(most).toBe(1)
  })
})
