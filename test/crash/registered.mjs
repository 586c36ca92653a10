// register_tool and unregister_tool, kill -9, start: nothing acknowledged may be lost (B2).
// By hand, after a build: node test/crash/registered.mjs [cycles = 1000] [backend …]
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { argv, exit, hrtime } from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** Each cycle: start the server, look whether all that was acknowledged before is so, change some, die in the middle of it. */
export const registerCycles = async ({ cli, backend, cycles }) => {
  const folder = mkdtempSync(join(tmpdir(), `pegboard-registered-${backend}-`))
  const summary = { backend, cycles, acknowledged: 0, problems: [] }
  // What must be there and what must not; what was under way when a server died may be either.
  const there = new Set()
  const gone = new Set()
  try {
    for (let run = 0; run < cycles; run++) {
      const server = startServer(cli, backend, folder)
      try {
        await server.ask('initialize', hello)
        summary.problems.push(...(await differences(server, run, there, gone)))
        for (const name of gone) if (gone.size > 20) gone.delete(name)
        summary.acknowledged += await changeAndDie(server, run, there, gone)
      } finally {
        await server.kill()
      }
    }
    return summary
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'crash', version: '1' } }

const differences = async (server, run, there, gone) => {
  const found = new Set()
  let cursor = '0'
  while (cursor !== undefined) {
    const page = await server.call('list_tools_by_category', { category: 'crash', limit: 100, cursor })
    for (const { name } of page.tools) found.add(name)
    cursor = page.next_cursor
  }
  return [
    ...[...there].filter((name) => !found.has(name)).map((name) => `run ${run}: acknowledged ${name} is gone`),
    ...[...gone].filter((name) => found.has(name)).map((name) => `run ${run}: removed ${name} is back`),
  ]
}

/** Sends more than it waits for, and kills while the rest is under way. */
const changeAndDie = async (server, run, there, gone) => {
  const old = [...there].slice(0, Math.max(0, there.size - 10))
  const removals = old.slice(0, 4).map((name) => ({ verb: 'remove', name }))
  const additions = Array.from({ length: 8 }, (_, n) => ({ verb: 'add', name: `crash.r${run}.t${n}` }))
  const changes = [...additions, ...removals].sort(() => Math.random() - 0.5)
  const wanted = 1 + Math.floor(Math.random() * (changes.length - 1))
  let acknowledged = 0
  await new Promise((resolve) => {
    for (const { verb, name } of changes) {
      if (verb === 'remove') there.delete(name)
      const asked =
        verb === 'add'
          ? server.call('register_tool', { name, description: `made in run ${run}`, category: 'crash' })
          : server.call('unregister_tool', { tool_name: name })
      asked.then(
        () => {
          acknowledged++
          if (verb === 'add') there.add(name)
          else gone.add(name)
          if (acknowledged === wanted) resolve()
        },
        () => {},
      )
    }
  })
  // Busy, since timers are too coarse to land inside a write.
  const end = hrtime.bigint() + BigInt(Math.floor(Math.random() * 2_000_000))
  while (hrtime.bigint() < end);
  return acknowledged
}

const startServer = (cli, backend, folder) => {
  const args = [cli, 'stdio', '--data-path', folder, '--storage-backend', backend, '--log-level', 'error']
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, LANG: 'C.UTF-8' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => child.on('close', resolve))
  const waiting = new Map()
  child.stdin.on('error', () => {})
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, result, error } = JSON.parse(line)
    waiting.get(id)?.(result ?? { error })
    waiting.delete(id)
  })
  let next = 0
  const ask = (method, params) =>
    new Promise((resolve) => {
      const id = ++next
      waiting.set(id, resolve)
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    })
  const call = async (name, args) => {
    const { content, isError, error } = await ask('tools/call', { name, arguments: args })
    if (isError || error) throw new Error(content?.[0]?.text ?? error.message)
    return JSON.parse(content[0].text)
  }
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
  }
  return { ask, call, kill }
}

const main = async () => {
  const [cycles = '1000', ...backends] = argv.slice(2)
  const cli = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
  let failed = false
  for (const backend of backends.length > 0 ? backends : ['json', 'sqlite']) {
    const { problems, ...figures } = await registerCycles({ cli, backend, cycles: Number(cycles) })
    console.log(JSON.stringify({ ...figures, problems: problems.length }))
    for (const problem of problems.slice(0, 10)) console.log(`  ${problem}`)
    failed ||= problems.length > 0
  }
  exit(failed ? 1 : 0)
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) await main()
