// Everything about speed in one table, as ratios of one run: npm run bench -- speed [--quick] (--help for the rest).
import { existsSync, writeFileSync } from 'node:fs'
import { findPeers } from '../peers/peers.mjs'
import { benchBig } from './big.mjs'
import { benchCalls } from './calls.mjs'
import { benchLists } from './lists.mjs'
import { benchReturning } from './returning.mjs'
import { machine, showTable, toClaims, toMarkdown, writeMarkdown } from './show.mjs'

/** Benches that have a table of their own and tell us their claims, by file; each becomes a row. */
const claimed = async (file, name, options) => {
  const at = new URL(`../gateway/${file}`, import.meta.url)
  if (!existsSync(at)) return []
  const claims = await (await import(at))[name](options)
  return claims.map(({ claim, value, limit, unit, atLeast }) => ({
    what: claim,
    unit,
    ours: value,
    limit: atLeast ? { of: 'ours', least: limit } : { of: 'ours', most: limit },
  }))
}

const parts = {
  calls: benchCalls,
  lists: benchLists,
  big: benchBig,
  recording: (options) => claimed('recording.mjs', 'benchRecording', options),
  memory: (options) => claimed('memory.mjs', 'benchMemory', options),
  returning: benchReturning,
}

export const speedParts = Object.keys(parts)

export const benchSpeed = async ({ quick, only, json, markdown, node, peers: withPeers = !quick }) => {
  const asked = only ?? speedParts
  const unknown = asked.find((name) => !speedParts.includes(name))
  if (unknown !== undefined) throw new Error(`There is no part '${unknown}'; there are ${speedParts.join(', ')}.`)
  const { peers, missing } = withPeers ? findPeers() : { peers: [], missing: [] }
  for (const line of missing) console.log(`without ${line}`)
  const rows = []
  for (const name of asked) {
    const startedAt = performance.now()
    rows.push(...(await parts[name]({ quick, peers, node })))
    console.log(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
  }
  showTable(rows)
  const claims = toClaims(rows)
  if (json !== undefined)
    writeFileSync(
      json,
      `${JSON.stringify({ machine: machine(), at: new Date(), quick, rows, claims, missing }, null, 2)}\n`,
    )
  if (markdown !== undefined) writeMarkdown(markdown, toMarkdown(rows, { missing }))
  return claims
}
