import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { browserPath, openBrowser } from './browser.js'
import { builtConsole } from './built-console.js'
import { expectClean, signIn, type Visit, visit } from './visit.js'
import { startWorkshop, type Workshop } from './workshop.js'

describe.skipIf(browserPath === undefined)('a call by hand (G4)', { timeout: 90_000 }, () => {
  let browser: Browser
  let workshop: Workshop
  let here: Visit

  beforeAll(async () => {
    browser = await openBrowser()
    workshop = await startWorkshop(builtConsole().cli)
    here = await visit(browser, workshop.origin)
    await here.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await signIn(here, workshop)
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    await workshop?.dispose()
  })
  const open = async (page: Page, name: string): Promise<void> => {
    await page.goto(`${workshop.origin}/#/tools/workshop.${name}`)
    await page.getByRole('heading', { name: `workshop.${name}`, exact: true }).waitFor()
  }
  const call = (page: Page): Promise<void> => page.getByRole('button', { name: 'Call', exact: true }).click()
  const result = (page: Page) => page.getByRole('region', { name: 'Result', exact: true })
  const resultText = async (page: Page) => {
    await result(page).getByText('answered', { exact: true }).waitFor()
    return JSON.parse((await result(page).getByRole('region', { name: 'Result 1' }).textContent()) ?? '')
  }

  it('sends nested arguments from a form: objects, lists, alternatives, maps and what refers to itself', async () => {
    const { page, problems } = here
    await open(page, 'order')
    const customer = page.getByRole('group', { name: 'customer', exact: false }).first()
    await customer.getByLabel('name').fill('Ann')
    await customer.getByLabel('birthday is null').check()
    const lines = page.locator('fieldset[data-path="/lines"]')
    await lines.getByLabel('sku').fill('nail')
    await page.getByRole('button', { name: 'Add to lines' }).click()
    await lines.getByLabel('sku').nth(1).fill('hammer')
    await lines.getByLabel('count').nth(1).fill('7')
    await lines.getByRole('button', { name: 'Move item 2 up' }).click()
    await page.getByLabel('Which kind').selectOption({ label: 'ship' })
    const delivery = page.locator('fieldset[data-path="/delivery"]')
    await delivery.getByLabel('city').first().fill('Bern')
    await delivery.getByRole('button', { name: 'Add within' }).click()
    await delivery.getByLabel('city').nth(1).fill('Switzerland')
    await page.getByRole('button', { name: 'Add labels' }).click()
    await page.getByRole('group', { name: 'labels' }).getByRole('button', { name: 'Add an item' }).click()
    await page.getByRole('group', { name: 'labels' }).getByLabel('Name').fill('team')
    await page.getByRole('textbox', { name: /^team/ }).fill('red')
    await page.getByLabel('extra (JSON)').fill('[1, {"a": null}]')
    await expectClean(page, 'try-nested')
    await call(page)
    expect(await resultText(page)).toEqual({
      customer: { name: 'Ann', birthday: null },
      lines: [
        { sku: 'hammer', count: 7 },
        { sku: 'nail', count: 1 },
      ],
      delivery: { kind: 'ship', to: { city: 'Bern', within: { city: 'Switzerland' } } },
      priority: 'low',
      labels: { team: 'red' },
      extra: [1, { a: null }],
    })
    await expectClean(page, 'try-nested-answer')
    expect(problems).toEqual([])
  })

  it('says what does not fit at its field before anything is sent, and goes to the first', async () => {
    const { page, problems } = here
    const before = (await workshop.ask('GET', '/calls')).calls.length
    await open(page, 'order')
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.locator('fieldset[data-path="/lines"]').getByLabel('count').fill('500')
    // While it is typed: what is there and wrong, not what is still missing.
    await page.locator('[data-path="/lines/0/count"]').getByText('must').waitFor()
    expect(await page.locator('[data-path="/customer/name"] .wrong').count()).toBe(0)
    await call(page)
    await page.locator('[data-path="/customer/name"]').getByText('is required').waitFor()
    await vi.waitUntil(
      async () => await page.evaluate('!!document.activeElement?.closest(`[data-path="/customer/name"]`)'),
    )
    expect(await page.locator('[data-path="/customer/name"] input').getAttribute('aria-invalid')).toBe('true')
    await expectClean(page, 'try-unfit')
    expect((await workshop.ask('GET', '/calls')).calls).toHaveLength(before)
    // Who wants to see what the other side says of it sends it all the same.
    await page.getByRole('button', { name: 'Send it all the same' }).click()
    await result(page).getByText('ARGUMENTS_INVALID').waitFor()
    expect(problems).toEqual([])
  })

  it('is the same as a form and as JSON, begins with an example, and again as last time', async () => {
    const { page } = here
    await open(page, 'order')
    await page.getByRole('button', { name: 'Example' }).click()
    await page.getByRole('button', { name: 'JSON', exact: true }).click()
    const text = page.getByLabel('JSON', { exact: true })
    const example = JSON.parse(await text.inputValue())
    expect(example).toMatchObject({ lines: [{ sku: 'hammer-3', count: 1 }], delivery: { kind: 'pickup' } })
    expect((await workshop.ask('POST', '/tools/workshop.order/check', { args: example })).problems).toEqual([])
    const odd = { ...example, customer: 7, gift: 'perhaps', lines: [[]] }
    await text.fill(JSON.stringify(odd))
    await page.getByText('things do not fit yet').waitFor()
    await expectClean(page, 'try-json')
    await page.getByRole('button', { name: 'Form', exact: true }).click()
    expect(await page.getByLabel('customer (JSON)').inputValue()).toBe('7')
    await page.getByRole('button', { name: 'JSON', exact: true }).click()
    expect(JSON.parse(await text.inputValue())).toEqual(odd)
    await text.fill(JSON.stringify({ ...example, message: 'again', extra: { password: 'hush', note: 'rtk_00112233' } }))
    await call(page)
    await result(page).getByText('answered', { exact: true }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'As last time' }).click()
    await page.getByRole('button', { name: 'JSON', exact: true }).click()
    expect(JSON.parse(await text.inputValue())).toEqual({ ...example, message: 'again', extra: {} })
  })

  it('shows pictures and plays sounds from the answer itself; all else is text', async () => {
    const { page, problems } = here
    await open(page, 'show')
    await call(page)
    const picture = result(page).getByRole('img', { name: 'Picture 2' })
    await picture.waitFor()
    await vi.waitUntil(async () => (await picture.evaluate((each: any) => each.naturalWidth)) === 64)
    const sound = result(page).locator('audio')
    await vi.waitUntil(async () => (await sound.evaluate((each: any) => each.readyState)) > 0)
    expect(await result(page).locator('img').count()).toBe(1)
    await result(page).getByText('Content of this kind is not shown.').waitFor()
    await result(page).getByText('<b>not bold</b>').waitFor()
    await result(page).getByText('https://example.com/manual').waitFor()
    expect(await result(page).locator('a[href^="http"]').count()).toBe(0)
    await expectClean(page, 'try-shown')
    await page.getByRole('tab', { name: 'Structured' }).click()
    await result(page).getByText('"hammers": 3').waitFor()
    await page.getByRole('tab', { name: 'Raw' }).click()
    await result(page).getByText('"mimeType": "image/png"').waitFor()
    expect(await page.evaluate('window.hacked')).toBeUndefined()
    expect(problems).toEqual([])
  })

  it('is asked back where it was made, by a form', async () => {
    const { page, problems } = here
    await open(page, 'ask')
    await call(page)
    const question = page.getByRole('region', { name: 'The tool asks you' })
    await question.getByText('Who are you?').waitFor()
    await question.getByRole('button', { name: 'Send' }).click()
    await question.getByText('is required').waitFor()
    await question.getByLabel('name').fill('Ann')
    await question.getByLabel('colour').selectOption({ label: 'Green' })
    await expectClean(page, 'try-question')
    await question.getByRole('button', { name: 'Send' }).click()
    expect(await resultText(page)).toEqual({ action: 'accept', content: { name: 'Ann', colour: 'g', news: false } })
    expect((await workshop.ask('GET', '/parked')).calls).toEqual([])
    await call(page)
    await question.getByRole('button', { name: 'Decline' }).click()
    expect(await resultText(page)).toEqual({ action: 'decline' })
    expect(problems).toEqual([])
  })

  it('is asked to open a page, and told that there is no model to ask', async () => {
    const { page, problems } = here
    await open(page, 'ask_page')
    await call(page)
    const question = page.getByRole('region', { name: 'The tool asks you' })
    await question.getByText('https://example.com/pay?for=hammer').waitFor()
    await expectClean(page, 'try-question-page')
    await question.getByRole('button', { name: 'I have done it' }).click()
    expect(await resultText(page)).toEqual({ action: 'accept' })
    await open(page, 'ask_model')
    await call(page)
    await result(page).getByText('did not declare').waitFor()
    expect(problems).toEqual([])
  })

  it('tells how far it is, and is cancelled', async () => {
    const { page } = here
    await open(page, 'count')
    await call(page)
    await page.getByText('2 of 5 two of five').waitFor()
    await expectClean(page, 'try-progress')
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await page.getByText('You cancelled it').waitFor()
    await vi.waitUntil(async () => {
      const { result: told } = await workshop.ask('POST', '/tools/workshop.counted/call', { args: {} })
      return told.content[0].text === 'cancelled'
    })
  })

  it('is copied for a shell and for a program, which do the same', async () => {
    const { page } = here
    await page.goto(`${workshop.origin}/#/tools/office.weather`)
    await page.getByLabel('city').fill("L'Aquila")
    const copied = async (name: string): Promise<string> => {
      await page.getByRole('button', { name }).click()
      return page.evaluate('navigator.clipboard.readText()')
    }
    expect(await copied('Copy as curl')).toContain(`/api/v1/tools/office.weather/call' \\\n`)
    expect(await copied('Copy as curl')).toContain(`'{"days":1,"city":"L'\\''Aquila"}'`)
    expect(await copied('Copy as a CLI command')).toBe(
      `pegboard call office.weather --args-json '{"days":1,"city":"L'\\''Aquila"}'`,
    )
    expect(await copied('Copy as TypeScript')).toContain('client.callTool({ name: "office__weather"')
  })

  it('fits a phone, in the dark and in Chinese', async () => {
    const options = { width: 390, theme: 'dark', locale: 'zh-CN' } as const
    const phone = await visit(browser, workshop.origin, options)
    await signIn(phone, workshop)
    const { page } = phone
    await open(page, 'order')
    await page.getByRole('button', { name: '示例' }).click()
    await page.getByRole('button', { name: '添加到 lines' }).click()
    await page.getByRole('button', { name: '调用', exact: true }).click()
    await page.getByText('必填').first().waitFor()
    const wider = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    expect(wider).toBe(0)
    await expectClean(page, 'try-phone-zh')
    await open(page, 'ask')
    await page.getByRole('button', { name: '调用', exact: true }).click()
    await page.getByRole('region', { name: '工具向你提问' }).getByText('Who are you?').waitFor()
    await expectClean(page, 'try-question-phone-zh')
    expect(phone.problems).toEqual([])
    await phone.context.close()
  })
})
