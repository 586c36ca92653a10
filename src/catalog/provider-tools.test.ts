import { describe, expect, it } from 'vitest'
import { createGateway } from '../gateway.js'
import { defineTool } from '../sources/functions/define-tool.js'
import { type ProviderFormat, providerFormats, toProviderTools } from './provider-tools.js'

const gateway = createGateway({
  tools: [
    defineTool({
      name: 'weather.today',
      description: 'The weather',
      input: {
        type: 'object',
        properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1 } },
        required: ['city'],
      },
      handler: () => 'clear',
    }),
  ],
})
const tools = gateway.list()
const nameIn = (tool: any): string => tool.name ?? tool.function.name

describe('provider tools', () => {
  it.each(providerFormats)('gives %s names that the provider takes and that a call finds back', async (format) => {
    const { tools: listed } = toProviderTools(tools, format)
    const name = nameIn(listed[0])
    expect(name).toMatch(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/)
    expect(await gateway.run(name, { city: 'Oslo' })).toBe('clear')
  })

  it('reports what a format could not carry', () => {
    const { losses } = toProviderTools(tools, 'anthropic')
    expect(Array.isArray(losses)).toBe(true)
  })

  it('refuses a format it does not know by naming those it does', () => {
    expect(() => toProviderTools(tools, 'xml' as ProviderFormat)).toThrow(/openai-strict/)
  })
})
