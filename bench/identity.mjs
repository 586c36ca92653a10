// What identity costs, in processor time, and that it costs nothing where nobody signs in: npm run bench -- identity
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { refusal, start } from './identity-team.mjs'
import { table } from './measure.mjs'

const dist = (path) => import(new URL(`../dist/${path}`, import.meta.url).href)
const endpoint = 'https://tools.example.com/mcp'
const grants = [
  { groups: ['platform'], role: 'admin', profiles: ['*'] },
  { groups: ['eng'], role: 'caller', profiles: ['default'] },
]
const groups = ['eng', ...Array.from({ length: 19 }, (_, index) => `group-${index}`)]

/** The best of many rounds in microseconds of the processor: others may run beside. */
const cost = async (work, times, rounds = 12) => {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage()
    for (let time = 0; time < times; time++) {
      const answer = work(time + round * times)
      if (typeof answer?.then === 'function') await answer
    }
    const { user, system } = process.cpuUsage(before)
    best = Math.min(best, (user + system) / times)
  }
  return best
}

const expectCaller = (result, id) => {
  if (!('caller' in result)) throw new Error(`refused: ${JSON.stringify(result)}`)
  return id === undefined || result.caller.id === id
}

/** Tokens of another issuer, whose keys come from a server on this machine. */
const otherIssuers = async () => {
  const { SignJWT } = await import('jose')
  const { TokenBearers } = await dist('access/tokens/token-bearers.js')
  const { systemClock } = await dist('model/clock.js')
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  let issuer = ''
  const server = createServer((request, response) => {
    const body = request.url.includes('jwks')
      ? { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] }
      : { issuer, jwks_uri: `${issuer}/jwks` }
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${server.address().port}`
  const tokenOf = (index) =>
    new SignJWT({ groups, scope: 'mcp:call', jti: `token-${index}` })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(issuer)
      .setAudience(endpoint)
      .setSubject('alice')
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(privateKey)
  const bearers = new TokenBearers({
    issuers: [
      { issuer, algorithms: ['RS256'], clockSkewSeconds: 30, claims: { name: 'preferred_username', groups: 'groups' } },
    ],
    fetch,
    clock: systemClock,
    grants: () => grants,
  })
  const known = await tokenOf(0)
  expectCaller(await bearers.verify(known, endpoint))
  const fresh = []
  for (let index = 1; index <= 1200; index++) fresh.push(await tokenOf(index))
  const figures = {
    known: await cost(() => bearers.verify(known, endpoint), 20_000),
    first: await cost((index) => bearers.verify(fresh[index], endpoint), 100, 12),
  }
  server.close()
  return figures
}

/** Tokens of our own authorization server. */
const ownTokens = async () => {
  const { createSeals } = await dist('model/seal.js')
  const { createSealedTokens } = await dist('access/authorization/tokens.js')
  const { createOwnBearers } = await dist('access/authorization/bearers.js')
  const tokens = createSealedTokens(createSeals('a secret of the bench'))
  const now = Date.now()
  const identity = { id: 'person:alice', issuer: 'https://idp', subject: 'alice', groups }
  const session = {
    id: 's1',
    kind: 'client',
    identity,
    createdAt: now,
    lastUsedAt: now,
    endsAt: now + 1e9,
    checkedAt: now,
    generation: 0,
  }
  const bearers = createOwnBearers({
    tokens,
    sessions: { find: () => session, touch: () => {} },
    people: { isEnded: () => false, seen: () => {} },
    grants: () => grants,
    keyHolder: () => undefined,
    now: Date.now,
  })
  const token = tokens.access({ session: 's1', client: 'c', resource: endpoint, scope: 'mcp:call', until: now + 1e9 })
  expectCaller(bearers.verify(token, endpoint), 'person:alice')
  return { own: await cost(() => bearers.verify(token, endpoint), 20_000) }
}

/** A line of the audit trail, chained and handed to its file. */
const audit = async () => {
  const { openAuditFile } = await dist('telemetry/audit-file.js')
  const { silentLogger } = await dist('telemetry/logger.js')
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-bench-audit-'))
  const log = openAuditFile({ folder, logger: silentLogger })
  const caller = {
    id: 'person:alice',
    kind: 'person',
    rights: ['discover', 'call'],
    identity: { id: 'person:alice', name: 'alice' },
    client: 'Claude',
  }
  const call = {
    tool: 'github.create_issue',
    args: { title: 'a title', body: 'some words', labels: ['one', 'two'] },
    caller,
    bytes: 212,
  }
  const outcome = { ok: true, answer: { type: 'mcp', bytes: 512, result: { content: [] } } }
  const record = {
    at: Date.now(),
    kind: 'tool',
    tool: call.tool,
    source: 'github',
    caller: caller.id,
    latencyMs: 12.345,
    attempts: 1,
    ok: true,
  }
  // Written out after each round: what does not fit into memory would be left out, and cost nothing.
  const times = 2000
  let perCall = Number.POSITIVE_INFINITY
  for (let round = 0; round < 20; round++) {
    const before = process.cpuUsage()
    for (let time = 0; time < times; time++) log.listener(record, call, outcome)
    await log.read({ limit: 1 })
    const { user, system } = process.cpuUsage(before)
    perCall = Math.min(perCall, (user + system) / times)
  }
  await log.close()
  rmSync(folder, { recursive: true })
  return { audit: perCall }
}

/** What somebody has at a server, 2 kB of it, by the root of a data folder as a gateway asks for it. */
const vault = async () => {
  const { keptKeys } = await dist('storage/vault-keys.js')
  const { openValue, sealValue } = await dist('storage/vault-seal.js')
  const { silentLogger } = await dist('telemetry/logger.js')
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-bench-vault-'))
  const keys = keptKeys(folder, silentLogger)
  const { keyId } = keys.sealing()
  const value = {
    accessToken: 'a'.repeat(1300),
    refreshToken: 'r'.repeat(700),
    source: 'github',
    obtainedAt: Date.now(),
  }
  // Another one each time: what is derived for one place helps no other.
  const places = Array.from({ length: 1000 }, (_, index) => ({ kind: 'caller-sign-ins', id: `person-${index} github` }))
  const stored = places.map((place) => sealValue(keys.sealing(), place, value))
  const open = (index) => openValue(keys.opening(keyId), places[index % 1000], stored[index % 1000])
  if (open(7)?.source !== 'github') throw new Error('what was sealed does not open')
  const figures = {
    seal: await cost((index) => sealValue(keys.sealing(), places[index % 1000], value), 1000, 40),
    open: await cost(open, 1000, 40),
  }
  rmSync(folder, { recursive: true })
  return figures
}

export const benchIdentity = async ({ quick = false, json } = {}) => {
  const inOne = { ...(await otherIssuers()), ...(await ownTokens()), ...(await audit()), ...(await vault()) }
  const [refused, started] = [await refusal({ quick }), await start({ quick })]
  const rows = [
    ['a token of another issuer that is known', inOne.known, 3, 'µs'],
    ['a token of our own, opened', inOne.own, 10, 'µs'],
    ['the first time a JWT is seen (RS256, 20 groups)', inOne.first, 250, 'µs'],
    ['a line of the audit trail', inOne.audit, 4, 'µs'],
    ['a credential of 2 kB is sealed', inOne.seal, 20, 'µs'],
    ['a credential of 2 kB is opened', inOne.open, 20, 'µs'],
    ['a 401 with its challenge, the whole request', refused, 60, 'µs'],
    ['500 people × 20 sources: more until it listens', started.cpuMs, 200, 'ms'],
    ['500 people × 20 sources: more memory at the start', started.startedMb, 60, 'MB'],
  ]
  const claims = rows.map(([claim, value, limit, unit]) => ({ claim, value, limit, unit }))
  const called = { claim: 'the same once one of them has called (json files)', value: started.calledMb, unit: 'MB' }
  table(
    'Identity, in time of the processor: the best of many rounds, since others may run beside',
    ['what', 'measured', 'at most'],
    [...claims, called].map(({ claim, value, limit, unit }) => [
      claim,
      `${value.toFixed(value < 20 ? 2 : 0)} ${unit}`,
      limit === undefined ? '' : `${limit} ${unit}`,
    ]),
  )
  if (json !== undefined) writeFileSync(json, `${JSON.stringify([...claims, called], null, 2)}\n`)
  return claims
}
