import { createGateway, type Gateway, type GatewayOptions } from '../../src/gateway.js'
import { defineTool } from '../../src/sources/functions/define-tool.js'

/** The tools that every story about MCP uses, as functions of our own. */
export const fixtureTools = () => [
  defineTool({
    name: 'add',
    description: 'Adds two numbers',
    input: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
    handler: ({ a, b }) => String(a + b),
  }),
  defineTool({ name: 'echo', handler: (args) => ({ content: [{ type: 'text', text: JSON.stringify(args) }] }) }),
  defineTool({
    name: 'fail',
    handler: () => {
      throw new Error('boom')
    },
  }),
  defineTool({
    name: 'hang',
    handler: (_args, { signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
  }),
  defineTool({
    name: 'steps',
    handler: async (_args, context) => {
      context.reportProgress({ progress: 1, total: 2, message: 'one' })
      context.reportProgress({ progress: 2, total: 2, message: 'two' })
      return 'done'
    },
  }),
  defineTool({ name: 'list', handler: () => [1, 2, 3], output: { type: 'array', items: { type: 'integer' } } }),
]

export const fixtureGateway = (options: GatewayOptions = {}): Gateway =>
  createGateway({ tools: fixtureTools(), ...options })
