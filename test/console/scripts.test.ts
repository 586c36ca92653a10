import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { browserPath, openBrowser } from './browser.js'
import { builtConsole } from './built-console.js'
import { type OfficeProcess, startProcess } from './office-process.js'
import { officeTools } from './office-tools.js'
import { expectClean, signIn, type Visit, visit } from './visit.js'

const server = fileURLToPath(new URL('./servers/office.mjs', import.meta.url))

describe.skipIf(browserPath === undefined)('the page of scripts', { timeout: 90_000 }, () => {
  let browser: Browser
  let office: OfficeProcess
  let adminKey: string
  let here: Visit
  let file: string
  const ask = async (path: string, body?: object): Promise<any> => {
    const response = await fetch(`${office.origin}${path}`, {
      headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    })
    return response.json()
  }
  const config = {
    sources: {} as object,
    rules: [{ id: 'notes', tools: ['office.create_note'], effect: 'ask', reason: 'Customers read them' }],
  }
  const on = {
    scripts: { enabled: true, cpuMs: 10_000 },
    profiles: { default: { scripts: true }, kitchen: { scripts: { maxCalls: 2, tools: ['office.weather'] } } },
  }

  beforeAll(async () => {
    browser = await openBrowser()
    const folder = mkdtempSync(join(tmpdir(), 'pegboard-scripts-page-'))
    writeFileSync(join(folder, 'office.json'), JSON.stringify(officeTools))
    config.sources = {
      office: { type: 'stdio', command: process.execPath, args: [server, join(folder, 'office.json')] },
    }
    file = join(folder, 'pegboard.json')
    writeFileSync(file, JSON.stringify(config))
    office = await startProcess(builtConsole().cli, folder)
    adminKey = readFileSync(join(folder, 'data', 'admin.key'), 'utf8').trim()
    await vi.waitUntil(async () => (await ask('/api/admin/v1/sources/office')).source?.state === 'ready', {
      timeout: 60_000,
    })
    here = await visit(browser, office.origin)
    await signIn(here, { origin: office.origin, adminKey })
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    await office?.dispose()
  })

  const outcome = (page: Page) => page.getByRole('region', { name: 'What became of it' })
  const write = async (page: Page, script: string, input = ''): Promise<void> => {
    await page.getByLabel('Script', { exact: true }).and(page.locator('textarea')).fill(script)
    await page.getByLabel('Input as JSON').fill(input)
  }

  it('says how scripts are switched on while they are off, and is there when they are', async () => {
    const { page, problems } = here
    await page.goto(`${office.origin}/#/scripts`)
    await page.getByText('Scripts are switched off.').waitFor()
    await page.getByText('"enabled": true').waitFor()
    await expectClean(page, 'scripts-off')
    writeFileSync(file, JSON.stringify({ ...config, ...on }))
    await page.getByRole('button', { name: 'Run', exact: true }).waitFor({ timeout: 20_000 })
    expect(problems).toEqual([])
  })

  it('runs what was written, by a key of the keyboard, and shows result, logs and calls', async () => {
    const { page, problems } = here
    const script = [
      'const cities = input.map((city) => tools.office.weather({ city }))',
      'console.log("asked", cities.length)',
      'return (await Promise.all(cities)).map(({ args }) => args.city)',
    ].join('\n')
    await write(page, script, '["Bern", "Rome"]')
    await expectClean(page, 'scripts-written')
    await page.getByLabel('Input as JSON').press('Control+Enter')
    const told = outcome(page)
    await told.getByText('finished').waitFor()
    await told.getByText('2 calls, 0 failed').waitFor()
    await told.getByLabel('Result', { exact: true }).getByText('"Bern"').waitFor()
    await told.getByRole('tab', { name: 'Logs (1)' }).click()
    await told.getByText('asked 2').waitFor()
    await told.getByRole('tab', { name: 'Calls (2)' }).click()
    await told.getByText('#2').waitFor()
    await expectClean(page, 'scripts-calls')
    await told.getByRole('link', { name: 'Record of call 2' }).click()
    const record = page.getByRole('dialog')
    await record.getByText('office.weather').waitFor()
    await record.getByText('In the script').waitFor()
    await expectClean(page, 'scripts-record')
    expect(problems).toEqual([])
  })

  it('is found in the history with its calls under it, by keyboard alone', async () => {
    const { page, problems } = here
    await page.goto(`${office.origin}/#/calls`)
    const list = page.getByRole('region', { name: 'Calls', exact: true })
    const fold = list.getByRole('button', { name: 'Show the 2 calls of this script' })
    await fold.waitFor()
    expect(await list.getByText('office.weather').count()).toBe(0)
    await fold.focus()
    await page.keyboard.press('Enter')
    const open = list.getByRole('button', { name: 'Hide the calls of this script' })
    expect(await open.getAttribute('aria-expanded')).toBe('true')
    expect(await list.getByText('office.weather').count()).toBe(2)
    await expectClean(page, 'calls-of-script')
    await page.keyboard.press('Enter')
    expect(await list.getByText('office.weather').count()).toBe(0)
    // What a search finds within a script is shown under it.
    await page.getByLabel('Tool, source, caller or code').fill('office.weather')
    expect(await list.getByText('office.weather').count()).toBe(2)
    await list.getByText('run_script').click()
    await page.getByRole('dialog').getByText('SHA-256 of the text').waitFor()
    await page.getByRole('dialog').getByRole('link', { name: /^r_/ }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await list.getByText('office.weather').count()).toBe(2)
    expect(problems).toEqual([])
  })

  it('keeps what was written while other pages are looked at, and nothing of it after signing out', async () => {
    const { page } = here
    await page.goto(`${office.origin}/#/scripts`)
    const kept = (): Promise<string> => page.evaluate('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])')
    expect(await page.locator('textarea.script-text').inputValue()).toContain('tools.office.weather')
    await page.reload()
    expect(await page.locator('textarea.script-text').inputValue()).toContain('tools.office.weather')
    await write(page, 'return "rtk_0123456789abcdef"')
    expect(await kept()).not.toContain('rtk_')
    await write(page, 'return "canary"')
    expect(await kept()).toContain('canary')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    expect(await kept()).not.toContain('canary')
    await signIn(here, { origin: office.origin, adminKey })
  })

  it('shows an error with its line, what was done before it, and what was logged', async () => {
    const { page, problems } = here
    await page.goto(`${office.origin}/#/scripts`)
    await write(page, 'console.log("begun")\nawait tools.office.weather({ city: "Bern" })\nnull.name')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    const told = outcome(page)
    await told.getByText('SCRIPT_FAILED', { exact: true }).waitFor()
    await told.getByText('office.weather ×1 ok. What they did stays done').waitFor()
    await expectClean(page, 'scripts-failed')
    await told.getByRole('button', { name: 'Go to line 3' }).click()
    const chosen = await page.evaluate(
      'document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)',
    )
    expect(chosen).toBe('null.name')
    await told.getByRole('tab', { name: 'Logs (1)' }).click()
    await told.getByText('begun').waitFor()
    expect(problems).toEqual([])
  })

  it('shows calls as they end, and ends a script that does not end by itself', async () => {
    const { page, problems } = here
    await write(page, 'await tools.office.weather({ city: "Bern" })\nfor (;;) {}')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    const told = outcome(page)
    await told.getByText('1 call has ended').waitFor()
    await told.getByText('#1').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await told.getByText('cancelled', { exact: true }).waitFor()
    await told.getByText('What its calls did stays done.').waitFor()
    await told.getByText('#1').waitFor()
    await expectClean(page, 'scripts-cancelled')
    await expect
      .poll(async () => (await ask('/api/admin/v1/calls')).calls.at(-1))
      .toMatchObject({ tool: 'run_script', code: 'CALL_CANCELLED', run: expect.any(String) })
    expect(problems).toEqual([])
  })

  it('pauses for another person, and goes on when they have said yes', async () => {
    const { page, problems } = here
    await write(page, 'await tools.office.weather({ city: "Bern" })\nreturn tools.office.create_note({ title: "x" })')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    const told = outcome(page)
    await told.getByText('paused', { exact: true }).waitFor()
    await told.getByText('It waits until a person says yes').waitFor()
    await expectClean(page, 'scripts-paused')

    const { key } = await ask('/api/admin/v1/keys', { name: 'second', role: 'operator' })
    const second = await visit(browser, office.origin)
    await signIn(second, { origin: office.origin, adminKey: key })
    await second.page.goto(`${office.origin}/#/approvals`)
    await second.page.getByRole('button', { name: 'Once: office.create_note' }).click()
    await second.page.getByRole('region', { name: 'Calls', exact: true }).waitFor({ state: 'detached' })
    await second.context.close()

    await told.getByRole('link', { name: 'Approvals' }).click()
    await page.getByRole('heading', { name: 'Approvals', exact: true }).waitFor()
    await page.goBack()
    await outcome(page).getByRole('button', { name: 'Resume' }).click()
    await outcome(page).getByText('finished').waitFor()
    await outcome(page).getByLabel('Result', { exact: true }).getByText('"create_note"').waitFor()
    const { calls } = await ask('/api/admin/v1/calls')
    const { run } = calls.at(-1)
    const steps = (await ask(`/api/admin/v1/calls?run=${run}`)).calls.map(({ tool, step, ok }: any) => [tool, step, ok])
    expect(steps).toEqual([
      ['office.weather', 1, true],
      ['office.create_note', 2, false],
      ['run_script', undefined, true],
      ['office.create_note', 2, true],
      ['run_script', undefined, true],
    ])
    expect(problems).toEqual([])
  })

  it('finds tools as scripts call them, and writes a call where the caret is; Tab indents and can be left', async () => {
    const { page, context, problems } = here
    await write(page, '')
    await page.getByLabel('What should the tool do?').fill('weather forecast')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByText('tools.office.weather(args: { city: string /*Name of the city*/').waitFor()
    await expectClean(page, 'scripts-tools')
    const text = page.locator('textarea.script-text')
    await text.focus()
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Insert a call of office.weather' }).click()
    expect(await text.inputValue()).toBe("  await tools.office.weather({ city: '' })")
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.labels[0].textContent')).toBe('Input as JSON')

    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByLabel('Input as JSON').fill('"it\'s"')
    const copied = async (name: string): Promise<string> => {
      await page.getByRole('button', { name }).click()
      await page.getByText('Copied').first().waitFor()
      return page.evaluate('navigator.clipboard.readText()')
    }
    expect(await copied('As a command')).toBe(
      `pegboard script run - --input '"it'\\''s"' <<'END'\n  await tools.office.weather({ city: '' })\nEND`,
    )
    expect(await copied('As curl')).toContain(`curl '${office.origin}/api/v1/scripts?profile=default'`)
    expect(problems).toEqual([])
  })

  it('runs through the profile that is chosen, with its bounds', async () => {
    const { page, problems } = here
    await write(page, 'return tools.office.create_note({ title: "x" })')
    await page.getByLabel('Profile').selectOption('kitchen')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await outcome(page).getByText("'office.create_note' may not be called from scripts in this profile").waitFor()
    await page.getByLabel('Profile').selectOption('default')
    expect(problems).toEqual([])
  })

  it.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('is whole in Chinese: %s, %i wide', async (theme, width) => {
    const there = await visit(browser, office.origin, { locale: 'zh-CN', theme, width })
    const { page, problems } = there
    await signIn(there, { origin: office.origin, adminKey })
    await page.goto(`${office.origin}/#/scripts`)
    await page.getByRole('heading', { name: '脚本', exact: true }).waitFor()
    await page
      .locator('textarea.script-text')
      .fill('await tools.office.weather({ city: "Bern" })\nthrow new Error("no")')
    await page.getByRole('button', { name: '运行', exact: true }).click()
    const told = page.getByRole('region', { name: '运行结果' })
    await told.getByRole('button', { name: '跳到第 2 行' }).waitFor()
    await told.getByText('#1').waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0)
    await expectClean(page, `scripts-zh-${theme}`)
    await page.goto(`${office.origin}/#/calls`)
    await page.getByRole('button', { name: '显示此脚本的 1 次调用' }).first().click()
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0)
    await expectClean(page, `calls-zh-${theme}`)
    expect(problems).toEqual([])
    await there.context.close()
  })
})
