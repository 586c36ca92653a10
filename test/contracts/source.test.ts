import { createEmbeddedSource } from '../../src/sources/embedded/embedded.js'
import { defineTool } from '../../src/sources/functions/define-tool.js'
import { createFunctionsSource } from '../../src/sources/functions/functions.js'
import { describeSource } from './source.js'

describeSource('functions', () => {
  const source = createFunctionsSource()
  source.register(defineTool({ name: 'add', handler: ({ a, b }) => a + b }))
  source.register(defineTool({ name: 'echo', handler: (args) => args }))
  source.register(
    defineTool({
      name: 'fail',
      handler: () => {
        throw new Error('boom')
      },
    }),
  )
  source.register(defineTool({ name: 'hang', handler: () => new Promise(() => {}) }))
  return { source, addExtra: () => source.register(defineTool({ name: 'extra', handler: () => 1 })) }
})

describeSource('embedded', () => {
  const tools = ['add', 'echo', 'fail', 'hang'].map((name) => ({ name, inputSchema: { type: 'object' } }))
  let changed = () => {}
  const source = createEmbeddedSource({
    module: {
      createService: () => ({
        listTools: async () => tools,
        callTool: async (name: string, args: { a: number; b: number }) => {
          if (name === 'hang') return new Promise(() => {})
          if (name === 'fail') throw new Error('boom')
          if (name === 'add') return { content: [{ type: 'text', text: String(args.a + args.b) }] }
          if (name === 'echo') return { content: [{ type: 'text', text: JSON.stringify(args) }] }
          return { content: [{ type: 'text', text: `no tool ${name}` }], isError: true }
        },
        onToolsChanged: (listener: () => void) => {
          changed = listener
        },
      }),
    },
  })
  return {
    source,
    addExtra: () => {
      tools.push({ name: 'extra', inputSchema: { type: 'object' } })
      changed()
    },
  }
})
