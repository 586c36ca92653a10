import { describe, expect, it } from 'vitest'
import type { ToolSpec } from '../model/tool.js'
import type { Source, SourceCall, SourceUpdate } from './source.js'
import { withFilter } from './tool-filter.js'

const spec = (name: string): ToolSpec => ({ definition: { name, inputSchema: {} } })

const reporting = (...updates: readonly SourceUpdate[]): Source => ({
  kind: 'test',
  watch: async (onTools) => {
    for (const update of updates) onTools(update)
  },
  call: (name) => ({ type: 'value', value: name }) as never,
  [Symbol.asyncDispose]: async () => {},
})

const reported = async (source: Source): Promise<readonly SourceUpdate[]> => {
  const seen: SourceUpdate[] = []
  const keep = (update: SourceUpdate): readonly [] => {
    seen.push(update)
    return []
  }
  await source.watch(keep, new AbortController().signal)
  return seen
}

describe('a filtered source', () => {
  const all: SourceUpdate = { type: 'all', tools: ['create_a', 'create_b', 'delete_a'].map(spec) }
  const change: SourceUpdate = { type: 'change', changed: [spec('delete_b'), spec('create_c')], removed: ['create_a'] }

  it('reports only what is included and not excluded, in whole lists and in changes', async () => {
    const source = withFilter(reporting(all, change), { includeTools: ['create_*'], excludeTools: ['*_b'] })
    expect(await reported(source)).toEqual([
      { type: 'all', tools: [spec('create_a')] },
      { type: 'change', changed: [spec('create_c')], removed: ['create_a'] },
    ])
  })

  it('hands on what is asked besides tools', async () => {
    const source: Source = { ...reporting(all), ask: async ({ method }) => ({ method }) }
    const request = { kind: 'resource', method: 'resources/read', params: {} } as const
    expect(await withFilter(source, { excludeTools: ['x'] }).ask?.(request, {} as SourceCall)).toEqual({
      method: 'resources/read',
    })
    expect(withFilter(reporting(all), { excludeTools: ['x'] }).ask).toBeUndefined()
  })

  it('is the source itself where nothing is filtered', () => {
    const source = reporting(all)
    expect(withFilter(source, { excludeTools: [] })).toBe(source)
  })
})
