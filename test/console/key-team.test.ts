import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { identityId } from '../../src/access/identity.js'
import { signedClient } from '../helpers/clients/signing.js'
import { createBrowser } from '../helpers/headless-browser.js'
import { startIdentityProvider } from '../helpers/identity-provider.js'
import { tokensFor } from '../helpers/open-streams.js'
import { startSignInServers } from '../helpers/sign-in-servers.js'
import { openTeam, type TeamBoard } from '../helpers/team-board.js'
import { browserPath, openBrowser } from './browser.js'
import { builtConsole } from './built-console.js'
import { type Visit, visit } from './visit.js'
import { walkWords as words } from './walk-words.js'
import { createWatch } from './watched.js'

type Locale = keyof typeof words

/** A team without an identity provider: whoever opens a page of theirs signs in with a key, and lands where they wanted. */
describe.skipIf(browserPath === undefined)('a team with keys alone', { timeout: 120_000 }, () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  }, 120_000)
  afterAll(() => browser?.close())

  const open = (options: Parameters<typeof openTeam>[0]): Promise<TeamBoard> =>
    openTeam({ ...options, options: { http: { consoleFolder: builtConsole().folder } } })
  const showKey = async ({ page }: Visit, locale: Locale, key: string): Promise<void> => {
    await page.getByLabel(words[locale].key, { exact: true }).fill(key)
    await page.getByRole('button', { name: words[locale].signIn, exact: true }).click()
  }

  it.each(Object.keys(words) as Locale[])('shows what belongs to a key on its page (%s)', async (locale) => {
    const say = words[locale]
    await using team = await open({ people: 'keys' })
    const watch = createWatch(team.url)
    const { keys } = team.board.listener!
    const [mine, theirs] = [await keys.create({ name: 'hers' }), await keys.create({ name: 'his' })]
    for (const { key } of [mine, theirs]) watch.keep(key)
    const clients = [await tokensFor(team.url, { key: mine.key }), await tokensFor(team.url, { key: theirs.key })]
    for (const { accessToken, refreshToken } of clients)
      for (const each of [accessToken, refreshToken]) watch.keep(each)
    const knock = async (token: string): Promise<number> =>
      (await fetch(`${team.url}/api/v1/tools`, { headers: { authorization: `Bearer ${token}` } })).status
    const here = await visit(browser, team.url, { locale })
    const { page } = here
    await page.goto(`${team.url}/me`)
    await page.getByLabel(say.key, { exact: true }).waitFor()
    await watch.step(here, `keys-only-sign-in-${locale}`)
    await showKey(here, locale, mine.key)
    await page.getByRole('heading', { level: 1, name: say.me, exact: true }).waitFor()
    expect(page.url()).toBe(`${team.url}/#/me`)
    // This browser and the client that was let in by this key, not that of another.
    await page.getByRole('row').filter({ hasText: say.thisOne }).waitFor()
    const client = page
      .getByRole('row')
      .filter({ hasNotText: say.console })
      .filter({ has: page.getByRole('button') })
    expect(await client.count()).toBe(1)
    await page.getByText('hers', { exact: true }).waitFor()
    expect(await page.getByText('his', { exact: true }).count()).toBe(0)
    await watch.step(here, `keys-only-me-${locale}`)
    await client.getByRole('button').click()
    await client.waitFor({ state: 'detached' })
    expect(await Promise.all(clients.map(({ accessToken }) => knock(accessToken)))).toEqual([401, 200])
    await page.reload()
    await page.getByRole('heading', { level: 1, name: say.me, exact: true }).waitFor()
    expect(here.problems).toEqual([])
    await here.context.close()
  })

  it.each(Object.keys(words) as Locale[])(
    'brings whoever opens a link back to it, once they have shown their key (%s)',
    async (locale) => {
      const say = words[locale]
      await using provider = await startIdentityProvider()
      await using far = await startSignInServers()
      far.rules.listsToAll = true
      const keyed = { type: 'http', url: far.url, auth: { type: 'key', per: 'caller', prefix: 'Bearer ' } }
      await using team = await open({ provider, people: 'off', tokens: true, config: { sources: { keyed } } })
      const watch = createWatch(team.url)
      // She is known by a token of hers; no browser signs in by an issuer here, so she has a key of her own.
      const client = await signedClient({
        kind: 'v2-legacy',
        url: `${team.url}/mcp`,
        walk: async (link, redirectUrl) => {
          const other = createBrowser()
          const stopAt = (to: string) => to.startsWith(redirectUrl)
          return (await other.submit(await other.open(link.href, stopAt), { login: 'alice' }, { stopAt })).url
        },
      })
      await client.close()
      const id = identityId(provider.issuer, 'alice')
      const { keys } = team.board.listener!
      const { key, record } = await keys.create({ name: 'hers', owner: id })
      await expect.poll(() => keys.holderOf(record.id)?.identity?.id, { timeout: 30_000 }).toBe(id)
      for (const secret of [key, 'key-of-mine']) watch.keep(secret)
      const link = (await team.board.connecting.door.link(keys.holderOf(record.id)!, 'keyed'))!

      const here = await visit(browser, team.url, { locale })
      const { page } = here
      await page.goto(link)
      await page.getByLabel(say.key, { exact: true }).waitFor()
      await watch.step(here, `link-sign-in-${locale}`)
      await showKey(here, locale, key)
      await page.getByRole('heading', { level: 1, name: say.connects }).waitFor()
      expect(page.url()).toBe(link)
      await page.getByLabel(say.yourKeyThere).fill('key-of-mine')
      await page.getByRole('button', { name: say.keep }).click()
      await page.getByRole('heading', { level: 1, name: say.kept }).waitFor()
      await watch.step(here, `link-kept-${locale}`)
      await page.getByRole('link', { name: say.toMyPage }).click()
      await page.locator('.my-source').filter({ hasText: 'keyed' }).getByText(say.isIn, { exact: true }).waitFor()
      await watch.expectNothingKept(here, 'the page of a key')
      expect(here.problems).toEqual([])
      await here.context.close()
    },
  )
})
