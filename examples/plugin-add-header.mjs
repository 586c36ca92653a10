// A plugin that adds a header to what goes to HTTP sources: here who calls, so that the far side can account for it.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig, openBoard } from 'pegboard/server'

const folder = mkdtempSync(join(tmpdir(), 'pegboard-example-'))
writeFileSync(
  join(folder, 'add-header.mjs'),
  `export default ({ header }) => ({
    name: 'add-header',
    beforeCall: ({ source, caller }) => source === 'shop' && { headers: { [header]: caller.profile } } || undefined,
  })`,
)

// An API of somebody else's, which looks at the header.
const seen = []
const api = createServer((request, response) => {
  seen.push(request.headers['x-team'])
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"open":true}')
}).listen(0, '127.0.0.1')
await once(api, 'listening')
const spec = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  paths: { '/state': { get: { operationId: 'state', responses: { 200: { description: 'How it is' } } } } },
}
writeFileSync(join(folder, 'shop.json'), JSON.stringify(spec))
writeFileSync(
  join(folder, 'pegboard.json'),
  JSON.stringify({
    storage: { path: join(folder, 'data') },
    plugins: [{ module: './add-header.mjs', options: { header: 'x-team' } }],
    mcpServers: { shop: { type: 'openapi', spec: './shop.json', baseUrl: `http://127.0.0.1:${api.address().port}` } },
  }),
)

const board = await openBoard(await loadConfig({ file: join(folder, 'pegboard.json') }))
await board.settled()
assert.deepEqual(await board.gateway.run('shop.state'), { open: true })
assert.deepEqual(seen, ['default'])

await board.close()
api.close()
rmSync(folder, { recursive: true })
console.log('plugin-add-header: ok')
