import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { modernCall } from '../fleet/mcp-client.js'
import { adminKeyOf } from '../fleet/model.mjs'
import { baseConfig, counter, type FleetProcesses, startFleet } from '../fleet/replicas.mjs'
import { describePostgres, newDatabase } from '../helpers/postgres.js'
import { browserPath, openBrowser } from './browser.js'
import { builtConsole } from './built-console.js'
import { expectClean, type Office, signIn, startOffice, visit } from './visit.js'

const many = browserPath === undefined ? describe.skip : describePostgres

many('the console of a fleet', () => {
  let fleet: FleetProcesses
  let browser: Browser
  let adminKey = ''

  beforeAll(async () => {
    const { cli } = builtConsole()
    const config = baseConfig({ sources: { counter: counter({ hosting: 'each' }) } })
    fleet = await startFleet({ count: 2, url: await newDatabase(), config, dist: cli })
    await fleet.ready()
    adminKey = adminKeyOf(fleet.replicas)
    browser = await openBrowser()
    for (const url of fleet.urls)
      await vi.waitUntil(async () => {
        const answer = await (await modernCall(url, 'counter.count')).next()
        return answer.result?.isError !== true && answer.error === undefined
      })
  })
  afterAll(async () => {
    await browser?.close()
    await fleet?.dispose()
  })

  for (const locale of ['en-GB', 'zh-CN'])
    it(`shows every replica from any of them, and what each runs (${locale})`, async () => {
      const [, origin] = fleet.urls
      const seen = await visit(browser, origin!, { locale })
      const { page } = seen
      await signIn(seen, { origin: origin!, adminKey })
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
    const [first, origin] = fleet.urls
    const seen = await visit(browser, origin!)
    const { page } = seen
    await signIn(seen, { origin: origin!, adminKey })
    await page.getByRole('link', { name: 'Calls' }).click()
    await page.locator('.call-line').first().waitFor()
    await (await modernCall(first!, 'counter.pid')).next()
    const line = page.locator('.call-line', { hasText: 'counter.pid' })
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
