import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserPath, openBrowser } from './browser.js'
import { builtConsole } from './built-console.js'
import { expectClean, type Office, signIn, startOffice, type Visit, visit } from './visit.js'

const rules = [
  {
    id: 'only-bern',
    tools: ['office.weather'],
    unless: { properties: { city: { const: 'Bern' } }, required: ['city'] },
    effect: 'deny',
    reason: 'We look after Bern',
  },
  { id: 'typo', tools: ['offfice.*'], when: { properties: { a: { const: 1 } } }, effect: 'ask' },
]

describe.skipIf(browserPath === undefined)('the page of rules', { timeout: 60_000 }, () => {
  let browser: Browser
  let office: Office
  let here: Visit

  beforeAll(async () => {
    browser = await openBrowser()
    office = await startOffice(builtConsole().cli, 3)
    const file = join(office.folder, 'pegboard.json')
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), rules }))
    here = await visit(browser, office.origin)
    await signIn(here, office)
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await office?.dispose()
  })

  it('shows the rules in force, and which of them can never match', async () => {
    const { page, problems } = here
    await expect
      .poll(
        async () => {
          await page.goto(`${office.origin}/#/overview`)
          await page.goto(`${office.origin}/#/rules`)
          return page.getByText('We look after Bern').first().isVisible()
        },
        { timeout: 20_000 },
      )
      .toBe(true)
    await page.getByText("no tool has a name like 'offfice.*'").waitFor()
    await expectClean(page, 'rules')
    expect(problems).toEqual([])
  })

  it('explains what would become of a call, and a call meets exactly that', async () => {
    const { page, problems } = here
    await page.goto(`${office.origin}/#/rules`)
    const ask = async (city: string): Promise<void> => {
      await page.getByLabel('Tool *').fill('office.weather')
      await page.getByLabel('Arguments as JSON').fill(JSON.stringify({ city }))
      await page.getByRole('button', { name: 'Explain' }).click()
    }
    const answer = page.getByRole('region', { name: 'Result' })
    await ask('Rome')
    await answer.getByText('denied', { exact: true }).waitFor()
    await answer.getByText('only-bern', { exact: true }).first().waitFor()
    await expectClean(page, 'rules-explained')
    await ask('Bern')
    await answer.getByText('no rule stands against it').waitFor()
    await answer.getByText('its “unless” matches: an exception').waitFor()
    expect((await office.client.call('office.weather', { city: 'Bern' })).isError).toBe(false)
    const refused = await office.client.call('office.weather', { city: 'Rome' })
    expect(refused.text).toContain("the rule 'only-bern' forbids it: We look after Bern.")
    expect(problems).toEqual([])
  })
})
