// kill -9 in the middle of saving, again and again: nothing acknowledged may be lost, nothing may be torn (F1, F2).
// By hand: node test/crash/crash.mjs [cycles = 1000] [backend …]
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { argv, exit, hrtime } from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { buildStorage } from './build.mjs'

const writer = fileURLToPath(new URL('writer.mjs', import.meta.url))

/**
 * Runs `cycles` writers one after another over one folder. Each is killed at a random moment between its first breath
 * and its `maxSaves`-th acknowledgement, some before they have opened the store.
 */
export const crashCycles = async ({ entry, backend, cycles, maxSaves = 25 }) => {
  const folder = mkdtempSync(join(tmpdir(), `pegboard-crash-${backend}-`))
  const summary = { backend, cycles, acknowledged: 0, killedBeforeReady: 0, problems: [], leftBehind: 0 }
  try {
    const { openStore } = await import(entry)
    for (let run = 0; run < cycles; run++) {
      const { lines, signal } = await killedRun({ entry, backend, folder, run, maxSaves })
      if (signal !== 'SIGKILL') summary.problems.push(`run ${run}: the writer ended by itself`)
      if (!lines.includes('ready')) summary.killedBeforeReady++
      const acknowledged = lines.filter((line) => line.startsWith('saved') || line.startsWith('deleted'))
      summary.acknowledged += acknowledged.length
      summary.problems.push(...(await inspect(openStore, backend, folder, run, acknowledged)))
    }
    summary.leftBehind = readdirSync(folder).filter((name) => /\.tmp$|\.lock/.test(name)).length
    return summary
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const killedRun = ({ entry, backend, folder, run, maxSaves }) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [writer, entry, backend, folder, String(run)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    // Counted in acknowledgements, then a random sliver of the next save: not in milliseconds, which depend on the machine.
    const stopAfter = Math.floor(Math.random() * maxSaves)
    let output = ''
    let dying = false
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text
      if (dying || output.split('\n').length - 2 < stopAfter) return
      dying = true
      spin(Math.random() * 3_000_000)
      child.kill('SIGKILL')
    })
    // One in ten dies while it starts, opens or sweeps; when exactly is up to the machine, and every moment must do.
    if (run % 10 === 9) setTimeout(() => child.kill('SIGKILL'), Math.random() * 250)
    child.on('close', (_, signal) => resolve({ lines: output.split('\n').slice(0, -1), signal }))
  })

// Busy, since timers are a thousand times too coarse to land inside a write.
const spin = (nanoseconds) => {
  const end = hrtime.bigint() + BigInt(Math.floor(nanoseconds))
  while (hrtime.bigint() < end);
}

const inspect = async (openStore, backend, folder, run, acknowledged) => {
  const problems = []
  let store
  try {
    store = await openStore({ backend, path: folder })
    const tools = new Map((await store.load()).map((tool) => [tool.id, tool]))
    for (const tool of tools.values()) if (isTorn(tool)) problems.push(`run ${run}: ${tool.id} is torn`)
    problems.push(...lostWrites(run, tools, acknowledged))
    if ((run & 15) === 0) problems.push(...(await store.validate()).map((problem) => `run ${run}: ${problem.reason}`))
    // Kept small: the cost of a write must not grow over the runs.
    for (const id of tools.keys()) if (!id.startsWith(`run${run}.`)) await store.delete(id)
  } catch (error) {
    problems.push(`run ${run}: ${error.message}`)
  } finally {
    await store?.[Symbol.asyncDispose]()
  }
  return problems
}

const isTorn = ({ definition, useCount, lastUsed, tags }) =>
  lastUsed !== useCount ||
  definition.inputSchema.count !== useCount ||
  definition.description !== `count ${useCount} `.repeat(40) ||
  tags[0] !== `count-${useCount % 7}`

/** The last acknowledgement about an id must hold; the one change that was under way may hold as well. */
const lostWrites = (run, tools, acknowledged) => {
  const last = new Map(
    acknowledged.map((line) => line.split(' ')).map(([verb, id, count]) => [id, { verb, count: Number(count) }]),
  )
  const newest = Math.max(0, ...[...last.values()].map(({ count }) => count))
  const lost = []
  for (const [id, { verb, count }] of last) {
    const found = tools.get(id)
    if (verb === 'saved' && !found && !mayBeDeleted(id, newest)) lost.push(`run ${run}: acknowledged ${id} is gone`)
    if (verb === 'saved' && found && found.useCount < count)
      lost.push(`run ${run}: ${id} has fallen back to an older save`)
    if (verb === 'deleted' && found && found.useCount <= count) lost.push(`run ${run}: deleted ${id} is back`)
  }
  const [a, b] = ['a', 'b'].map((half) => tools.get(`run${run}.pair-${half}`)?.useCount)
  if (a !== b) lost.push(`run ${run}: half of a saveMany is there`)
  return lost
}

// The writer's next step after count n may be the delete it makes at multiples of nine; its answer was cut off.
const mayBeDeleted = (id, newest) => newest % 9 === 0 && id.endsWith(`.t${(newest + 1) % 5}`)

const main = async () => {
  const [cycles = '1000', ...backends] = argv.slice(2)
  const build = buildStorage()
  let failed = false
  try {
    for (const backend of backends.length > 0 ? backends : ['json', 'sqlite']) {
      const { problems, ...figures } = await crashCycles({ entry: build.entry, backend, cycles: Number(cycles) })
      console.log(JSON.stringify({ ...figures, problems: problems.length }))
      for (const problem of problems.slice(0, 10)) console.log(`  ${problem}`)
      failed ||= problems.length > 0
    }
  } finally {
    build.remove()
  }
  exit(failed ? 1 : 0)
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) await main()
