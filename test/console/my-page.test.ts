import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { identityId } from '../../src/access/identity.js'
import { signedClient } from '../helpers/clients/signing.js'
import { createBrowser } from '../helpers/headless-browser.js'
import { startIdentityProvider, type TestProvider } from '../helpers/identity-provider.js'
import { type SignInServers, startSignInServers } from '../helpers/sign-in-servers.js'
import { openTeam, type TeamBoard } from '../helpers/team-board.js'
import { browserPath, openBrowser } from './browser.js'
import { builtConsole } from './built-console.js'
import { expectClean, type Visit, visit } from './visit.js'

const texts = {
  'en-GB': {
    connect: 'Sign in: docs',
    connects: 'Sign in for yourself',
    isIn: 'signed in',
    isOut: 'not signed in',
    done: /is signed in/,
    back: 'Back to your page',
    paste: 'Paste a key: keyed',
    yourKey: 'Your key',
    keep: 'Keep it',
    out: (source: string) => `Sign out: ${source}`,
    left: 'Signed out, there too.',
  },
  'zh-CN': {
    connect: '登录: docs',
    connects: '以本人身份登录',
    isIn: '已登录',
    isOut: '未登录',
    done: /已登录/,
    back: '返回您的页面',
    paste: '粘贴密钥: keyed',
    yourKey: '你的密钥',
    keep: '保存',
    out: (source: string) => `退出登录: ${source}`,
    left: '已退出，对方也已吊销。',
  },
} as const

/** A person and what is theirs: in a real browser, at a real identity provider and a source that signs people in. */
describe.skipIf(browserPath === undefined)('my page', { timeout: 120_000 }, () => {
  let browser: Browser
  let provider: TestProvider
  let far: SignInServers
  let team: TeamBoard

  beforeAll(async () => {
    const { folder } = builtConsole()
    provider = await startIdentityProvider()
    far = await startSignInServers()
    far.rules.listsToAll = true
    far.rules.metadata = { revocation_endpoint: `${far.issuer}/revoke` }
    const sources = {
      docs: { type: 'http', url: far.url, auth: { type: 'oauth', per: 'caller' } },
      keyed: {
        type: 'http',
        url: far.url,
        auth: { type: 'key', per: 'caller', prefix: 'Bearer ', help: 'https://keys.example' },
      },
    }
    team = await openTeam({ provider, config: { sources }, options: { http: { consoleFolder: folder } } })
    browser = await openBrowser()
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    for (const each of [team, far, provider]) await each?.[Symbol.asyncDispose]()
  })

  /** Comes to `/me` as nobody, is sent to the identity provider, and back. */
  const comeAs = async (login: string, locale: keyof typeof texts): Promise<Visit> => {
    const here = await visit(browser, team.url, { locale })
    await here.page.goto(`${team.url}/me`)
    await here.page.getByRole('link', { name: /^(Sign in with|使用) 127\.0\.0\.1/ }).click()
    await here.page.getByLabel('Login').fill(login)
    await here.page.getByRole('button', { name: 'Sign in' }).click()
    await here.page.getByRole('heading', { level: 1, name: login }).waitFor()
    return here
  }
  const lineOf = (page: Page, source: string) => page.locator('.my-source').filter({ hasText: source })
  /** An MCP client that the same person let in. */
  const clientOf = (login: string) =>
    signedClient({
      kind: 'v2-legacy',
      url: `${team.url}/mcp`,
      walk: async (link, redirectUrl) => {
        const other = createBrowser()
        const stopAt = (to: string) => to.startsWith(redirectUrl)
        const consent = await other.open(link.href)
        const form = await other.submit(consent, {}, { button: 'allow' })
        return (await other.submit(form, { login }, { stopAt })).url
      },
    })

  it.each([
    ['en-GB', 'alice'],
    ['zh-CN', 'carol'],
  ] as const)('connects a source, keeps a key, signs out and ends a client (%s)', async (locale, login) => {
    const say = texts[locale]
    const client = await clientOf(login)
    expect(await client.list()).toContain('docs__read')
    const here = await comeAs(login, locale)
    const { page } = here
    const docs = lineOf(page, 'docs')
    await docs.getByText(say.isOut, { exact: true }).waitFor()
    await expectClean(page, `my-page-${locale}`)

    await page.getByRole('button', { name: say.connect }).click()
    await page.getByRole('heading', { level: 1, name: say.done }).waitFor()
    await expectClean(page, `my-page-connected-${locale}`)
    await page.getByRole('link', { name: say.back }).click()
    await docs.getByText(say.isIn, { exact: true }).waitFor()

    await page.getByRole('button', { name: say.paste }).click()
    await page.getByLabel(say.yourKey).fill(`${far.rules.canary}-pasted`)
    await page.getByRole('button', { name: say.keep }).click()
    await lineOf(page, 'keyed').getByText(say.isIn, { exact: true }).waitFor()
    await expectClean(page, `my-page-both-${locale}`)
    expect(await page.content()).not.toContain(far.rules.canary)

    for (const source of ['docs', 'keyed']) {
      await page.getByRole('button', { name: say.out(source) }).click()
      await lineOf(page, source).getByText(say.isOut, { exact: true }).waitFor()
    }
    await page.getByText(say.left).first().waitFor()
    expect(far.revoked.length).toBeGreaterThan(0)

    await page.getByRole('row').filter({ hasText: 'signing v2-legacy' }).first().getByRole('button').click()
    await page.getByRole('row').filter({ hasText: 'signing v2-legacy' }).waitFor({ state: 'detached' })
    await expect(client.list()).rejects.toThrow(/The sign-in is over|Unauthorized/)
    // The page behind a link of a call, for whoever opens no page of their own.
    const identity = { id: identityId(provider.issuer, login), issuer: provider.issuer, subject: login }
    const caller = { id: identity.id, kind: 'person' as const, rights: [], identity }
    for (const source of ['docs', 'keyed']) {
      await page.goto((await team.board.connecting.door.link(caller, source))!)
      await page.getByRole('heading', { level: 1, name: say.connects }).waitFor()
      await expectClean(page, `connect-${source}-${locale}`)
    }
    const elsewhere = (each: string) => each.includes(provider.issuer) || each.includes(far.issuer)
    expect(here.problems.filter((each) => !elsewhere(each))).toEqual([])
    await here.context.close()
    await client.close()
  })
})
