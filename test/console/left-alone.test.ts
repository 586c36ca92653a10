import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { fixtureCommand } from '../helpers/fixture-servers.js'
import { browserPath, openBrowser } from './browser.js'
import { builtConsole } from './built-console.js'
import { expectClean, type Office, signIn, startEmpty, type Visit, visit } from './visit.js'

describe.skipIf(browserPath === undefined)('a tool that is left alone', { timeout: 60_000 }, () => {
  let browser: Browser
  let office: Omit<Office, 'toolsFile'>
  let here: Visit

  beforeAll(async () => {
    browser = await openBrowser()
    office = await startEmpty(builtConsole().cli)
    const ask = async (method: string, path: string, body?: object): Promise<any> => {
      const headers = { authorization: `Bearer ${office.adminKey}`, 'content-type': 'application/json' }
      const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
      return (await fetch(`${office.origin}${path}`, init)).json()
    }
    await ask('PUT', '/api/admin/v1/sources/a', { type: 'stdio', ...fixtureCommand('stdio-raw'), timeoutMs: 500 })
    const isReady = async () => (await ask('GET', '/api/admin/v1/sources/a')).source?.state === 'ready'
    await vi.waitUntil(isReady, { timeout: 60_000 })
    await Promise.all(Array.from({ length: 5 }, () => ask('POST', '/api/v1/tools/a.hang/call')))
    expect((await ask('GET', '/api/admin/v1/sources/a')).source.circuits).toMatchObject([{ tool: 'a.hang' }])
    here = await visit(browser, office.origin)
    await signIn(here, office)
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await office?.dispose()
  })

  it('is counted on the card of its source and named on its page, with why and when it is tried (B1)', async () => {
    const { page } = here
    await page.getByRole('navigation').getByRole('link', { name: 'Sources', exact: true }).click()
    await page.getByRole('link', { name: /^a.*ready.*1 left alone/ }).click()
    await page.getByText('Left alone', { exact: true }).waitFor()
    await page.getByText(/'a\.hang' did not answer within 500 ms/).waitFor()
    await expectClean(page, 'source-left-alone')
    await page.getByRole('link', { name: 'a.hang', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Restart' }).click()
    await page.getByText('Left alone', { exact: true }).waitFor({ state: 'detached' })
  })
})
