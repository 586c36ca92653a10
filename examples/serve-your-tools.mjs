// Your own functions as an MCP server: over HTTP on this machine, and over stdio for a client that starts this file
// with --stdio. Nobody else on the network gets in.
import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { createGateway, defineTool, serve, ToolManager } from 'pegboard'

const board = createGateway({
  tools: [
    defineTool({
      name: 'greet',
      description: 'Greets somebody by name',
      input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      handler: ({ name }) => `Hello, ${name}!`,
    }),
  ],
})

const asServer = async () => {
  const served = await serve(board, { stdio: true })
  await served.ended
}

const asExample = async () => {
  const served = await serve(board, { http: { port: 0 } })
  // A client of the other kind: the tools of a server as functions.
  const client = new ToolManager()
  await client.useMcp(served.url)
  assert.equal(await client.asyncCallTool('greet', { name: 'Ada' }), 'Hello, Ada!')

  // A page of another site is turned away.
  const foreign = await fetch(served.url, { method: 'POST', headers: { origin: 'https://elsewhere.example' } })
  assert.equal(foreign.status, 403)
  await client.close()
  await served.close()

  // The same file as a child process; a synchronous call waits for its answer.
  const parent = new ToolManager()
  await parent.useMcp({ command: process.execPath, args: [fileURLToPath(import.meta.url), '--stdio'] })
  assert.equal(parent.callTool('greet', { name: 'Grace' }), 'Hello, Grace!')
  await parent.close()
  console.log('serve-your-tools: ok')
}

await (process.argv.includes('--stdio') ? asServer() : asExample())
await board.close()
