import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { MCPRegistry } from '../../src/compat/mcp-registry.js'
import { mcpAdapters, RemoteMCPAdapter, type RemoteMCPAdapterOptions } from '../../src/compat/remote-adapter.js'
import { VirtualClock } from '../helpers/virtual-clock.js'

const program = fileURLToPath(new URL('./fixtures/json-rpc-program.mjs', import.meta.url))
const mathsServer = fileURLToPath(new URL('./fixtures/maths-server.mjs', import.meta.url))
const schema = { type: 'object', properties: { city: { type: 'string' } } }

const open: AsyncDisposable[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each[Symbol.asyncDispose]()))
})

/** Time stands still: how slowly a process ends cannot change what is read into its end. */
const still = () => ({ clock: new VirtualClock() })

const adapter = (style?: string, options: RemoteMCPAdapterOptions = {}) => {
  const made = new RemoteMCPAdapter(
    'weather',
    'The weather in a city',
    schema,
    [process.execPath, program, ...(style ? [style] : [])],
    options,
  )
  open.push(made)
  return made
}
const called = async (tool: RemoteMCPAdapter, args: object) => (await tool.call(args)) as Record<string, any>

const turn = () => new Promise<false>((resolve) => setTimeout(resolve, 5, false))

describe('000-12 RemoteMCPAdapter', () => {
  it('000-03 000-12 has the four elements of a local tool and answers through the registry', async () => {
    const registry = new MCPRegistry()
    registry.register(adapter())
    expect(registry.describe()).toEqual({
      weather: { description: 'The weather in a city', input_schema: schema },
    })
    expect(await registry.call('weather', { city: '北京' })).toMatchObject({
      output: { city: '北京' },
      method: 'weather',
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
    })
    await registry.close()
  })

  it('000-12 keeps one process over many calls', async () => {
    const tool = adapter()
    const pids = new Set<number>()
    for (let n = 0; n < 5; n++) pids.add((await called(tool, { n })).pid)
    expect(pids.size).toBe(1)
  })

  it('000-12 matches concurrent answers by id, in whatever order they come', async () => {
    const tool = adapter('backwards', { oneShot: false })
    const answers = await Promise.all([1, 2, 3].map((n) => called(tool, { n })))
    expect(answers.map(({ output }) => output.n)).toEqual([1, 2, 3])
  })

  it('000-12 throws RuntimeError with the error of the answer', async () => {
    const tool = adapter()
    await expect(tool.call({ fail: true })).rejects.toMatchObject({
      name: 'RuntimeError',
      message: 'no such city',
      error: { code: -32000, message: 'no such city' },
    })
    await expect(tool.call({ failText: true })).rejects.toMatchObject({ name: 'RuntimeError', message: 'plain words' })
    const registry = new MCPRegistry()
    registry.register(tool)
    await expect(registry.call('weather', { fail: true })).rejects.toMatchObject({ name: 'RuntimeError' })
  })

  it('000-12 takes a missing result, and no output at all, for {}', async () => {
    expect(await adapter().call({ silent: true })).toEqual({})
    expect(await adapter('mute', still()).call({})).toEqual({})
    expect(await adapter('mute', { oneShot: true, ...still() }).call({})).toEqual({})
  })

  it('000-12 takes an answer without an id when it can be meant for one call only', async () => {
    expect(await adapter().call({ bare: true })).toEqual({ bare: true })
  })

  it('000-12 works with a program that answers one line and exits, one call after another and at once', async () => {
    const tool = adapter('once', still())
    const first = await called(tool, { n: 0 })
    const second = await called(tool, { n: 1 })
    expect([first.output.n, second.output.n]).toEqual([0, 1])
    const answers = await Promise.all([2, 3, 4, 5].map((n) => called(tool, { n })))
    expect(answers.map(({ output }) => output.n)).toEqual([2, 3, 4, 5])
    expect(new Set([first, second, ...answers].map(({ pid }) => pid)).size).toBe(6)
  })

  it('000-12 works with a program that exits after one line even when first asked many things at once', async () => {
    const tool = adapter('once', still())
    const answers = await Promise.all([1, 2, 3, 4].map((n) => called(tool, { n })))
    expect(answers.map(({ output }) => output.n)).toEqual([1, 2, 3, 4])
  })

  it('000-12 works with a program that reads its whole input, when told so', async () => {
    const tool = adapter('whole', { oneShot: true, ...still() })
    const answers = await Promise.all([1, 2].map((n) => called(tool, { n })))
    expect(answers.map(({ output }) => output.n)).toEqual([1, 2])
    await expect(tool.call({ fail: true })).rejects.toMatchObject({ name: 'RuntimeError' })
  })

  it('000-12 finds out that a program reads its whole input, asks it one by one, and then no longer waits', async () => {
    const clock = new VirtualClock()
    const tool = adapter('whole', { clock, timeoutMs: 3_600_000 })
    const both = Promise.all([1, 2].map((n) => called(tool, { n })))
    const answered = both.then(() => true)
    // Time passes only where somebody waits for it: the silence after each of the first two questions.
    while (!(await Promise.race([answered, turn()]))) await clock.advance(100)
    expect((await both).map(({ output }) => output.n)).toEqual([1, 2])
    const before = clock.now()
    const more = await Promise.all([3, 4, 5].map((n) => called(tool, { n })))
    expect(more.map(({ output }) => output.n)).toEqual([3, 4, 5])
    expect(clock.now()).toBe(before)
  })

  it('000-12 keeps a program that stays and was only slow to answer at first', async () => {
    const clock = new VirtualClock()
    const gate = join(mkdtempSync(join(tmpdir(), 'pegboard-gate-')), 'open')
    const made = new RemoteMCPAdapter('weather', '', schema, [process.execPath, program, 'slow', gate], { clock })
    open.push(made)
    const first = called(made, { n: 1 })
    await turn()
    await clock.advance(1000)
    writeFileSync(gate, '')
    expect((await first).output.n).toBe(1)
    const second = await called(made, { n: 2 })
    await clock.advance(250)
    expect((await called(made, { n: 3 })).pid).toBe(second.pid)
    rmSync(dirname(gate), { recursive: true })
  })

  it('refuses the calls of a program that crashed, and starts it again for the next', async () => {
    const tool = adapter('stay', { oneShot: false, ...still() })
    const { pid } = await called(tool, {})
    await expect(tool.call({ exit: 3 })).rejects.toMatchObject({
      code: 'SOURCE_UNAVAILABLE',
      message: expect.stringContaining('exit code 3'),
    })
    expect((await called(tool, {})).pid).not.toBe(pid)
  })

  it('gives up on a program that does not answer', async () => {
    const clock = new VirtualClock()
    const tool = adapter('stay', { clock, timeoutMs: 500, oneShot: false })
    await tool.call({ n: 1 })
    const hanging = expect(tool.call({ hang: true })).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' })
    await clock.advance(500)
    await hanging
    expect(await tool.call({ n: 2 })).toMatchObject({ output: { n: 2 } })
  })

  it('refuses a command that is none, one that cannot be started, and calls after close', async () => {
    expect(() => new RemoteMCPAdapter('x', '', {}, [])).toThrow(TypeError)
    const missing = new RemoteMCPAdapter('x', '', {}, ['no-such-program-anywhere'])
    await expect(missing.call({})).rejects.toMatchObject({ code: 'SOURCE_START_FAILED' })
    await missing.close()
    const tool = adapter()
    const hanging = expect(tool.call({ hang: true })).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' })
    await tool.close()
    await hanging
    await expect(tool.call({})).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' })
    await tool.close()
  })
})

describe('mcpAdapters', () => {
  it('000-12 000-13 gives all tools of a real MCP server to a registry', async () => {
    const adapters = await mcpAdapters(mathsServer)
    open.push(adapters)
    const registry = new MCPRegistry()
    for (const tool of adapters.tools) registry.register(tool)
    expect(registry.describe().add).toMatchObject({
      description: 'Adds two numbers',
      input_schema: { type: 'object', required: ['first_number', 'second_number'] },
    })
    expect(await registry.call('add', { first_number: 1, second_number: 2 })).toEqual({ result: 3 })
    expect(await registry.call('json_text')).toEqual({ a: 1 })
    await expect(registry.call('fail')).rejects.toMatchObject({
      name: 'RuntimeError',
      message: expect.stringContaining('boom'),
    })
  })

  it('rejects and leaves nothing behind when the server cannot be had', async () => {
    await expect(mcpAdapters({ command: 'no-such-program-anywhere' })).rejects.toMatchObject({
      code: 'MCP_UNAVAILABLE',
    })
    await expect(mcpAdapters({} as never)).rejects.toMatchObject({ code: 'SOURCE_INVALID' })
  })
})
