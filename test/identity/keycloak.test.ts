import { describe, expect, it } from 'vitest'
import { signedClient, signingKinds } from '../helpers/clients/signing.js'
import { createBrowser } from '../helpers/headless-browser.js'
import { hasKeycloak, noKeycloak, startKeycloak } from '../helpers/keycloak.js'
import { openTeam } from '../helpers/team-board.js'

// By command, where one lies unpacked: KEYCLOAK_HOME=… npx vitest run test/identity/keycloak.test.ts
describe.skipIf(!hasKeycloak)(`a team at Keycloak${hasKeycloak ? '' : ` (${noKeycloak})`}`, () => {
  it('signs in by one confidential client, in both eras, and gets what its groups are granted', async () => {
    await using keycloak = await startKeycloak()
    await using team = await openTeam({ provider: keycloak })
    await keycloak.settled()
    const walkAs = (username: string) => async (link: URL, redirectUrl: string) => {
      const stopAt = (url: string) => url.startsWith(redirectUrl)
      const browser = createBrowser()
      const consent = await browser.open(link.href, stopAt)
      const login = await browser.submit(consent, {}, { button: 'allow', stopAt })
      expect(login.text).toContain('name="username"')
      return (await browser.submit(login, { username, password: keycloak.password }, { stopAt })).url
    }
    for (const kind of signingKinds) {
      const alice = await signedClient({ kind, url: `${team.url}/mcp`, walk: walkAs('alice') })
      expect((await alice.call('calculator', { expression: '6*7' })).text).toContain('42')
      await alice.close()
    }
    const bob = await signedClient({ kind: 'v2-modern', url: `${team.url}/mcp`, walk: walkAs('bob') })
    expect((await bob.call('current_time', {})).isError).toBe(false)
    expect((await bob.call('calculator', { expression: '1' })).isError).toBe(true)
    await bob.close()
  }, 300_000)
})
