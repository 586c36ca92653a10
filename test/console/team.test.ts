import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startIdentityProvider, type TestProvider } from '../helpers/identity-provider.js'
import { openTeam, type TeamBoard } from '../helpers/team-board.js'
import { browserPath, openBrowser } from './browser.js'
import { builtConsole } from './built-console.js'
import { expectClean, type Visit, visit } from './visit.js'

/** A team at its console: people sign in at a real identity provider, in a real browser. */
describe.skipIf(browserPath === undefined)('a team at the console', { timeout: 120_000 }, () => {
  let browser: Browser
  let provider: TestProvider
  let team: TeamBoard

  beforeAll(async () => {
    const { folder } = builtConsole()
    provider = await startIdentityProvider()
    team = await openTeam({
      provider,
      config: {
        telemetry: { audit: 'on' },
        // Nobody is there: what people keep for it does not depend on that.
        sources: {
          legacy: {
            type: 'http',
            url: 'http://127.0.0.1:9/mcp',
            auth: { type: 'key', per: 'caller', header: 'X-Api-Key' },
          },
        },
      },
      options: { http: { consoleFolder: folder } },
    })
    browser = await openBrowser()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await team?.[Symbol.asyncDispose]()
    await provider?.[Symbol.asyncDispose]()
  })

  const signIn = async (login: string, locale = 'en-GB', path = ''): Promise<Visit> => {
    const here = await visit(browser, team.url, { locale })
    await here.page.goto(`${team.url}/${path}`)
    await here.page.getByRole('link', { name: /^(Sign in with|使用) 127\.0\.0\.1/ }).click()
    await here.page.getByLabel('Login').fill(login)
    await here.page.getByRole('button', { name: 'Sign in' }).click()
    await here.page.getByRole('heading', { level: 1 }).waitFor()
    return here
  }
  const open = async (page: Page, name: string): Promise<void> => {
    await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
  }
  /** The provider is another site, and the only one that was asked. */
  const problemsOf = ({ problems }: Visit): readonly string[] =>
    problems.filter((each) => !each.includes(provider.issuer))
  const kept = (page: Page): Promise<string> =>
    page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])')

  it('comes in by the identity provider, keyboard alone, and keeps nothing that a script can read', async () => {
    const here = await visit(browser, team.url)
    const { page } = here
    await page.goto(team.url)
    const button = page.getByRole('link', { name: /^Sign in with/ })
    await button.waitFor()
    await expectClean(page, 'sign-in-provider')
    await button.focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Login').waitFor()
    await page.keyboard.type('carol')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expect(page.url()).toBe(`${team.url}/`)
    expect(await kept(page)).toBe('[{},{},""]')
    const [cookie] = await here.context.cookies(team.url)
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' })
    expect(problemsOf(here)).toEqual([])
    await here.context.close()
  })

  it('shows whoever has no right of an operator their own page and nothing else', async () => {
    const here = await signIn('alice', 'en-GB', 'me')
    const { page } = here
    await page.getByRole('heading', { level: 1, name: 'alice' }).waitFor()
    expect(await page.getByRole('navigation').getByRole('link').allTextContents()).toEqual(['Pegboard', 'Me'])
    await page.getByText('alice@example.com').waitFor()
    await expectClean(page, 'me-caller')
    // An address of another page says so, and leads back (G12).
    await page.goto(`${team.url}/#/keys`)
    await page.getByText('Your key or role does not show the page “keys”.').waitFor()
    await page.getByRole('link', { name: 'Go to Me' }).click()
    await page.getByRole('heading', { level: 1, name: 'alice' }).waitFor()
    await page.getByRole('navigation').getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: /^Sign in with/ }).waitFor()
    expect(problemsOf(here)).toEqual([])
    await here.context.close()
  })

  it('keeps a key that somebody pastes for themselves, and ends another browser of theirs', async () => {
    const other = await signIn('alice')
    const here = await signIn('alice', 'en-GB', 'me')
    const { page } = here
    await page.getByRole('button', { name: 'Paste a key: legacy' }).click()
    await page.getByLabel('Your key').fill('canary-pasted')
    await expectClean(page, 'me-paste')
    await page.getByRole('button', { name: 'Keep it' }).click()
    await page.getByText('signed in', { exact: true }).waitFor()
    expect(await page.content()).not.toContain('canary-pasted')
    expect(await kept(page)).not.toContain('canary-pasted')
    await expectClean(page, 'me-sources')
    const elsewhere = page.getByRole('row').filter({ hasText: 'Console' }).filter({ hasNotText: 'this browser' })
    await elsewhere.getByRole('button').click()
    // Not by what is said: "Done" is there from before.
    await elsewhere.waitFor({ state: 'detached' })
    await other.page.reload()
    await other.page.getByRole('link', { name: /^Sign in with/ }).waitFor()
    await page.getByRole('button', { name: 'Sign out: legacy' }).click()
    await page.getByText('not signed in', { exact: true }).waitFor()
    expect(problemsOf(here)).toEqual([])
    for (const each of [other, here]) await each.context.close()
  })

  it('lets an administrator see who is there, and end a session and a person', async () => {
    const alice = await signIn('alice')
    const here = await signIn('carol')
    const { page } = here
    await open(page, 'People')
    await page.getByRole('row', { name: /alice.*eng.*caller/ }).waitFor()
    await expectClean(page, 'people')
    await page.getByRole('button', { name: 'End the session: alice, Console' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'End the session' }).click()
    await page.getByText('Done').waitFor()
    await alice.page.reload()
    await alice.page.getByRole('link', { name: /^Sign in with/ }).waitFor()

    const again = await signIn('alice')
    await page.reload()
    await page.getByRole('button', { name: 'End alice', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click()
    await page.getByRole('row', { name: /alice.*ended/ }).waitFor()
    await again.page.reload()
    await again.page.getByRole('link', { name: /^Sign in with/ }).waitFor()
    expect(problemsOf(here)).toEqual([])
    for (const each of [alice, again, here]) await each.context.close()
  })

  it('reads the audit, filters it and takes it away', async () => {
    const here = await signIn('carol')
    const { page } = here
    await open(page, 'Audit')
    await page
      .getByRole('row', { name: /alice.*sign-in/ })
      .first()
      .waitFor()
    await expectClean(page, 'audit')
    await page.getByLabel('Kind').selectOption('person')
    await page.getByRole('button', { name: 'Filter' }).click()
    await page
      .getByRole('row', { name: /sign-in/ })
      .first()
      .waitFor({ state: 'detached' })
    await page
      .getByRole('row', { name: /carol.*person.*end/ })
      .first()
      .waitFor()
    await page
      .getByRole('row', { name: /carol.*person.*end/ })
      .first()
      .getByRole('button')
      .click()
    await page.getByRole('dialog').getByText('"outcome"').first().waitFor()
    await page.keyboard.press('Escape')
    for (const format of ['JSONL', 'CSV']) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: `Export ${format}` }).click(),
      ])
      const chunks: Buffer[] = []
      for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
      expect(Buffer.concat(chunks).toString()).toContain('person')
    }
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.reload()
    await page
      .getByRole('row', { name: /carol.*export/ })
      .first()
      .waitFor()
    expect(problemsOf(here)).toEqual([])
    await here.context.close()
  })

  it('warns whoever comes by a key for emergencies', async () => {
    const here = await visit(browser, team.url)
    const { page } = here
    await page.goto(`${team.url}/#key=${await team.key('admin')}`)
    await page.getByText('for emergencies').waitFor()
    expect(page.url()).not.toContain('rtk_')
    expect(await kept(page)).toBe('[{},{},""]')
    await expectClean(page, 'break-glass')
    await open(page, 'Audit')
    await page
      .getByRole('row', { name: /break-glass high/ })
      .first()
      .waitFor()
    expect(problemsOf(here)).toEqual([])
    await here.context.close()
  })

  it('is read in Chinese', async () => {
    const here = await signIn('carol', 'zh-CN')
    const { page } = here
    await open(page, '人员')
    await page.getByText('当前登录').first().waitFor()
    await expectClean(page, 'people-zh')
    await open(page, '审计')
    await page.getByRole('cell', { name: '紧急访问 高' }).first().waitFor()
    await expectClean(page, 'audit-zh')
    await page.getByRole('navigation').getByRole('link', { name: '我', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'carol' }).waitFor()
    await page.getByText('权限', { exact: true }).waitFor()
    await expectClean(page, 'me-zh')
    expect(problemsOf(here)).toEqual([])
    await here.context.close()
  })
})
