// What a fleet promises, measured: npm run bench -- fleet [--quick]. Needs PostgreSQL; three replicas share this machine with it.
import { findPostgres, notInstalled, startPostgres } from '../scripts/postgres.mjs'
import { createClient } from '../test/fleet/load.mjs'
import { baseConfig, counter, startReplica } from '../test/fleet/replicas.mjs'
import * as scenarios from '../test/fleet/scenarios.mjs'
import { cpuOf } from './gateway/processes.mjs'
import { median, table } from './measure.mjs'

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** So many calls, some at a time; what they cost each process, in µs per call, and how long one took. */
export const callsOf = async (client, name, count, { width = 16, pids }) => {
  const before = pids.map(cpuOf)
  const took = []
  let left = count
  const work = async () => {
    while (left-- > 0) {
      const at = performance.now()
      await client.modern('tools/call', { name, arguments: {} })
      took.push(performance.now() - at)
    }
  }
  await Promise.all(Array.from({ length: width }, work))
  const used = pids.map((pid, at) => (cpuOf(pid) - before[at]) / count)
  return { cpu: used.reduce((sum, each) => sum + each, 0), p50: median(took) }
}

export const benchFleet = async ({ quick }) => {
  if (!findPostgres()) {
    console.log(`${notInstalled}; nothing of a fleet can be measured.`)
    return []
  }
  const server = await startPostgres({ settings: { max_connections: 100 } })
  const rows = []
  const claims = []
  const claim = (figure, value, limit, unit, more = '') => {
    rows.push([figure, `${value < 10 ? value.toFixed(2) : Math.round(value)} ${unit}`, `≤ ${limit} ${unit}`, more])
    claims.push({ claim: figure, value, limit, unit })
    console.log(`  ${figure}: ${value} ${unit} ${more}`)
  }
  const parts = {
    path: onThePath,
    sessions: atANewReplica,
    cost: besideJson,
    hop: overTheHop,
    seen: seenElsewhere,
    idle,
    faults,
    starts,
  }
  try {
    for (const [name, part] of Object.entries(parts)) {
      console.log(`fleet: ${name}`)
      await part({ server, claim, quick })
    }
  } finally {
    await server.stop('immediate')
  }
  table('Fleet', ['figure', 'value', 'bar', ''], rows)
  return claims
}

const onThePath = async ({ server, claim, quick }) => {
  const count = quick ? 3000 : 15_000
  const url = await server.createDatabase()
  await scenarios.withFleet({ url, count: 1 }, async ({ client }) => {
    // Two clocks on one database would count each other's looks: the statistics are read from another.
    const query = await scenarios.openQuery(server.url())
    const statistics = async () => {
      const { rows } = await query('select xact_commit + xact_rollback as n from pg_stat_database where datname = $1', [
        new URL(url).pathname.slice(1),
      ])
      return Number(rows[0].n)
    }
    await callsOf(client, 'counter.count', 500, { pids: [] })
    const quietFrom = await statistics()
    const quietAt = performance.now()
    await pause(10_000)
    const perMs = ((await statistics()) - quietFrom) / (performance.now() - quietAt)
    const from = await statistics()
    const at = performance.now()
    await callsOf(client, 'counter.count', count, { pids: [] })
    // Counts of use are written together, later: they belong to the background as well.
    await pause(3000)
    const expected = perMs * (performance.now() - at)
    const asked = (await statistics()) - from - expected
    await query.end()
    claim(
      'queries on the path of a call',
      Math.max(0, asked) / count,
      0.002,
      'per call',
      `${asked.toFixed(0)} beyond the background of ${(perMs * 1000).toFixed(1)}/s in ${count} calls`,
    )
  })
}

/** The first request of a session at a replica that has never seen it, beside the next ones there. */
const atANewReplica = async ({ server, claim, quick }) => {
  const url = await server.createDatabase()
  await scenarios.withFleet({ url, count: 2 }, async ({ fleet }) => {
    const [here, there] = fleet.urls.map((each) => createClient(each))
    const first = []
    const later = []
    for (let index = 0; index < (quick ? 50 : 200); index++) {
      const { session } = await here.legacy()
      for (const took of [first, later]) {
        const at = performance.now()
        await there.inSession(session, 'ping')
        took.push(performance.now() - at)
      }
    }
    here.close()
    there.close()
    claim(
      'what a session costs at a new replica, p50',
      median(first) - median(later),
      1,
      'ms',
      `${first.length} sessions`,
    )
  })
}

const besideJson = async ({ server, claim, quick }) => {
  const url = await server.createDatabase()
  const config = baseConfig({ sources: { counter: counter() } })
  const onPostgres = await startReplica({ url, config, name: 'postgres' })
  const onJson = await startReplica({
    url,
    config: { ...config, storage: { backend: 'json', url: undefined } },
    secret: '',
  })
  try {
    await scenarios.untilServed([onPostgres.url, onJson.url])
    const sides = [onPostgres, onJson].map(({ url: at, pid }) => ({ client: createClient(at), pid, cpu: [] }))
    const count = quick ? 2000 : 10_000
    for (const { client, pid } of sides) await callsOf(client, 'counter.count', count, { pids: [pid] })
    for (let round = 0; round < (quick ? 4 : 9); round++)
      for (const each of round % 2 ? [...sides].reverse() : sides)
        each.cpu.push((await callsOf(each.client, 'counter.count', count, { pids: [each.pid] })).cpu)
    const [postgres, json] = sides.map(({ cpu }) => median(cpu))
    for (const { client } of sides) client.close()
    claim(
      'CPU per call, postgres beside json',
      postgres / json,
      1.03,
      '×',
      `${postgres.toFixed(1)} / ${json.toFixed(1)} µs`,
    )
  } finally {
    await onPostgres.dispose()
    await onJson.dispose()
  }
}

const overTheHop = async ({ server, claim, quick }) => {
  const url = await server.createDatabase()
  await scenarios.withFleet({ url, count: 2 }, async ({ fleet, query }) => {
    const { holder } = await scenarios.holderOf(query)
    const here = fleet.replicas.find(({ name }) => name === holder)
    const there = fleet.replicas.find(({ name }) => name !== holder)
    const direct = createClient(here.url)
    const hop = createClient(there.url)
    const pids = [here.pid, there.pid]
    const count = quick ? 2000 : 10_000
    const sides = { direct: { client: direct, cpu: [], p50: [] }, hop: { client: hop, cpu: [], p50: [] } }
    for (const { client } of Object.values(sides)) await callsOf(client, 'counter.count', count, { pids })
    for (let round = 0; round < (quick ? 3 : 7); round++)
      for (const each of Object.values(sides)) {
        each.cpu.push((await callsOf(each.client, 'counter.count', count, { pids })).cpu)
        each.p50.push((await callsOf(each.client, 'counter.count', count / 10, { pids, width: 1 })).p50)
      }
    direct.close()
    hop.close()
    const cpu = median(sides.hop.cpu) / median(sides.direct.cpu)
    claim(
      'CPU of a call over a hop beside a direct one',
      cpu,
      2.2,
      '×',
      `${median(sides.hop.cpu).toFixed(1)} / ${median(sides.direct.cpu).toFixed(1)} µs`,
    )
    claim('time that a hop adds, p50', median(sides.hop.p50) - median(sides.direct.p50), 0.5, 'ms')
  })
}

/** From a write at one replica to the message on a stream of another. */
const seenElsewhere = async ({ server, claim, quick }) => {
  for (const listens of [true, false]) {
    const url = await server.createDatabase()
    const figures = await scenarios.changeSeen({ url, port: server.port, writes: quick ? 20 : 100, listens })
    const how = listens ? '' : ' without LISTEN'
    if (listens) claim('change seen elsewhere, p50', figures.p50, 25, 'ms', `${figures.count} changes`)
    claim(`change seen elsewhere${how}, longest`, figures.longest, 1000, 'ms', `p50 ${figures.p50.toFixed(0)} ms`)
  }
}

const idle = async ({ server, claim, quick }) => {
  const url = await server.createDatabase()
  await scenarios.withFleet({ url }, async ({ fleet }) => {
    const query = await scenarios.openQuery(server.url())
    const name = new URL(url).pathname.slice(1)
    const count = async () => {
      const { rows } = await query('select xact_commit + xact_rollback as n from pg_stat_database where datname = $1', [
        name,
      ])
      return Number(rows[0].n)
    }
    // What a start writes down takes a moment.
    await pause(15_000)
    const pids = fleet.replicas.map(({ pid }) => pid)
    const from = await count()
    const before = pids.map(cpuOf)
    const at = performance.now()
    await pause(quick ? 10_000 : 30_000)
    const seconds = (performance.now() - at) / 1000
    const used = pids.reduce((sum, pid, index) => sum + cpuOf(pid) - before[index], 0) / pids.length / 1e6 / seconds
    claim('transactions of an idle replica', ((await count()) - from) / seconds / pids.length, 1.5, 'per second')
    claim('CPU of an idle replica', used * 100, 1, '%')
    await query.end()
  })
}

const faults = async ({ server, claim, quick }) => {
  const seconds = quick ? 6 : 10
  for (const role of ['other', 'holder']) {
    const url = await server.createDatabase()
    const { sent, failed, inFlight, longest } = await scenarios.killed({ url, role, seconds })
    const codes = [...new Set(failed.map(({ code }) => code))].join(', ')
    claim(
      `kill -9 of ${role === 'other' ? 'a replica' : 'the holder'} at 300/s, failed beyond those in flight`,
      Math.max(0, failed.length - inFlight),
      0,
      `of ${sent}`,
      `${failed.length} failed (${codes || 'none'}), ${inFlight} in flight, longest ${longest.toFixed(0)} ms`,
    )
  }
  {
    const url = await server.createDatabase()
    const { sent, failed, handover } = await scenarios.drained({ url, seconds: 10 })
    claim('SIGTERM with a balancer blind for 3 s, failed', failed.length, 0, `of ${sent}`)
    claim('handover after SIGTERM', handover, 500, 'ms')
  }
  for (const [how, awayMs, words] of [
    ['stop', quick ? 10_000 : 60_000, 'PostgreSQL away'],
    ['hole', quick ? 8000 : 30_000, 'PostgreSQL in a black hole'],
    ['terminate', 1000, 'all connections terminated'],
  ]) {
    const { sent, failed, refused, back, moved } = await scenarios.storeAway({ server, awayMs, how })
    claim(
      `${words} for ${awayMs / 1000} s, calls failed`,
      failed.length,
      0,
      `of ${sent}`,
      moved ? 'leases moved' : 'no lease moved',
    )
    if (how !== 'terminate') claim(`${words}, a write is refused within`, refused.ms, 5500, 'ms', refused.code)
    claim(`${words}, writes again after`, back, 5000, 'ms')
  }
  {
    const url = await server.createDatabase()
    const { requests, lost, replicas, length } = await scenarios.oneSession({ url, requests: quick ? 300 : 1000 })
    claim(
      'requests of one legacy session lost',
      lost.length,
      0,
      `of ${requests}`,
      `${replicas} replicas, id of ${length} characters`,
    )
  }
  {
    const url = await server.createDatabase()
    const { sent, failed, frozenAt, handover, children } = await scenarios.frozen({ url, forMs: quick ? 6000 : 10_000 })
    const later = failed.filter(({ at }) => at > frozenAt + handover)
    claim(
      'holder stopped (SIGSTOP), failed after the handover',
      later.length,
      0,
      `of ${sent}`,
      `${failed.length} had been sent to it; handover ${handover.toFixed(0)} ms, then ${children} child`,
    )
  }
  {
    const url = await server.createDatabase()
    const { sent, failed } = await scenarios.wrongClock({ url })
    claim('a clock wrong by an hour, failed', failed.length, 0, `of ${sent}`)
  }
}

const starts = async ({ server, claim, quick }) => {
  const rounds = quick ? 3 : 20
  const wrong = []
  const took = []
  for (let round = 0; round < rounds; round++) {
    const { ms, adminKeys, schemas } = await scenarios.startedAtOnce({ url: await server.createDatabase() })
    took.push(ms)
    if (adminKeys !== 1 || schemas !== 1) wrong.push(`${adminKeys} keys, ${schemas} schemas`)
  }
  claim(
    'three at once on an empty database, wrong',
    wrong.length,
    0,
    `of ${rounds}`,
    `ready in ${median(took).toFixed(0)} ms; ${wrong.join('; ')}`,
  )
}
