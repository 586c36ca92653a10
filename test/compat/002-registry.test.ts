import { beforeEach, describe, expect, it } from 'vitest'
import { ToolRegistry } from '../../src/compat/tool-registry.js'

const day = 24 * 60 * 60 * 1000
const ago = (days: number) => new Date(Date.now() - days * day).toISOString()

describe('002 ToolRegistry', () => {
  let registry: ToolRegistry
  beforeEach(() => {
    registry = new ToolRegistry()
    registry.register({
      name: 'github.create_pr',
      description: 'Create a pull request on GitHub',
      tags: ['git', 'github'],
    })
    registry.register({ name: 'slack.send_message', description: 'Send a message to a Slack channel', tags: ['chat'] })
    registry.register({ name: 'gitlab.merge_request', description: 'Open a merge request on GitLab', tags: ['git'] })
    registry.register({ name: 'aws.s3.upload', description: 'Upload a file to an S3 bucket', category: 'cloud' })
  })
  const names = async (query: string, method?: string, limit?: number) =>
    (await registry.search(query, method, limit)).map((hit) => hit.tool_name)

  it('002 compat 1: regex finds an exact name first, in any case, and nothing for nothing', async () => {
    const [first] = await registry.search('github.create_pr', 'regex')
    expect(first).toMatchObject({ tool_name: 'github.create_pr', score: 1 })
    expect(await names('github', 'regex')).toEqual(await names('GITHUB', 'regex'))
    expect(await names('nonexistent_tool_xyz', 'regex')).toEqual([])
    expect(await names('[invalid(', 'regex')).toEqual([])
  })

  it('002 compat 2: bm25 ranks, scores fall within 0 and 1, limits hold', async () => {
    const hits = await registry.search('github pull request', 'bm25')
    expect(hits[0]!.tool_name).toBe('github.create_pr')
    const scores = hits.map((hit) => hit.score)
    expect(scores).toEqual([...scores].sort((a, b) => b - a))
    for (const score of scores) expect(score).toBeGreaterThan(0)
    for (const score of scores) expect(score).toBeLessThanOrEqual(1)
    expect((await names('git request', 'bm25', 2)).length).toBeLessThanOrEqual(2)
    expect(await names('github', 'bm25', 0)).toEqual([])
  })

  it('002 compat 3: finds in Chinese', async () => {
    registry.register({ name: 'weather.query', description: '查询天气信息' })
    registry.register({ name: 'stock.price', description: '查询股票价格' })
    registry.register({ name: 'news.read', description: '阅读新闻' })
    registry.register({ name: 'search_tool', description: '搜索工具' })
    expect(await names('天气', 'bm25')).toContain('weather.query')
    expect((await names('搜索', 'bm25'))[0]).toBe('search_tool')
  })

  it('002 compat 4: finds an added tool without a rebuild, and a removed one no more', async () => {
    await names('issue')
    registry.register({ name: 'jira.create_issue', description: 'Create an issue in Jira' })
    expect((await names('create jira issue'))[0]).toBe('jira.create_issue')
    registry.unregister('jira.create_issue')
    expect(await names('create jira issue')).not.toContain('jira.create_issue')
  })

  it('002 compat 5: refuses an unknown method and one without a searcher; an empty registry has nothing', async () => {
    await expect(registry.search('x', 'magic')).rejects.toMatchObject({
      name: 'ValueError',
      message: expect.stringContaining('magic'),
    })
    const wordsOnly = new ToolRegistry({ search: { embedding: 'off' } })
    await expect(wordsOnly.search('x', 'embedding')).rejects.toMatchObject({ name: 'ValueError' })
    expect(await new ToolRegistry().search('anything')).toEqual([])
  })

  it('002 compat 6: frequency makes temperature, updates promote, idleness cools', () => {
    const temperatureOf = (use_frequency: number, days = 0) => {
      registry.register({ name: `t${use_frequency}_${days}`, description: 'x', use_frequency, last_used: ago(days) })
      return registry.getTool(`t${use_frequency}_${days}`)?.temperature
    }
    expect([15, 10, 9, 5, 3, 2, 0].map((uses) => temperatureOf(uses))).toEqual([
      'hot',
      'hot',
      'warm',
      'warm',
      'warm',
      'cold',
      'cold',
    ])
    expect([temperatureOf(20, 29), temperatureOf(20, 30), temperatureOf(4, 61)]).toEqual(['hot', 'warm', 'cold'])
    for (let uses = 0; uses < 3; uses++) expect(registry.updateUsage('aws.s3.upload')).toBe(true)
    expect(registry.get_tool('aws.s3.upload')).toMatchObject({
      use_frequency: 3,
      temperature: 'warm',
      last_used: expect.stringMatching(/^\d{4}-/),
    })
    expect(registry.update_usage('absent')).toBe(false)
    expect(registry.getTool('absent')).toBeNull()
  })

  it('002 compat 7: searches hot and warm tools only', async () => {
    expect(await registry.searchHot('github pull request')).toEqual([])
    for (let uses = 0; uses < 10; uses++) registry.updateUsage('github.create_pr')
    expect((await registry.search_hot('request', 'bm25')).map((hit) => hit.tool_name)).toEqual(['github.create_pr'])
  })

  it('is better than the original where it was worse: case, nonsense and nothing', async () => {
    expect((await names('SEND message'))[0]).toBe('slack.send_message')
    expect(await names('qwertyuiop zxcvb')).toEqual([])
    expect(await names('')).toEqual([])
  })

  it('002-12 keeps what it was told', () => {
    registry.register({
      name: 'full',
      description: 'd',
      mcp_server: 's',
      defer_loading: false,
      tags: ['b', 'a'],
      category: 'c',
      input_schema: { type: 'object', properties: { x: {} } },
      output_schema: { type: 'array' },
    })
    expect(registry.getTool('full')).toEqual({
      name: 'full',
      description: 'd',
      mcp_server: 's',
      defer_loading: false,
      tags: new Set(['b', 'a']),
      category: 'c',
      use_frequency: 0,
      last_used: null,
      temperature: 'cold',
      input_schema: { type: 'object', properties: { x: {} } },
      output_schema: { type: 'array' },
    })
  })
})
