import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { createGateway } from '../../src/gateway.js'
import { defineTool } from '../../src/sources/functions/define-tool.js'
import { type FarSide, startFarSide, type Visit } from '../helpers/far-side.js'
import { VirtualClock } from '../helpers/virtual-clock.js'
import { sampleResults } from './sample-results.js'
import { endpointAt, type LinkFixture, type LinkFixtureOptions, startLink } from './start-link.js'

let far: FarSide
let link: LinkFixture
afterEach(async () => {
  await link?.close()
  await far?.close()
})
const connect = async (options: LinkFixtureOptions, more: Parameters<typeof endpointAt>[1] = {}): Promise<Visit> => {
  far = await startFarSide()
  link = startLink([endpointAt(far.url(), more)], options)
  return far.visit()
}
const byteLength = (text: string) => Buffer.byteLength(text)
const parsed = (text: string): any => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

describe('results', () => {
  it('X14 001-22 carries 100 results of 1 B to 5 MB in 1024 bytes: text within the limit, JSON stays JSON, the first part first', async () => {
    const samples = sampleResults()
    expect(samples).toHaveLength(100)
    const give = defineTool({ name: 'give', handler: ({ index }) => samples[index]!.result as any })
    const visit = await connect({ gatewayOptions: { tools: [give] } })
    for (const [index, { kind, result, starts, size }] of samples.entries()) {
      const frame = await visit.ask('tools/call', { name: 'give', arguments: { index } })
      expect(byteLength(JSON.stringify(frame)), kind).toBeLessThanOrEqual(8100)
      expect(frame.result.content, kind).toHaveLength(1)
      const { type, text } = frame.result.content[0]
      expect(type).toBe('text')
      expect(byteLength(text), kind).toBeLessThanOrEqual(1024)
      expect(text, kind).not.toContain('\ufffd')
      // Most of the room is used, whatever was left out.
      if (size > 1024) expect(byteLength(text), kind).toBeGreaterThan(kind === 'image' ? 10 : 500)
      if (kind.startsWith('json')) expect(parsed(text), kind).toBeTypeOf('object')
      if (typeof starts === 'string') expect(text.startsWith(starts), `${kind}: ${text.slice(0, 80)}`).toBe(true)
      if (typeof result === 'string' && size <= 1024) expect(text).toBe(result)
    }
  })

  it('001 compat 2 leaves text exactly at the limit as it is', async () => {
    const visit = await connect({
      gatewayOptions: { tools: [defineTool({ name: 'at', handler: ({ n }) => '你'.repeat(n) })] },
    })
    expect((await visit.call('at', { n: 341 })).content[0].text).toBe('你'.repeat(341))
    const { text } = (await visit.call('at', { n: 342 })).content[0]
    expect(text).toMatch(/^你+… \[cut: 1026 bytes, limit 1024\]$/)
  })

  it.each([256, 1024, 10_240])('C5 keeps to its own limit of %i bytes', async (maxResultBytes) => {
    const visit = await connect(
      { gatewayOptions: { tools: [defineTool({ name: 'long', handler: () => 'word '.repeat(9000) })] } },
      { maxResultBytes },
    )
    const { text } = (await visit.call('long')).content[0]
    expect(byteLength(text)).toBeLessThanOrEqual(maxResultBytes)
    expect(byteLength(text)).toBeGreaterThan(maxResultBytes * 0.9)
    expect(text).toMatch(/^(word )+word… \[cut/)
  })

  it('X12 wraps a payload that would be taken for an order', async () => {
    const visit = await connect({
      gatewayOptions: { tools: [defineTool({ name: 'light', handler: () => ({ action: 'on', room: 'hall' }) })] },
    })
    expect((await visit.call('light')).content[0].text).toBe('{"result":{"action":"on","room":"hall"}}')
  })
})

describe('lists', () => {
  const manyTools = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      defineTool({
        name: `tool_${String(index).padStart(3, '0')}`,
        description: `Does thing number ${index}. `.repeat(6),
        handler: () => String(index),
      }),
    )
  const listAll = async (visit: Visit): Promise<{ names: string[]; pages: number }> => {
    const names: string[] = []
    let cursor: string | undefined
    let pages = 0
    do {
      const { result } = await visit.ask('tools/list', cursor === undefined ? undefined : { cursor }, 2)
      names.push(...result.tools.map((tool: any) => tool.name))
      expect(byteLength(JSON.stringify(result.tools))).toBeLessThanOrEqual(10_240)
      cursor = result.nextCursor
      pages += 1
    } while (cursor)
    return { names, pages }
  }

  it('X6 C6 001 open point 4 pages a long list, drops no tool, and logs 3004', async () => {
    const visit = await connect({ gatewayOptions: { tools: manyTools(200) } })
    const { names, pages } = await listAll(visit)
    expect(names).toEqual(manyTools(200).map((tool) => tool.definition.name))
    expect(pages).toBeGreaterThan(1)
    const warnings = link.lines.filter(({ meta }) => meta.code === 3004)
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toMatchObject({
      level: 'warn',
      service: 'tool-aggregator',
      message: expect.stringMatching(/^Tool list size \d+ bytes exceeds limit 10240: sent as \d+ pages$/),
      meta: { tools: 200, pages, tokens: expect.any(Number) },
    })
  })

  it('X13 sends name, description and a schema without references, and nothing else', async () => {
    const input = {
      type: 'object' as const,
      properties: { where: { $ref: '#/$defs/place' } },
      required: ['where'],
      $defs: { place: { type: 'object', properties: { city: { type: 'string', description: 'City' } } } },
      additionalProperties: false,
    }
    const tool = defineTool({
      name: 'go',
      title: 'Go',
      annotations: { readOnlyHint: true },
      output: { type: 'object' },
      input: input as never,
      handler: () => ({}),
    })
    const visit = await connect({ gatewayOptions: { tools: [tool] } })
    const { result } = await visit.ask('tools/list')
    expect(result.tools).toEqual([
      {
        name: 'go',
        description: 'Go',
        inputSchema: {
          type: 'object',
          properties: { where: { type: 'object', properties: { city: { type: 'string', description: 'City' } } } },
          required: ['where'],
        },
      },
    ])
  })

  it('X13 names tools legally, finds them by that name and by their id, and tells of names that meet', async () => {
    const clock = new VirtualClock()
    const gateway = createGateway({ clock })
    const echo = (name: string) => defineTool({ name, handler: () => name })
    for (const name of ['calc.add', '天气.查询', 'x.y_z', 'x_y.z']) gateway.register(echo(name))
    const visit = await connect({ gateway, clock })
    const names: string[] = (await visit.ask('tools/list')).result.tools.map((tool: any) => tool.name)
    expect(names).toContain('calc_add')
    expect(names).toContain('天气_查询')
    expect(names.filter((name) => name.startsWith('x_y_z_'))).toHaveLength(2)
    for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_\-一-鿿]+$/)
    expect((await visit.call('calc_add')).content[0].text).toBe('calc.add')
    expect((await visit.call('calc.add')).content[0].text).toBe('calc.add')
    expect((await visit.call('天气_查询')).content[0].text).toBe('天气.查询')
    expect((await visit.ask('tools/call', { name: 'x_y_z' })).error).toMatchObject({ code: -32602 })
    expect(link.lines.map(({ message }) => message)).toContain(
      "Tool list: x.y_z and x_y.z would both be called 'x_y_z' on the link",
    )
  })

  it('cuts the description of a tool that is larger than the list, and keeps the tool', async () => {
    const huge = defineTool({ name: 'huge', description: 'words and more words. '.repeat(5000), handler: () => 'ok' })
    const visit = await connect(
      { gatewayOptions: { tools: [huge, defineTool({ name: 'small', handler: () => '' })] } },
      { maxListBytes: 1024 },
    )
    const { names } = await listAll(visit)
    expect(names).toEqual(['huge', 'small'])
    expect((await visit.call('huge')).content[0].text).toBe('ok')
  })

  it('X6 W111 refuses a cursor that is not its own, and never loses a tool for any page size', async () => {
    const visit = await connect({ gatewayOptions: { tools: manyTools(5) } })
    expect((await visit.ask('tools/list', { cursor: 'nonsense' })).error.code).toBe(-32602)
    const { toLinkList } = await import('../../src/faces/mcp/xiaozhi/tool-list.js')
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ minLength: 1, maxLength: 30 }), { maxLength: 60 }),
        fc.integer({ min: 1024, max: 4000 }),
        (names, max) => {
          const list = toLinkList(
            names.map((name) => ({ name, description: 'x'.repeat(100), inputSchema: {} })),
            max,
          )
          const seen: string[] = []
          for (let cursor: unknown = ''; cursor !== undefined; ) {
            const page = JSON.parse(list.page(cursor))
            seen.push(...page.tools.map((tool: any) => tool.name))
            cursor = page.nextCursor
          }
          expect(seen).toHaveLength(list.tools)
          expect(new Set(seen).size).toBe(list.tools)
        },
      ),
      { numRuns: 50 },
    )
  })
})
