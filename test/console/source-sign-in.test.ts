import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SignInServers, startSignInServers } from '../helpers/sign-in-servers.js'
import { browserPath, openBrowser } from './browser.js'
import { builtConsole } from './built-console.js'
import { type OfficeProcess, startProcess } from './office-process.js'
import { expectClean, signIn, type Visit, visit } from './visit.js'

describe.skipIf(browserPath === undefined)('a source that wants a sign-in, at the console', { timeout: 60_000 }, () => {
  let browser: Browser
  let far: SignInServers
  let gateway: OfficeProcess
  let here: Visit

  beforeAll(async () => {
    const { cli } = builtConsole()
    far = await startSignInServers()
    const folder = mkdtempSync(join(tmpdir(), 'pegboard-console-'))
    writeFileSync(join(folder, 'pegboard.json'), JSON.stringify({ sources: { docs: { type: 'http', url: far.url } } }))
    gateway = await startProcess(cli, folder)
    browser = await openBrowser()
    here = await visit(browser, gateway.origin)
    const adminKey = readFileSync(join(folder, 'data', 'admin.key'), 'utf8').trim()
    await signIn(here, { origin: gateway.origin, adminKey })
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await gateway?.dispose()
    await far?.[Symbol.asyncDispose]()
  })

  it('has a link to click, and starts once somebody has signed in there', async () => {
    const { page } = here
    await page.getByRole('link', { name: /docs/ }).first().click()
    await page.locator('.reason', { hasText: 'pegboard auth docs' }).waitFor()
    await page.getByRole('button', { name: 'Sign in' }).click()
    const link = page.getByRole('dialog').getByRole('link')
    await link.waitFor()
    await expectClean(page, 'source-sign-in')
    expect(await link.getAttribute('rel')).toContain('noopener')
    const [tab] = await Promise.all([here.context.waitForEvent('page'), link.click()])
    await tab.getByRole('heading', { name: 'is signed in' }).waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.locator('#main').getByRole('button', { name: 'Sign out' }).waitFor()
    await page.getByText('ready', { exact: true }).first().waitFor()
    expect(here.problems).toEqual([])
    expect(await page.content()).not.toContain(`${far.rules.canary}-access`)
  })

  it('wants one again after signing out', async () => {
    const { page } = here
    await page.locator('#main').getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  })
})
