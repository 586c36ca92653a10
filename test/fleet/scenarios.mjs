// What a fleet goes through: each gives its figures; the tests hold short runs to the promises, the bench prints long ones.
import { request } from 'node:http'
import pg from 'pg'
import { startBalancer } from './balancer.mjs'
import { startBlackHole } from './black-hole.mjs'
import { createClient, startLoad } from './load.mjs'
import { administer, adminKeyOf } from './model.mjs'
import { baseConfig, counter, startFleet, startReplica } from './replicas.mjs'

/** Asks the database beside everybody else; whoever opened it ends it. */
export const openQuery = async (url) => {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  const query = (text, values) => client.query(text, values)
  return Object.assign(query, { end: () => client.end() })
}

export const holderOf = async (query, name = 'source:counter') => {
  const { rows } = await query('select holder, epoch from pegboard.lease where name = $1', [name])
  return rows[0]
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Waits until every replica lists the counter's tools and can call them. */
export const untilServed = async (urls) => {
  for (const url of urls) {
    const client = createClient(url)
    for (;;) {
      const isThere = await client.modern('tools/call', { name: 'counter.pid', arguments: {} }).then(
        () => true,
        () => false,
      )
      if (isThere) break
      await pause(50)
    }
    client.close()
  }
}

/** Three replicas with one counter, served behind a balancer, and a query beside them. */
export const withFleet = async ({ url, count = 3, source = {}, config = {}, isBlind = false, ...options }, use) => {
  const whole = baseConfig({
    ...config,
    sources: { counter: counter(source), ...config.sources },
  })
  const fleet = await startFleet({ url, count, config: whole, ...options })
  const opened = []
  try {
    await fleet.ready()
    await untilServed(fleet.urls)
    const balancer = await startBalancer(fleet.urls, { isBlind })
    opened.push(() => balancer.close())
    const client = createClient(balancer.url)
    opened.push(async () => client.close())
    const query = await openQuery(options.queryUrl ?? url)
    opened.push(() => query.end().catch(() => {}))
    return await use({ fleet, balancer, client, query })
  } finally {
    for (const close of opened.reverse()) await close()
    await fleet.dispose()
  }
}

/** Calls of both eras and lists, in turn: two in three go to the one child. */
export const mixedLoad = async (client) => {
  const session = await client.legacy()
  return (index) => {
    if (index % 3 === 0) return client.modern('tools/call', { name: 'counter.count', arguments: {} })
    if (index % 3 === 1) return session.ask('tools/call', { name: 'counter.count', arguments: {} })
    return index % 2 ? session.ask('tools/list') : client.modern('tools/list')
  }
}

/** kill -9 of the holder or of another, in the middle of a load. */
export const killed = ({ url, role, perSecond = 300, seconds = 10, leaseMs = 3000 }) =>
  withFleet({ url, leaseMs }, async ({ fleet, client, query }) => {
    const { holder } = await holderOf(query)
    const victim = fleet.replicas.find(({ name }) => (role === 'holder') === (name === holder))
    const load = startLoad({ perSecond, count: perSecond * seconds, ask: await mixedLoad(client) })
    while (load.sent() < (perSecond * seconds) / 3) await pause(10)
    victim.child.kill('SIGKILL')
    const inFlight = await load.inFlightUntil(victim.exited)
    const report = await load.done
    const after = await holderOf(query)
    return { ...report, inFlight, before: holder, after: after.holder, victim: victim.name }
  })

/** SIGTERM of the holder while the balancer goes on sending to it for three seconds. */
export const drained = ({ url, perSecond = 300, seconds = 10, blindMs = 3000 }) =>
  withFleet({ url, isBlind: true }, async ({ fleet, balancer, client, query }) => {
    const { holder } = await holderOf(query)
    const victim = fleet.replicas.find(({ name }) => name === holder)
    const load = startLoad({ perSecond, count: perSecond * seconds, ask: await mixedLoad(client) })
    while (load.sent() < (perSecond * seconds) / 3) await pause(10)
    victim.child.kill('SIGTERM')
    const at = performance.now()
    let handover
    const watched = (async () => {
      for (;;) {
        const now = await holderOf(query)
        if (now.holder !== null && now.holder !== holder) return performance.now() - at
        await pause(5)
      }
    })().then((ms) => {
      handover = ms
    })
    await pause(blindMs)
    balancer.use(fleet.urls.filter((each) => each !== victim.url))
    const report = await load.done
    await watched
    return { ...report, handover, exit: await victim.exited }
  })

/** PostgreSQL goes away for a time by `cut`, and comes back by `mend`. */
export const storeAway = async ({ server, awayMs, perSecond = 100, how = 'stop', leaseMs = 3000 }) => {
  const url = await server.createDatabase()
  const hole = how === 'hole' ? await startBlackHole({ port: server.port }) : undefined
  const seen = hole ? through(url, hole) : url
  const cuts = {
    stop: [() => server.halt('immediate'), () => server.start()],
    hole: [async () => hole.swallow(), async () => hole.open()],
    terminate: [
      async () => {
        const query = await openQuery(server.url())
        await query(
          'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname is not null',
        )
        await query.end()
      },
      async () => {},
    ],
  }
  const [cut, mend] = cuts[how]
  try {
    return await withFleet({ url: seen, leaseMs, queryUrl: url }, async ({ fleet, client }) => {
      const key = adminKeyOf(fleet.replicas)
      const before = await epochsAt(url)
      const load = startLoad({ perSecond, ask: await mixedLoad(client) })
      while (load.sent() < perSecond) await pause(10)
      await cut()
      const refused = await writeTime(fleet.urls[0], key)
      await pause(awayMs)
      await mend()
      const back = await untilWritten(fleet.urls[0], key)
      await pause(1000)
      load.stop()
      const report = await load.done
      return { ...report, refused, back, moved: JSON.stringify(before) !== JSON.stringify(await epochsAt(url)) }
    })
  } finally {
    await hole?.close()
  }
}

/** The same database by another way. */
const through = (url, { host, port }) => Object.assign(new URL(url), { hostname: host, port: String(port) }).href

/** From a key's end at one replica to the end of its stream at another, so many times. */
export const changeSeen = async ({ url, port, writes = 50, listens = true }) => {
  const way = listens ? undefined : await startBlackHole({ port, isMute: true })
  const config = baseConfig({ sources: {} })
  const fleet = await startFleet({ url: way ? through(url, way) : url, count: 2, config })
  try {
    await fleet.ready()
    const [here, there] = fleet.urls
    const operator = createClient(here, { key: adminKeyOf(fleet.replicas) })
    const took = []
    for (let index = 0; index < writes; index++) {
      const { key, record } = await administer(operator, 'POST', '/keys', { name: `k${index}`, permission: 'read' })
      const client = createClient(there, { key })
      const { session } = await client.legacy()
      const ended = await openStream(there, session, key)
      const at = performance.now()
      await administer(operator, 'DELETE', `/keys/${record.id}`)
      await ended()
      took.push(performance.now() - at)
      client.close()
      // The moment of the next write has nothing to do with that of a poll.
      await pause(Math.random() * 300)
    }
    operator.close()
    took.sort((one, other) => one - other)
    return { count: writes, p50: took[took.length >> 1], longest: took.at(-1) }
  } finally {
    await fleet.dispose()
    await way?.close()
  }
}

/** A stream of a session; resolves with how to wait for its end. */
const openStream = (url, session, key) =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const headers = { Accept: 'text/event-stream', 'Mcp-Session-Id': session, Authorization: `Bearer ${key}` }
    const asked = request({ host: hostname, port, path: '/mcp', headers }, (answer) => {
      if (answer.statusCode !== 200) return reject(new Error(`No stream: HTTP ${answer.statusCode}`))
      const ended = new Promise((end) => answer.once('close', end))
      answer.on('error', () => {}).resume()
      resolve(() => ended)
    })
    asked.on('error', reject)
    asked.end()
  })

const epochsAt = async (url) => {
  const query = await openQuery(url)
  const { rows } = await query('select name, holder, epoch from pegboard.lease order by name')
  await query.end()
  return rows
}

/** Makes a key; what came of it, and after how long. */
const writeTime = async (url, key) => {
  const client = createClient(url, { key })
  const at = performance.now()
  const code = await administer(client, 'POST', '/keys', { name: 'another', permission: 'read' }).then(
    () => 'written',
    (error) => error.code,
  )
  client.close()
  return { code, ms: performance.now() - at }
}

const untilWritten = async (url, key) => {
  const at = performance.now()
  for (;;) {
    const { code } = await writeTime(url, key)
    if (code === 'written') return performance.now() - at
    await pause(50)
  }
}

/** One legacy session, its requests over all replicas in turn. */
export const oneSession = ({ url, requests = 1000 }) =>
  withFleet({ url }, async ({ client }) => {
    const session = await client.legacy()
    const lost = []
    const replicas = new Set()
    for (let index = 0; index < requests; index++) {
      const method = index % 2 ? 'tools/list' : 'tools/call'
      const params = index % 2 ? {} : { name: 'counter.count', arguments: {} }
      await session.ask(method, params).then(
        ({ replica }) => replicas.add(replica),
        (error) => lost.push(error.code),
      )
    }
    return { requests, lost, replicas: replicas.size, length: session.session.length }
  })

/** The holder stands still for a time, as a frozen machine does. */
export const frozen = ({ url, forMs = 10_000, perSecond = 100, leaseMs = 3000 }) =>
  withFleet({ url, leaseMs }, async ({ fleet, balancer, client, query }) => {
    const { holder } = await holderOf(query)
    const victim = fleet.replicas.find(({ name }) => name === holder)
    // A balancer takes a frozen one off by its probes; what was sent to it before waits until it wakes.
    const others = fleet.urls.filter((each) => each !== victim.url)
    const load = startLoad({ perSecond, ask: await mixedLoad(client) })
    const startedAt = performance.now()
    while (load.sent() < perSecond) await pause(10)
    const at = performance.now()
    victim.child.kill('SIGSTOP')
    balancer.use(others)
    for (;;) {
      const now = await holderOf(query)
      if (now.holder !== null && now.holder !== holder) break
      await pause(10)
    }
    const handover = performance.now() - at
    await pause(Math.max(0, forMs - handover))
    victim.child.kill('SIGCONT')
    await untilServed([victim.url])
    balancer.use(fleet.urls)
    const pids = new Set()
    for (let index = 0; index < 9; index++)
      pids.add((await client.modern('tools/call', { name: 'counter.pid', arguments: {} })).result.content[0].text)
    load.stop()
    return { ...(await load.done), frozenAt: at - startedAt, handover, children: pids.size }
  })

/** So many replicas at once on an empty database. */
export const startedAtOnce = async ({ url, count = 3 }) => {
  const at = performance.now()
  const fleet = await startFleet({ url, count, config: baseConfig({ sources: {} }), secret: '' })
  try {
    await fleet.ready()
    const ms = performance.now() - at
    const query = await openQuery(url)
    const { rows: keys } = await query("select value from pegboard.document where kind = 'keys' and not deleted")
    const { rows: schemas } = await query(
      "select count(*)::int as n from information_schema.tables where table_schema = 'pegboard' and table_name = 'head'",
    )
    await query.end()
    const adminKeys = keys.filter(({ value }) => JSON.parse(value).permission === 'admin').length
    return { ms, adminKeys, schemas: schemas[0].n }
  } finally {
    await fleet.dispose()
  }
}

/** A replica whose clock is wrong by so much among others. */
export const wrongClock = async ({ url, byMs = 3_600_000 }) => {
  const config = baseConfig({ sources: { counter: counter() } })
  const fleet = await startFleet({ url, count: 2, config })
  const shift = new URL(`shifted-clock.mjs?by=${byMs}`, import.meta.url).href
  const late = await startReplica({ url, config, name: 'late', nodeArgs: ['--import', shift] })
  try {
    await fleet.ready()
    await late.ready()
    const urls = [...fleet.urls, late.url]
    await untilServed(urls)
    const balancer = await startBalancer(urls)
    const client = createClient(balancer.url)
    const load = startLoad({ perSecond: 100, count: 600, ask: await mixedLoad(client) })
    const report = await load.done
    client.close()
    await balancer.close()
    return report
  } finally {
    await late.dispose()
    await fleet.dispose()
  }
}
