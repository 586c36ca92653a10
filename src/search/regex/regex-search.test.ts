import { describe, expect, it } from 'vitest'
import { systemClock } from '../../model/clock.js'
import type { Tool } from '../../model/tool.js'
import { searchByPattern } from './regex-search.js'

// Nothing here is about time; a busy machine must find the same.
const stillClock = { ...systemClock, now: () => 0 }

const tool = (id: string, more: Partial<Tool> & { readonly description?: string | undefined } = {}): Tool => ({
  id: `ns.${id}`,
  name: id,
  namespace: 'ns',
  source: 'src',
  tags: [],
  definition: {
    name: id,
    description: more.description ?? '',
    inputSchema: { type: 'object', properties: { zebra_count: { type: 'integer', description: 'how many stripes' } } },
  },
  ...more,
})

const order = (pattern: string, tools: readonly Tool[]): readonly string[] =>
  [...searchByPattern(pattern, tools, stillClock).hits].sort((a, b) => b.score - a.score).map((hit) => hit.tool.name)

describe('search by pattern', () => {
  it('ranks by field, never in the order of the catalog', () => {
    const tools = [
      tool('d', { tags: ['export'] }),
      tool('c', { description: 'can export data' }),
      tool('b', { aliases: ['export'] }),
      tool('export_all'),
      tool('export'),
    ]
    expect(order('export', tools)).toEqual(['export', 'export_all', 'b', 'd', 'c'])
  })

  it('knows the whole id and the parameters', () => {
    const { hits } = searchByPattern('^ns\\.one$', [tool('one'), tool('two')], stillClock)
    expect(hits).toMatchObject([{ tool: { name: 'one' }, score: 1, fields: ['name'] }])
    expect(searchByPattern('zebra_\\w+', [tool('one')], stillClock).hits[0]).toMatchObject({ fields: ['parameter'] })
    expect(searchByPattern('stripes', [tool('one')], stillClock).hits[0]).toMatchObject({ fields: ['parameter text'] })
  })

  it('stops reading a catalog that is too large for its time, names first', () => {
    let now = 0
    const clock = { ...systemClock, now: () => (now += 40) }
    const tools = Array.from({ length: 2_000 }, (_, i) => tool(`export_${i}`))
    const { hits, complete } = searchByPattern('export', tools, clock)
    expect(complete).toBe(false)
    expect(hits.length).toBeGreaterThan(0)
    expect(hits.length).toBeLessThan(2_000)
  })
})
