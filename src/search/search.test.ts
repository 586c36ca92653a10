import { describe, expect, it } from 'vitest'
import { codeOf } from '../../test/helpers/thrown-code.js'
import type { Tool } from '../model/tool.js'
import type { SearchAlgorithm } from './algorithm.js'
import { createSearch, type SearchOptions } from './search.js'

const tool = (id: string, description: string, more: Partial<Tool> = {}): Tool => ({
  id,
  name: id,
  namespace: '',
  source: 'test',
  tags: [],
  definition: { name: id, description, inputSchema: {} },
  ...more,
})

const searchOver = (tools: readonly Tool[], options: SearchOptions = {}) => {
  const search = createSearch(options)
  search.apply({ added: tools, changed: [], removed: [] })
  return search
}

const ids = (outcome: { readonly results: readonly { readonly tool: Tool }[] }): readonly string[] =>
  outcome.results.map(({ tool }) => tool.id)

const office = [
  tool('github.create_pr', 'Create a GitHub pull request', { tags: ['github', 'git'] }),
  tool('slack.send_message', 'Send a message to a Slack channel', { tags: ['slack'] }),
  tool('gitlab.merge_request', 'Merge a GitLab merge request', { tags: ['gitlab'] }),
  tool('aws.s3.upload', 'Upload a file to an S3 bucket', { tags: ['aws'] }),
]

describe('search of document 002', () => {
  const search = searchOver(office)

  it('finds a name by pattern, first and at 1.0 (002 compat 1)', () => {
    const { results } = search.searchSync('github.create_pr', { method: 'regex' })
    expect(results[0]).toMatchObject({ tool: { id: 'github.create_pr' }, score: 1 })
  })

  it('ignores case in patterns and finds nothing for unknown names or broken patterns (002 compat 1)', () => {
    const count = (query: string): number => search.searchSync(query, { method: 'regex' }).results.length
    expect(count('github')).toBe(count('GITHUB'))
    expect(count('github')).toBeGreaterThan(0)
    expect(count('nonexistent_tool_xyz')).toBe(0)
    expect(count('[invalid(')).toBe(0)
    expect(search.searchSync('[invalid(', { method: 'regex' }).notice).toMatch(/not a regular expression/)
  })

  it('ranks by words, scores sorted within 0…1, limit kept (002 compat 2)', () => {
    const { results } = search.searchSync('github pull request', { method: 'bm25', limit: 10 })
    expect(results[0]!.tool.id).toBe('github.create_pr')
    const scores = results.map(({ score }) => score)
    expect(scores).toEqual([...scores].sort((a, b) => b - a))
    for (const score of scores) expect(score >= 0 && score <= 1).toBe(true)
    expect(search.searchSync('github request', { method: 'bm25', limit: 2 }).results.length).toBeLessThanOrEqual(2)
    expect(search.searchSync('github', { limit: 0 }).results).toEqual([])
  })

  it('finds Chinese descriptions by Chinese words (002 compat 3)', () => {
    const chinese = searchOver([
      tool('weather.query', '查询天气信息'),
      tool('stock.price', '获取股票价格'),
      tool('news.read', '阅读新闻'),
      tool('search_tool', '搜索工具'),
    ])
    expect(ids(chinese.searchSync('天气', { method: 'bm25' }))).toContain('weather.query')
    expect(ids(chinese.searchSync('搜索', { method: 'bm25' }))[0]).toBe('search_tool')
  })

  it('finds an added tool at once (002 compat 4)', () => {
    const growing = searchOver(office)
    growing.apply({ added: [tool('jira.create_issue', 'Create a Jira issue')], changed: [], removed: [] })
    expect(ids(growing.searchSync('jira issue'))[0]).toBe('jira.create_issue')
    growing.apply({ added: [], changed: [], removed: [office[0]!] })
    expect(ids(growing.searchSync('github pull request', { limit: 10 }))).not.toContain('github.create_pr')
  })

  it('refuses an unknown method by naming the known, and one without its searcher (002 compat 5)', async () => {
    await expect(search.search('x', { method: 'fuzzy' })).rejects.toMatchObject({
      code: 'ARGUMENTS_INVALID',
      message: expect.stringContaining('regex, bm25, embedding, auto'),
    })
    await expect(search.search('x', { method: 'embedding' })).rejects.toMatchObject({ code: 'ARGUMENTS_INVALID' })
  })

  it('finds nothing in an empty registry (002 compat 5)', async () => {
    expect((await createSearch().search('anything')).results).toEqual([])
    await expect(createSearch().search('anything', { method: 'embedding' })).rejects.toThrow(/no embedding provider/)
  })

  it('names the fields that matched (002-14)', () => {
    const [first] = search.searchSync('send slack message').results
    expect(first!.matchReason.split(', ')).toEqual(expect.arrayContaining(['name', 'description', 'tag']))
  })

  it('takes algorithms of others by name (002-08, 002-21)', async () => {
    const seen: number[] = []
    const backwards: SearchAlgorithm = {
      index: (tools) => void seen.push(tools.length),
      search: (_query, tools, limit) =>
        [...tools]
          .reverse()
          .slice(0, limit)
          .map((found) => ({ tool: found, score: 7 })),
    }
    const own = searchOver(office, { algorithms: { backwards } })
    const outcome = await own.search('x', { method: 'backwards', limit: 2 })
    expect(outcome).toMatchObject({ method: 'backwards', results: [{ score: 1, matchReason: 'backwards' }, {}] })
    await own.search('y', { method: 'backwards' })
    own.apply({ added: [], changed: [], removed: [office[0]!] })
    await own.search('y', { method: 'backwards' })
    expect(seen).toEqual([4, 3])
    expect(own.methods).toContain('backwards')
  })

  it('drops what an algorithm returns beside the tools the caller may see', async () => {
    const leaky: SearchAlgorithm = {
      index: () => {},
      search: async () => [
        { tool: office[1]!, score: 1 },
        { tool: tool('ghost', 'unknown'), score: 1 },
      ],
    }
    const own = searchOver(office, { algorithms: { leaky } })
    const outcome = await own.search('x', { method: 'leaky', accept: ({ id }) => id !== 'slack.send_message' })
    expect(outcome.results).toEqual([])
    expect(codeOf(() => own.searchSync('x', { method: 'leaky' }))).toBe('ARGUMENTS_INVALID')
    expect(codeOf(() => own.use('half', {} as SearchAlgorithm))).toBe('ARGUMENTS_INVALID')
  })
})

describe('search', () => {
  it('finds English tools by Chinese needs and Chinese tools by English ones', () => {
    const search = searchOver([...office, tool('mail.send', 'Send an email'), tool('天气', '查询天气预报')])
    expect(ids(search.searchSync('发一封邮件'))[0]).toBe('mail.send')
    expect(ids(search.searchSync('weather forecast'))[0]).toBe('天气')
  })

  it('finds tools by other words for the same, in auto only', () => {
    const search = searchOver([tool('remove_picture', 'Erase a photograph'), tool('send_mail', 'Write to someone')])
    expect(ids(search.searchSync('delete image'))[0]).toBe('remove_picture')
    expect(search.searchSync('delete image', { method: 'bm25' }).results).toEqual([])
  })

  it('scores a full match well and a chance match low, whatever else was found', () => {
    const search = searchOver(office)
    expect(search.searchSync('upload file to s3 bucket').results[0]!.score).toBeGreaterThan(0.5)
    const stray = search.searchSync('how do volcanoes upload magma into the stratosphere of distant planets')
    expect(stray.results[0]?.score ?? 0).toBeLessThan(0.2)
  })

  it('searches aliases, examples, parameters, category and source', () => {
    const definition = {
      name: 'x9',
      description: '',
      inputSchema: {
        type: 'object',
        properties: { tracking_number: { type: 'string', description: 'Waybill of the carrier' } },
      },
    }
    const search = searchOver([
      tool('x9', '', {
        aliases: ['parcel finder'],
        examples: ['where is my package'],
        category: 'logistics',
        source: 'fedex',
        definition,
      }),
      ...office,
    ])
    for (const query of ['parcel finder', 'where is my package', 'tracking number', 'waybill', 'logistics', 'fedex']) {
      expect(ids(search.searchSync(query, { method: 'bm25' }))[0]).toBe('x9')
    }
  })

  it('lets usage decide between equal scores and nothing else', () => {
    const twins = searchOver([tool('a', 'ping host'), tool('b', 'ping host'), tool('c', 'ping host quickly from here')])
    expect(ids(twins.searchSync('ping host'))[0]).toBe('a')
    expect(ids(twins.searchSync('ping host', { usage: (id) => (id === 'b' ? 5 : 0) }))[0]).toBe('b')
    expect(ids(twins.searchSync('ping host', { usage: (id) => (id === 'c' ? 1e9 : 0) }))[0]).not.toBe('c')
    expect(ids(twins.searchSync('ping', { method: 'regex', usage: (id) => (id === 'b' ? 5 : 0) }))[0]).toBe('b')
  })

  it('does not let hidden tools appear, count or move scores (Q128)', () => {
    const hidden = Array.from({ length: 50 }, (_, i) => tool(`secret.${i}`, 'Create a GitHub pull request'))
    const mixed = searchOver([...hidden, ...office])
    const accept = ({ id }: Tool): boolean => !id.startsWith('secret')
    for (const method of ['auto', 'bm25', 'regex']) {
      for (const query of ['github pull request', 'create', 'secret']) {
        const expected = searchOver(office).searchSync(query, { method })
        expect(mixed.searchSync(query, { method, accept })).toEqual(expected)
        expect(mixed.searchSync(query, { method, accept })).toEqual(expected)
      }
    }
  })

  it('never shows what the rules hide since a verdict was remembered', () => {
    const search = searchOver(office)
    let open = true
    const accept = (): boolean => open
    expect(search.searchSync('github', { accept }).results.length).toBeGreaterThan(0)
    open = false
    expect(search.searchSync('github', { accept }).results).toEqual([])
  })

  it('is not won by keyword stuffing (Q127)', () => {
    const keywords =
      'create delete list update send email weather file github slack database image video music search translate '
    const stuffed = tool('spam', keywords.repeat(40), {
      tags: keywords.trim().split(' '),
      aliases: keywords.trim().split(' '),
    })
    const repeated = tool('weather_spam', 'weather '.repeat(400))
    const search = searchOver([
      stuffed,
      repeated,
      tool('weather.now', 'Current weather of a city'),
      tool('send_email', 'Send an email'),
      ...office,
    ])
    for (const [query, best] of [
      ['send a message to a slack channel', 'slack.send_message'],
      ['current weather in a city', 'weather.now'],
      ['send an email', 'send_email'],
      ['create a github pull request', 'github.create_pr'],
    ] as const) {
      expect(ids(search.searchSync(query))[0]).toBe(best)
      expect(ids(search.searchSync(query, { method: 'bm25' }))[0]).toBe(best)
    }
  })

  it('ranks a tool with a description of one megabyte by its beginning (Q126)', () => {
    const search = searchOver([tool('long', `Compress video files. ${'lorem ipsum '.repeat(90_000)}`), ...office])
    expect(ids(search.searchSync('compress video'))[0]).toBe('long')
  })

  it('keeps the order of 10,000 identical tools, and the limit (Q125)', () => {
    const many = Array.from({ length: 10_000 }, (_, i) => tool(`t${String(i).padStart(5, '0')}`, 'the same words'))
    const search = searchOver(many)
    expect(ids(search.searchSync('same words', { limit: 3 }))).toEqual(['t00000', 't00001', 't00002'])
    expect(search.searchSync('same words', { limit: 1e9 }).results).toHaveLength(10_000)
  })

  it('is not stopped by a tool that cannot be read', () => {
    const broken = new Proxy(tool('broken', ''), {
      get: (target, key) => {
        if (key === 'definition') throw new Error('no')
        return Reflect.get(target, key)
      },
    })
    expect(ids(searchOver([broken, ...office]).searchSync('slack'))).toEqual(['slack.send_message'])
  })

  it('passes over texts of the wrong type', () => {
    const odd = tool('odd', 'fine', {
      aliases: [7 as unknown as string, 'good alias'],
      definition: {
        name: 'odd',
        description: 3 as unknown as string,
        inputSchema: { properties: { a: null, b: { enum: [1, 'blue'] } } },
      },
    })
    expect(ids(searchOver([odd]).searchSync('good alias'))).toEqual(['odd'])
    expect(ids(searchOver([odd]).searchSync('blue'))).toEqual(['odd'])
  })
})
