// Answers of 1 and 10 MB: CPU per answer, and how much memory grows while they pass.
import { answerTo, load, toBytes } from '../gateway/load.mjs'
import {
  forgetPeak,
  memoryMb,
  peakMb,
  startGateway,
  startProgram,
  untilListed,
  upstreamCommand,
} from '../gateway/processes.mjs'
import { bigEnd, bigText } from '../gateway/tools.mjs'
import { median } from '../measure.mjs'
import { startPeers } from '../peers/peers.mjs'
import { inTurns, ratioOf, sampleCalls, warm } from './turns.mjs'
import { isText, openWay } from './way.mjs'

const megabyte = 1_000_000
const sizes = [
  { size: '1 MB', args: { bytes: megabyte }, limit: 2 },
  { size: '10 MB', args: { bytes: 10 * megabyte }, limit: 2 },
  // Text that V8 holds in two bytes a character, for whoever decodes it.
  { size: '1 MB Chinese', args: { bytes: megabyte, chinese: true }, over: ['HTTP'] },
]
const kinds = ['HTTP', 'stdio']

export const benchBig = async ({ quick, peers }) => {
  const rows = []
  for (const kind of kinds) {
    const upstream = await startProgram('upstream.mjs', 'http', '2')
    const how = kind === 'HTTP' ? { url: `http://127.0.0.1:${upstream.port}/mcp` } : upstreamCommand(2)
    const raw = await startProgram('raw-relay.mjs', JSON.stringify({ up: how }))
    const gateway = await startGateway({ up: { type: kind.toLowerCase(), ...how } })
    await untilListed(gateway, 2)
    // Peers are compared over HTTP only: over stdio some of them lose their server at 10 MB.
    const rivals = await startPeers(kind === 'HTTP' ? peers : [], { up: how })
    rows.push(...(await growthRows({ kind, how })))
    for (const size of sizes.filter(({ over = kinds }) => over.includes(kind)))
      rows.push(...(await rowsOf({ quick, kind, ...size, raw, gateway, rivals })))
    for (const { stop } of [raw, gateway, upstream, ...rivals.map(({ target }) => target)]) await stop()
  }
  return rows
}

const rowsOf = async ({ quick, kind, size, args, limit, raw, gateway, rivals }) => {
  const asked = { params: { name: 'up.big', arguments: args }, isRight: isText(bigText(args)), expected: bigEnd }
  const whats = `${size} answer, HTTP→${kind}`
  const ways = [
    { who: 'raw', ...(await openWay(raw, { what: `raw relay, ${whats}`, era: 'modern', ...asked })) },
    { who: 'session', ...(await openWay(gateway, { what: `pegboard, ${whats}, session`, era: 'session', ...asked })) },
    { who: 'modern', ...(await openWay(gateway, { what: `pegboard, ${whats}, modern`, era: 'modern', ...asked })) },
  ]
  const refused = {}
  for (const { peer, target } of limit === undefined ? [] : rivals) {
    const params = { ...asked.params, name: target.toName('big') }
    const way = { what: `${peer.name}, ${whats}`, era: 'session', ...asked, params, rounds: 2 }
    // A peer that cannot pass an answer of this size is named as such, not left out.
    await openWay(target, way).then(
      (open) => ways.push({ who: peer, ...open }),
      () => (refused[peer.name] = 'refused'),
    )
  }
  await warm(ways, { calls: (200 * megabyte) / args.bytes, concurrency: 4, mostMs: 4000 })
  const [rounds, ms] = quick ? [3, 300] : [7, 500]
  const samples = await inTurns(ways, rounds, (way) => sampleCalls(way, { concurrency: 4, ms }))
  const cpuOf = (who) => samples.get(ways.find((way) => way.who === who)).map(({ cpu }) => cpu / 1000)
  return ['session', 'modern'].map((era) => {
    const [ours, beside] = [cpuOf(era), cpuOf('raw')]
    const beaten = era === 'session' ? ways.filter(({ who }) => typeof who === 'object') : []
    return {
      what: `${whats}, ${era}, c = 4`,
      unit: 'ms',
      ours: median(ours),
      raw: median(beside),
      ratio: ratioOf(ours, beside),
      peers: {
        ...Object.fromEntries(beaten.map(({ who }) => [who.name, ratioOf(cpuOf(who), ours)])),
        ...(era === 'session' ? refused : {}),
      },
      // Over stdio we have no bound of ours: see docs/limits.md.
      limit: limit && kind === 'HTTP' ? { of: 'ratio', most: limit } : undefined,
    }
  })
}

/**
 * How far the peak rises over what was resident before, in processes that have seen small calls only: while the first
 * answer passes, and while ten pass one after the other, where it depends on when the collector comes.
 */
const growthRows = async ({ kind, how }) => {
  const gateway = await startGateway({ up: { type: kind.toLowerCase(), ...how } })
  await untilListed(gateway, 2)
  const targets = { raw: await startProgram('raw-relay.mjs', JSON.stringify({ up: how })), ours: gateway }
  const grown = {}
  for (const [who, target] of Object.entries(targets)) grown[who] = await growthOf(target, 10 * megabyte)
  for (const { stop } of Object.values(targets)) await stop()
  return ['first', 'ten'].map((which) => ({
    what: `memory while ${which === 'first' ? 'the first 10 MB answer passes' : 'ten of them pass in turn'}, HTTP→${kind}`,
    unit: '× the answer',
    ours: grown.ours[which],
    raw: grown.raw[which],
    ratio: grown.ours[which] / grown.raw[which],
    limit: which === 'first' ? { of: 'ours', most: 3 } : undefined,
  }))
}

const growthOf = async (target, bytes) => {
  const small = { name: 'up.echo', arguments: { text: bigEnd } }
  await load(target, toBytes(target, 'tools/call', small), { concurrency: 8, ms: 1500, expected: bigEnd })
  const before = memoryMb(target.pid)
  forgetPeak(target.pid)
  const asked = toBytes(target, 'tools/call', { name: 'up.big', arguments: { bytes } })
  const pass = () => answerTo(target, asked)
  const peak = () => ((peakMb(target.pid) - before) * 2 ** 20) / bytes
  await pass()
  const first = peak()
  for (let time = 1; time < 10; time++) await pass()
  return { first, ten: peak() }
}
