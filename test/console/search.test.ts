import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserPath, openBrowser } from './browser.js'
import { builtConsole } from './built-console.js'
import { expectClean, type Office, signIn, startOffice, visit } from './visit.js'

/** What a person reads on the page, in the language of the browser. */
const languages = [
  {
    locale: 'en-GB',
    query: 'What should the tool do?',
    button: 'Search',
    wish: 'get the weather forecast and write a note',
    parts: ['get the weather forecast', 'write a note'],
    serves: 'for the part',
    elsewhere: 'pay the bill of the plumber this week',
    onlyWeak: 'Only weak matches.',
    weak: 'weak match',
    askFor: 'There is, to ask for:',
  },
  {
    locale: 'zh-CN',
    query: '工具应该做什么？',
    button: '搜索',
    wish: '查询天气预报，然后写一条笔记',
    parts: ['查询天气预报', '写一条笔记'],
    serves: '对应部分',
    elsewhere: '把沙发搬到二楼',
    onlyWeak: '匹配都很弱。',
    weak: '匹配较弱',
    askFor: '可以询问：',
  },
] as const

describe.skipIf(browserPath === undefined)('the search page', { timeout: 60_000 }, () => {
  let browser: Browser
  let office: Office
  beforeAll(async () => {
    browser = await openBrowser()
    office = await startOffice(builtConsole().cli, 8)
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await office?.dispose()
  })
  const hit = (page: Page, id: string) => page.locator('.results li', { has: page.getByRole('link', { name: id }) })

  it.each(languages)('tells parts, weak matches and what there is to ask for: $locale', async (words) => {
    const here = await visit(browser, office.origin, { locale: words.locale })
    const { page, context, problems } = here
    await signIn(here, office)
    await page.goto(`${office.origin}/#/search`)
    const searchFor = async (text: string): Promise<void> => {
      await page.getByLabel(words.query).fill(text)
      await page.getByRole('button', { name: words.button, exact: true }).click()
    }
    await searchFor(words.wish)
    for (const [at, id] of ['office.weather', 'office.create_note'].entries())
      await hit(page, id).locator('p', { hasText: words.serves }).getByText(words.parts[at]!, { exact: true }).waitFor()
    await expectClean(page, `search-parts-${words.locale}`)

    await searchFor(words.elsewhere)
    await page.getByText(words.onlyWeak).waitFor()
    const { length: found } = await page.locator('.results li').all()
    expect(await page.getByText(words.weak, { exact: true }).count()).toBe(found)
    expect(await page.getByText(words.serves, { exact: true }).count()).toBe(0)

    await searchFor('zzzz qqqq')
    await page.getByText(words.askFor).waitFor()
    expect(await page.locator('.results li').count()).toBe(0)
    await page
      .locator('.area', { hasText: /^office/ })
      .getByRole('link', { name: 'office.weather' })
      .waitFor()
    await expectClean(page, `search-nothing-${words.locale}`)
    expect(problems).toEqual([])
    await context.close()
  })
})
