// Ten honest callers, each with a key and a session of its own, asking at a steady rate whatever else goes on: forked, and
// told when to begin and to end.
import { Agent, request as httpRequest } from 'node:http'

const everyMs = 50
const callers = []
let latencies = []
let failures = []
let timer
const pending = new Set()

const ask = (caller, body, headers = {}) =>
  new Promise((resolve) => {
    const asked = httpRequest(
      caller.url,
      {
        method: 'POST',
        agent: caller.agent,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          authorization: `Bearer ${caller.key}`,
          ...headers,
        },
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (part) => (text += part))
        response.on('end', () =>
          resolve({ status: response.statusCode, session: response.headers['mcp-session-id'], text }),
        )
      },
    )
    asked.on('error', (error) => resolve({ status: 0, text: error.message }))
    asked.end(JSON.stringify({ jsonrpc: '2.0', ...body }))
  })

const open = async (url, key) => {
  const caller = { url: `${url}/mcp`, key, agent: new Agent({ keepAlive: true }), asked: 0 }
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'other', version: '1' } }
  const { session } = await ask(caller, { id: 0, method: 'initialize', params })
  caller.headers = { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }
  await ask(caller, { method: 'notifications/initialized' }, caller.headers)
  callers.push(caller)
}

const askOnce = async (caller) => {
  const id = ++caller.asked
  const nonce = `${caller.key.slice(-6)}-${id}`
  const startedAt = performance.now()
  const answer = await ask(
    caller,
    { id, method: 'tools/call', params: { name: 'up.echo', arguments: { nonce } } },
    caller.headers,
  )
  latencies.push(performance.now() - startedAt)
  if (answer.status !== 200 || !answer.text.includes(nonce))
    failures.push(`${answer.status} ${answer.text.slice(0, 200)}`)
}

process.on('message', async (message) => {
  if (message.keys) {
    for (const key of message.keys) await open(message.url, key)
    process.send({ ready: true })
  }
  if (message.begin) {
    // The server ends what was idle in between.
    for (const caller of callers) {
      caller.agent.destroy()
      caller.agent = new Agent({ keepAlive: true })
    }
    latencies = []
    failures = []
    let turn = 0
    timer = setInterval(() => {
      const asked = askOnce(callers[turn++ % callers.length]).finally(() => pending.delete(asked))
      pending.add(asked)
    }, everyMs / callers.length)
  }
  if (message.end) {
    clearInterval(timer)
    // Those that still wait are the slowest: they count.
    await Promise.all(pending)
    process.send({ latencies, failures })
  }
})
process.on('disconnect', () => process.exit())
process.send({ started: true })
