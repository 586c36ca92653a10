import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { describePostgres, newDatabase } from '../helpers/postgres.js'
import { browserPath, openBrowser } from './browser.js'
import { builtConsole } from './built-console.js'
import { type OfficeProcess, startProcess } from './office-process.js'
import { officeTools } from './office-tools.js'
import { commandOf, expectClean, type Office, signIn, startOffice, visit } from './visit.js'

const many = browserPath === undefined ? describe.skip : describePostgres

/** A replica that runs the office server by itself, with the admin key of its fleet where it has been made. */
const startReplica = async (
  url: string,
  replica: string,
  adminKey?: string,
): Promise<OfficeProcess & { key: string }> => {
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-console-fleet-'))
  const toolsFile = join(folder, 'office.json')
  writeFileSync(toolsFile, JSON.stringify(officeTools))
  const [command, ...args] = commandOf(toolsFile)
  const config = {
    storage: { backend: 'postgres', url },
    fleet: { replica },
    sources: { office: { type: 'stdio', command, args, hosting: 'each' } },
  }
  writeFileSync(join(folder, 'pegboard.json'), JSON.stringify(config))
  mkdirSync(join(folder, 'data'))
  const running = await startProcess(builtConsole().cli, folder)
  const key = adminKey ?? readFileSync(join(folder, 'data', 'admin.key'), 'utf8').trim()
  await vi.waitUntil(async () => (await running.client.list()).some((name) => name.endsWith('weather')), {
    timeout: 50_000,
  })
  return { ...running, key }
}

many('the console of a fleet', () => {
  let first: OfficeProcess & { key: string }
  let second: OfficeProcess
  let browser: Browser
  const at = () => ({ origin: second.origin, adminKey: first.key })

  beforeAll(async () => {
    const url = await newDatabase()
    first = await startReplica(url, 'r1')
    second = await startReplica(url, 'r2', first.key)
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await second?.dispose()
    await first?.dispose()
  })

  for (const locale of ['en-GB', 'zh-CN'])
    it(`shows every replica from any of them, and what each runs (${locale})`, async () => {
      const seen = await visit(browser, second.origin, { locale })
      const { page } = seen
      await signIn(seen, at())
      await page.getByRole('link', { name: locale === 'en-GB' ? 'Fleet' : '副本' }).click()
      for (const name of ['r1', 'r2']) await page.locator('.source-card', { hasText: name }).waitFor()
      await page
        .locator('.source-card', { hasText: locale === 'en-GB' ? 'this page comes from here' : '本页面来自此副本' })
        .filter({ hasText: 'r2' })
        .waitFor()
      await page.getByText(locale === 'en-GB' ? 'The store answers' : '存储可用').waitFor()
      await expectClean(page, `fleet-${locale}`)
      expect(seen.problems).toEqual([])
      await seen.context.close()
    })

  it('shows calls of the other replica as they happen', async () => {
    const seen = await visit(browser, second.origin)
    const { page } = seen
    await signIn(seen, at())
    await page.getByRole('link', { name: 'Calls' }).click()
    await page.getByRole('heading', { name: 'Calls' }).waitFor()
    await first.client.call('office__weather', { city: 'Kiel' })
    const line = page.locator('.call-line', { hasText: 'weather' }).first()
    await line.waitFor()
    await line.click()
    await page.locator('dialog').getByText('r1', { exact: true }).waitFor()
    expect(seen.problems).toEqual([])
    await seen.context.close()
  })
})

describe.skipIf(browserPath === undefined)('the console of one process', () => {
  let office: Office
  let browser: Browser

  beforeAll(async () => {
    office = await startOffice(builtConsole().cli, 10)
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await office?.dispose()
  })

  it('has no page for others', async () => {
    const seen = await visit(browser, office.origin)
    await signIn(seen, office)
    await seen.page.getByRole('link', { name: 'Settings' }).waitFor()
    expect(await seen.page.getByRole('link', { name: 'Fleet' }).count()).toBe(0)
    await seen.context.close()
  })
})
