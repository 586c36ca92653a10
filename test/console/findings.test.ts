import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { browserPath, openBrowser } from './browser.js'
import { builtConsole } from './built-console.js'
import { expectClean, type Office, signIn, startEmpty, type Visit, visit } from './visit.js'

const poisoned = fileURLToPath(new URL('../helpers/servers/poisoned.mjs', import.meta.url))

describe.skipIf(browserPath === undefined)('what the scanner finds (T18)', { timeout: 60_000 }, () => {
  let browser: Browser
  let office: Omit<Office, 'toolsFile'>
  let here: Visit
  const ask = async (method: string, path: string, body?: object): Promise<any> => {
    const headers = { authorization: `Bearer ${office.adminKey}`, 'content-type': 'application/json' }
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
    return (await fetch(`${office.origin}${path}`, init)).json()
  }

  beforeAll(async () => {
    browser = await openBrowser()
    office = await startEmpty(builtConsole().cli)
    const entry = { type: 'stdio', command: process.execPath, args: [poisoned] }
    await ask('PUT', '/api/admin/v1/sources/bad', entry)
    const isReady = async () => (await ask('GET', '/api/admin/v1/sources/bad')).source?.state === 'ready'
    await vi.waitUntil(isReady, { timeout: 60_000 })
    here = await visit(browser, office.origin)
    await signIn(here, office)
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await office?.dispose()
  })

  it('is told by the admin API: of a tool, and of all that a source says', async () => {
    const { findings } = await ask('GET', '/api/admin/v1/tools/bad.add')
    expect(findings[0]).toMatchObject({ rule: 'secret.exfiltration', severity: 'high', place: '/description' })
    const source = await ask('GET', '/api/admin/v1/sources/bad')
    expect(source.findings.map(({ id }: { id: string }) => id).sort()).toEqual(['bad', 'bad.add', 'bad: review'])
  })

  it('stands on the page of the source and of the tool, with how grave it is and why', async () => {
    const { page } = here
    await page.goto(`${office.origin}/#/sources/bad`)
    await page.getByText('To look at', { exact: true }).waitFor()
    await page.getByText('/description · secret.exfiltration').first().waitFor()
    await expectClean(page, 'source-findings')
    await page.getByRole('link', { name: 'bad.add' }).first().click()
    await page.getByRole('list', { name: 'To look at' }).waitFor()
    await page.getByText('high', { exact: true }).first().waitFor()
  })
})
