// What a line of the audit trail costs a call, in CPU; with --before the build from before beside this one.
// By itself: node bench/audit.mjs [--quick] [--before FOLDER]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { median, table } from './measure.mjs'

const here = new URL('../dist', import.meta.url).href

export const benchAudit = async ({ quick, before }) => {
  const rounds = quick ? 5 : 15
  const lines = quick ? 20_000 : 50_000
  const builds = { now: here, ...(before && { before: pathToFileURL(resolve(before)).href }) }
  const trails = []
  for (const [name, dist] of Object.entries(builds)) trails.push(await openTrail(name, dist))
  const samples = new Map(trails.map(({ name }) => [name, []]))
  // The first rounds are for the compiler.
  for (let round = -3; round < rounds; round++)
    for (const trail of trails) {
      const us = await costOf(trail, lines)
      if (round >= 0) samples.get(trail.name).push(us)
    }
  for (const trail of trails) await trail.close()
  const of = (name) => median(samples.get(name))
  table(
    `CPU µs per line of the audit trail, ${rounds} interleaved rounds of ${lines} lines, medians`,
    ['build', 'µs'],
    [...samples.keys()].map((name) => [name, of(name).toFixed(2)]),
  )
  return [{ claim: 'a line of the audit trail, hashed and handed to the disk', value: of('now'), limit: 4, unit: 'µs' }]
}

const openTrail = async (name, dist) => {
  const { openAuditFile } = await import(`${dist}/telemetry/audit-file.js`)
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-bench-audit-'))
  const signer = { keyId: 'bench', key: Buffer.alloc(32, 1) }
  // None may be left out: that would cost nothing.
  const audit = openAuditFile({ folder, maxWaitingBytes: 2 ** 28, signer: () => signer, logger: { log: () => {} } })
  const close = async () => {
    await audit.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { name, audit, close }
}

const caller = { id: 'key:7Jq0', kind: 'key', rights: ['call'] }
const args = { city: 'Oslo', days: 3, tags: ['a', 'b'] }
const answer = { type: 'result', bytes: 321, result: { content: [{ type: 'text', text: 'sunny' }] } }

/** Four tools and two callers, so that few lines are quite like the last. */
const costOf = async ({ audit }, lines) => {
  const calls = Array.from({ length: 4 }, (_, index) => ({ tool: `up.tool-${index}`, args, bytes: 99, caller }))
  const at = Date.now()
  const before = process.cpuUsage()
  for (let index = 0; index < lines; index++) {
    const call = calls[index & 3]
    const meta = { latencyMs: 1.5 + (index % 100) / 7, attempts: 1, source: 'up', cached: false }
    const record = recordOf(call.tool, meta.latencyMs, at + (index >> 3))
    audit.listener(record, call, { ok: true, answer, meta })
    // As often as a busy loop lets the disk have its turn.
    if (index % 500 === 499) await new Promise(setImmediate)
  }
  const { user, system } = process.cpuUsage(before)
  // The last of them are written 50 ms later, and some may still wait.
  await new Promise((resolve) => setTimeout(resolve, 150))
  return (user + system) / lines
}

// Not spread together: such an object would cost more than its line.
const recordOf = (tool, latencyMs, at) => ({
  kind: 'tool',
  tool,
  source: 'up',
  caller: caller.id,
  ok: true,
  code: undefined,
  latencyMs,
  attempts: 1,
  cached: false,
  at,
})

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { parseArgs } = await import('node:util')
  const { showClaims } = await import('./run.mjs')
  const { values } = parseArgs({ options: { quick: { type: 'boolean' }, before: { type: 'string' } } })
  process.exitCode = showClaims(await benchAudit(values))
}
