import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserPath, openBrowser } from './browser.js'
import { builtConsole } from './built-console.js'
import { expectClean, type Office, signIn, startOffice, visit } from './visit.js'

/** Every page, and what tells that it is there. */
const pages: readonly (readonly [name: string, path: string, seen: string])[] = [
  ['overview', '', 'Recent failures'],
  ['sources', 'sources', 'Add a source'],
  ['source', 'sources/office', 'office.create_note'],
  ['import', 'import', 'No configuration of a client was found'],
  ['tools', 'tools', 'archive.tool_00000'],
  ['prompts', 'prompts', 'No source offers a prompt.'],
  ['resources', 'resources', 'registry://stats'],
  ['logs', 'logs', 'office: 3 tools'],
  ['tool', 'tools/office.weather', 'Name of the city'],
  ['search', 'search', 'What should the tool do?'],
  ['profiles', 'profiles', 'For the voice device in the kitchen'],
  ['profile', 'profiles/phone', 'search_tools'],
  ['rules', 'rules', 'There are no rules.'],
  ['calls', 'calls', 'office.weather'],
  ['approvals', 'approvals', 'Nothing waits for approval.'],
  ['xiaozhi', 'xiaozhi', 'No xiaozhi endpoint is configured.'],
  ['audit', 'audit', 'Export JSONL'],
  ['people', 'people', 'this browser'],
  ['me', 'me', 'My last calls'],
  ['keys', 'keys', 'rtk_'],
  ['settings', 'settings', 'Appearance'],
  ['connect', 'connect', 'Into the file'],
]

const chinesePages = [
  ['calls', '不保存参数和结果'],
  ['import', '没有找到客户端配置'],
  ['profiles', '新建配置档'],
  ['settings', '立即生效'],
  ['connect', '写入文件'],
  ['approvals', '没有等待审批的内容'],
  ['people', '当前登录'],
  ['audit', '导出 JSONL'],
  ['me', '我最近的调用'],
] as const

describe.skipIf(browserPath === undefined)('a page of the console', { timeout: 60_000 }, () => {
  let browser: Browser
  let office: Office

  beforeAll(async () => {
    const { cli } = builtConsole()
    browser = await openBrowser()
    office = await startOffice(cli)
    const broken = { type: 'stdio', command: 'no-such-program-here', args: [] }
    await askAdmin('PUT', '/sources/broken', broken)
    for (let n = 0; n < 12; n++) await office.client.call('office.weather', { city: 'Bern' })
    await office.client.call('office.weather', { city: 7 }).catch(() => undefined)
    await office.client.call('office.missing', {}).catch(() => undefined)
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await office?.dispose()
  })

  const askAdmin = async (method: string, path: string, body: unknown): Promise<void> => {
    const headers = { authorization: `Bearer ${office.adminKey}`, 'content-type': 'application/json' }
    const url = `${office.origin}/api/admin/v1${path}`
    expect((await fetch(url, { method, headers, body: JSON.stringify(body) })).status).toBe(200)
  }
  const turnTo = async (page: Page, path: string, seen: string): Promise<void> => {
    await page.goto(`${office.origin}/#/${path}`)
    await page.getByText(seen).first().waitFor()
  }

  for (const theme of ['light', 'dark'] as const)
    it(`is clean to axe and has its picture, in ${theme}`, async () => {
      const { page, context, problems } = await visit(browser, office.origin, { theme })
      await page.goto(office.origin)
      await page.getByLabel('Key', { exact: true }).waitFor()
      await expectClean(page, `sign-in-${theme}`)
      await signIn({ page, context, problems }, office)
      for (const [name, path, seen] of pages) {
        await turnTo(page, path, seen)
        if (name === 'search') await searchFor(page, '查天气')
        await expectClean(page, `${name}-${theme}`)
      }
      await turnTo(page, 'sources', 'Add a source')
      await page.getByRole('button', { name: 'Add a source' }).click()
      await page.getByLabel('Command').fill('npx')
      await page.getByLabel('Arguments').fill('-y\n@example/server')
      await expectClean(page, `add-source-${theme}`)
      await page.keyboard.press('Escape')
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('option').first().waitFor()
      await expectClean(page, `palette-${theme}`)
      expect(problems).toEqual([])
      await context.close()
    })

  it('fits a phone', async () => {
    const { page, context, problems } = await visit(browser, office.origin, { width: 390 })
    await signIn({ page, context, problems }, office)
    for (const [name, path, seen] of pages) {
      await turnTo(page, path, seen)
      const wider = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
      expect(wider, name).toBe(0)
      await expectClean(page, `${name}-phone`)
    }
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('navigation').getByRole('link', { name: 'Overview' }).click()
    await page.getByText('Recent failures').waitFor()
    await context.close()
  })

  it('is read in Chinese by a Chinese browser, states, reasons and errors too', async () => {
    const { page, context, problems } = await visit(browser, office.origin, { locale: 'zh-CN' })
    await signIn({ page, context, problems }, office)
    await page.getByText('最近的失败').waitFor()
    expect(await page.evaluate('document.documentElement.lang')).toBe('zh-Hans')
    await page.getByRole('link', { name: /office.*就绪/ }).waitFor()
    await page.getByText('未找到工具：office.missing').first().waitFor()
    await expectClean(page, 'overview-zh')
    await page.getByRole('link', { name: /broken/ }).click()
    await page.getByText('没有这个命令').first().waitFor()
    await page
      .getByText(/后重试/)
      .first()
      .waitFor()
    await expectClean(page, 'source-zh')
    for (const [path, seen] of chinesePages) {
      await turnTo(page, path, seen)
      await expectClean(page, `${path}-zh`)
    }
    await context.close()
  })
})

const searchFor = async (page: Page, words: string): Promise<void> => {
  await page.getByLabel('What should the tool do?').fill(words)
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.locator('.results li').first().waitFor()
}
