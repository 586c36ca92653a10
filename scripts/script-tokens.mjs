// What fifteen tasks cost a model in tokens, five of them on reference servers as they are published: call by call, and by one script over the same tools (o200k_base).
//   node scripts/script-tokens.mjs            prints the table
//   node scripts/script-tokens.mjs --write    puts it into docs/tokens.md
// Counted is what enters the model's context: what it writes (arguments, the script) and what it reads (answers, the result), and
// for scripts the definition of run_script in each task. Call by call is counted generously: as many calls in one turn as do not need
// each other's answers, no thinking between turns, and the declarations that both need are left out of both.
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getEncoding } from 'js-tiktoken'
import { createGateway, createScripts, defineTool, localCaller, toToolResult } from '../dist/index.js'
import { runScriptDefinition } from '../dist/sandbox/definition.js'
import { tasks, toolsOf } from './script-tasks.mjs'
import { openServers, realTasks } from './script-tasks-real.mjs'

const encoding = getEncoding('o200k_base')
const count = (value) => encoding.encode(typeof value === 'string' ? value : JSON.stringify(value), [], []).length
const definition = count(runScriptDefinition())

const answered = async (gateway, name, args) => {
  const outcome = await gateway.call({ tool: name, args, caller: localCaller })
  const result = outcome.ok ? toToolResult(outcome.answer) : undefined
  // What a client shows a model: the text, once, though servers send the same as structure too.
  const text = result ? (result.content[0]?.text ?? '') : outcome.error.message
  return { value: result?.structuredContent ?? parsed(text), tokens: count({ name, arguments: args }) + count(text) }
}

const parsed = (text) => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A board with what the task needs, and a folder of its own where it works on servers. */
const opened = async (task) => {
  if (!realTasks.includes(task)) {
    const gateway = createGateway({ tools: toolsOf().map((tool) => defineTool(tool)) })
    return { gateway, folder: undefined, close: () => gateway.close() }
  }
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pegboard-tasks-')))
  const gateway = createGateway()
  await openServers(gateway, folder)
  const close = async () => {
    await gateway.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { gateway, folder, close }
}

const rows = []
for (const task of [...tasks, ...realTasks]) {
  const { gateway, folder, close } = await opened(task)
  let tokens = 0
  let turns = 0
  let calls = 0
  /** One turn of the model: calls that do not need each other. */
  const turn = async (...asked) => {
    turns++
    const all = await Promise.all(asked.map(([name, args]) => answered(gateway, name, args)))
    calls += all.length
    for (const each of all) tokens += each.tokens
    return all.map(({ value }) => value)
  }
  const wanted = await task.byCalls(turn, folder)
  await close()
  const fresh = await opened(task)
  const scripts = createScripts(fresh.gateway)
  const input = typeof task.input === 'function' ? task.input(fresh.folder) : task.input
  const report = await scripts.run(task.script, { input })
  await scripts.close()
  await fresh.close()
  if (JSON.stringify(report.result) !== JSON.stringify(wanted))
    throw new Error(`${task.name}: ${JSON.stringify(report.result)} is not ${JSON.stringify(wanted)}`)
  const written = {
    name: 'run_script',
    arguments: { script: task.script, ...(input ? { input } : {}) },
  }
  const scripted = count(written) + count(report)
  const saved = (by) => `${((1 - by / tokens) * 100).toFixed(1)} %`
  rows.push({
    name: task.name,
    turns,
    calls,
    tokens,
    scripted,
    saved: saved(scripted),
    paid: saved(scripted + definition),
  })
}

const sum = (key) => rows.reduce((total, row) => total + row[key], 0)
const all = { turns: sum('turns'), calls: sum('calls'), tokens: sum('tokens'), scripted: sum('scripted') }
const share = (by) => `${((1 - by / all.tokens) * 100).toFixed(1)} %`
const lines = [
  '| task | turns | calls | tokens call by call | turns by script | tokens by script | saved | with the definition paid |',
  '| --- | --: | --: | --: | --: | --: | --: | --: |',
  ...rows.map(
    (row) =>
      `| ${row.name} | ${row.turns} | ${row.calls} | ${row.tokens} | 1 | ${row.scripted} | ${row.saved} | ${row.paid} |`,
  ),
  `| **together** | ${all.turns} | ${all.calls} | **${all.tokens}** | ${rows.length} | **${all.scripted}** | **${share(all.scripted)}** | **${share(all.scripted + definition * rows.length)}** |`,
]
console.log(lines.join('\n'))

if (process.argv.includes('--write')) {
  const file = fileURLToPath(new URL('../docs/tokens.md', import.meta.url))
  const before = readFileSync(file, 'utf8').split('\n## Scripts')[0].trimEnd()
  const today = new Date().toISOString().slice(0, 10)
  const about = `## Scripts

Fifteen tasks, the last five on reference servers as they are published, call by call and by one [script](scripts.md) over the same tools; both come to the same answer, which is checked. Counted is what enters the model's context: arguments and answers,
or the script and its result; the definition of \`run_script\` has ${definition} tokens. Call by call is counted generously: calls that do not need each other's answers are one turn, and nothing is thought
between turns. Scripts pay where answers are large or turns many; for a single call they cost more. How often models write a wrong script is not measured here.

Measured ${today} by \`node scripts/script-tokens.mjs --write\`.
`
  writeFileSync(file, `${before}\n\n${about}\n${lines.join('\n')}\n`)
}
