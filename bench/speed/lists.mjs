// tools/list of 2,000 tools from ten sources.

import { startGateway, startProgram, untilListed } from '../gateway/processes.mjs'
import { median } from '../measure.mjs'
import { startPeers } from '../peers/peers.mjs'
import { inTurns, ratioOf, sampleCalls, warm } from './turns.mjs'
import { openWay } from './way.mjs'

const [sources, toolsEach] = [10, 200]

export const benchLists = async ({ quick, peers }) => {
  const upstream = await startProgram('upstream.mjs', 'http', String(toolsEach))
  const names = Array.from({ length: sources }, (_, index) => `source${index}`)
  const urls = Object.fromEntries(names.map((name) => [name, { url: `http://127.0.0.1:${upstream.port}/${name}` }]))
  const configured = Object.fromEntries(names.map((name) => [name, { type: 'http', ...urls[name] }]))
  const raw = await startProgram('raw-relay.mjs', JSON.stringify(urls))
  const gateway = await startGateway(configured)
  await untilListed(gateway, sources * toolsEach)
  const started = [raw, gateway]
  const asked = {
    method: 'tools/list',
    isRight: ({ tools }) => tools?.length === sources * toolsEach,
    expected: 'Does the piece of work number',
  }
  const ways = [
    { who: 'raw', ...(await openWay(raw, { what: 'raw relay, list', era: 'modern', ...asked })) },
    { who: 'session', ...(await openWay(gateway, { what: 'pegboard, list, session', era: 'session', ...asked })) },
    { who: 'modern', ...(await openWay(gateway, { what: 'pegboard, list, modern', era: 'modern', ...asked })) },
  ]
  for (const { peer, target } of await startPeers(peers, urls)) {
    started.push(target)
    const way = await openWay(target, { what: `${peer.name}, list`, era: 'session', ...asked, rounds: 1 })
    ways.push({ who: peer, ...way })
  }
  await warm(ways, { calls: 500, concurrency: 4, mostMs: 2000 })
  const [rounds, ms] = quick ? [7, 300] : [11, 500]
  const samples = await inTurns(ways, rounds, (way) =>
    sampleCalls(way, { concurrency: 4, ms, leadMs: way.rounds === undefined ? 200 : 0 }),
  )
  for (const { stop } of [...started, upstream]) await stop()

  const cpuOf = (who) => samples.get(ways.find((way) => way.who === who)).map(({ cpu }) => cpu / 1000)
  const rivals = ways.map(({ who }) => who).filter((who) => typeof who === 'object')
  const toRatios = (ours) => Object.fromEntries(rivals.map((peer) => [peer.name, ratioOf(cpuOf(peer), ours)]))
  return ['session', 'modern'].map((era) => {
    const [ours, beside] = [cpuOf(era), cpuOf('raw')]
    return {
      what: `tools/list of 2,000 tools, ${era}, c = 4`,
      unit: 'ms',
      ours: median(ours),
      raw: median(beside),
      ratio: ratioOf(ours, beside),
      peers: era === 'session' ? toRatios(ours) : {},
    }
  })
}
