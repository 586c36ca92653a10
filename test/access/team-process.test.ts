import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SignedClient, type SigningKind, signedClient } from '../helpers/clients/signing.js'
import { freePort } from '../helpers/free-port.js'
import { type GatewayProcess, startGateway } from '../helpers/gateway-process.js'
import { createBrowser, type HeadlessBrowser } from '../helpers/headless-browser.js'
import { startIdentityProvider, type TestProvider } from '../helpers/identity-provider.js'
import { runCli } from '../helpers/run-cli.js'
import { type SignInServers, startSignInServers } from '../helpers/sign-in-servers.js'

/** A team's day with the program as it is started: whom it serves, what it keeps when it dies, what a command ends. */
describe('a team and its gateway', () => {
  let provider: TestProvider
  let far: SignInServers
  let gateway: GatewayProcess
  let folder: string
  let port: number

  const start = async (): Promise<void> => {
    const { issuer, clientId, clientSecret } = provider
    const config = {
      server: { publicUrl: `http://127.0.0.1:${port}` },
      auth: {
        people: { issuer, clientId, clientSecret },
        grants: [{ groups: ['eng', 'platform'], role: 'caller' }],
      },
      sources: { docs: { type: 'http', url: far.url, auth: { type: 'oauth', per: 'caller' } } },
    }
    gateway = await startGateway(config, { folder, port, greet: false })
  }
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'pegboard-day-'))
    port = await freePort()
    provider = await startIdentityProvider()
    for (const path of ['/authorize/callback', '/session/callback'])
      provider.allowRedirect(`http://127.0.0.1:${port}${path}`)
    far = await startSignInServers()
    far.rules.listsToAll = true
    await start()
  })
  afterAll(async () => {
    await gateway?.dispose()
    for (const each of [far, provider]) await each?.[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  const connect = (kind: SigningKind, login: string, browser: HeadlessBrowser): Promise<SignedClient> =>
    signedClient({
      ...{ kind, url: `http://127.0.0.1:${port}/mcp` },
      walk: async (link, redirectUrl) => {
        const stopAt = (url: string): boolean => url.startsWith(redirectUrl)
        const consent = await browser.open(link.href, stopAt)
        const next = await browser.submit(consent, {}, { button: 'allow', stopAt })
        return stopAt(next.url) ? next.url : (await browser.submit(next, { login }, { stopAt })).url
      },
    })
  const typed = (args: readonly string[]) =>
    runCli([...args, '--config', gateway.file, '--data-path', join(folder, 'data')], { cwd: folder, home: folder })

  it('know each other by name, from the first call to the last (I11)', async () => {
    const [hers, his] = [createBrowser(), createBrowser()]
    const alice = await connect('v2-modern', 'alice', hers)
    const carol = await connect('v1', 'carol', his)
    // Neither opens links by itself: the answer names the page on which they sign in.
    const refused = await alice.call('docs.read')
    const page = `http://127.0.0.1:${port}/me`
    expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining(page)])
    await signInOn(page, 'alice', hers)
    expect(await alice.call('docs.read')).toEqual({ isError: false, text: expect.stringContaining('alice') })
    expect((await carol.call('docs.read')).isError).toBe(true)

    // What is kept outlives the process.
    gateway.child.kill('SIGKILL')
    await gateway.exited
    await start()
    expect(await alice.call('docs.read')).toEqual({ isError: false, text: expect.stringContaining('alice') })
    expect([alice.walks, carol.walks]).toEqual([1, 1])

    const { stdout } = await typed(['people', 'list', '--json'])
    expect(JSON.stringify(JSON.parse(stdout))).toMatch(/alice[\s\S]*carol|carol[\s\S]*alice/)
    const ended = await typed(['people', 'end', 'alice'])
    expect([ended.code, ended.stderr]).toEqual([0, expect.any(String)])
    await expect.poll(() => alice.call('docs.read').then(String, String)).toMatch(/sign-in is over|Unauthorized|401/i)
    expect(await carol.list()).toContain('docs.read')

    const trail = await typed(['audit', '--json', '--limit', '200'])
    for (const kind of ['sign-in', 'consent', 'call', 'credential', 'person'])
      expect(trail.stdout).toContain(`"kind":"${kind}"`)
    expect(await typed(['audit', 'verify'])).toMatchObject({ code: 0 })
    await Promise.all([alice.close().catch(() => {}), carol.close()])
  }, 120_000)

  /** What somebody does on their page: signs in here, goes to the source, signs in there and comes back. */
  const signInOn = async (page: string, login: string, browser: HeadlessBrowser): Promise<void> => {
    const { origin } = new URL(page)
    const shown = await browser.open(`${origin}/session/sign-in?next=me`)
    if (/name="login"/.test(shown.text)) await browser.submit(shown, { login })
    const Cookie = [...browser.cookies(origin)].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { Cookie, Origin: origin, 'Content-Type': 'application/json', 'X-Pegboard-Console': '1' }
    const asked = await fetch(`${origin}/api/admin/v1/me/sources/docs/sign-in`, { method: 'POST', headers, body: '{}' })
    expect([asked.status, await asked.clone().text()]).toEqual([200, expect.any(String)])
    const { url } = (await asked.json()) as { readonly url: string }
    const back = await browser.open(`${url}&user=${login}`)
    expect([back.status, new URL(back.url).origin]).toEqual([200, origin])
  }
})
