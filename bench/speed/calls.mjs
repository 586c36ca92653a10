// Small calls: both eras, to HTTP and to stdio, at each concurrency, at a fixed rate, and through call_tool.

import { startGateway, startProgram, untilListed, upstreamCommand } from '../gateway/processes.mjs'
import { median } from '../measure.mjs'
import { differenceOf, inTurns, ratioOf, sampleCalls, warm } from './turns.mjs'
import { isText, openWay } from './way.mjs'

const text = 'a text of the length that small answers have'
const right = { isRight: isText(text), expected: text }
const eras = ['session', 'modern']
const kinds = ['HTTP', 'stdio']
/** What may be added to what the least relay takes, at concurrency 64. */
const limits = { HTTP: 1.8, stdio: 1.25 }

export const benchCalls = async ({ quick, peers }) => {
  const upstream = await startProgram('upstream.mjs', 'http', '1')
  const url = `http://127.0.0.1:${upstream.port}/mcp`
  const params = { name: 'up.echo', arguments: { text } }
  const ways = []
  const started = []
  for (const kind of kinds) {
    const how = kind === 'HTTP' ? { url } : upstreamCommand(1)
    const raw = await startProgram('raw-relay.mjs', JSON.stringify({ up: how }))
    const gateway = await startGateway({ up: { type: kind.toLowerCase(), ...how } }, [], undefined, {
      profiles: { found: { expose: 'search', names: 'exact' } },
    })
    started.push(raw, gateway)
    await untilListed(gateway, 1)
    ways.push({
      kind,
      who: 'raw',
      ...(await openWay(raw, { what: `raw relay, ${kind}`, era: 'modern', params, ...right })),
    })
    for (const era of eras) {
      const asked = { era, params, ...right }
      ways.push({ kind, who: era, ...(await openWay(gateway, { what: `pegboard, ${kind}, ${era}`, ...asked })) })
      const found = { name: 'call_tool', arguments: { tool_name: 'up.echo', arguments: { text } } }
      const way = { what: `pegboard, ${kind}, ${era}, call_tool`, ...asked, params: found }
      ways.push({ kind, who: `${era} call_tool`, ...(await openWay({ ...gateway, path: '/mcp/found' }, way)) })
    }
    for (const peer of peers) {
      const target = await peer.start({ up: how })
      started.push(target)
      const way = {
        what: `${peer.name}, ${kind}`,
        era: 'session',
        params: { ...params, name: target.toName('echo') },
      }
      ways.push({ kind, who: peer, ...(await openWay(target, { ...way, ...right, rounds: quick ? 2 : 3 })) })
    }
  }
  await warm(ways)

  const rows = []
  for (const concurrency of [64, 8, 1]) {
    const taking = ways.filter(({ who }) => concurrency === 64 || ['raw', ...eras].includes(who))
    const [rounds, ms] = concurrency === 64 ? (quick ? [7, 300] : [11, 400]) : quick ? [3, 250] : [7, 300]
    const samples = await inTurns(taking, rounds, (way) => sampleCalls(way, { concurrency, ms }))
    rows.push(...callRows(taking, samples, concurrency))
  }
  const steady = ways.filter(({ who }) => ['raw', ...eras].includes(who))
  const [rounds, ms] = quick ? [2, 1500] : [5, 2000]
  const samples = await inTurns(steady, rounds, (way) => sampleCalls(way, { concurrency: 8, ms, perSecond: 200 }))
  rows.push(...rateRows(steady, samples))
  for (const { stop } of [...started, upstream]) await stop()
  return rows
}

const callRows = (ways, samples, concurrency) => {
  const cpuOf = (kind, who) =>
    samples.get(ways.find((way) => way.kind === kind && way.who === who)).map(({ cpu }) => cpu)
  const calls = kinds.flatMap((kind) =>
    eras.map((era) => {
      const [ours, raw] = [cpuOf(kind, era), cpuOf(kind, 'raw')]
      const rivals = era === 'session' ? ways.filter((way) => way.kind === kind && typeof way.who === 'object') : []
      return {
        what: `call, HTTP→${kind}, ${era}, c = ${concurrency}`,
        unit: 'µs',
        ours: median(ours),
        range: [Math.min(...ours), Math.max(...ours)],
        raw: median(raw),
        ratio: ratioOf(ours, raw),
        peers: Object.fromEntries(rivals.map(({ who }) => [who.name, ratioOf(cpuOf(kind, who), ours)])),
        limit: concurrency === 64 ? { of: 'ratio', most: limits[kind] } : undefined,
      }
    }),
  )
  if (concurrency !== 64) return calls
  const dearer = kinds.flatMap((kind) =>
    eras.map((era) => ({
      what: `call_tool beside a flat call, HTTP→${kind}, ${era}`,
      unit: 'µs more',
      ours: differenceOf(cpuOf(kind, `${era} call_tool`), cpuOf(kind, era)),
      limit: { of: 'ours', most: 20 },
    })),
  )
  return [...calls, ...dearer]
}

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
