// The two faces that keep the habits of the systems they come from.   node examples/registry-and-manager.mjs
import assert from 'node:assert/strict'
import { MCPRegistry, runPlan, ToolManager } from 'pegboard/compat'

// MCPRegistry: what a planner describes, a runtime calls.
const registry = new MCPRegistry({ validation: 'strict', deny: ['danger_*'] })
registry.register({
  name: 'double',
  description: 'Doubles a number',
  input_schema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
  call: ({ n }) => ({ output: n * 2 }),
})
assert.deepEqual(Object.keys(registry.describe()), ['double'])
assert.deepEqual(await registry.call('double', { n: 21 }), { output: 42 })
await assert.rejects(registry.call('absent', {}), { name: 'KeyError' })

const { reply, observations } = await runPlan(registry, [
  { type: 'tool', name: 'double', arguments: { n: 4 } },
  { type: 'reply', text: 'Done.' },
])
assert.equal(reply, 'Done.')
assert.equal(observations[0].ok, true)

// ToolManager: calls never throw; what failed says so in its first word.
const tools = new ToolManager()
tools.toolFunc(
  function greet(name, greeting = 'Hello') {
    return `${greeting}, ${name}!`
  },
  { params: { name: ['string', 'who to greet'] }, tags: ['social'] },
)
assert.equal(tools.callTool('greet', { name: 'Ada' }), 'Hello, Ada!')
assert.equal(tools.callTool('absent'), "Can not find tool named 'absent'")
assert.deepEqual(tools.getToolInfo('social').greet.kwargs.name, ['string', 'who to greet'])

await Promise.all([registry.close(), tools.close()])
console.log('registry-and-manager: ok')
