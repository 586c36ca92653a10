import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asStored, temporaryFolders, toolArbitrary } from '../../../test/helpers/store-samples.js'
import { isGatewayError } from '../../errors.js'
import { decodeFile, encodeFile } from './format.js'
import { openJsonStore } from './json-store.js'
import { readJsonStore } from './read-json.js'

const decode = (value: unknown) => decodeFile(Buffer.from(JSON.stringify(value)), 'tools.json')

const createPr = {
  name: 'github.create_pr',
  description: 'Create a pull request',
  mcp_server: 'github',
  defer_loading: false,
  tags: ['github', 'git'],
  category: 'development',
  use_frequency: 15,
  last_used: '2026-01-11T12:30:00.123456',
  temperature: 'hot',
  input_schema: { type: 'object', properties: { title: { type: 'string' } } },
  output_schema: null,
}

const stored = {
  id: 'github.create_pr',
  namespace: '',
  source: 'registered',
  definition: {
    name: 'github.create_pr',
    description: 'Create a pull request',
    inputSchema: createPr.input_schema,
    _meta: { 'pegboard/mcp_server': 'github' },
  },
  tags: ['github', 'git'],
  category: 'development',
  deferLoading: false,
  useCount: 15,
  lastUsed: new Date(2026, 0, 11, 12, 30, 0, 123).getTime(),
  temperature: 'hot',
}

describe('the tools.json format', () => {
  it('gives back any tools it was given', () => {
    fc.assert(
      fc.property(fc.uniqueArray(toolArbitrary, { selector: (tool) => tool.id, maxLength: 5 }), (tools) => {
        const encoded = encodeFile(tools.map(asStored))
        const text = encoded.bytes.toString()
        const { tools: decoded, foreign } = decodeFile(encoded.bytes, 'tools.json')
        expect(foreign).toBe(false)
        expect(encodeFile(decoded).bytes.toString()).toBe(text)
        // Tools that are read from the bytes of one file are copied into the next as they are.
        expect(encodeFile(encoded.tools).bytes.toString()).toBe(text)
        expect(encodeFile(encoded.tools.slice(1)).tools).toEqual(encoded.tools.slice(1))
        expect(new Map(encoded.tools.map((tool) => [tool.id, { ...tool }]))).toEqual(
          new Map(tools.map((tool) => [tool.id, asStored(tool)])),
        )
        expect(new Map(decoded.map((tool) => [tool.id, tool]))).toEqual(
          new Map(tools.map((tool) => [tool.id, asStored(tool)])),
        )
      }),
    )
  })

  it('answers any bytes with tools or a named error', () => {
    const anything = fc.oneof(fc.json().map(Buffer.from), fc.uint8Array().map(Buffer.from))
    fc.assert(
      fc.property(anything, (bytes) => {
        try {
          decodeFile(bytes, 'tools.json')
        } catch (error) {
          expect(isGatewayError(error)).toBe(true)
        }
      }),
    )
  })

  it("reads RegistryTools' object by name (002-12)", () => {
    expect(decode({ 'github.create_pr': createPr })).toEqual({ tools: [stored], foreign: true })
  })

  it('reads a plain list, a list under "tools", and MCP spelling', () => {
    expect(decode([createPr]).tools).toEqual([stored])
    expect(decode({ tools: [createPr] }).tools).toEqual([stored])
    const mcp = { name: 'a', title: 'A', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }
    expect(decode([mcp]).tools[0]?.definition).toEqual(mcp)
    expect(decode([{ ...stored, lastUsed: new Date(stored.lastUsed).toISOString() }]).tools).toEqual([stored])
  })

  it('fills in what older or smaller records leave out', () => {
    const { tools } = decode({ a: { description: 'x', use_frequency: 3 }, b: { name: 'b' } })
    expect(tools).toEqual([
      expect.objectContaining({ id: 'a', temperature: 'warm', useCount: 3, lastUsed: null, tags: [] }),
      expect.objectContaining({
        id: 'b',
        temperature: 'cold',
        definition: { name: 'b', inputSchema: { type: 'object' } },
      }),
    ])
  })

  it.each([
    ['a list with a name twice', [createPr, createPr]],
    ['a tool under another name', { other: createPr }],
    ['a date that is none', [{ ...createPr, last_used: 'yesterday' }]],
    ['an output schema that is a string', [{ ...createPr, output_schema: 'x' }]],
    ['a nameless tool', [{ description: 'x' }]],
    ['a list of strings', ['github.create_pr']],
  ])('refuses %s', (_, value) => {
    expect(() => decode(value)).toThrow(expect.objectContaining({ code: 'STORE_CORRUPT' }))
  })

  it('takes a byte order mark for what it is', () => {
    expect(decodeFile(Buffer.from('\ufeff{}'), 'tools.json').tools).toEqual([])
  })
})

describe('a file of another program', () => {
  const newFolder = temporaryFolders()

  it('is read and left as it is, byte for byte; what changes is beside it (D1, 002-02)', async () => {
    const folder = await newFolder()
    const original = JSON.stringify({ 'github.create_pr': createPr, other: { name: 'other', description: 'o' } })
    await writeFile(join(folder, 'tools.json'), original)
    {
      await using store = await openJsonStore({ folder })
      expect((await store.load()).map(({ id }) => id)).toEqual(['github.create_pr', 'other'])
      expect((await store.load())[0]).toEqual(stored)
      await store.merge!([], [{ id: 'github.create_pr', count: 2, lastUsed: stored.lastUsed + 1 }])
      expect(await store.delete('other')).toBe(true)
      expect(await store.delete('other')).toBe(false)
      await store.save({ ...stored, id: 'ours', temperature: 'hot' })
    }
    await using again = await openJsonStore({ folder })
    expect((await again.load()).map(({ id, useCount }) => [id, useCount])).toEqual([
      ['github.create_pr', 17],
      ['ours', 15],
    ])
    expect((await again.loadByTemperature('hot')).map(({ id }) => id)).toEqual(['github.create_pr', 'ours'])
    expect(await readFile(join(folder, 'tools.json'), 'utf8')).toBe(original)
    expect((await readdir(folder)).filter((name) => name.endsWith('.json')).sort()).toEqual([
      'pegboard-tools.json',
      'tools.json',
      'withdrawn.json',
    ])
    expect((await readJsonStore({ folder }).load()).map(({ id }) => id)).toEqual(['github.create_pr', 'ours'])
  })

  it('leaves what we keep where it is when it is taken away (D1)', async () => {
    const folder = await newFolder()
    await writeFile(join(folder, 'tools.json'), JSON.stringify({ 'github.create_pr': createPr }))
    {
      await using store = await openJsonStore({ folder })
      await store.save({ ...stored, id: 'ours', temperature: 'hot' })
    }
    await rm(join(folder, 'tools.json'))
    await using again = await openJsonStore({ folder })
    expect((await again.load()).map(({ id }) => id)).toEqual(['ours'])
  })
})
