import { describe, expect, it } from 'vitest'
import type { Tool } from '../../model/tool.js'
import { createBuiltInEmbeddings } from '../model/built-in.js'
import { createSearch } from '../search.js'

const tool = (source: string, name: string, description: string): Tool => ({
  id: name,
  name,
  namespace: source,
  source,
  tags: [],
  definition: { name, description, inputSchema: {} },
})

const office = [
  tool('github', 'list_issues', 'Lists issues of a repository, open or closed'),
  tool('github', 'get_issue', 'Reads one issue'),
  tool('github', 'search_issues', 'Finds issues by words'),
  tool('github', 'count_issues', 'Counts open issues'),
  tool('github', 'export_issues', 'Exports open issues to a file'),
  tool('slack', 'post_message', 'Posts a message to a Slack channel'),
  tool('slack', 'list_channels', 'Lists channels'),
  tool('weather', 'get_forecast', 'The weather forecast of a place'),
  tool('mail', 'send_email', 'Sends an email'),
]

const searches = { 'with the model': { embedding: createBuiltInEmbeddings() }, 'by words': {} } as const

describe.each(Object.entries(searches))('a wish of several parts, %s', (_name, options) => {
  const search = createSearch(options)
  search.apply({ added: office, changed: [], removed: [] })

  it.each([
    [
      'find the open issues and post a message to slack',
      ['find the open issues', 'post a message to slack'],
      'post_message',
    ],
    ['查天气预报，然后发邮件给小王', ['查天气预报', '发邮件给小王'], 'send_email'],
  ])('is served part by part, and says so: %s', (wish, parts, second) => {
    const { results, parts: said } = search.searchSync(wish, { limit: 3 })
    expect(said).toEqual(parts)
    expect(new Set(results.map(({ part }) => part))).toEqual(new Set(parts))
    expect(results.find(({ tool: { id } }) => id === second)?.part).toBe(parts[1])
  })

  it('has the first place and as many results as ever, and scores that never rise', () => {
    const wish = 'find the open issues and post a message to slack'
    for (const limit of [1, 2, 3, 20]) {
      const { results } = search.searchSync(wish, { limit })
      expect(results.length).toBeLessThanOrEqual(limit)
      expect(new Set(results.map(({ tool: { id } }) => id)).size).toBe(results.length)
      for (const [place, { score }] of results.entries())
        expect(score).toBeLessThanOrEqual(results[place - 1]?.score ?? 1)
    }
  })

  it('is one of a single part where only one thing is asked for: nothing is said of parts', () => {
    const outcome = search.searchSync('list the open issues')
    expect(outcome).not.toHaveProperty('parts')
    expect(outcome.results.every(({ part }) => part === undefined)).toBe(true)
  })

  it('shows nothing that the rules hide', () => {
    const accept = ({ namespace }: Tool): boolean => namespace !== 'slack'
    const { results } = search.searchSync('find the open issues and post a message to slack', { accept })
    expect(results.filter(({ tool: { namespace } }) => namespace === 'slack')).toEqual([])
  })
})
