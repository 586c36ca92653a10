import { afterEach, expect, it } from 'vitest'
import { createSeals } from '../../src/model/seal.js'
import { type ServedFixture, serveFixture } from '../helpers/serve-fixture.js'

let open: ServedFixture[] = []
afterEach(async () => {
  await Promise.all(open.map((each) => each.close()))
  open = []
})

const initialize = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

const post = (url: string, body: object, session?: string): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(session === undefined ? {} : { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...body }),
  })

it('a session of which nothing can be recalled gets an answer to all it sends, and comes back when it can', async () => {
  const seal = createSeals('a secret of thirty-two characters').of('session')
  let isBroken = true
  const broken = {
    recall: () => (isBroken ? Promise.reject(new Error('the memory is gone')) : Promise.resolve(undefined)),
    note: () => {},
    end: async () => {},
    follow: () => () => {},
  }
  const [first, second] = [
    await serveFixture(undefined, { seal }),
    await serveFixture(undefined, { seal, memory: broken }),
  ]
  open.push(first, second)
  const began = await post(first.url, { id: 0, ...initialize })
  const session = began.headers.get('mcp-session-id')!
  await began.text()
  for (const body of [
    { method: 'notifications/cancelled', params: { requestId: 1 } },
    { id: 'question', result: {} },
    { id: 2, method: 'ping' },
  ])
    expect((await post(second.url, body, session)).status).toBe(500)
  isBroken = false
  expect((await post(second.url, { id: 3, method: 'ping' }, session)).status).toBe(200)
})
