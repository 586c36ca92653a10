import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scrollThrough } from '../../bench/console-page.mjs'
import { browserPath, openBrowser } from './browser.js'
import { builtConsole } from './built-console.js'
import { type Office, picture, signIn, startOffice, visit } from './visit.js'

const kib = 1024
const tell = (figure: string): void => console.log(`console: ${figure}`)

/** What the console costs. Times are printed, since they are the machine's as much as ours; sizes are held. */
describe('the console', { timeout: 60_000 }, () => {
  const { cli, folder } = builtConsole()

  it('is at most 220 KB, zipped', () => {
    const files = ['index.html', ...readdirSync(join(folder, 'assets')).map((name) => join('assets', name))]
    const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file)), { level: 9 }).length, 0)
    tell(`${(bytes / kib).toFixed(1)} KB zipped`)
    expect(bytes).toBeLessThan(220 * kib)
  })

  it('names no address but its own', () => {
    for (const name of readdirSync(join(folder, 'assets')).filter((each) => each.endsWith('.css')))
      expect(readFileSync(join(folder, 'assets', name), 'utf8')).not.toMatch(/https?:|url\(/)
    expect(readFileSync(join(folder, 'index.html'), 'utf8')).not.toMatch(/https?:/)
  })

  describe.skipIf(browserPath === undefined)('with ten thousand tools', () => {
    let browser: Browser
    let office: Office
    beforeAll(async () => {
      browser = await openBrowser()
      office = await startOffice(cli, 10_000)
    }, 120_000)
    afterAll(async () => {
      await browser?.close()
      await office?.dispose()
    })

    it('paints soon', async () => {
      const { page, context, problems } = await visit(browser, office.origin)
      await signIn({ page, context, problems }, office)
      await page.reload()
      await page.getByRole('heading', { name: 'Overview' }).waitFor()
      const paint = await page.evaluate(
        "performance.getEntriesByType('paint').find(({ name }) => name === 'first-contentful-paint')?.startTime",
      )
      tell(`first contentful paint after ${Math.round(Number(paint))} ms`)
      expect(paint).toBeGreaterThan(0)
      await context.close()
    })

    it('scrolls the list with a handful of rows in the page', async () => {
      const { page, context, problems } = await visit(browser, office.origin)
      await signIn({ page, context, problems }, office)
      await page.goto(`${office.origin}/#/tools`)
      await page.getByText('10,003 tools').waitFor()
      const frames = (await page.evaluate(scrollThrough)) as number[]
      frames.sort((a, b) => a - b)
      const at = (part: number): string => frames[Math.floor(frames.length * part)]!.toFixed(1)
      tell(`10,000 tools, ${frames.length} frames: median ${at(0.5)} ms, 95th ${at(0.95)} ms, longest ${at(0.999)} ms`)
      expect(await page.locator('.rows li').count()).toBeLessThan(60)
      await page.getByLabel('Filter by id, title or source').fill('09999')
      await page.getByText('archive.tool_09999').waitFor()
      await picture(page, 'tools-10000')
      await context.close()
    })

    it('stays live while calls pour in', async () => {
      const { page, context, problems } = await visit(browser, office.origin)
      await signIn({ page, context, problems }, office)
      await page.goto(`${office.origin}/#/calls`)
      const startedAt = performance.now()
      const wanted = 1000
      for (let n = 0; n < wanted; n += 50)
        await Promise.all(Array.from({ length: 50 }, () => office.client.call('office.weather', { city: 'Bern' })))
      const perSecond = Math.round((wanted / (performance.now() - startedAt)) * 1000)
      await page.goto(`${office.origin}/#/`)
      const figure = page.locator('.figure', { hasText: /^Calls/ }).locator('.value')
      await expect.poll(async () => Number((await figure.textContent())?.replace(/\D/g, ''))).toBe(wanted)
      tell(`live at ${perSecond} calls a second`)
      await context.close()
    })
  })
})
