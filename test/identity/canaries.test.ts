import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { signedClient } from '../helpers/clients/signing.js'
import { createBrowser } from '../helpers/headless-browser.js'
import { startIdentityProvider } from '../helpers/identity-provider.js'
import { openTeam } from '../helpers/team-board.js'
import { walkAs } from './walk.js'

/** Every file below a folder, as text. */
const textsIn = (folder: string): readonly (readonly [name: string, text: string])[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => [each.name, readFileSync(join(each.parentPath, each.name), 'latin1')] as const)

describe('what lets people in', () => {
  it('stands in no log, answer, trail or file in clear (I13)', async () => {
    await using provider = await startIdentityProvider()
    await using team = await openTeam({ provider })
    const adminKey = await team.key('admin')
    const clientBrowser = createBrowser()
    const links: string[] = []
    const client = await signedClient({
      kind: 'v2-modern',
      url: `${team.url}/mcp`,
      walk: async (link, redirectUrl) => {
        const back = await walkAs('alice', clientBrowser)(link, redirectUrl)
        links.push(new URL(back).searchParams.get('code')!)
        return back
      },
    })
    await client.call('calculator', { expression: '1+1' })
    await client.call('calculator', { expression: '1+' })
    // Somebody signs in at the console too, and somebody tries what does not open.
    const browser = createBrowser()
    const login = await browser.open(`${team.url}/session/sign-in`)
    await browser.submit(login, { login: 'carol' })
    const cookies = [...browser.cookies(team.url).values(), ...clientBrowser.cookies(team.url).values()]
    const ask = (path: string, token: string) =>
      fetch(`${team.url}${path}`, { headers: { Authorization: `Bearer ${token}` } }).then((answer) => answer.text())
    const { access_token: access, refresh_token: refresh } = client.tokens
    const answers = [
      await ask('/api/v1/tools', access),
      await ask('/mcp/sales', access),
      await ask('/api/admin/v1/settings', access),
      ...(await Promise.all(
        ['overview', 'people', 'sessions', 'settings', 'keys', 'audit', 'logs', 'sources'].map((path) =>
          ask(`/api/admin/v1/${path}`, adminKey),
        ),
      )),
    ]
    // They were real answers about real people.
    expect(answers.join('\n')).toContain('alice')
    await client.close()
    const secrets = [access, refresh!, provider.clientSecret, adminKey, ...links, ...cookies].filter(
      (each) => each.length >= 16,
    )
    expect(secrets.length).toBeGreaterThanOrEqual(6)
    const places = [
      ...answers.map((text, index) => [`answer ${index}`, text] as const),
      ['log', team.log.join('\n')] as const,
      ...textsIn(join(team.folder, 'data')),
    ]
    const seen = places.flatMap(([name, text]) =>
      secrets.filter((secret) => text.includes(secret)).map((secret) => `${name}: ${secret.slice(0, 6)}…`),
    )
    expect(seen).toEqual([])
    // The provider's own tokens are JWT, whichever they are.
    expect(places.filter(([, text]) => /eyJ[\w-]{10,}\.eyJ/.test(text)).map(([name]) => name)).toEqual([])
  })
})
