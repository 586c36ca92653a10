import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserPath, openBrowser } from './browser.js'
import { builtConsole } from './built-console.js'
import { officeTools } from './office-tools.js'
import { expectClean, type Office, signIn, startOffice, type Visit, visit } from './visit.js'

describe.skipIf(browserPath === undefined)('how a tool is shown, on its page', { timeout: 90_000 }, () => {
  let browser: Browser
  let office: Office
  let here: Visit
  const file = () => join(office.folder, 'pegboard.json')
  const written = () => JSON.parse(readFileSync(file(), 'utf8'))
  const ask = async (method: string, path: string, body?: unknown, key = office.adminKey): Promise<any> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const more = body === undefined ? {} : { body: JSON.stringify(body) }
    return (await fetch(`${office.origin}/api/admin/v1${path}`, { method, headers, ...more })).json()
  }

  beforeAll(async () => {
    browser = await openBrowser()
    office = await startOffice(builtConsole().cli, 3)
    here = await visit(browser, office.origin)
    await signIn(here, office)
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await office?.dispose()
  })
  const open = async (page: Page, id: string, tab = 'Shown as'): Promise<void> => {
    await page.goto(`${office.origin}/#/tools`)
    await page.goto(`${office.origin}/#/tools/${id}`)
    await page.getByRole('tab', { name: tab }).click()
  }
  const line = (page: Page, id: string) =>
    page.getByRole('region', { name: /^(Tools|工具)$/ }).getByRole('link', { name: id })
  /** By whatever saves: the gateway has answered, and the form has what it said. */
  const saving = async (page: Page, act: () => Promise<void>): Promise<void> => {
    const answered = page.waitForResponse((response) => response.request().method() === 'PUT')
    await act()
    expect((await answered).status()).toBe(200)
    await page.getByText('Saved: callers see it at once.').waitFor()
    await page.getByRole('button', { name: 'Discard' }).waitFor({ state: 'detached' })
  }
  const save = (page: Page): Promise<void> =>
    saving(page, () => page.getByRole('button', { name: 'Save', exact: true }).click())

  it('is renamed and described in fewer words, which costs fewer tokens, and the next list of a client has it', async () => {
    const { page, problems } = here
    await open(page, 'office.weather')
    const beside = page.getByRole('region', { name: 'Callers see' })
    await beside.getByText('Callers see it as its source says.').waitFor()
    const changed = office.client.changed()
    await page.getByLabel('Name towards callers').fill('forecast')
    await page.getByLabel('Description', { exact: true }).fill('Weather of a city.')
    // Before anything is saved.
    await beside.getByText('Callers see office.forecast.').waitFor()
    await beside.getByText('% fewer').waitFor()
    const [, before, after] =
      /Tokens: (\d+) → (\d+)/.exec((await beside.getByText('Tokens:').textContent()) ?? '') ?? []
    expect(Number(after)).toBeLessThan(Number(before))
    expect(written().overrides).toBeUndefined()
    expect(await office.client.list()).toContain('office__weather')
    await save(page)
    await changed
    const names = await office.client.list()
    expect(names).toContain('office__forecast')
    expect(names).not.toContain('office__weather')
    expect(written().overrides).toEqual({
      'office.weather': { name: 'forecast', description: 'Weather of a city.' },
    })
    await line(page, 'office.weather').getByText('overridden').waitFor()
    await expectClean(page, 'tool-shown')
    expect(problems).toEqual([])
  })

  it('has arguments that are set, hidden and narrowed, and says at the field what would not fit', async () => {
    const { page, problems } = here
    await open(page, 'office.weather')
    const argument = async (name: string) => {
      const group = page.getByRole('group', { name, exact: true })
      if (!(await group.isVisible())) await page.locator('summary', { hasText: name }).click()
      return group
    }
    const unit = await argument('unit')
    await unit.getByLabel('What becomes of it').selectOption('set')
    await unit.getByLabel('Value').fill('kelvin')
    await unit.getByText('Does not fit: is not what upstream takes').waitFor()
    expect(await unit.getByLabel('Value').getAttribute('aria-invalid')).toBe('true')
    await expectClean(page, 'tool-shown-wrong')
    // Saving it all the same is refused, and nothing that was typed is lost.
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('alert').waitFor()
    expect(await unit.getByLabel('Value').inputValue()).toBe('kelvin')
    expect(written().overrides['office.weather'].arguments).toBeUndefined()
    await unit.getByLabel('Value').fill('celsius')
    await unit.getByText('Does not fit').waitFor({ state: 'detached' })
    await (await argument('hourly')).getByLabel('What becomes of it').selectOption('hide')
    const days = await argument('days')
    const condition = days.getByLabel('Only if')
    await condition.fill('{"maximum": ')
    await days.getByText('This is no JSON object.').waitFor()
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true)
    await condition.fill('{"type": "string"}')
    await days.getByText('Does not fit: lets through more than upstream does').waitFor()
    await condition.fill('{"maximum": 7}')
    await days.getByText('Does not fit').waitFor({ state: 'detached' })
    await save(page)
    expect(written().overrides['office.weather'].arguments).toEqual({
      unit: { set: 'celsius' },
      hourly: { hide: true },
      days: { maximum: 7 },
    })
    const answer = await office.client.call('office__forecast', { city: 'Bern', days: 2 })
    expect(JSON.parse(answer.text)).toEqual({ name: 'weather', args: { city: 'Bern', days: 2, unit: 'celsius' } })
    const refused = await office.client.call('office__forecast', { city: 'Bern', unit: 'fahrenheit' })
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('not a known property') })
    // Tried by hand it is the tool that callers see.
    await page.getByRole('tab', { name: 'Try it' }).click()
    await page.getByLabel('city *').fill('Rome')
    expect(await page.getByLabel('unit').count()).toBe(0)
    await page.getByRole('button', { name: 'Call', exact: true }).click()
    await page.getByRole('region', { name: 'Result', exact: true }).getByText('"unit": "celsius"').waitFor()
    // The browser tells of the one refused save.
    expect(problems.splice(0).every((problem) => problem.includes('/override'))).toBe(true)
  })

  it('is switched off for everybody, is found in the console and switched on again, and reset after a question', async () => {
    const { page, problems } = here
    await open(page, 'office.weather')
    await page.getByLabel('On or off').selectOption('off')
    await page.getByText('Switched off: nobody sees or calls it.').waitFor()
    await save(page)
    expect((await office.client.list()).filter((name) => name.startsWith('office'))).not.toContain('office__forecast')
    await page.goto(`${office.origin}/#/tools`)
    await line(page, 'office.weather').getByText('off', { exact: true }).waitFor()
    await expectClean(page, 'tools-off')
    await line(page, 'office.weather').click()
    await page.getByText('No caller of the default profile sees it.').waitFor()
    await page.getByRole('tab', { name: 'Shown as' }).click()
    await page.getByLabel('On or off').selectOption('')
    await save(page)
    expect(await office.client.list()).toContain('office__forecast')
    await page.getByRole('button', { name: 'Reset', exact: true }).click()
    const question = page.getByRole('dialog')
    await question.getByText('Show office.weather as its source says again?').waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect(written().overrides['office.weather']).toBeDefined()
    await page.getByRole('button', { name: 'Reset', exact: true }).click()
    await question.getByRole('button', { name: 'Reset', exact: true }).click()
    await page.getByText('It is shown as its source says.').waitFor()
    expect(written().overrides['office.weather']).toBeUndefined()
    expect(await office.client.list()).toContain('office__weather')
    await line(page, 'office.weather').getByText('overridden').waitFor({ state: 'detached' })
    expect(problems).toEqual([])
  })

  it('is said for one profile, by the keyboard alone, and others see it as it was', async () => {
    const { page, problems } = here
    await open(page, 'office.create_note')
    await page.getByLabel('For whom').focus()
    await page.keyboard.type('profile ph')
    expect(await page.getByLabel('For whom').inputValue()).toBe('phone')
    await page.getByLabel('Title', { exact: true }).focus()
    await page.keyboard.type('Note it')
    await saving(page, () => page.keyboard.press('Enter'))
    expect(written().profiles.phone.overrides).toEqual({ 'office.create_note': { title: 'Note it' } })
    await page.getByLabel('For whom').selectOption('')
    await page.getByText('These profiles say more of it: phone.').waitFor()
    await page.getByText('Callers see it as its source says.').waitFor()
    await ask('DELETE', '/tools/office.create_note/override?profile=phone')
    expect(problems).toEqual([])
  })

  it('is read on a phone, in the dark and in Chinese, by whoever may only look as well', async () => {
    await ask('PUT', '/tools/office.create_note/override', {
      title: 'Note',
      arguments: { title: { set: 'hush-hush', secret: true } },
      result: { pick: ['/name'] },
    })
    const { key } = await ask('POST', '/keys', { name: 'looker', role: 'viewer' })
    const phone = await visit(browser, office.origin, { width: 390, theme: 'dark', locale: 'zh-CN' })
    await signIn(phone, office)
    const { page } = phone
    await page.goto(`${office.origin}/#/tools/office.create_note`)
    await page.getByRole('tab', { name: '展示为' }).click()
    await page.getByRole('group', { name: 'title', exact: true }).getByLabel('值').waitFor()
    expect(await page.getByRole('group', { name: 'title', exact: true }).getByLabel('值').inputValue()).toBe('***')
    await page.getByText('所需 token：').waitFor()
    const wider = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    expect(wider).toBe(0)
    await expectClean(page, 'tool-shown-phone-zh')
    await page.getByLabel('缓存').or(page.getByLabel('答案保留（毫秒）')).fill('5')
    await page.getByText('不符：is for tools that change nothing').waitFor()
    expect(phone.problems).toEqual([])
    await phone.context.close()

    const viewer = await visit(browser, office.origin)
    await signIn(viewer, { origin: office.origin, adminKey: key })
    await open(viewer.page, 'office.create_note')
    await viewer.page.getByText('Only administrators change how tools are shown.').waitFor()
    expect(await viewer.page.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0)
    expect(await viewer.page.getByLabel('Name towards callers').count()).toBe(0)
    expect(await viewer.page.content()).not.toContain('hush-hush')
    await expectClean(viewer.page, 'tool-shown-viewer')
    expect(viewer.problems).toEqual([])
    await viewer.context.close()
    await ask('DELETE', '/tools/office.create_note/override')
  })

  it('tells of an override for a tool that is not there, and of one whose parameter is gone upstream', async () => {
    const { page, problems } = here
    const config = written()
    const office_ = { ...config.sources.office, overrides: { trap: { title: 'A trap' } } }
    writeFileSync(
      file(),
      JSON.stringify({
        ...config,
        sources: { ...config.sources, office: office_ },
        overrides: { 'office.ghost': { title: 'Boo' }, 'office.create_note': { arguments: { place: { hide: true } } } },
      }),
    )
    await expect.poll(async () => (await ask('GET', '/tools')).absent).toEqual(['office.ghost'])
    const fewer = officeTools.map((tool) =>
      tool.name === 'create_note'
        ? { ...tool, inputSchema: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] } }
        : tool,
    )
    writeFileSync(office.toolsFile, JSON.stringify(fewer))
    await ask('POST', '/sources/office/restart')
    const row = async () =>
      (await ask('GET', '/tools')).tools.find(({ id }: { id: string }) => id === 'office.create_note')
    await expect.poll(async () => Boolean((await row())?.shown ?? (await row())?.held), { timeout: 20_000 }).toBe(true)
    // What takes less than before is held back until somebody looks; then the override is what does not fit.
    if ((await row()).held) await ask('POST', '/approvals', { ids: ['office.create_note'] })
    await expect.poll(async () => (await row()).shown, { timeout: 20_000 }).toBe('misfit')
    await open(page, 'office.create_note')
    await page.getByText("Its override does not fit it: arguments.place upstream has no parameter 'place'").waitFor()
    await page.getByText('Held back: the override does not fit the tool.').waitFor()
    await page
      .getByRole('group', { name: 'place', exact: true })
      .getByText("upstream has no parameter 'place'")
      .waitFor()
    await line(page, 'office.create_note').getByText('does not fit').waitFor()
    await expectClean(page, 'tool-shown-misfit')
    const refused = await office.client.call('office__create_note', { title: 'x' })
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('held back') })
    // What the entry of the source says is shown, and said where it is changed.
    await open(page, 'office.trap')
    await page.getByText('The entry of its source in the configuration file says this of it.').first().waitFor()
    await page.getByText('There is an override for office.ghost, which no source has.').waitFor()
    await page.getByRole('button', { name: 'Reset office.ghost' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Reset', exact: true }).click()
    await page.getByText('There is an override for office.ghost').waitFor({ state: 'detached' })
    expect(Object.keys(written().overrides)).toEqual(['office.create_note'])
    expect(problems).toEqual([])
  })
})
