import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { browserPath, openBrowser } from './browser.js'
import { builtConsole } from './built-console.js'
import { expectClean, type Office, signIn, startOffice, type Visit, visit } from './visit.js'

const server = (name: string): string => fileURLToPath(new URL(`./servers/${name}.mjs`, import.meta.url))
const widthOver = (page: Page): Promise<unknown> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
/** Runs in the page, of which the compiler here knows nothing. */
const styleOf = (element: unknown, name: string): string =>
  (globalThis as any).getComputedStyle(element).getPropertyValue(name)
// Written apart, so that nobody takes this file for one that holds keys.
const token = ['ghp', '0123456789abcdefABCDEF0123456789abcd'].join('_')

describe.skipIf(browserPath === undefined)('sources at the console', { timeout: 90_000 }, () => {
  let browser: Browser
  let office: Office
  let here: Visit
  const ask = async (method: string, path: string, body?: object): Promise<any> => {
    const headers = { authorization: `Bearer ${office.adminKey}`, 'content-type': 'application/json' }
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
    return (await fetch(`${office.origin}/api/admin/v1${path}`, init)).json()
  }
  const stateOf = async (name: string): Promise<string> => (await ask('GET', `/sources/${name}`)).source?.state
  const written = () => JSON.parse(readFileSync(join(office.folder, 'pegboard.json'), 'utf8')).sources
  const turnTo = async (path: string): Promise<void> => void (await here.page.goto(`${office.origin}/#/${path}`))

  beforeAll(async () => {
    const { cli } = builtConsole()
    browser = await openBrowser()
    office = await startOffice(cli, 5)
    const node = process.execPath
    await ask('PUT', '/sources/sqlite', { type: 'stdio', command: node, args: [server('broken')] })
    await ask('PUT', '/sources/library', { type: 'stdio', command: node, args: [server('library')] })
    await ask('PUT', '/sources/attic', { type: 'stdio', command: node, args: [server('library')], enabled: false })
    await vi.waitUntil(async () => (await stateOf('library')) === 'ready', { timeout: 60_000 })
    await vi.waitUntil(async () => (await ask('GET', '/resources')).templates?.length > 0, { timeout: 60_000 })
    await vi.waitUntil(async () => ['backing-off', 'crash-loop'].includes(await stateOf('sqlite')), { timeout: 60_000 })
    here = await visit(browser, office.origin)
    await signIn(here, office)
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    await office?.dispose()
  })

  it('show what is broken first, by the line that says why, the rest folded (G1, G2)', async () => {
    const { page } = here
    await page.locator('.source-line').first().getByText('sqlite', { exact: true }).waitFor()
    await turnTo('sources')
    const card = page.locator('.source-card').first()
    await card.getByRole('link', { name: /^sqlite/ }).waitFor()
    await card
      .getByText("AttributeError: 'Server' object has no attribute 'request_context'", { exact: true })
      .waitFor()
    await card.getByText(/next try in/).waitFor()
    expect(await card.getByText('Traceback').isVisible()).toBe(false)
    expect((await card.boundingBox())!.height).toBeLessThan(220)
    await expectClean(page, 'sources-broken')
    await card.getByText(/^All of it, \d+ lines$/).click()
    await card.getByText('Traceback').waitFor()
    const font = await card.locator('pre').evaluate(styleOf, 'font-family')
    expect(font).toContain('mono')
    // A neighbour is as high as it needs to be.
    const neighbour = page.locator('.source-card').nth(1)
    expect((await neighbour.boundingBox())!.height).toBeLessThan(140)
  })

  it('are filtered by words, state and kind with counts, sorted, and shown as a table (G2)', async () => {
    const { page } = here
    await turnTo('sources')
    await page.getByRole('button', { name: /^Not well 1$/ }).click()
    await page.getByRole('link', { name: /^office/ }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Not well 1$/ }).click()
    await page.keyboard.press('/')
    await page.keyboard.type('catalog')
    await page.getByRole('link', { name: /^archive/ }).waitFor()
    await page.getByRole('button', { name: /^All 1$/ }).waitFor()
    await page.getByLabel('Filter by name, kind or reason').fill('')
    await page.getByLabel('Kind', { exact: true }).selectOption('catalog')
    await page.getByRole('link', { name: /^office/ }).waitFor({ state: 'detached' })
    await page.getByLabel('Kind', { exact: true }).selectOption('')
    await page.getByRole('button', { name: 'Table' }).click()
    const names = () => page.locator('tbody tr td:nth-child(2)').allTextContents()
    expect((await names())[0]).toBe('sqlite')
    await expectClean(page, 'sources-table')
    await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
    expect((await names()).slice(0, 2)).toEqual(['archive', 'attic'])
    await page.getByRole('link', { name: 'archive' }).focus()
    await page.keyboard.press('ArrowDown')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('attic')
    await page.reload()
    await page.getByRole('columnheader', { name: 'Name' }).waitFor()
    await page.getByRole('button', { name: 'Cards' }).click()
    await page.getByLabel('Sort by').selectOption('state')
  })

  it('are switched in their row (G2)', async () => {
    const { page } = here
    const toggle = page.getByRole('switch', { name: 'archive is on' })
    await toggle.click()
    await page.locator('[role=switch][aria-checked=false]', { hasText: '' }).nth(1).waitFor()
    await vi.waitUntil(() => written().archive.enabled === false, { timeout: 20_000 })
    await toggle.focus()
    await page.keyboard.press('Space')
    await vi.waitUntil(() => written().archive.enabled === true, { timeout: 20_000 })
  })

  it('have a page with their tools, calls, log, prompts and resources (G10)', async () => {
    const { page } = here
    await office.client.call('library.lend', {})
    await turnTo('sources/library')
    await page.getByRole('link', { name: /library\.lend/ }).waitFor()
    await expectClean(page, 'source-tools')
    await page.getByRole('tab', { name: 'Calls' }).click()
    await page.getByRole('cell', { name: 'answered' }).first().waitFor()
    await page.getByRole('tab', { name: 'Log' }).click()
    await page.getByText('library: open').waitFor()
    await page.getByRole('tab', { name: 'Prompts and resources' }).click()
    await page.getByRole('link', { name: /^review/ }).waitFor()
    await expectClean(page, 'source-offers')
    await page.getByRole('link', { name: /library:\/\/rules/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Resources' }).waitFor()
  })

  it('are read from a pasted README, and shown before anything is saved (G9)', async () => {
    const { page } = here
    await turnTo('sources')
    await page.getByRole('button', { name: 'Add a source' }).click()
    const dialog = page.getByRole('dialog')
    const paste = dialog.getByLabel('Paste from a README')
    const entry = { command: process.execPath, args: [server('library')], env: { GITHUB_TOKEN: token } }
    await paste.fill(`// from a README\n{ "mcpServers": { "shelf": ${JSON.stringify(entry)}, } }`)
    await dialog.getByText('Read as JSON').waitFor()
    await dialog.getByText('A secret was pasted at env.GITHUB_TOKEN.').waitFor()
    await dialog.getByText('Not set where the gateway runs: GITHUB_TOKEN.').waitFor()
    expect(await dialog.getByLabel('Name', { exact: false }).first().inputValue()).toBe('shelf')
    expect(await dialog.getByLabel('Environment').inputValue()).toBe(`GITHUB_TOKEN=\${GITHUB_TOKEN}`)
    await expectClean(page, 'add-pasted')
    await dialog.getByLabel('How to write env.GITHUB_TOKEN').selectOption('file')
    // Whoever passes by sees dots.
    await dialog.getByLabel('Command').focus()
    expect(await paste.evaluate(styleOf, '-webkit-text-security')).toBe('disc')
    await vi.waitUntil(async () => (await dialog.getByLabel('Environment').inputValue()).includes(token), {
      timeout: 20_000,
    })
    await dialog.getByText('All keys').click()
    await dialog.getByLabel('Never these tools').fill('burn_*')
    await dialog.getByLabel('Start when called').selectOption('true')
    await expectClean(page, 'add-all-keys')
    expect(written().shelf).toBeUndefined()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'shelf' }).waitFor()
    expect(written().shelf).toEqual({ type: 'stdio', ...entry, excludeTools: ['burn_*'], startOnDemand: true })
    await page.getByRole('tab', { name: 'Configuration' }).click()
    await page.getByText('burn_*').waitFor()
    expect(await page.content()).not.toContain(token)
    await ask('DELETE', '/sources/shelf')
  })

  it('are read from a command line too, several at once from JSON, and never by a shell (G9, T15)', async () => {
    const { page } = here
    await turnTo('sources')
    await page.getByRole('button', { name: 'Add a source' }).click()
    const dialog = page.getByRole('dialog')
    const paste = dialog.getByLabel('Paste from a README')
    await paste.fill('npx -y some-server | sh')
    await dialog.getByText('"|" is for a shell').waitFor()
    await paste.fill(`LEVEL=debug npx -y '@example/weather server' --units "metric ones"`)
    await dialog.getByText('Read as a command line').waitFor()
    await dialog.getByText('["npx","-y","@example/weather server","--units","metric ones"]').waitFor()
    await dialog.getByText('name a version to keep it').waitFor()
    await paste.fill('https://mcp.example.com/mcp')
    await dialog.getByText('Read as an address').waitFor()
    expect(await dialog.getByLabel('Name', { exact: false }).first().inputValue()).toBe('example')
    const two = {
      one: { url: 'http://127.0.0.1:9/mcp' },
      two: { command: process.execPath, args: [server('broken'), '2'] },
    }
    await paste.fill(JSON.stringify({ servers: two }))
    await dialog.getByText('2 servers').waitFor()
    await expectClean(page, 'add-several')
    await dialog.getByRole('checkbox', { name: 'Add two' }).uncheck()
    await dialog.getByRole('button', { name: 'Add 1' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(written().one).toEqual({ type: 'http', url: 'http://127.0.0.1:9/mcp' })
    expect(written().two).toBeUndefined()
    await ask('DELETE', '/sources/one')
  })

  it('offer prompts, which are filled in and got (G10)', async () => {
    const { page } = here
    await turnTo('prompts')
    await page.getByRole('link', { name: /^review/ }).click()
    const get = page.getByRole('button', { name: 'Get', exact: true })
    expect(await get.isDisabled()).toBe(true)
    await page.getByLabel('title').fill('Emma')
    await get.click()
    const messages = page.getByRole('region', { name: 'Messages', exact: true })
    await messages.getByText('Review Emma in a plain tone.').waitFor()
    await messages.getByRole('img', { name: /Picture/ }).waitFor()
    await expectClean(page, 'prompt-got')
    await turnTo('prompts/library.nothing')
    await page.getByText('No source offers the prompt library.nothing any more.').waitFor()
  })

  it('offer resources, which are read: text, pictures, and how large the rest is (G10)', async () => {
    const { page } = here
    await turnTo('resources')
    await page.getByRole('link', { name: /^rules/ }).click()
    await page.getByRole('button', { name: 'Read', exact: true }).click()
    const contents = page.getByRole('region', { name: 'Contents', exact: true })
    await contents.getByText('"quiet": true').waitFor()
    await page.getByRole('link', { name: /^mark/ }).click()
    await page.getByRole('button', { name: 'Read', exact: true }).click()
    await contents.getByRole('img', { name: /Picture, 7\d bytes/ }).waitFor()
    await page.getByRole('link', { name: /^film/ }).click()
    await page.getByRole('button', { name: 'Read', exact: true }).click()
    await contents.getByText('3,000 bytes of application/octet-stream').waitFor()
    await page.getByRole('link', { name: /^book/ }).click()
    expect(await page.getByRole('button', { name: 'Read', exact: true }).isDisabled()).toBe(true)
    await page.getByLabel('Address', { exact: true }).fill('library://books/7')
    await page.getByRole('button', { name: 'Read', exact: true }).click()
    await contents.getByText('This is library://books/7.').waitFor()
    await expectClean(page, 'resource-read')
  })

  it('say what they say on one page, live, by level and source (G10)', async () => {
    const { page } = here
    await turnTo('logs')
    const log = page.getByRole('log')
    await log.getByText('library: open').first().waitFor()
    await page.getByLabel('Level').selectOption('warn')
    await log.getByText('library: open').first().waitFor({ state: 'detached' })
    await log
      .getByText(/did not start/)
      .first()
      .waitFor()
    await expectClean(page, 'logs')
    await page.getByLabel('Level').selectOption('')
    await page.getByLabel('Source').selectOption('office')
    const before = await log.getByText('office: 3 tools').count()
    await page.getByRole('button', { name: 'Pause' }).click()
    await ask('POST', '/sources/office/restart')
    await page.getByText(/^Paused\. [1-9]\d* new lines?\.$/).waitFor()
    expect(await log.getByText('office: 3 tools').count()).toBe(before)
    await page.getByRole('button', { name: 'Resume' }).click()
    await log.getByText('office: 3 tools').nth(before).waitFor()
  })

  it('of an unknown name, and pages of an unknown name, are said in a few words (G12)', async () => {
    const { page } = here
    for (const [path, seen] of [
      ['sources/nobody', /There is no source named 'nobody'/],
      ['tools/nobody', /There is no tool 'nobody'/],
      ['weather', /There is no page “weather” here\./],
    ] as const) {
      await turnTo(path)
      const notice = page.locator('.notice', { hasText: seen })
      await notice.waitFor()
      expect((await notice.boundingBox())!.height, path).toBeLessThan(100)
      await expectClean(page, `missing-${path.replace('/', '-')}`)
    }
    await page.getByRole('link', { name: 'Go to Overview' }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  })

  it('hide what nobody has: the page of voice devices is left out of the menu, not out of reach (G14)', async () => {
    const { page } = here
    await turnTo('sources')
    expect(await page.getByRole('navigation').getByRole('link', { name: 'Xiaozhi' }).count()).toBe(0)
    await turnTo('xiaozhi')
    await page.getByText('No xiaozhi endpoint is configured.').waitFor()
  })

  it('and their new pages are read in Chinese, on a phone, in the dark', async () => {
    const phone = await visit(browser, office.origin, { width: 390, locale: 'zh-CN', theme: 'dark' })
    await signIn(phone, office)
    const { page } = phone
    for (const [path, seen] of [
      ['sources', '异常 1'],
      ['sources/library', '提示词与资源'],
      ['sources/sqlite', '全部内容'],
      ['prompts', '来源提供给客户端的文本'],
      ['prompts/library.review', '获取'],
      ['resources', '来源允许客户端读取的内容'],
      ['resources/library%3A%2F%2Frules', '读取'],
      ['logs', '网关及其来源的输出'],
      ['nowhere', '这里没有页面'],
    ] as const) {
      await page.goto(`${office.origin}/#/${path}`)
      await page.getByText(seen).first().waitFor()
      expect(await widthOver(page), path).toBe(0)
      await expectClean(page, `phone-zh-${path.replace(/\W+/g, '-')}`)
    }
    await page.goto(`${office.origin}/#/sources`)
    await page.getByRole('button', { name: '表格' }).click()
    await page.getByRole('switch').first().waitFor()
    expect(await widthOver(page)).toBe(0)
    await expectClean(page, 'phone-zh-sources-table')
    await page.getByRole('button', { name: '添加来源' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('从 README 粘贴').fill(`A=1 npx -y x --token ${token}`)
    await dialog.getByText('已按命令行读取').waitFor()
    await dialog.getByText('每次启动都会获取').waitFor()
    await dialog.getByText('全部设置').click()
    expect(await widthOver(page)).toBe(0)
    await expectClean(page, 'phone-zh-add')
    expect(phone.problems).toEqual([])
    await phone.context.close()
  })

  it('warn of a key that is one’s own and the last, and hand a new one over ready to use (G13)', async () => {
    const { page } = here
    await turnTo('keys')
    await page.getByText('yours', { exact: true }).waitFor()
    await page.getByRole('button', { name: /^Revoke admin/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('you are signed out at once').waitFor()
    await dialog.getByText('It is the last key for administration.').waitFor()
    await expectClean(page, 'key-own')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'New key' }).click()
    await dialog.getByLabel('Name').fill('editor')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByText(/"Authorization": "Bearer rtk_/).waitFor()
    for (const copy of await dialog.getByRole('button', { name: 'Copy' }).all())
      expect(await copy.evaluate(styleOf, 'opacity')).toBe('1')
    await expectClean(page, 'key-made')
    await dialog.getByRole('button', { name: 'Close' }).last().click()
  })

  it('have a page that asks nobody else, breaks no policy and throws nothing', () => {
    expect(here.problems.filter((problem) => !/\b404\b/.test(problem))).toEqual([])
  })
})
