// Told of calls that wait for a person: a receiver that checks who sent the message, and the link in it.
import assert from 'node:assert/strict'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig, openBoard } from 'pegboard/server'

const secret = 'a secret of both ends'

// No older than five minutes, against whoever sends a caught message again; over the bytes as they came.
const isOurs = (header = '', body) => {
  const [, seconds, mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? []
  if (mac === undefined || Math.abs(Date.now() / 1000 - Number(seconds)) > 300) return false
  const wanted = createHmac('sha256', secret).update(`${seconds}.${body}`).digest()
  return timingSafeEqual(wanted, Buffer.from(mac, 'hex'))
}

let arrived
const message = new Promise((resolve) => {
  arrived = resolve
})
const receiver = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const isGood = isOurs(request.headers['pegboard-signature'], body)
  response.writeHead(isGood ? 204 : 401).end()
  // Here a bot posts it where people are: the tool, who asks, the arguments and the link.
  if (isGood) arrived(JSON.parse(body))
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')

const folder = mkdtempSync(join(tmpdir(), 'pegboard-example-'))
const file = join(folder, 'pegboard.json')
const config = {
  storage: { path: join(folder, 'data') },
  rules: [{ id: 'sums', tools: ['calculator'], effect: 'ask' }],
  approvals: { webhook: { url: `http://127.0.0.1:${receiver.address().port}/`, secret } },
}
writeFileSync(file, JSON.stringify(config))
const board = await openBoard(await loadConfig({ file }), { http: { port: 0 } })
const call = () =>
  fetch(`${board.url}/api/v1/tools/calculator/call?result=value`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"expression":"6*7"}',
  })

assert.equal((await call()).status, 202)
const { tool, arguments: sent, url } = await message
assert.deepEqual([tool, sent], ['calculator', '{"expression":"6*7"}'])

// Whoever opens the link sees the call; only the form of that page answers.
assert.match(await (await fetch(url)).text(), /Approve once/)
assert.equal((await call()).status, 202)
const form = {
  method: 'POST',
  headers: { origin: new URL(url).origin },
  body: new URLSearchParams({ decision: 'once' }),
}
assert.equal((await fetch(url, form)).status, 200)
assert.equal((await call()).status, 200)

await board.close()
receiver.close()
rmSync(folder, { recursive: true })
console.log('approval-webhook: ok')
