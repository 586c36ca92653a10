import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { browserPath, openBrowser } from './browser.js'
import { builtConsole } from './built-console.js'
import { type OfficeProcess, startProcess } from './office-process.js'
import { officeTools } from './office-tools.js'
import { expectClean, signIn, type Visit, visit } from './visit.js'

const server = fileURLToPath(new URL('./servers/office.mjs', import.meta.url))

describe.skipIf(browserPath === undefined)('a call that waits for a yes', { timeout: 90_000 }, () => {
  let browser: Browser
  let office: OfficeProcess
  let adminKey: string
  let here: Visit
  const ask = async (path: string): Promise<any> =>
    (await fetch(`${office.origin}${path}`, { headers: { authorization: `Bearer ${adminKey}` } })).json()

  beforeAll(async () => {
    browser = await openBrowser()
    const folder = mkdtempSync(join(tmpdir(), 'pegboard-approvals-'))
    writeFileSync(join(folder, 'office.json'), JSON.stringify(officeTools))
    const config = {
      sources: { office: { type: 'stdio', command: process.execPath, args: [server, join(folder, 'office.json')] } },
      scripts: { enabled: true },
      profiles: { default: { scripts: true } },
      rules: [
        {
          id: 'notes',
          tools: ['office.create_note'],
          effect: 'ask',
          reason: 'Notes are read by customers',
          approval: { waitMs: 60_000 },
        },
      ],
    }
    writeFileSync(join(folder, 'pegboard.json'), JSON.stringify(config))
    office = await startProcess(builtConsole().cli, folder)
    adminKey = readFileSync(join(folder, 'data', 'admin.key'), 'utf8').trim()
    await vi.waitUntil(async () => (await ask('/api/admin/v1/sources/office')).source?.state === 'ready', {
      timeout: 60_000,
    })
    here = await visit(browser, office.origin)
    await signIn(here, { origin: office.origin, adminKey })
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    await office?.dispose()
  })

  it('is shown with exactly what it would send, approved once, runs, and the audit tells it', async () => {
    const { page } = here
    await page.goto(`${office.origin}/#/approvals`)
    await page.getByRole('heading', { name: 'Approvals', exact: true }).waitFor()
    const calling = office.client.call('office__create_note', { title: 'pay\u202eann\u200b' })
    const calls = page.getByRole('region', { name: 'Calls', exact: true })
    await calls.getByText('"title": "pay\\u202eann\\u200b"').waitFor()
    await calls.getByText('Notes are read by customers').waitFor()
    await expectClean(page, 'call-approvals')
    await calls.getByRole('button', { name: 'Once: office.create_note' }).click()
    expect(await calling).toMatchObject({ isError: false })
    await calls.waitFor({ state: 'detached' })

    const { entries } = await ask('/api/admin/v1/audit?kind=approval&limit=50')
    expect(entries.map(({ action }: { action: string }) => action).reverse()).toEqual(
      expect.arrayContaining(['asked', 'granted', 'spent']),
    )
    const { calls: records } = await ask('/api/v1/calls')
    expect(records[0]).toMatchObject({ tool: 'office.create_note', ok: true, rule: 'notes', grant: expect.any(String) })
  })

  it('is denied with a note, which the caller reads', async () => {
    const { page } = here
    const calling = office.client.call('office__create_note', { title: 'no' })
    await page.getByRole('button', { name: 'Deny: office.create_note' }).click()
    await page.getByLabel('Why not? The caller is told.').fill('wrong customer')
    await page.getByRole('button', { name: 'Deny this call' }).click()
    expect(await calling).toMatchObject({ isError: true, text: expect.stringContaining('wrong customer') })
  })

  it('is one of several of a script: all are shown together, and answered with one press', async () => {
    const { page } = here
    const script = 'return (await Promise.all(input.map(title => tools.office.create_note({ title })))).length'
    const run = async (args: object) => JSON.parse((await office.client.call('run_script', { ...args })).text)
    const first = await run({ script, input: ['one', 'two', 'three'] })
    expect(first).toMatchObject({ paused: true })
    const together = page.getByRole('region', { name: `3 calls of one script, ${first.run}` })
    for (const title of ['one', 'two', 'three'])
      await together.getByText(`"title": "${title}"`, { exact: true }).waitFor()
    await expectClean(page, 'calls-of-a-script')
    await together.getByRole('button', { name: `Approve all 3: ${first.run}` }).click()
    await together.waitFor({ state: 'detached' })
    expect(await run({ resume: first.run })).toMatchObject({ result: 3 })

    const second = await run({ script, input: ['four', 'five'] })
    const group = page.getByRole('region', { name: `2 calls of one script, ${second.run}` })
    await group.getByRole('button', { name: `Deny all: ${second.run}` }).click()
    await group.getByLabel('Why not? The caller is told.').fill('enough notes')
    await group.getByRole('button', { name: 'Deny these 2 calls' }).click()
    await group.waitFor({ state: 'detached' })
    expect((await office.client.call('run_script', { resume: second.run })).text).toContain('enough notes')
  })

  it('is the first of those that wait where an address names it, as a client is sent there', async () => {
    const { page } = here
    const calling = ['first', 'second', 'third'].map((title) => office.client.call('office__create_note', { title }))
    const asked = async () => (await ask('/api/v1/approvals')).approvals.filter((row: any) => row.state === 'asked')
    await vi.waitUntil(async () => (await asked()).length === 3, { timeout: 20_000 })
    const { id } = (await asked()).find((row: any) => row.arguments.includes('second'))
    await page.goto(`${office.origin}/#/approvals/${id}`)
    await page.reload()
    await page.getByText('"title": "third"').first().waitFor()
    await page.getByRole('button', { name: 'Once: office.create_note' }).first().click()
    await vi.waitUntil(async () => (await asked()).length === 2, { timeout: 20_000 })
    expect((await asked()).map((row: any) => row.arguments).join()).not.toContain('second')
    for (const row of await asked())
      await fetch(`${office.origin}/api/v1/approvals/${row.id}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
        body: '{"decision":"approve"}',
      })
    for (const each of await Promise.all(calling)) expect(each).toMatchObject({ isError: false })
  })
})
