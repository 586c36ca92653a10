import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createGateway } from '../src/gateway.js'
import type { JsonObject } from '../src/model/json.js'
import { defineTool } from '../src/sources/functions/define-tool.js'
import { openStore } from '../src/storage/open.js'
import type { Store } from '../src/storage/store.js'
import { codeOf, startGateway } from './helpers/start-call.js'
import { VirtualClock } from './helpers/virtual-clock.js'

const deep = (levels: number): JsonObject => {
  let schema: JsonObject = { type: 'object' }
  for (let level = 0; level < levels; level++) schema = { type: 'object', properties: { next: schema } }
  return schema
}

/** What went wrong, by its code, however early it was noticed. */
const codeFor = async (tool: Record<string, unknown>): Promise<string> => {
  const gateway = createGateway()
  try {
    gateway.register(defineTool({ handler: () => 1, ...tool } as never))
    return codeOf(
      await gateway.call({ tool: String(tool.name), args: {}, caller: { id: 'me', rights: ['discover', 'call'] } }),
    )
  } catch (error) {
    return (error as { code: string }).code
  } finally {
    expect(await gateway.run('fine').catch((error) => error.code)).toBe('TOOL_NOT_FOUND')
    await gateway.close()
  }
}

describe('bad tools', () => {
  it.each([
    ['no name', {}, 'TOOL_INVALID'],
    ['an empty name', { name: '' }, 'TOOL_INVALID'],
    ['a number for a name', { name: 7 }, 'TOOL_INVALID'],
    ['control characters in its name', { name: 'a\u0000b' }, 'TOOL_INVALID'],
    ['a name of 10,000 characters', { name: 'n'.repeat(10_000) }, 'TOOL_INVALID'],
    ['no handler', { name: 'x', handler: 7 }, 'TOOL_INVALID'],
    ['a text for a schema', { name: 'x', input: 'object' }, 'SCHEMA_INVALID'],
    ['a list for a schema', { name: 'x', input: [] }, 'SCHEMA_INVALID'],
    [
      'a schema of an unknown type',
      { name: 'x', input: { type: 'object', properties: { a: { type: 'thing' } } } },
      'SCHEMA_INVALID',
    ],
    ['a schema 1,000 deep', { name: 'x', input: deep(1000) }, 'SCHEMA_INVALID'],
    [
      'a reference to the network',
      { name: 'x', input: { type: 'object', properties: { a: { $ref: 'http://127.0.0.1:1/x' } } } },
      'SCHEMA_INVALID',
    ],
    [
      'a reference in a circle',
      {
        name: 'x',
        input: { type: 'object', $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
      },
      'SCHEMA_INVALID',
    ],
    [
      'an unknown dialect',
      { name: 'x', input: { $schema: 'http://example.com/own', type: 'object' } },
      'SCHEMA_UNSUPPORTED',
    ],
  ])('are refused with a code: %s', async (_what, tool, code) => {
    expect(await codeFor(tool)).toBe(code)
  })

  it('T30 take __proto__ keys as data, in their names, schemas and arguments', async () => {
    const input = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"integer"}},"required":["__proto__"]}',
    ) as JsonObject
    const { call, gateway } = startGateway({ name: '__proto__', input, handler: (args) => Object.keys(args) })
    const as = (args: unknown) => call(args, { tool: '__proto__' })
    expect(codeOf(await as({}))).toBe('ARGUMENTS_INVALID')
    expect(codeOf(await as(JSON.parse('{"__proto__":"x"}')))).toBe('ARGUMENTS_INVALID')
    expect(codeOf(await as(JSON.parse('{"__proto__":1}')))).toBe('ok')
    expect(gateway.catalog.usage.of('__proto__').count).toBe(1)
    expect(Object.getPrototypeOf({})).toBe(Object.prototype)
  })
})

describe('a store that fails', () => {
  const folders: string[] = []
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
  })
  const folder = () => {
    const made = mkdtempSync(join(tmpdir(), 'pegboard-bad-'))
    folders.push(made)
    return made
  }

  it('never costs a call: what could not be written waits and is written later', async () => {
    const clock = new VirtualClock()
    const real = await openStore({ backend: 'memory' })
    let full = true
    const store: Store = {
      ...real,
      load: () => real.load(),
      merge: (tools, uses) => (full ? Promise.reject(new Error('ENOSPC')) : real.merge!(tools, uses)),
      [Symbol.asyncDispose]: () => real[Symbol.asyncDispose](),
    }
    const logs: string[] = []
    const logger = { log: (_level: string, message: string) => void logs.push(message), child: () => logger }
    const gateway = createGateway({ store, clock, logger, tools: [defineTool({ name: 'a', handler: () => 1 })] })
    await gateway.ready
    expect(await gateway.run('a')).toBe(1)
    await clock.advance(2000)
    expect(logs).toContain('Could not save tools: ENOSPC')
    full = false
    await clock.advance(2000)
    expect(await real.load()).toMatchObject([{ id: 'a', useCount: 1 }])
    await gateway.close()
  })

  it('adds up the uses that two gateways count into one store (O5)', async () => {
    const store = await openStore({ backend: 'json', path: folder() })
    const open = async () => {
      const gateway = createGateway({ store, tools: [defineTool({ name: 'a', handler: () => 1 })] })
      await gateway.ready
      return gateway
    }
    const [one, other] = [await open(), await open()]
    for (let times = 0; times < 4; times++) await one.run('a')
    for (let times = 0; times < 7; times++) await other.run('a')
    await Promise.all([one.saved(), other.saved()])
    await one.run('a')
    await Promise.all([one.close(), other.close()])
    expect(await store.load()).toMatchObject([{ id: 'a', useCount: 12, temperature: 'hot' }])
    await store[Symbol.asyncDispose]()
  })

  it('counts into a store of one’s own that can only save (O5)', async () => {
    const { merge: _, uses: __, select: ___, ...plain } = await openStore({ backend: 'memory' })
    for (const expected of [3, 6]) {
      const gateway = createGateway({ store: plain, tools: [defineTool({ name: 'a', handler: () => 1 })] })
      await gateway.ready
      for (let times = 0; times < 3; times++) await gateway.run('a')
      await gateway.close()
      expect(await plain.load()).toMatchObject([{ id: 'a', useCount: expected }])
    }
  })

  it('C9 remembers uses over a restart', async () => {
    const path = folder()
    for (const expected of [3, 6]) {
      const store = await openStore({ backend: 'json', path })
      const gateway = createGateway({ store, tools: [defineTool({ name: 'a', tags: ['x'], handler: () => 1 })] })
      await gateway.ready
      for (let times = 0; times < 3; times++) await gateway.run('a')
      expect(gateway.catalog.usage.of('a').count).toBe(expected)
      await gateway.close()
      await store[Symbol.asyncDispose]()
    }
    const store = await openStore({ backend: 'json', path })
    expect(await store.loadByTemperature('warm')).toMatchObject([{ id: 'a', useCount: 6 }])
    await store[Symbol.asyncDispose]()
  })

  it('names a damaged file, keeps it, and leaves the calls alone', async () => {
    const path = folder()
    const first = await openStore({ backend: 'json', path })
    await first[Symbol.asyncDispose]()
    writeFileSync(join(path, 'tools.json'), '{"format":"pegboard-tools","version":1,"tools":{"a":')
    await expect(openStore({ backend: 'json', path })).rejects.toMatchObject({
      code: 'STORE_CORRUPT',
      message: expect.stringContaining('tools.json'),
    })
  })

  it('refuses a folder that is a file', async () => {
    const path = join(folder(), 'file')
    writeFileSync(path, 'x')
    await expect(openStore({ backend: 'json', path })).rejects.toMatchObject({ code: expect.stringMatching(/^STORE_/) })
  })
})
