import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/model/clock.js'
import { GrantBook } from '../../src/policy/grant-book.js'
import type { BoundCall } from '../../src/policy/grants.js'
import { openJsonDocuments } from '../../src/storage/json/json-documents.js'
import { runCli } from '../helpers/run-cli.js'
import { serveCli } from './serve-cli.js'

let home: string
let book: GrantBook
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pegboard-answer-'))
  writeFileSync(join(home, 'pegboard.json'), JSON.stringify({ storage: { path: './data' } }))
  // As a gateway on this folder would: what several processes write, each opens for itself.
  book = new GrantBook({
    documents: openJsonDocuments({ folder: join(home, 'data'), kind: 'call-grants' }),
    clock: systemClock,
  })
})
afterEach(async () => {
  await book[Symbol.asyncDispose]()
  rmSync(home, { recursive: true, force: true })
})

const call: BoundCall = {
  caller: 'key:agent',
  profile: 'default',
  tool: 'billing.refund',
  definition: 'd',
  rules: ['money'],
  terms: { by: ['operator'], withinMs: 900_000, remember: ['once', 'minutes'], waitMs: 0 },
  args: { amount: 250, to: 'ann\u202e' },
}
const asked = async (args: unknown = call.args): Promise<string> => {
  const error = await book.admit({ ...call, args }).catch((thrown) => thrown)
  expect(error.code).toBe('APPROVAL_REQUIRED')
  return error.details.approval
}
const codeOf = (args: unknown = call.args): Promise<string> =>
  book.admit({ ...call, args }).then(
    () => 'sent',
    (error) => error.code,
  )

describe('answers to calls from a terminal', () => {
  it('are given where no gateway runs, to what the last one kept, and that is said', async () => {
    const on = { cwd: home, home }
    const id = await asked()
    const list = await runCli(['approvals', 'calls'], on)
    expect(list.stdout).toContain('{"amount":250,"to":"ann\\u202e"}')
    expect(list.stdout).toContain(`pegboard approve ID`)
    expect(list.stderr).toContain('no gateway runs here')

    const yes = await runCli(['approve', id.slice(0, 8)], on)
    expect(yes).toMatchObject({ code: 0, stdout: expect.stringContaining(`Approved ${id}`) })
    expect([await codeOf(), await codeOf()]).toEqual(['sent', 'APPROVAL_REQUIRED'])

    const other = await asked({ amount: 999 })
    const no = await runCli(['deny', other, '--note', 'not on a Friday'], on)
    expect(no).toMatchObject({ code: 0, stdout: expect.stringContaining(`Denied ${other}`) })
    await expect(book.admit({ ...call, args: { amount: 999 } })).rejects.toMatchObject({
      code: 'APPROVAL_DENIED',
      details: { reason: 'not on a Friday' },
    })
    const trail = await runCli(['audit', 'list', '--json', '--kind', 'approval'], on)
    expect(trail.stdout).toContain('"granted"')
    expect(trail.stdout).toContain('"denied"')

    expect(await runCli(['approve', 'nobody'], on)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no such request'),
    })
    expect(await runCli(['approve', id, '--for', 'ever'], on)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('10m'),
    })
  })

  it('go to the gateway that runs, which checks them', async () => {
    const board = await serveCli(home)
    const run = (...args: readonly string[]) => runCli([...args, '--port', board.port], { cwd: home, home })
    const id = await asked()
    const yes = await run('approve', id, '--for', '10m')
    expect(yes).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('may be called so until') })
    expect([await codeOf(), await codeOf()]).toEqual(['sent', 'sent'])
    expect(await run('approve', id)).toMatchObject({ code: 1, stderr: expect.stringContaining('no longer open') })
    expect(await run('deny', id)).toMatchObject({ code: 0 })
    expect(await codeOf()).toBe('APPROVAL_DENIED')
    await board.stop()
  })
})
