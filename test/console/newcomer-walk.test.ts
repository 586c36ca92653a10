import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { putIn } from '../../console/src/i18n/put-in.js'
import { words } from '../../console/src/i18n/words.js'
import { connectWords } from '../../console/src/i18n/words-connect.js'
import { historyWords } from '../../console/src/i18n/words-history.js'
import { sourceWords } from '../../console/src/i18n/words-sources.js'
import { toolWords } from '../../console/src/i18n/words-tools.js'
import { tryWords } from '../../console/src/i18n/words-try.js'
import { browserPath, openBrowser } from './browser.js'
import { builtConsole } from './built-console.js'
import { type OfficeProcess, startProcess } from './office-process.js'
import { expectClean, signIn, type Visit, visit } from './visit.js'

const workshop = fileURLToPath(new URL('./servers/workshop.mjs', import.meta.url))
const known = { ...words, ...connectWords, ...sourceWords, ...toolWords, ...tryWords, ...historyWords }
type Word = keyof typeof known

/** Both languages, each on a desk and on a phone, in the light and in the dark. */
const readers = [
  { locale: 'en-GB', at: 0, width: 1280, scheme: 'light' },
  { locale: 'en-GB', at: 0, width: 390, scheme: 'dark' },
  { locale: 'zh-CN', at: 1, width: 1280, scheme: 'dark' },
  { locale: 'zh-CN', at: 1, width: 390, scheme: 'light' },
] as const

/** From an empty board to a call that is found again, as the README's reader would go (G1 to G10, N1, N2, N4). */
describe.skipIf(browserPath === undefined)('a newcomer at the workbench', { timeout: 240_000 }, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  }, 120_000)
  afterAll(async () => browser?.close())

  describe.each(readers)('who reads $locale, $width wide, in the $scheme', ({ locale, at, width, scheme }) => {
    let running: OfficeProcess
    let here: Visit
    let page: Page
    let folder: string
    let adminKey: string
    const say = (word: Word, values: Readonly<Record<string, string | number>> = {}): string =>
      putIn(known[word][at], values)
    const turnTo = async (path: string): Promise<void> => void (await page.goto(`${running.origin}/#/${path}`))
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const ask = async (path: string): Promise<any> =>
      (
        await fetch(`${running.origin}/api/admin/v1${path}`, { headers: { authorization: `Bearer ${adminKey}` } })
      ).json()
    const written = () => JSON.parse(readFileSync(join(folder, 'pegboard.json'), 'utf8'))
    /** The page as others see it: nothing wider than the window, nothing that axe minds, and a picture to look at. */
    const look = async (name: string): Promise<void> => {
      const wider = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
      expect(wider, name).toBe(0)
      await expectClean(page, `newcomer-${name}-${locale}-${width}-${scheme}`)
    }
    const answered = () =>
      page.getByRole('region', { name: say('result'), exact: true }).getByText(say('answered'), { exact: true })

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'pegboard-newcomer-'))
      running = await startProcess(builtConsole().cli, folder)
      here = await visit(browser, running.origin, { locale, width, theme: scheme })
      page = here.page
      adminKey = readFileSync(join(folder, 'data', 'admin.key'), 'utf8').trim()
      await signIn(here, { origin: running.origin, adminKey })
    }, 180_000)
    afterAll(async () => {
      await here?.context.close()
      await running?.dispose()
    })

    it('adds a server by pasting what its README says', async () => {
      await look('overview-empty')
      await turnTo('sources')
      await button(say('addSource')).click()
      const dialog = page.getByRole('dialog')
      const readme = { mcpServers: { workshop: { command: process.execPath, args: [workshop] } } }
      await dialog.getByLabel(say('paste')).fill(JSON.stringify(readme, null, 2))
      await dialog.getByText(say('readAsJson')).waitFor()
      await look('pasted')
      await dialog.getByRole('button', { name: say('save'), exact: true }).click()
      await page.getByRole('heading', { level: 1, name: 'workshop' }).waitFor()
      await page.getByRole('link', { name: /workshop\.order/ }).waitFor()
      await look('source')
      expect(written().sources.workshop ?? written().mcpServers.workshop).toMatchObject({ command: process.execPath })
    })

    it('switches two tools off and says what another does in their own words', async () => {
      await turnTo('tools')
      for (const id of ['workshop.ask_model', 'workshop.ask_page']) {
        await page.getByRole('switch', { name: say('toolIsOn', { id }) }).click()
        await vi.waitUntil(() => written().overrides?.[id]?.enabled === false, { timeout: 20_000 })
      }
      await turnTo('tools/workshop.order')
      await button(say('quickEdit')).click()
      await page.getByLabel(say('description'), { exact: true }).fill('Orders tools for the team.')
      await look('override')
      await button(say('save')).click()
      await vi.waitUntil(() => written().overrides['workshop.order']?.description === 'Orders tools for the team.', {
        timeout: 20_000,
      })
      // In its pane at once, with what its source says to compare.
      await page.locator('article .description').filter({ hasText: 'Orders tools for the team.' }).waitFor()
      await page.getByText(say('sourceSays')).waitFor()
      await look('tools')
    })

    it('connects a client with the snippet that is shown, which sees just that', async () => {
      await turnTo('connect')
      await page.getByRole('heading', { level: 1, name: say('connectTitle') }).waitFor()
      await page.getByRole('radio', { name: 'Cursor', exact: true }).check()
      await look('connect')
      const text = await page.locator('.snippet pre').first().textContent()
      const [entry] = Object.values(JSON.parse(text ?? '').mcpServers) as { url: string }[]
      const client = new Client({ name: 'newcomer', version: '1.0.0' })
      await client.connect(new StreamableHTTPClientTransport(new URL(entry!.url)))
      const { tools } = await client.listTools()
      expect(tools.find(({ name }) => name === 'workshop__order')?.description).toBe('Orders tools for the team.')
      expect(tools.map(({ name }) => name).join()).not.toMatch(/ask_model|ask_page/)
      await client.close()
    })

    it('has what is said kept, and calls by a nested form', async () => {
      await turnTo('profiles/default')
      await button(say('edit')).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(say('keepsValues')).selectOption('yes')
      await dialog.getByRole('button', { name: say('save'), exact: true }).click()
      await vi.waitUntil(() => written().profiles?.default?.keepValues === true, { timeout: 20_000 })
      await turnTo('tools/workshop.order')
      await page.locator('[data-path="/customer/name"] input').fill('Ann')
      const lines = page.locator('fieldset[data-path="/lines"]')
      await lines.locator('[data-path="/lines/0/sku"] input').fill('nail')
      await button(say('addTo', { name: 'lines' })).click()
      await lines.locator('[data-path="/lines/1/sku"] input').fill('hammer')
      await page.getByLabel(say('whichOf')).selectOption({ label: 'ship' })
      await page.locator('fieldset[data-path="/delivery"]').getByLabel('city').first().fill('Bern')
      await look('form')
      await button(say('call')).click()
      await answered().waitFor()
      await look('answer')
    })

    it('answers what a tool asks', async () => {
      await turnTo('tools/workshop.ask')
      await button(say('call')).click()
      const question = page.getByRole('region', { name: say('waitsForYou') })
      await question.getByLabel('name').fill('Ann')
      await look('question')
      await question.getByRole('button', { name: say('sendAnswer'), exact: true }).click()
      await answered().waitFor()
    })

    it('finds the call in the history, replays it and takes it along', async () => {
      // What is kept is written in batches: the page shows it from then on.
      await vi.waitUntil(async () => (await ask('/history?tool=workshop.order')).calls.length > 0, { timeout: 30_000 })
      await turnTo('history?range=1h')
      await page.getByRole('heading', { level: 1, name: say('history') }).waitFor()
      const found = page.locator('table.history')
      const row = found.getByRole('row').filter({ hasText: 'workshop.order' })
      await row.first().waitFor()
      await look('history')
      await row.first().getByRole('link').first().click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('hammer').first().waitFor()
      await look('history-call')
      await dialog.getByRole('button', { name: say('replay'), exact: true }).click()
      await page.getByText(say('unconfirmedWhy')).waitFor()
      await page.getByRole('button', { name: say('replayAnyway', { n: 1 }) }).click()
      await page.getByText(say('same'), { exact: true }).waitFor()
      await look('replayed')
      await page.keyboard.press('Escape')
      await turnTo('history?range=1h')
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: say('exportJson') }).click(),
      ])
      const kept = readFileSync(await file.path(), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      expect(kept).toEqual(expect.arrayContaining([expect.objectContaining({ tool: 'workshop.order', ok: true })]))
      expect(here.problems).toEqual([])
    })
  })
})
