import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { identityId } from '../../src/access/identity.js'
import { startIdentityProvider, type TestProvider } from '../helpers/identity-provider.js'
import { type SignInServers, startSignInServers } from '../helpers/sign-in-servers.js'
import { openTeam, type TeamBoard } from '../helpers/team-board.js'
import { browserPath, openBrowser } from './browser.js'
import { builtConsole } from './built-console.js'
import { type Visit, visit } from './visit.js'
import { walkWords as words } from './walk-words.js'
import { createWatch, type Watch } from './watched.js'

/** All that people of a team do in a browser, in both languages, each step on a desk and on a phone. */
describe.skipIf(browserPath === undefined)('a walk of a team', { timeout: 240_000 }, () => {
  let browser: Browser
  let provider: TestProvider
  let far: SignInServers
  let team: TeamBoard
  let watch: Watch

  beforeAll(async () => {
    const { folder } = builtConsole()
    provider = await startIdentityProvider()
    far = await startSignInServers()
    far.rules.listsToAll = true
    const help = 'https://keys.example'
    const sources = {
      docs: { type: 'http', url: far.url, auth: { type: 'oauth', per: 'caller', scopes: ['read', 'write'] } },
      keyed: { type: 'http', url: far.url, auth: { type: 'key', per: 'caller', prefix: 'Bearer ', help } },
    }
    const config = { telemetry: { audit: 'on' }, sources }
    team = await openTeam({ provider, config, options: { http: { consoleFolder: folder } } })
    browser = await openBrowser()
    watch = createWatch(team.url)
    // Their client's id is no secret, and stands in addresses.
    const minted = ['code', 'access', 'refresh', 'secret'].map((kind) => `${far.rules.canary}-${kind}`)
    for (const secret of [...minted, provider.clientSecret, 'key-of-mine']) watch.keep(secret)
  }, 240_000)
  afterAll(async () => {
    await browser?.close()
    for (const each of [team, far, provider]) await each?.[Symbol.asyncDispose]()
  })

  type Locale = keyof typeof words
  const problemsOf = ({ problems }: Visit): readonly string[] =>
    problems.filter((each) => !each.includes(provider.issuer) && !each.includes(far.issuer))
  const signIn = async (login: string, locale: Locale, path = ''): Promise<Visit> => {
    const here = await visit(browser, team.url, { locale })
    const { page } = here
    await page.goto(`${team.url}/${path}`)
    const way = page.getByRole('link', { name: words[locale].signInWith })
    await way.waitFor()
    await watch.step(here, `sign-in-${locale}`)
    await way.click()
    await page.getByLabel('Login').fill(login)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { level: 1, name: login === 'carol' ? words[locale].overview : login }).waitFor()
    await watch.expectNothingKept(here, `signed in as ${login}`)
    return here
  }
  const turnTo = async (page: Page, name: string): Promise<void> => {
    await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  }
  /** The link that a call of this person's would show. */
  const linkFor = async (login: string, source: string): Promise<string> => {
    const identity = { id: identityId(provider.issuer, login), issuer: provider.issuer, subject: login }
    return (await team.board.connecting.door.link({ id: identity.id, rights: [], identity }, source))!
  }
  const sourceLine = (page: Page, source: string) => page.locator('.my-source').filter({ hasText: source })

  describe.each(Object.keys(words) as Locale[])('in %s', (locale) => {
    const say = words[locale]

    it('connects sources: by signing in there, and by the form behind a link', async () => {
      const here = await signIn('alice', locale, 'me')
      const { page } = here
      await sourceLine(page, 'docs').getByText(say.isOut, { exact: true }).waitFor()
      await watch.step(here, `me-${locale}`)
      await page.getByRole('button', { name: say.connect('docs') }).click()
      await page.getByRole('heading', { level: 1, name: say.connected }).waitFor()
      await watch.step(here, `connected-${locale}`)
      await page.getByRole('link', { name: say.back }).click()
      await sourceLine(page, 'docs').getByText(say.isIn, { exact: true }).waitFor()

      await page.goto(await linkFor('alice', 'docs'))
      await page.getByRole('heading', { level: 1, name: say.connects }).waitFor()
      await watch.step(here, `connect-docs-${locale}`)
      const link = await linkFor('alice', 'keyed')
      await page.goto(link)
      await page.getByLabel(say.yourKeyThere).fill('key-of-mine')
      await watch.step(here, `connect-keyed-${locale}`)
      // A real browser hides the origin of a form whose page wants no referrer; this one must come through.
      await page.getByRole('button', { name: say.keep }).click()
      await page.getByRole('heading', { level: 1, name: say.kept }).waitFor()
      await watch.step(here, `connect-kept-${locale}`)
      await page.goto(link)
      await page.getByRole('heading', { level: 1, name: say.linkUsed }).waitFor()
      await watch.step(here, `connect-used-${locale}`)
      await page.goto(await linkFor('carol', 'keyed'))
      await page.getByRole('heading', { level: 1, name: say.linkOfOthers }).waitFor()
      await watch.step(here, `connect-of-others-${locale}`)
      await page.getByRole('link', { name: say.toMyPage }).click()
      await sourceLine(page, 'keyed').getByText(say.isIn, { exact: true }).waitFor()
      await watch.step(here, `me-both-${locale}`)
      for (const source of ['docs', 'keyed']) {
        await page.getByRole('button', { name: say.out(source) }).click()
        await sourceLine(page, source).getByText(say.isOut, { exact: true }).waitFor()
      }
      expect(problemsOf(here).filter((each) => !/\b40[03]\b/.test(each))).toEqual([])
      await here.context.close()
    })

    it('ends a session of theirs, and an administrator ends others; both stand in the audit', async () => {
      const [other, mine] = [await signIn('alice', locale), await signIn('alice', locale, 'me')]
      const others = mine.page.getByRole('row').filter({ hasText: say.console }).filter({ hasNotText: say.thisOne })
      await others.first().waitFor()
      for (let left = await others.count(); left > 0; left--) {
        await others.last().getByRole('button').click()
        await expect.poll(() => others.count()).toBe(left - 1)
      }
      await other.page.reload()
      await other.page.getByRole('link', { name: say.signInWith }).waitFor()

      const here = await signIn('carol', locale)
      const { page } = here
      await turnTo(page, say.people)
      await page.getByRole('row', { name: /alice.*eng.*caller/ }).waitFor()
      await watch.step(here, `people-${locale}`)
      await page
        .getByRole('button', { name: say.endSessionOf('alice') })
        .first()
        .click()
      await watch.step(here, `people-end-session-${locale}`)
      await page.getByRole('dialog').getByRole('button', { name: say.endSession }).click()
      await page.getByText(say.done).waitFor()
      await mine.page.reload()
      await mine.page.getByRole('link', { name: say.signInWith }).waitFor()
      await watch.expectNothingKept(mine, 'an ended session')
      await page.getByRole('button', { name: say.endOf('alice') }).click()
      await watch.step(here, `people-end-${locale}`)
      await page.getByRole('dialog').getByRole('button', { name: say.end, exact: true }).click()
      await page.getByRole('row', { name: say.endedRow('alice') }).waitFor()

      await turnTo(page, say.audit)
      await page.getByLabel(say.who).fill('carol')
      await page.getByLabel(say.kind).selectOption('person')
      await page.getByLabel(say.from).fill('2020-01-01T00:00')
      await page.getByRole('button', { name: say.filter }).click()
      const line = page.getByRole('row', { name: say.endLine }).first()
      await line.waitFor()
      await page.getByRole('row', { name: 'alice' }).first().waitFor({ state: 'detached' })
      await watch.step(here, `audit-${locale}`)
      await line.getByRole('button').click()
      await page.getByRole('dialog').getByText('"outcome"').first().waitFor()
      await watch.step(here, `audit-line-${locale}`)
      await page.keyboard.press('Escape')
      for (const format of ['JSONL', 'CSV']) {
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('link', { name: `${say.exportAs} ${format}` }).click(),
        ])
        const chunks: Buffer[] = []
        for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
        const text = Buffer.concat(chunks).toString()
        expect(text).toContain('person')
        // What was asked for, and nothing else: everybody else's lines stay where they are.
        expect(text).not.toContain('sign-in')
      }
      await watch.expectNothingKept(here, 'an export')
      expect([mine, other, here].flatMap(problemsOf)).toEqual([])
      for (const each of [mine, other, here]) await each.context.close()
    })

    it('makes a key with a role, and says of a tool that it is read-only', async () => {
      const here = await signIn('carol', locale)
      const { page } = here
      await turnTo(page, say.keys)
      await page.getByRole('button', { name: say.newKey }).click()
      const role = page.getByLabel(say.role)
      expect(await role.inputValue()).toBe('caller')
      const roles = await role.getByRole('option').allTextContents()
      expect(roles.map((each) => each.split(/[:：]/)[0])).toEqual([
        ...['reader', 'caller', 'publisher', 'viewer', 'operator', 'admin'],
      ])
      const name = `reports-${locale}`
      await page.getByRole('dialog').getByLabel(say.name).fill(name)
      await role.selectOption('reader')
      await watch.step(here, `keys-role-${locale}`)
      await page.getByRole('button', { name: say.createKey }).click()
      const shown = (await page.getByText(/^rtk_[0-9a-f]{64}$/).textContent())!
      watch.keep(shown)
      await watch.step(here, `keys-made-${locale}`)
      await page.getByRole('button', { name: say.close }).last().click()
      await page.getByRole('row', { name: new RegExp(`${name}.*reader`) }).waitFor()
      expect(await page.content()).not.toContain(shown)
      await watch.step(here, `keys-${locale}`)
      const answer = await fetch(`${team.url}/api/v1/tools`, { headers: { authorization: `Bearer ${shown}` } })
      expect(answer.status).toBe(200)

      await page.goto(`${team.url}/#/tools/docs.read`)
      await page.getByText(say.unsaid, { exact: true }).waitFor()
      await watch.step(here, `tool-unsaid-${locale}`)
      await page.getByRole('button', { name: say.isReadonly }).click()
      await page.getByText(say.saidBy('carol')).waitFor()
      await page.locator('.detail').getByText(say.readonly, { exact: true }).waitFor()
      await watch.step(here, `tool-readonly-${locale}`)
      await page.getByRole('button', { name: say.takeBack }).click()
      await page.getByText(say.unsaid, { exact: true }).waitFor()
      expect(problemsOf(here)).toEqual([])
      await here.context.close()
    })

    it('comes by a key for emergencies, is told so on every page, and leaves nothing behind', async () => {
      const key = await team.key('admin')
      watch.keep(key)
      const here = await visit(browser, team.url, { locale })
      const { page } = here
      await page.goto(team.url)
      await page.getByLabel(say.key, { exact: true }).fill(`rtk_${'0'.repeat(64)}`)
      await page.getByRole('button', { name: say.signIn, exact: true }).click()
      await page.getByText(say.keyRefused).waitFor()
      await watch.step(here, `key-refused-${locale}`)
      await page.getByLabel(say.key, { exact: true }).fill(key)
      await page.getByRole('button', { name: say.signIn, exact: true }).click()
      await page.getByText(say.emergencies).waitFor()
      await watch.step(here, `break-glass-${locale}`)
      await turnTo(page, say.audit)
      await page.getByText(say.emergencies).waitFor()
      await page.getByRole('row', { name: say.breakGlassLine }).first().waitFor()
      await watch.step(here, `break-glass-audit-${locale}`)
      await page.getByRole('navigation').getByRole('button', { name: say.signOut }).click()
      await page.getByRole('link', { name: say.signInWith }).waitFor()
      await watch.step(here, `signed-out-${locale}`)
      expect(await here.context.cookies(team.url)).toEqual([])
      expect(problemsOf(here)).toEqual([])
      await here.context.close()
    })
  })
})
