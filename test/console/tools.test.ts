import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { browserPath, openBrowser } from './browser.js'
import { builtConsole } from './built-console.js'
import { expectClean, signIn, type Visit, visit } from './visit.js'
import { startWorkshop, type Workshop } from './workshop.js'

describe.skipIf(browserPath === undefined)('the list of tools (G3)', { timeout: 90_000 }, () => {
  let browser: Browser
  let workshop: Workshop
  let here: Visit

  beforeAll(async () => {
    browser = await openBrowser()
    workshop = await startWorkshop(builtConsole().cli, 1500)
    here = await visit(browser, workshop.origin)
    await signIn(here, workshop)
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    await workshop?.dispose()
  })
  const list = (page: Page) => page.getByRole('region', { name: /^(Tools|工具)$/ })
  const line = (page: Page, id: string) => list(page).getByRole('link', { name: id })
  const open = async (page: Page, id = ''): Promise<void> => {
    await page.goto(`${workshop.origin}/#/overview`)
    // Until it is gone: a list that was never left stays where it was scrolled to.
    await list(page).waitFor({ state: 'hidden' })
    await page.goto(`${workshop.origin}/#/tools${id === '' ? '' : `/${id}`}`)
    await list(page).waitFor()
  }

  it('is grouped by source, which fold; a deep link and Ctrl-K bring a tool into sight', async () => {
    const { page, problems } = here
    await open(page, 'workshop.order')
    await line(page, 'workshop.order').waitFor()
    const isSeen = (id: string) =>
      line(page, id).evaluate((each) => {
        const box = each.closest('.rows')!.getBoundingClientRect()
        const own = each.getBoundingClientRect()
        return own.top >= box.top && own.bottom <= box.bottom
      })
    expect(await isSeen('workshop.order')).toBe(true)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('tool_00777')
    await page.getByRole('option', { name: 'archive.tool_00777' }).waitFor()
    await page.keyboard.press('Enter')
    await line(page, 'archive.tool_00777').waitFor()
    expect(await isSeen('archive.tool_00777')).toBe(true)
    const archive = list(page).getByRole('button', { name: /^.?\s*archive/ })
    await page.goto(`${workshop.origin}/#/tools`)
    await list(page).evaluate((each) => each.scrollTo(0, 0))
    await archive.click()
    await line(page, 'office.weather').waitFor()
    expect(await archive.getAttribute('aria-expanded')).toBe('false')
    // One that is looked at is shown, folded or not.
    await page.goto(`${workshop.origin}/#/tools/archive.tool_00003`)
    await line(page, 'archive.tool_00003').waitFor()
    await page.goto(`${workshop.origin}/#/tools`)
    await page.getByRole('button', { name: 'Unfold all' }).click()
    await line(page, 'archive.tool_00000').waitFor()
    await expectClean(page, 'tools-groups')
    expect(problems).toEqual([])
  })

  it('tells what tools do and by whose word, and is filtered by it', async () => {
    const { page } = here
    await open(page)
    await page.getByLabel('What it does').selectOption('destructive')
    await page.getByText('1 of 1,510').waitFor()
    await line(page, 'workshop.order').getByTitle('destructive: only its source says so').waitFor()
    await page.getByLabel('What it does').selectOption('readonly')
    await line(page, 'workshop.show').waitFor()
    await line(page, 'workshop.show').click()
    await page.getByRole('button', { name: 'It is read-only' }).click()
    await line(page, 'workshop.show').getByTitle('read-only: an approver says so').waitFor()
    await workshop.ask('PUT', '/tools/workshop.ask_page/override', { annotations: { readOnlyHint: true } })
    await line(page, 'workshop.ask_page').getByTitle('read-only: the operator says so').waitFor()
    await expectClean(page, 'tools-does')
    await page.getByLabel('What it does').selectOption('')
    await page.getByLabel('Source', { exact: true }).selectOption('office')
    await page.getByText('3 of 1,510').waitFor()
    await page.getByLabel('Filter by id').fill('weath')
    await page.getByText('1 of 1,510').waitFor()
  })

  it('switches a tool off for everybody, or for one profile alone, and on again', async () => {
    const { page, problems } = here
    await open(page)
    await page.getByLabel('Source', { exact: true }).selectOption('office')
    const flip = async (name: string): Promise<void> => {
      const saved = page.waitForResponse((each) => /override/.test(each.url()) && each.request().method() !== 'GET')
      const [answered] = await Promise.all([saved, page.getByRole('switch', { name }).click()])
      expect(answered.status()).toBe(200)
    }
    await flip('office.weather is on')
    await line(page, 'office.weather').getByText('off', { exact: true }).waitFor()
    expect(workshop.written().overrides).toEqual({
      'office.weather': { enabled: false },
      'workshop.ask_page': { annotations: { readOnlyHint: true } },
    })
    await expectClean(page, 'tools-off')
    await flip('office.weather is on')
    await line(page, 'office.weather').getByText('off', { exact: true }).waitFor({ state: 'detached' })
    expect(workshop.written().overrides).toEqual({ 'workshop.ask_page': { annotations: { readOnlyHint: true } } })

    await page.getByLabel('Seen by').selectOption('phone')
    await flip('office.create_note is on for phone')
    await line(page, 'office.create_note').getByText('off', { exact: true }).waitFor()
    expect(workshop.written().profiles.phone.overrides).toEqual({ 'office.create_note': { enabled: false } })
    await page.getByLabel('Source', { exact: true }).selectOption('workshop')
    await line(page, 'workshop.ask_model').getByText('not in this profile').waitFor()
    expect(await page.getByRole('switch', { name: 'workshop.ask_model is on for phone' }).isDisabled()).toBe(true)
    await page.getByLabel('Seen by').selectOption('')
    await page.getByLabel('Source', { exact: true }).selectOption('office')
    await line(page, 'office.create_note').click()
    await page.getByText('Seen in 1 of 2 profiles').click()
    await page.getByRole('switch', { name: 'office.create_note is on for phone' }).click()
    await page.getByText('Seen in 2 of 2 profiles').waitFor()
    expect(problems).toEqual([])
  })

  it('has the name and the words of a tool changed where they are read', async () => {
    const { page, problems } = here
    await open(page, 'office.weather')
    await page.getByRole('button', { name: 'Edit name and description' }).click()
    await page.getByLabel('Name towards callers').fill('forecast')
    await page.getByLabel('Description', { exact: true }).fill('Weather of a city.')
    await expectClean(page, 'tool-quick')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await line(page, 'office.weather').getByText('overridden').waitFor()
    expect(workshop.written().overrides['office.weather']).toEqual({
      name: 'forecast',
      description: 'Weather of a city.',
    })
    await page.getByRole('button', { name: 'Edit name and description' }).click()
    expect(await page.getByLabel('Name towards callers').inputValue()).toBe('forecast')
    await page.getByLabel('Name towards callers').fill('create_note')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Name towards callers').fill('')
    await page.getByLabel('Description', { exact: true }).fill('')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await vi.waitUntil(() => workshop.written().overrides['office.weather'] === undefined)
    expect(problems.filter((each) => !/\b400\b/.test(each))).toEqual([])
  })

  it('draws only what can be seen, however many there are', async () => {
    const { page } = here
    await open(page)
    await line(page, 'archive.tool_00000').waitFor()
    const frames = (await page.evaluate(`new Promise((resolve) => {
      const box = document.querySelector('.rows'); const times = []; let last = performance.now()
      const step = (now) => {
        times.push(now - last); last = now; box.scrollTop += 700
        if (times.length < 60) requestAnimationFrame(step); else resolve(times)
      }
      requestAnimationFrame(step)
    })`)) as number[]
    const sorted = [...frames].sort((a, b) => a - b)
    // A guard against drawing all rows, not a measure: 16.7 ms in the median on a quiet machine.
    expect(sorted[30]).toBeLessThan(100)
    expect(await page.locator('.rows li').count()).toBeLessThan(60)
  })

  it('fits a phone, in the dark and in Chinese', async () => {
    const phone = await visit(browser, workshop.origin, { width: 390, theme: 'dark', locale: 'zh-CN' })
    await signIn(phone, workshop)
    await open(phone.page)
    await line(phone.page, 'archive.tool_00000').waitFor()
    const wider = () =>
      phone.page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    expect(await wider()).toBe(0)
    await expectClean(phone.page, 'tools-phone-zh')
    await open(phone.page, 'workshop.order').catch(() => {})
    await phone.page.getByRole('button', { name: '编辑名称与说明' }).click()
    await phone.page.getByLabel('对外名称').waitFor()
    expect(await wider()).toBe(0)
    await expectClean(phone.page, 'tool-quick-phone-zh')
    expect(phone.problems).toEqual([])
    await phone.context.close()
  })
})
