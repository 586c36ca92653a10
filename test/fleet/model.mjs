// Random writes at three replicas, some of which are killed meanwhile: what was acknowledged is there, and all agree.
// By hand: node test/fleet/model.mjs [rounds = 200]
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv } from 'node:process'
import { pathToFileURL } from 'node:url'
import { startPostgres } from '../../scripts/postgres.mjs'
import { createClient } from './load.mjs'
import { baseConfig, startReplica } from './replicas.mjs'

const replicaCount = 3
const settings = { profiles: { default: { expose: 'flat', names: 'exact' } }, sources: {} }

/** `say` is told how it goes; the answer counts what was written, what was unsure, and every broken promise. */
export const checkModel = async ({ url, rounds, writes = 24, seed = Date.now(), say = () => {} }) => {
  const random = seeded(seed)
  const pick = (list) => list[Math.floor(random() * list.length)]
  const start = (at) =>
    startReplica({ url, config: baseConfig(settings), name: `r${at + 1}`, leaseMs: 1500, drainMs: 0 })
  const replicas = await Promise.all(Array.from({ length: replicaCount }, (_, at) => start(at)))
  const summary = { rounds, seed, acknowledged: 0, unsure: 0, kills: 0, slowest: 0, problems: [] }
  try {
    await Promise.all(replicas.map((each) => each.ready()))
    const key = adminKeyOf(replicas)
    const model = new Model()
    for (let round = 0; round < rounds; round++) {
      const victim = round === 0 || random() < 0.5 ? Math.floor(random() * replicaCount) : undefined
      const dieAfter = Math.floor(random() * writes)
      const clients = replicas.map(({ url: at }) => createClient(at, { key }))
      const running = []
      const live = [...clients]
      for (let index = 0; index < writes; index++) {
        running.push(model.write(pick(live), pick(kinds), random))
        if (index % 4 === 3) await Promise.all(running.splice(0))
        if (index !== dieAfter || victim === undefined) continue
        replicas[victim].child.kill('SIGKILL')
        live.splice(victim, 1)
        summary.kills++
      }
      await Promise.all(running)
      const settledAt = performance.now()
      const agree = async (at) => {
        const problem = await model.disagreement(clients[at], settledAt)
        if (problem) summary.problems.push(`round ${round}, r${at + 1}: ${problem}`)
      }
      await Promise.all(clients.map((client, at) => live.includes(client) && agree(at)))
      if (victim !== undefined) {
        await replicas[victim].dispose()
        replicas[victim] = await start(victim)
        await replicas[victim].ready()
        // What it read at its start is all there is to read.
        const again = createClient(replicas[victim].url, { key })
        const problem = await model.look(again)
        if (problem) summary.problems.push(`round ${round}, r${victim + 1} after its start: ${problem}`)
        again.close()
      }
      for (const client of clients) client.close()
      summary.slowest = Math.max(summary.slowest, model.slowest)
      if (round % 10 === 9)
        say(`${round + 1} rounds, ${model.acknowledged} writes, ${summary.problems.length} problems`)
    }
    summary.acknowledged = model.acknowledged
    summary.unsure = model.unsureCount
    summary.why = Object.fromEntries(model.unsureFor)
    return summary
  } finally {
    await Promise.all(replicas.map((each) => each.dispose()))
  }
}

/** Whoever made the key for administration has it in its folder. */
export const adminKeyOf = (replicas) => {
  for (const { folder } of replicas)
    try {
      return readFileSync(join(folder, 'data', 'admin.key'), 'utf8').trim()
    } catch {
      // Another one made it.
    }
  throw new Error('No replica made a key for administration')
}

const kinds = ['register', 'register', 'unregister', 'key', 'revoke']

/** What must be there, what must not, and what nobody knows because its writer was killed. */
class Model {
  acknowledged = 0
  unsureCount = 0
  /** Why, by code. */
  unsureFor = new Map()
  slowest = 0
  #next = 0
  #tools = new Map()
  #keys = new Map()

  async write(client, kind, random) {
    const held = [...(kind === 'revoke' ? this.#keys : this.#tools)].filter(([, { state }]) => state === 'there')
    const [name, entry] = held[Math.floor(random() * held.length)] ?? []
    if (kind === 'unregister' && name)
      return this.#change(entry, 'gone', () => tool(client, 'unregister_tool', { tool_name: name }))
    if (kind === 'revoke' && name)
      return this.#change(entry, 'gone', () => administer(client, 'DELETE', `/keys/${encodeURIComponent(name)}`))
    if (kind === 'key') {
      const added = { state: 'unsure', key: undefined }
      return this.#change(added, 'there', async () => {
        const made = await administer(client, 'POST', '/keys', { name: `k${++this.#next}`, permission: 'read' })
        added.key = made.key
        this.#keys.set(made.record.id, added)
      })
    }
    const fresh = { state: 'unsure' }
    const id = `model_${++this.#next}`
    this.#tools.set(id, fresh)
    const definition = { name: id, description: `Tool ${id}`, input_schema: { type: 'object', properties: {} } }
    return this.#change(fresh, 'there', () => tool(client, 'register_tool', definition))
  }

  async #change(entry, to, write) {
    entry.state = 'unsure'
    try {
      await write()
      entry.state = to
      this.acknowledged++
    } catch (error) {
      this.unsureCount++
      this.unsureFor.set(error.code, (this.unsureFor.get(error.code) ?? 0) + 1)
    }
  }

  /** Asks until it agrees, at most ten seconds: the machine may be busy, and the slowest of all is told. */
  async disagreement(client, since) {
    for (;;) {
      const problem = await this.look(client)
      const ms = performance.now() - since
      if (!problem) this.slowest = Math.max(this.slowest, ms)
      if (!problem || ms > 10_000) return problem
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }

  /** The first thing that is not as it was acknowledged. */
  async look(client) {
    const { tools } = await administer(client, 'GET', '/tools')
    const listed = new Set(tools.map(({ id }) => id))
    for (const [name, { state }] of this.#tools) {
      if (state === 'there' && !listed.has(name)) return `${name} was acknowledged and is not listed`
      if (state === 'gone' && listed.has(name)) return `${name} was taken away and is listed`
    }
    const { keys } = await administer(client, 'GET', '/keys')
    const active = new Set(keys.filter(({ revokedAt, state }) => !revokedAt && state !== 'revoked').map(({ id }) => id))
    for (const [id, { state }] of this.#keys) {
      if (state === 'there' && !active.has(id)) return `key ${id} was acknowledged and is not there`
      if (state === 'gone' && active.has(id)) return `key ${id} was revoked and is there`
    }
    return undefined
  }
}

const tool = async (client, name, args) => client.modern('tools/call', { name, arguments: args })

/** A request of the admin API; throws its error by its code. */
export const administer = async (client, method, path, value) => {
  const { status, text } = await client.rest(method, `/api/admin/v1${path}`, value)
  if (status >= 300)
    throw Object.assign(new Error(`HTTP ${status}: ${text.slice(0, 200)}`), { code: codeIn(text) ?? `HTTP ${status}` })
  return text === '' ? {} : JSON.parse(text)
}

const codeIn = (text) => /\b[A-Z]{3,}(?:_[A-Z]+)+\b/.exec(text)?.[0]

/** Repeatable: a broken promise is found again by its seed. */
const seeded = (seed) => {
  let state = seed >>> 0 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

if (argv[1] && import.meta.url === pathToFileURL(argv[1]).href) {
  const server = await startPostgres()
  try {
    const url = await server.createDatabase()
    const summary = await checkModel({ url, rounds: Number(argv[2] ?? 200), say: console.log })
    console.log(JSON.stringify(summary, null, 2))
    process.exitCode = summary.problems.length === 0 ? 0 : 1
  } finally {
    await server.stop()
  }
}
