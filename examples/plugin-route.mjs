// A plugin that sends the calls of some callers elsewhere: whoever tries things out works on the copy, not on the real books.
import assert from 'node:assert/strict'
import { createGateway, definePlugin, defineTool, usingPlugins } from 'pegboard'

const route = definePlugin({
  name: 'route',
  beforeCall: ({ tool, caller }) =>
    tool === 'book' && caller.profile === 'trial' ? { route: 'book_copy' } : undefined,
  // They need not see two tools that do the same; by its id the copy can still be called.
  onList: (tools) =>
    tools.filter(({ id }) => id === 'book_copy').map(({ id }) => ({ id, description: 'The copy of the books.' })),
})

const books = { real: [], copy: [] }
const gateway = createGateway({
  plugins: usingPlugins([route]),
  // The policy has the last word: nobody is sent where they may not go.
  rules: { profiles: { team: {}, trial: {}, locked: { deny: ['book_copy'] } } },
})
gateway.register(defineTool({ name: 'book', handler: ({ sum }) => books.real.push(sum) }))
gateway.register(defineTool({ name: 'book_copy', handler: ({ sum }) => books.copy.push(sum) }))

const as = (profile) => ({ caller: { id: `key:${profile}`, rights: ['call', 'discover'], profile } })
await gateway.run('book', { sum: 1 }, as('team'))
await gateway.run('book', { sum: 2 }, as('trial'))
assert.deepEqual(books, { real: [1], copy: [2] })
await gateway.close()
console.log('plugin-route: ok')
