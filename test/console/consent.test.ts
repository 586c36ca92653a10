import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { linkOf, registered, trade, verifier } from '../helpers/authorization-host.js'
import { startIdentityProvider, type TestProvider } from '../helpers/identity-provider.js'
import { openTeam, type TeamBoard } from '../helpers/team-board.js'
import { browserPath, openBrowser } from './browser.js'

describe.skipIf(browserPath === undefined)('the consent page in a browser', () => {
  let browser: Browser
  let provider: TestProvider
  let team: TeamBoard
  let keyed: TeamBoard
  let back = ''
  const arrived: URL[] = []
  const client = createServer((request, response) => {
    if (request.url?.startsWith('/callback')) arrived.push(new URL(request.url, back))
    response
      .writeHead(200, { 'Content-Type': 'text/html' })
      .end(request.url?.startsWith('/framing') ? framing : '<h1>Back</h1>')
  })
  let framing = ''

  beforeAll(async () => {
    browser = await openBrowser()
    provider = await startIdentityProvider()
    team = await openTeam({ provider })
    keyed = await openTeam({ people: 'keys' })
    await new Promise<void>((resolve) => client.listen(0, '127.0.0.1', resolve))
    back = `http://localhost:${(client.address() as AddressInfo).port}/callback`
  })
  afterAll(async () => {
    await browser.close()
    client.close()
    await team[Symbol.asyncDispose]()
    await keyed[Symbol.asyncDispose]()
    await provider[Symbol.asyncDispose]()
  })

  const opened = async (language = 'en-US'): Promise<{ page: Page; problems: string[] }> => {
    const context = await browser.newContext({ locale: language })
    const page = await context.newPage()
    const problems: string[] = []
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    return { page, problems }
  }
  const begin = async (url: string, page: Page): Promise<string> => {
    const id = await registered(url, { client_name: 'A browser' })
    await page.goto(linkOf(url, { client_id: id, redirect_uri: back }))
    return id
  }
  const traded = async (url: string, id: string) => {
    const code = arrived.at(-1)!.searchParams.get('code')!
    return trade(url, {
      grant_type: 'authorization_code',
      code,
      client_id: id,
      redirect_uri: back,
      code_verifier: verifier,
    })
  }

  it('leads over the provider back to the client', async () => {
    const { page, problems } = await opened()
    const id = await begin(team.url, page)
    expect(await page.textContent('h1')).toContain('“A browser” wants to use your tools')
    expect(await page.textContent('body')).toContain('nobody vouches for this name')
    // Its style counts, although nothing else may run or be loaded.
    expect(await page.evaluate('getComputedStyle(document.querySelector(".warning")).borderLeftStyle')).toBe('solid')
    await page.click('button[value=allow]')
    await page.fill('input[name=login]', 'alice')
    await page.click('button')
    await page.waitForURL(`${back}**`)
    expect(arrived.at(-1)!.searchParams.get('iss')).toBe(team.url)
    expect(await traded(team.url, id)).toMatchObject({ status: 200 })
    // It has no icon; nothing else is missing, and nothing was kept from running.
    expect(problems.filter((each) => !each.includes('404'))).toEqual([])
    await page.context().close()
  })

  it('takes a key, in Chinese, and is asked again after a wrong one', async () => {
    const { page } = await opened('zh-CN')
    const id = await begin(keyed.url, page)
    expect(await page.textContent('body')).toContain('没有人为这个名字担保')
    await page.fill('#key', `rtk_${'0'.repeat(64)}`)
    await page.click('button[value=allow]')
    expect(await page.textContent('[role=alert]')).toContain('此密钥无法使用')
    await page.fill('#key', await keyed.key('read'))
    await page.click('button[value=allow]')
    await page.waitForURL(`${back}**`)
    expect(await traded(keyed.url, id)).toMatchObject({ status: 200 })
    await page.context().close()
  })

  it('is left without a key, and its client is told', async () => {
    const { page } = await opened()
    await begin(keyed.url, page)
    await page.click('button[value=deny]')
    await page.waitForURL(`${back}**`)
    expect(arrived.at(-1)!.searchParams.get('error')).toBe('access_denied')
    await page.context().close()
  })

  it('is not shown in a frame, and a form of another site does nothing', async () => {
    const { page } = await opened()
    const id = await registered(keyed.url)
    const link = linkOf(keyed.url, { client_id: id, redirect_uri: back })
    framing = `<iframe src="${link.replaceAll('&', '&amp;')}"></iframe>`
    const origin = new URL(back).origin
    await page.goto(`${origin}/framing`)
    const inside = page.frames().at(-1)!
    expect(await inside.content()).not.toContain('wants to use your tools')
    framing = `<form method="post" action="${keyed.url}/authorize"><input name="round" value="x"><button name="answer" value="allow">go</button></form>`
    await page.goto(`${origin}/framing/again`)
    const [answer] = await Promise.all([page.waitForResponse(`${keyed.url}/authorize`), page.click('button')])
    expect(answer.status()).toBe(403)
    await page.context().close()
  })
})
