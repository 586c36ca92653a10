// A plugin that takes addresses out of every result and every error, in a program of your own. In a configuration the same
// object is the default export of a module: plugins: ["./redact.mjs"].
import assert from 'node:assert/strict'
import { createGateway, definePlugin, defineTool, usingPlugins } from 'pegboard'

const clean = (text) => text.replaceAll(/[\w.+-]+@[\w-]+\.[\w.]+/g, '[address]')

const redact = definePlugin({
  name: 'redact',
  afterCall: (_call, ending) => {
    if (!ending.ok) return { message: clean(ending.error.message) }
    // Text and structure alike: what is left of one is in the other too.
    return { result: JSON.parse(clean(JSON.stringify(ending.result))) }
  },
})

// Where a result that was not cleaned must not go out, a plugin that fails refuses the call.
const gateway = createGateway({ plugins: usingPlugins([redact], { onError: 'refuse' }) })
gateway.register(
  defineTool({
    name: 'customer',
    handler: () => ({ name: 'Ada', contact: 'ada@example.com, or via ops@example.com' }),
  }),
)
gateway.register(
  defineTool({
    name: 'broken',
    handler: () => {
      throw new Error('ada@example.com is locked')
    },
  }),
)

assert.deepEqual(await gateway.run('customer'), { name: 'Ada', contact: '[address], or via [address]' })
await assert.rejects(gateway.run('broken'), /\[address\] is locked/)
await gateway.close()
console.log('plugin-redact: ok')
