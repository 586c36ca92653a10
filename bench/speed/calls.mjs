// Small calls: both eras, to HTTP and to stdio, at each concurrency, at a fixed rate, and through call_tool.

import { execFileSync } from 'node:child_process'
import { startGateway, startProgram, untilListed, upstreamCommand } from '../gateway/processes.mjs'
import { median } from '../measure.mjs'
import { startPeers } from '../peers/peers.mjs'
import { differenceOf, inTurns, ratioOf, sampleCalls, warm } from './turns.mjs'
import { isText, openWay } from './way.mjs'

const text = 'a text of the length that small answers have'
const eras = ['session', 'modern']
const kinds = ['HTTP', 'stdio']
/** What may be added to what the least relay takes, at concurrency 64. */
const limits = { HTTP: 1.8, stdio: 1.25 }

export const benchCalls = async ({ quick, peers, node }) => {
  const upstream = await startProgram('upstream.mjs', 'http', '1')
  const params = { name: 'up.echo', arguments: { text } }
  const found = { name: 'call_tool', arguments: { tool_name: 'up.echo', arguments: { text } } }
  const ways = []
  const started = [upstream]
  for (const kind of kinds) {
    const add = async (who, target, way) => {
      const what = `${typeof who === 'string' ? who : who.name}, ${kind}`
      ways.push({
        kind,
        who,
        ...(await openWay(target, { what, params, isRight: isText(text), expected: text, ...way })),
      })
    }
    const how = kind === 'HTTP' ? { url: `http://127.0.0.1:${upstream.port}/mcp` } : upstreamCommand(1)
    const sources = { up: { type: kind.toLowerCase(), ...how } }
    const raw = await startProgram('raw-relay.mjs', JSON.stringify({ up: how }))
    const profiles = { found: { expose: 'search', names: 'exact' } }
    const gateway = await startGateway(sources, [], undefined, { profiles })
    started.push(raw, gateway)
    await untilListed(gateway, 1)
    await add('raw', raw, { era: 'modern' })
    for (const era of eras) {
      await add(era, gateway, { era })
      await add(`${era} call_tool`, { ...gateway, path: '/mcp/found' }, { era, params: found })
    }
    if (node !== undefined) {
      const other = await startGateway(sources, [], undefined, { node })
      started.push(other)
      await untilListed(other, 1)
      for (const era of eras) await add(`${era} elsewhere`, other, { era })
    }
    for (const { peer, target } of await startPeers(peers, { up: how })) {
      started.push(target)
      const own = { ...params, name: target.toName('echo') }
      await add(peer, target, { era: 'session', params: own, rounds: 2 })
    }
  }
  await warm(ways)

  const rows = []
  const isOwn = ({ who }) => ['raw', ...eras, ...eras.map((era) => `${era} call_tool`)].includes(who)
  for (const concurrency of [64, 8, 1]) {
    const [rounds, ms] = concurrency === 64 ? (quick ? [7, 300] : [9, 400]) : quick ? [3, 250] : [5, 300]
    const sample = (way) => sampleCalls(way, { concurrency, ms })
    const samples = { own: new Map(), beside: new Map() }
    for (const kind of kinds) {
      const own = ways.filter((way) => way.kind === kind && isOwn(way))
      const taking = own.filter(({ who }) => concurrency === 64 || !who.endsWith('call_tool'))
      for (const entry of await inTurns(taking, rounds, sample)) samples.own.set(...entry)
      // By themselves: whoever waits for slow ones is cold by then.
      const beside = ways.filter((way) => way.kind === kind && (!isOwn(way) || ['raw', 'session'].includes(way.who)))
      if (concurrency === 64 && beside.length > 2)
        for (const entry of await inTurns(beside, 4, (way) => sampleCalls(way, { concurrency, ms, leadMs: 500 })))
          samples.beside.set(...entry)
    }
    rows.push(...callRows(ways, samples, concurrency, node))
  }
  const steady = ways.filter(({ who }) => ['raw', ...eras].includes(who))
  const [rounds, ms] = quick ? [2, 1500] : [3, 2000]
  const samples = await inTurns(steady, rounds, (way) => sampleCalls(way, { concurrency: 8, ms, perSecond: 200 }))
  rows.push(...rateRows(steady, samples))
  for (const { stop } of started.toReversed()) await stop()
  return rows
}

const callRows = (ways, samples, concurrency, node) => {
  const cpuOf = (kind, who, from = samples.own) =>
    from.get(ways.find((way) => way.kind === kind && way.who === who)).map(({ cpu }) => cpu)
  const each = (toRow) => kinds.flatMap((kind) => eras.map((era) => toRow(kind, era)))
  const rowOf = (kind, era, who, from) => {
    const [ours, raw] = [cpuOf(kind, who, from), cpuOf(kind, 'raw', from)]
    return {
      what: `call, HTTP→${kind}, ${era}, c = ${concurrency}`,
      unit: 'µs',
      ours: median(ours),
      range: [Math.min(...ours), Math.max(...ours)],
      raw: median(raw),
      ratio: ratioOf(ours, raw),
    }
  }
  const besideUs = (kind, peer) => ratioOf(cpuOf(kind, peer, samples.beside), cpuOf(kind, 'session', samples.beside))
  const calls = each((kind, era) => {
    const row = rowOf(kind, era, era)
    if (concurrency !== 64) return row
    const peers = era === 'session' ? ways.filter((way) => way.kind === kind && typeof way.who === 'object') : []
    return {
      ...row,
      peers: Object.fromEntries(peers.map(({ who }) => [who.name, besideUs(kind, who)])),
      limit: { of: 'ratio', most: limits[kind] },
    }
  })
  if (concurrency !== 64) return calls
  const elsewhere = (kind, era) => {
    const row = rowOf(kind, era, `${era} elsewhere`, samples.beside)
    return { ...row, what: `${row.what}, us on Node ${versionOf(node)}` }
  }
  const dearer = (kind, era) => ({
    what: `call_tool beside a flat call, HTTP→${kind}, ${era}`,
    unit: 'µs more',
    ours: differenceOf(cpuOf(kind, `${era} call_tool`), cpuOf(kind, era)),
    limit: { of: 'ours', most: 20 },
  })
  return [...calls, ...(node === undefined ? [] : each(elsewhere)), ...each(dearer)]
}

const versionOf = (node) => execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim()

const rateRows = (ways, samples) =>
  kinds.flatMap((kind) =>
    eras.flatMap((era) =>
      ['p50', 'p99'].map((share) => {
        const timesOf = (who) =>
          samples.get(ways.find((way) => way.kind === kind && way.who === who)).map((sample) => sample[share])
        const [ours, raw] = [timesOf(era), timesOf('raw')]
        return {
          what: `call at 200/s, HTTP→${kind}, ${era}, ${share}`,
          unit: 'ms',
          ours: median(ours),
          raw: median(raw),
          ratio: ratioOf(ours, raw),
        }
      }),
    ),
  )
