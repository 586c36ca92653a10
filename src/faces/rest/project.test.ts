import { describe, expect, it } from 'vitest'
import { createCatalog } from '../../catalog/catalog.js'
import { projectTools } from './project.js'

describe('a list in a provider’s words', () => {
  it('leaves out a tool that the words cannot say, and says so', () => {
    const catalog = createCatalog()
    catalog.mount({ source: 's', namespace: '' })
    const definitions = [
      { name: 'odd', inputSchema: { properties: { q: {} } } },
      { name: 'plain', inputSchema: { type: 'object' } },
    ]
    catalog.apply('s', { type: 'all', tools: definitions.map((definition) => ({ definition })) })
    const { tools, losses, carried } = projectTools(catalog.snapshot().tools, 'kwargs')
    expect(carried.map(({ id }) => id)).toEqual(['plain'])
    expect(tools).toHaveLength(1)
    expect(losses[0]).toMatchObject({ tool: 'odd', losses: [{ reason: expect.stringMatching(/^left out/) }] })
  })
})
