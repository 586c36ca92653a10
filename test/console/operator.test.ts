import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askModern } from '../helpers/ask-modern.js'
import { browserPath, openBrowser } from './browser.js'
import { builtConsole } from './built-console.js'
import { expectClean, type Office, signIn, startEmpty, type Visit, visit } from './visit.js'

/** From nothing to a board of one's own, without leaving the browser. */
describe.skipIf(browserPath === undefined)('a newcomer at the console', { timeout: 60_000 }, () => {
  let browser: Browser
  let office: Omit<Office, 'toolsFile'>
  let here: Visit
  const file = () => join(office.folder, 'pegboard.json')
  const written = () => JSON.parse(readFileSync(file(), 'utf8'))

  beforeAll(async () => {
    const { cli } = builtConsole()
    browser = await openBrowser()
    office = await startEmpty(cli)
    here = await visit(browser, office.origin)
    await signIn(here, office)
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await office?.dispose()
  })
  const open = async (name: string) => {
    await here.page
      .getByRole('navigation')
      .getByRole('link', { name: new RegExp(`^${name}`) })
      .click()
    await here.page.getByRole('heading', { level: 1, name }).waitFor()
  }

  it('begins without a file, and is shown where to begin', async () => {
    const { page } = here
    expect(existsSync(file())).toBe(false)
    await page.getByText('Only the example tools are here yet.').waitFor()
    await expectClean(page, 'overview-empty')
    await open('Sources')
    await page.getByText('No sources yet').waitFor()
    await expectClean(page, 'sources-empty')
    await page.getByRole('link', { name: 'Import from your clients' }).click()
    await page.getByRole('heading', { level: 1, name: 'Import' }).waitFor()
  })

  it('brings a server in from another client: switched off, then enabled (T15)', async () => {
    const { page } = here
    await page.getByText('cannot be used').waitFor()
    await expectClean(page, 'import-found')
    await page.getByRole('checkbox', { name: 'Add a-name-that-is-rather-long-for-a-server-of-notes' }).uncheck()
    await page.getByRole('button', { name: 'Add 1, switched off' }).click()
    await page.getByText('Nothing runs until you enable it.').waitFor()
    expect(Object.keys(written().sources)).toEqual(['asker'])
    expect(written().sources.asker.enabled).toBe(false)
    await page.getByRole('button', { name: 'Enable asker' }).click()
    await page.getByText('Nothing runs until you enable it.').waitFor({ state: 'detached' })
    await open('Sources')
    await page.getByRole('link', { name: /asker.*ready.*1 tool/ }).waitFor()
  })

  it('sees a call that waits for an answer, without its words, and cancels it', async () => {
    const { page } = here
    expect(await askModern(office.origin, 'asker__greet')).toMatchObject({ resultType: 'input_required' })
    await page.getByRole('navigation').getByRole('link', { name: 'Calls 1' }).click()
    const line = page.locator('.parked-line', { hasText: 'asker.greet' })
    await line.getByText('asks a person').waitFor()
    await line.getByText(/given up in/).waitFor()
    expect(await page.content()).not.toContain('in confidence')
    await expectClean(page, 'calls-waiting')
    await line.getByRole('button', { name: 'Cancel the call: asker.greet' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the call' }).click()
    await line.waitFor({ state: 'detached' })
  })

  it('makes a profile after looking at what it would show and cost', async () => {
    const { page } = here
    await open('Profiles')
    await page.getByRole('button', { name: 'New profile' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: false }).first().fill('kitchen')
    await dialog.getByLabel('Exposure').selectOption('flat')
    await dialog.getByLabel('Tools').selectOption('some')
    await dialog.getByText('As patterns').click()
    await dialog.getByLabel('Show', { exact: true }).fill('asker.*')
    const preview = dialog.getByRole('region', { name: 'What clients would see' })
    await preview.getByText('asker__greet').waitFor()
    await preview.getByText('1 listed, 1 callable').waitFor()
    expect(written().profiles).toBeUndefined()
    await expectClean(page, 'profile-new')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'kitchen' }).waitFor()
    expect(written().profiles).toEqual({ kitchen: { expose: 'flat', allow: ['asker.*'] } })
  })

  it('edits it, is told what is wrong, and removes it', async () => {
    const { page } = here
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Edit' }).click()
    await dialog.getByText('As patterns').click()
    await dialog.getByLabel('Hide').fill('asker.greet')
    await dialog.getByRole('region', { name: 'What clients would see' }).getByText('0 listed').waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('This client sees no tool.').waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await dialog.getByText('As patterns').click()
    await dialog.getByLabel('Hide').fill('not a pattern'.repeat(200))
    await dialog.getByRole('alert').getByText('CONFIG_INVALID').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Remove' }).click()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('heading', { level: 1, name: 'Profiles' }).waitFor()
    expect(written().profiles).toEqual({})
  })

  it('changes settings: some count at once, some say that they wait', async () => {
    const { page } = here
    await open('Settings')
    await page.getByLabel('How much to log').selectOption('warn')
    await page.getByLabel('Audit trail').selectOption('values')
    await page.getByText('2 changed, not saved').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('waits for a restart').waitFor()
    await expectClean(page, 'settings-changed')
    expect(written()).toMatchObject({ logging: { level: 'warn' }, telemetry: { audit: 'values' } })
    await page.getByLabel('Calls that may wait for an answer').fill('-1')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText('parking.most').first().waitFor()
    expect(written().parking).toBeUndefined()
  })

  it('has a page that asks nobody else, breaks no policy and throws nothing', () => {
    // What was refused on purpose is reported by the browser as well.
    expect(here.problems.filter((problem) => !/\b400\b/.test(problem))).toEqual([])
  })
})
