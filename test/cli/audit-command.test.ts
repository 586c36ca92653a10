import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openAuditFile } from '../../src/telemetry/audit-file.js'
import { trailIn } from '../../src/telemetry/audit-pages.js'
import { silentLogger } from '../../src/telemetry/logger.js'
import { cliPath, runCli } from '../helpers/run-cli.js'

// Made once for all, which takes a while on a busy machine.
beforeAll(() => void cliPath())

let home: string
let folder: string
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'pegboard-audit-cli-'))
  folder = join(home, 'data', 'audit')
  writeFileSync(join(home, 'pegboard.json'), JSON.stringify({ storage: { path: './data' } }))
  const audit = openAuditFile({ folder, logger: silentLogger })
  for (const [id, name] of [
    ['p1', 'Ada'],
    ['p2', 'Grace'],
    ['p1', 'Ada'],
  ] as const)
    audit.note({
      ...{ kind: 'key', action: 'create', on: { type: 'key', id: `of-${id}` }, outcome: 'ok' },
      actor: { id, type: 'person', name, via: 'console' },
    })
  await audit.close()
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const run = (...args: string[]) => runCli(['audit', ...args], { cwd: home, home })

describe('pegboard audit', () => {
  it('lists, filters and exports what is there', async () => {
    const list = await run()
    expect(list.stdout.trim().split('\n')).toHaveLength(5)
    expect(list.stdout).toContain('key create of-p1 by Ada (p1)')
    const json = await run('list', '--person', 'ada', '--since', '1h', '--json')
    expect(
      json.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).actor.name),
    ).toEqual(['Ada', 'Ada'])
    const csv = await run('export', '--format', 'csv', '--tool', 'of-p2')
    expect(csv.stdout.split('\r\n')).toHaveLength(3)
    expect(csv.stdout).toContain(',p2,person,Grace,console,')
    const wrong = await run('--since', 'yesterday')
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('24h')])
  })

  it('says that the trail is whole, and where it is not, with an exit code for scripts', async () => {
    const good = await run('verify')
    expect([good.code, good.stdout]).toEqual([0, expect.stringContaining('Every line is as it was written.')])
    writeFileSync(trailIn(folder), readFileSync(trailIn(folder), 'utf8').replace('"name":"Grace"', '"name":"Alice"'))
    const bad = await run('verify')
    expect([bad.code, bad.stderr]).toEqual([1, expect.stringContaining('broken at audit.jsonl, line 3 (seq 3)')])
    const json = await run('verify', '--json')
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, broken: { line: 3, fault: 'changed' } })
  })
})
