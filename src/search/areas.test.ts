import { describe, expect, it } from 'vitest'
import type { Tool } from '../model/tool.js'
import { createSearch } from './search.js'

const tool = (id: string, more: Partial<Tool> = {}): Tool => ({
  id,
  name: id,
  namespace: '',
  source: 'test',
  tags: [],
  definition: { name: id, description: 'Does things', inputSchema: {} },
  ...more,
})

const searchOver = (tools: readonly Tool[]) => {
  const search = createSearch()
  search.apply({ added: tools, changed: [], removed: [] })
  return search
}

const shown = ({ areas }: ReturnType<ReturnType<typeof searchOver>['searchSync']>) =>
  areas?.map(({ category, tools, examples }) => [category, tools, examples.map(({ id }) => id)])

const office = [
  tool('github.a', { namespace: 'github' }),
  tool('github.b', { namespace: 'github' }),
  tool('github.c', { namespace: 'github' }),
  tool('github.d', { namespace: 'github' }),
  tool('slack.a', { namespace: 'slack' }),
  tool('hidden.a', { namespace: 'hidden' }),
  tool('report', { category: 'papers' }),
  tool('note'),
]

describe('what there is to ask for', () => {
  const search = searchOver(office)
  const accept = ({ namespace }: Tool): boolean => namespace !== 'hidden'

  it.each(['auto', 'bm25', 'regex'])('stands beside no results by %s: categories, largest first', (method) => {
    const outcome = search.searchSync('zzzz', { method, accept })
    expect(shown(outcome)).toEqual([
      ['github', 4, ['github.a', 'github.b', 'github.c']],
      ['general', 1, ['note']],
      ['papers', 1, ['report']],
      ['slack', 1, ['slack.a']],
    ])
    expect(outcome.results).toEqual([])
  })

  it('stands beside an empty query too, and not beside results or where none were asked for', () => {
    expect(shown(search.searchSync(' ', { accept }))).toHaveLength(4)
    expect(search.searchSync('things', { accept }).areas).toBeUndefined()
    expect(search.searchSync('zzzz', { accept, limit: 0 }).areas).toBeUndefined()
  })

  it('names what is used most', () => {
    const usage = (id: string): number => (id === 'github.d' ? 3 : Number.NaN)
    expect(shown(search.searchSync('zzzz', { accept, usage }))![0]![2]).toEqual(['github.d', 'github.a', 'github.b'])
  })

  it('holds nothing that the rules hide, even since a verdict was remembered', () => {
    let open = true
    const rules = (): boolean => open
    expect(search.searchSync('zzzz', { accept: rules }).areas).toHaveLength(5)
    open = false
    expect(search.searchSync('zzzz', { accept: rules })).toEqual({
      results: [],
      method: 'auto',
      notice: 'There is no tool to be found.',
    })
  })

  it('is bounded', () => {
    const many = Array.from({ length: 400 }, (_, i) => tool(`n${i % 40}.t${i}`, { namespace: `n${i % 40}` }))
    const areas = searchOver(many).searchSync('zzzz').areas!
    expect(areas).toHaveLength(8)
    expect(areas.every(({ tools, examples }) => tools === 10 && examples.length === 3)).toBe(true)
  })
})
