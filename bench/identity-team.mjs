// What identity costs a whole gateway: a refusal, and a start with many people. Part of: npm run bench -- identity
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { answerTo, load, post } from './gateway/load.mjs'
import { cpuOf, memoryMb, startGateway } from './gateway/processes.mjs'
import { answerOf, request, toolsOf, version } from './gateway/tools.mjs'
import { median } from './measure.mjs'

const dist = (path) => import(new URL(`../dist/${path}`, import.meta.url).href)
const publicUrl = 'https://tools.example.com'

/** CPU of the gateway's process for a request that shows no token, 64 at once: the best of the rounds. */
export const refusal = async ({ quick }) => {
  const gateway = await startGateway({}, [], undefined, { server: { publicUrl }, auth: { people: {} } })
  const bytes = post(gateway, '', JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }))
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < (quick ? 5 : 12); round++) {
    const before = cpuOf(gateway.pid)
    const { calls } = await load(gateway, bytes, { concurrency: 64, ms: 1000, expected: 'resource_metadata=' })
    best = Math.min(best, (cpuOf(gateway.pid) - before) / calls)
  }
  await gateway.stop()
  return best
}

const people = 500
const sources = 20
const tools = toolsOf(20)

/**
 * What 500 people who are all signed in at 20 sources add, beside the same gateway without anybody, in turn: to the CPU until
 * it listens, and to memory once its sources are listed and one of the people has called, by which what they have is read.
 */
export const start = async ({ quick }) => {
  const upstream = await startUpstream()
  const data = mkdtempSync(join(tmpdir(), 'pegboard-bench-people-'))
  const address = (index) => `http://127.0.0.1:${upstream.port}/${index}/mcp`
  await fill(data, address)
  const key = keyOf(data, 'person:0')
  const sourcesWith = (credentials) =>
    Object.fromEntries(
      Array.from({ length: sources }, (_, index) => [`s${index}`, { url: address(index), ...credentials }]),
    )
  const kinds = {
    nobody: () => startGateway(sourcesWith({ headers: { Authorization: 'Bearer of-all' } })),
    team: () =>
      startGateway(sourcesWith({ auth: { type: 'oauth', per: 'caller' } }), [], undefined, {
        ...{ data, server: { publicUrl }, auth: { people: {} } },
      }),
  }
  const seen = { nobody: [], team: [] }
  for (let round = 0; round < (quick ? 3 : 7); round++)
    for (const [kind, open] of Object.entries(kinds)) {
      const gateway = await open()
      const cpuMs = cpuOf(gateway.pid) / 1000
      const ask = asking(gateway, kind === 'team' ? key : undefined)
      while ((await ask('tools/list')).tools.length !== sources * tools.length)
        await new Promise((resolve) => setTimeout(resolve, 50))
      const startedMb = memoryMb(gateway.pid)
      const called = await ask('tools/call', { name: 's0.echo', arguments: { text: '' } })
      if (!called.content[0].text.startsWith('Bearer ')) throw new Error(JSON.stringify(called))
      seen[kind].push({ cpuMs, startedMb, calledMb: memoryMb(gateway.pid) })
      await gateway.stop()
    }
  upstream.close()
  rmSync(data, { recursive: true, force: true })
  const least = (kind) => Math.min(...seen[kind].map(({ cpuMs }) => cpuMs))
  const mb = (when) => median(seen.team.map((one) => one[when])) - median(seen.nobody.map((one) => one[when]))
  return { cpuMs: least('team') - least('nobody'), startedMb: mb('startedMb'), calledMb: mb('calledMb') }
}

/** Twenty servers in one, which show their list to anybody and call for those who bring a credential. */
const startUpstream = async () => {
  const server = createServer((incoming, outgoing) => {
    const chunks = []
    incoming.on('data', (chunk) => chunks.push(chunk))
    incoming.on('end', () => {
      if (incoming.method !== 'POST') return outgoing.writeHead(405).end()
      const message = JSON.parse(Buffer.concat(chunks).toString())
      if (message.id === undefined) return outgoing.writeHead(202).end()
      if (message.method === 'tools/call') message.params.arguments.text = incoming.headers.authorization
      const result = answerOf(message, tools)
      const body = result ? { result } : { error: { code: -32601, message: 'Method not found' } }
      outgoing.writeHead(200, { 'content-type': 'application/json' })
      outgoing.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...body }))
    })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: server.address().port, close: () => server.close().closeAllConnections() }
}

/** Everybody with a session and 2 kB of credentials at each source, as a gateway keeps them. */
const fill = async (path, address) => {
  const { openStorage } = await dist('storage/open.js')
  const { createVault, markersKind } = await dist('storage/open-vault.js')
  const { keptKeys } = await dist('storage/vault-keys.js')
  const { callerDocumentId } = await dist('sources/oauth/caller-shelf.js')
  const { silentLogger: logger } = await dist('telemetry/logger.js')
  const storage = await openStorage({ backend: 'json', path })
  const vault = createVault({ keys: keptKeys(path, logger), markers: storage.shared(markersKind), logger })
  const now = Date.now()
  const everybody = Array.from({ length: people }, (_, index) => {
    const [subject, email] = [`user-${index}`, `user-${index}@example.com`]
    return {
      id: `person:${index}`,
      issuer: 'https://login.example.com',
      subject,
      name: subject,
      email,
      groups: ['eng'],
    }
  })
  const put = async (kind, rows, isSealed = false) => {
    const raw = storage.shared(kind)
    await (isSealed ? vault.sealed(raw, kind) : raw).putMany(rows)
    await raw[Symbol.asyncDispose]()
  }
  const toPerson = ({ id, ...rest }) => ({ id, value: { ...rest, firstSeen: now, lastSeen: now } })
  await put('people', everybody.map(toPerson))
  const times = { createdAt: now, lastUsedAt: now, checkedAt: now, endsAt: now + 1e9, generation: 0 }
  const client = { id: 'https://claude.ai/oauth/client.json', name: 'Claude' }
  const toSession = (identity, index) => ({
    id: `session-${index}`,
    value: { kind: 'client', identity, client, ...times },
  })
  await put('sessions', everybody.map(toSession))
  const tokens = { accessToken: 'a'.repeat(1300), refreshToken: 'r'.repeat(700), obtainedAt: now, expiresAt: now + 1e9 }
  const credentials = everybody.flatMap(({ id: caller }) =>
    Array.from({ length: sources }, (_, index) => {
      const [source, server] = [`s${index}`, address(index)]
      const kept = { source, server, issuer: 'https://auth.example.com', tokens, savedAt: now, caller }
      return { id: callerDocumentId(caller, source, server), value: kept }
    }),
  )
  await put('caller-sign-ins', credentials, true)
  await storage[Symbol.asyncDispose]()
}

/** A key that acts as somebody. */
const keyOf = (data, owner) => {
  const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
  const args = [main, 'key', 'create', 'bench', '--role', 'caller', '--owner', owner, '--data-path', data, '--json']
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })).key
}

const asking =
  (gateway, key) =>
  async (method, params = {}) => {
    const name = params.name ? `Mcp-Name: ${params.name}\r\n` : ''
    const own = key ? `Authorization: Bearer ${key}\r\n` : ''
    const headers = `${own}MCP-Protocol-Version: ${version}\r\nMcp-Method: ${method}\r\n${name}`
    const answer = JSON.parse(await answerTo(gateway, post(gateway, headers, request(1, method, params))))
    if (!answer.result) throw new Error(JSON.stringify(answer))
    return answer.result
  }
