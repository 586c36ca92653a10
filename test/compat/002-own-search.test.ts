import { describe, expect, it } from 'vitest'
import { ToolRegistry } from '../../src/exports/compat.js'
import { createGateway, defineTool, type SearchAlgorithm } from '../../src/index.js'

/** Finds tools whose name ends as the query does. */
const byEnding: SearchAlgorithm = {
  index: () => {},
  search: (query, tools, limit) =>
    tools
      .filter(({ name }) => name.endsWith(query))
      .slice(0, limit)
      .map((tool) => ({ tool, score: 1, matchReason: 'ends so' })),
}

describe('D14 002-21 a search of one’s own', () => {
  it('is asked by its name in a gateway', async () => {
    const gateway = createGateway({
      tools: [defineTool({ name: 'open_pr', handler: () => 1 }), defineTool({ name: 'close_issue', handler: () => 1 })],
      search: { algorithms: { ending: byEnding } },
    })
    const { results, method } = await gateway.search('_pr', { method: 'ending' })
    expect(method).toBe('ending')
    expect(results).toMatchObject([{ tool: { name: 'open_pr' }, score: 1 }])
    await gateway.close()
  })

  it('is asked by its name in a registry', async () => {
    const registry = new ToolRegistry({ search: { algorithms: { ending: byEnding } } })
    registry.register({ name: 'open_pr', description: 'Opens a pull request' })
    expect(await registry.search('_pr', 'ending')).toMatchObject([{ tool_name: 'open_pr' }])
  })
})
