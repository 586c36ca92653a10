// Mount a server over stdio, serve it over HTTP.
import assert from 'node:assert/strict'
import { createGateway, serve } from 'pegboard'

const board = createGateway({ mcpServers: { desk: { command: 'node', args: ['examples/servers/desk.mjs'] } } })
await board.ready
const served = await serve(board, { http: { port: 0 } })

// Any MCP client may connect to `served.url`; this one is another board.
const client = createGateway()
await client.addServer('far', { url: served.url! })
assert.deepEqual(await client.run('far.desk__calculator', { expression: '6 * 7' }), { success: true, result: 42 })

for (const each of [client, served, board]) await each.close()
console.log('mount-and-serve: ok')
