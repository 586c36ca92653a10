import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../model/json.js'
import type { RemoteTool } from './mcp-servers.js'
import { importTools } from './use-mcp.js'

const remote = (name: string, inputSchema: JsonObject, outputSchema?: JsonObject): RemoteTool => ({
  name,
  tool: {
    id: `s/${name}`,
    namespace: 's',
    name,
    source: 's',
    tags: ['own'],
    definition: { name, inputSchema, outputSchema },
  },
  call: () => Promise.reject(new Error('not called')),
})

describe('importTools', () => {
  it('003-08 skips a tool whose schema cannot be said as kwargs, with a log, and imports the others', () => {
    const lines: string[] = []
    const logger = { log: (_level: string, message: string) => void lines.push(message), child: () => logger }
    const tools = [
      remote('untyped', { properties: {} }),
      remote('list_output', { type: 'object' }, { type: 'array' }),
      remote('fine', { type: 'object', properties: { a: { type: 'string' } } }, { type: 'object' }),
    ]
    const imported = importTools(tools, ['given', 'own'], logger)
    expect(imported).toMatchObject([{ name: 'fine', desc: '', kwargs: { a: ['string', ''] }, returns: null }])
    expect(imported[0]?.tags).toEqual(['own', 'given'])
    expect(lines).toEqual([
      expect.stringContaining("'untyped' is not imported"),
      expect.stringContaining("'list_output' is not imported"),
    ])
  })
})
