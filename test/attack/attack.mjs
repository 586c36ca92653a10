// An attack on a gateway as people run it: npm run attack [-- --quick] [-- doors kinds messages servers bombs floods]
// On loopback only, bounded in count and time (minutes); ends only what it started. Exit code 1 where a claim does not hold.
import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { table } from '../../bench/measure.mjs'
import { showClaims } from '../../bench/run.mjs'
import { attackBombs } from './bombs.mjs'
import { attackDoors } from './doors.mjs'
import { makeKeys, startGateway, startProgram, stdioServer } from './gateway.mjs'
import { attackKinds } from './kinds.mjs'
import { attackMessages } from './messages.mjs'
import { attackServers, carriers } from './servers.mjs'
import { ask } from './wire.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    // What can be counted, and nothing that a busy machine changes.
    counted: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const parts = ['doors', 'kinds', 'messages', 'servers', 'bombs', 'floods']
const unknown = positionals.filter((part) => !parts.includes(part))
if (values.help || unknown.length > 0) {
  if (unknown.length > 0) console.error(`There is no part '${unknown[0]}'.`)
  console.log(
    `npm run attack -- [--quick] [--counted] [--json FILE] [PART …]\n\n  --quick    fewer spellings, shorter floods\n  --counted  only what can be counted: no times, no memory\n  --json     the claims as JSON\n\nParts: ${parts.join(', ')}; without one all of them.`,
  )
  process.exit(unknown.length > 0 ? 2 : 0)
}
const wants = (part) => positionals.length === 0 || positionals.includes(part)

const up = stdioServer('board.mjs')
const bomb = stdioServer('bombs-server.mjs')
const profiles = {
  default: {},
  narrow: { expose: 'hybrid', deny: ['*secret*'] },
}
const config = (sources) => ({ sources, profiles })
const keysOf = (gateway) =>
  makeKeys(gateway, {
    read: { permission: 'read' },
    write: { permission: 'write' },
    narrow: { permission: 'read', profile: 'narrow' },
  })

const claims = []
const claim = (text, value, limit, unit = '') => claims.push({ claim: text, value, limit, unit })
const worst = { lag: 0, busy: 0, memory: 0, died: 0 }
const noteLate = ({ lag, busy }) => {
  worst.lag = Math.max(worst.lag, lag)
  worst.busy = Math.max(worst.busy, busy)
}

/** Runs a part against a gateway of its own, and notes how it bore it. */
const against = async (name, sources, attack) => {
  const gateway = await startGateway(config(sources))
  try {
    await untilAnswers(gateway)
    await untilStarted(gateway)
    const start = await gateway.look()
    const result = await attack(gateway)
    const { lag, busy } = await gateway.look()
    const memory = gateway.peakMb()
    noteLate({ lag, busy })
    worst.memory = Math.max(worst.memory, memory)
    console.log(
      `${name}: loop late by at most ${lag.toFixed(0)} ms (at work ${busy.toFixed(0)}), while starting ${start.lag.toFixed(0)} (${start.busy.toFixed(0)}), memory at most ${memory.toFixed(0)} MB`,
    )
    return result
  } finally {
    if (!gateway.isAlive()) worst.died += 1
    await gateway.stop()
  }
}

/** Starting is told apart: it reads code and lists, and nobody is served worse by it for longer than that takes. */
const untilStarted = async ({ url, adminKey }) => {
  const headers = { authorization: `Bearer ${adminKey}` }
  for (let tries = 0; tries < 100; tries++) {
    const told = await (await fetch(`${url}/api/v1/sources`, { headers })).text()
    if (!/"(?:starting|connecting)"/.test(told)) break
    await sleep(100)
  }
  // What is written down about them follows a moment later, and is not to be measured.
  if (!values.counted) await sleep(1000)
}

const untilAnswers = async ({ url, adminKey }) => {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'up.echo', arguments: {} },
  })
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${adminKey}`,
  }
  for (let tries = 0; tries < 100; tries++) {
    const answer = await (await fetch(`${url}/mcp`, { method: 'POST', headers, body })).text()
    if (answer.includes('"content"') && !answer.includes('isError')) return
    await sleep(100)
  }
  throw new Error('The honest source does not answer.')
}

const tally = (rows) => {
  const statuses = {}
  for (const { status } of rows) statuses[status] = (statuses[status] ?? 0) + 1
  return Object.entries(statuses)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ')
}
const show = (title, rows, wrong) => {
  console.log(`${title}: ${rows.length} requests (${tally(rows)})`)
  for (const { what, status } of rows.filter(wrong).slice(0, 10)) console.log(`  WRONG ${status} ${what}`)
  return rows.filter(wrong).length
}

const percentile = (values, share) => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

/** Who made the event loop late, the worst first. */
const showLatest = (rows) => {
  const latest = rows.filter(({ lag }) => lag > 50).sort((a, b) => b.lag - a.lag)
  for (const { what, lag, busy } of latest.slice(0, 4))
    console.log(`  ${what}: loop late by ${lag.toFixed(0)} ms (at work ${busy.toFixed(0)})`)
  for (const row of latest) noteLate(row)
  for (const [at, { what, peak }] of rows.entries())
    if (at > 0 && peak > rows[at - 1].peak + 20)
      console.log(`  ${what}: memory at most ${peak.toFixed(0)} MB, before it ${rows[at - 1].peak.toFixed(0)} MB`)
}

let hostile = 0
if (wants('doors') || wants('kinds') || wants('messages')) {
  let admitted = 0
  let broken = 0
  await against('requests', { up }, async (gateway) => {
    const keys = await keysOf(gateway)
    const { quick } = values
    if (wants('doors')) {
      const rows = await attackDoors(gateway, keys, { quick })
      hostile += rows.length
      admitted += show('Doors', rows, (row) => row.in)
    }
    if (wants('kinds')) {
      const rows = await attackKinds(gateway, keys)
      hostile += rows.length
      admitted += show('Kinds', rows, (row) => row.in)
    }
    if (wants('messages')) {
      const rows = await attackMessages(gateway, keys, { quick })
      hostile += rows.length
      broken += show('Messages', rows, (row) => row.bad)
    }
    await untilAnswers(gateway)
  })
  claim('wrong admissions', admitted, 0)
  claim('answers of 500 or with our insides', broken, 0)
  if (positionals.length === 0 && !values.quick)
    claims.push({ claim: 'hostile requests', value: hostile, limit: 2000, unit: '', atLeast: true })
}

if (wants('servers')) {
  const web = await startProgram('servers/hostile-web.mjs')
  let wrong = 0
  for (const [carrier, sources] of Object.entries(carriers(web)))
    await against(`hostile servers over ${carrier}`, { up, ...sources }, async (gateway) => {
      const rows = await attackServers(gateway, Object.keys(sources))
      wrong += show(`Servers over ${carrier}`, rows, (row) => row.bad)
      showLatest(rows)
    })
  web.stop()
  claim('honest calls that a hostile server spoiled', wrong, 0)
}

if (wants('bombs'))
  await against('schema bombs', { up, bomb }, async (gateway) => {
    const rows = await attackBombs(gateway)
    showLatest(rows)
    claim(
      'schema bombs that spoiled another call',
      show('Bombs', rows, (row) => row.bad),
      0,
    )
    claims.push({ claim: 'schema bombs', value: rows.length, limit: 60, unit: '', atLeast: true })
  })

if (wants('floods'))
  // What is large goes to a server of its own: else its slowness would be measured, not ours.
  await against('floods', { up, bomb, far: stdioServer('board.mjs', 'far') }, async (gateway) => {
    const names = Array.from({ length: 10 }, (_, index) => `other-${index}`)
    const made = await makeKeys(
      gateway,
      Object.fromEntries([...names, 'attacker'].map((name) => [name, { permission: 'read' }])),
    )
    const others = await startProgram('others.mjs')
    const ready = new Promise((resolve) => others.child.once('message', resolve))
    others.child.send({ url: gateway.url, keys: names.map((name) => made[name]) })
    await ready
    const seconds = values.quick ? 3 : 8
    const measure = async () => {
      others.child.send({ begin: true })
      await sleep(seconds * 1000)
      const ended = new Promise((resolve) => others.child.once('message', resolve))
      others.child.send({ end: true })
      const { latencies, failures } = await ended
      return { p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99), latencies, failures }
    }
    // The first search reads its tables.
    await ask(
      gateway.port,
      'legacy',
      'tools/call',
      { name: 'search_tools', arguments: { query: 'warm' } },
      { key: gateway.adminKey },
    )
    await measure()
    await gateway.look()
    const quiet = [await measure()]
    const { floods, stop } = await startProgram('floods.mjs')
    stop()
    const rows = []
    let failed = 0
    for (const name of floods) {
      const attacker = await startProgram('floods.mjs')
      attacker.child.send({ url: gateway.url, key: made.attacker })
      attacker.child.send({ begin: name })
      const flooded = await measure()
      const ended = new Promise((resolve) => attacker.child.once('message', resolve))
      attacker.child.send({ end: true })
      const { sent, statuses } = await ended
      attacker.stop()
      const { lag, busy } = await gateway.look()
      noteLate({ lag, busy })
      failed += flooded.failures.length
      for (const failure of flooded.failures.slice(0, 3)) console.log(`  ${name}: ${failure}`)
      rows.push({ name, sent, statuses, lag, busy, peak: gateway.peakMb(), ...flooded })
      // What the flood left behind ends before the next one begins.
      await sleep(1000)
    }
    quiet.push(await measure())
    const together = (measured) =>
      percentile(
        measured.flatMap(({ latencies }) => latencies),
        0.99,
      )
    const quietP99 = together(quiet)
    table(
      `Ten others while one floods (quiet: p50 ${quiet[0].p50.toFixed(1)}, p99 ${quiet.map(({ p99 }) => p99.toFixed(1)).join(' and ')} ms)`,
      ['flood', 'sent', 'answers', 'p50 ms', 'p99 ms', '× quiet', 'loop ms', 'at work', 'peak MB', 'failed'],
      rows.map(({ name, sent, statuses, p50, p99, lag, busy, peak, failures }) => [
        name,
        String(sent),
        Object.entries(statuses)
          .map((each) => each.join(': '))
          .join(', '),
        p50.toFixed(1),
        p99.toFixed(1),
        (p99 / quietP99).toFixed(2),
        lag.toFixed(0),
        busy.toFixed(0),
        peak.toFixed(0),
        String(failures.length),
      ]),
    )
    claim("others' calls that failed during floods", failed, 0)
    const dearest = rows.reduce((one, other) => (other.p99 > one.p99 ? other : one))
    console.log(`The dearest flood to others: ${dearest.name}, p99 ${(dearest.p99 / quietP99).toFixed(2)} × quiet.`)
    claim("others' p99 during all floods ÷ their quiet p99", together(rows) / quietP99, 2)
    others.stop()
  })

claim('gateways that ended', worst.died, 0)
if (!values.counted) {
  console.log(`The event loop was late by at most ${worst.lag.toFixed(0)} ms, waiting for a core included.`)
  claim('event loop late by its own work', worst.busy, 100, 'ms')
  claim('memory', worst.memory, 300, 'MB')
}
if (values.json) writeFileSync(values.json, JSON.stringify(claims, undefined, 2))
process.exit(showClaims(claims))
