// The official MCP conformance suite through the gateway: a fixture server of each era and one of both behind it, both
// requirement sets before it, alone and beside twenty other sources; the fixture of both eras also by itself, so that what
// the gateway loses is seen; then the gateway as the client of the suite's own servers, and as an authorization server.
// Fails on any failure that test/conformance/expected-failures.json does not name, and on any that it names in vain.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runAuthorizationSuite, startAuthorizationServer } from '../test/conformance/authorization.mjs'
import { asRecorded, judge, printTable, worseThanAlone } from '../test/conformance/judge.mjs'
import { requirementsOf } from '../test/conformance/requirements.mjs'
import { runClientScenario, runServerSuite } from '../test/conformance/run-suite.mjs'
import { startGateway } from '../test/conformance/start-gateway.mjs'

const revisions = ['2025-11-25', '2026-07-28']
const eras = ['legacy', 'modern']
const expectedFile = fileURLToPath(new URL('../test/conformance/expected-failures.json', import.meta.url))
const expected = JSON.parse(readFileSync(expectedFile, 'utf8'))
const folder = mkdtempSync(join(tmpdir(), 'pegboard-conformance-'))
const startedAt = Date.now()
const rows = []

const runServer = async (era, others) => {
  const gateway = await startGateway({ era, others, folder })
  try {
    for (const revision of revisions) {
      const cell = `server, ${era} source, ${revision}`
      const title = others > 0 ? `${cell}, beside ${others} others` : cell
      const required = requirementsOf(revision).server
      const scenarios = await runServerSuite({ url: gateway.url, revision, folder })
      const row = judge({ title, scenarios, expected: expected[cell]?.scenarios ?? [], required })
      rows.push(row)
      if (era !== 'dual') continue
      const alone = await runServerSuite({ url: gateway.fixture, revision, folder })
      row.problems.push(...worseThanAlone({ scenarios, alone, required }))
      rows.push(asRecorded(`fixture of both eras alone, ${revision}`, alone, required))
    }
  } finally {
    await gateway.stop()
  }
}

/** Most of a scenario is waiting for processes to start; the answers come in the order of the names. */
const twoAtATime = async (names, run) => {
  const answers = []
  const left = names.entries()
  const work = async () => {
    for (const [index, name] of left) answers[index] = await run(name)
  }
  await Promise.all([work(), work()])
  return answers
}

const runClient = async (revision) => {
  const { client, unscored } = requirementsOf(revision)
  const names = [...client, ...unscored.client]
  const scenarios = await twoAtATime(names, (name) => runClientScenario({ name, revision, folder }))
  const cell = `client, ${revision}`
  rows.push(judge({ title: cell, scenarios, expected: expected[cell]?.scenarios ?? [], required: client }))
}

const runEverything = async () => {
  for (const era of [...eras, 'dual']) await runServer(era, 0)
  for (const era of eras) await runServer(era, 20)
  for (const revision of revisions) await runClient(revision)
  await runAuthorization()
}

const runAuthorization = async () => {
  const server = await startAuthorizationServer(folder)
  try {
    const scenarios = await runAuthorizationSuite({ ...server, folder })
    // Both of them, by what they are called: a scenario that did not run is a failure too.
    const required = ['authorization-server-metadata-endpoint', 'authorization-code-grant']
    rows.push(judge({ title: 'authorization server', scenarios, expected: [], required }))
  } finally {
    await server.stop()
  }
}

try {
  if (process.argv.includes('authorization')) await runAuthorization()
  else await runEverything()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
printTable(rows)
console.log(`${((Date.now() - startedAt) / 1000).toFixed(0)} s on Node ${process.versions.node}`)
process.exit(rows.some(({ problems }) => problems.length > 0) ? 1 : 0)
