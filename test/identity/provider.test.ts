import * as oauth from 'oauth4webapi'
import { allowInsecureRequests } from 'oauth4webapi'
import { describe, expect, it } from 'vitest'
import { createBrowser } from '../helpers/headless-browser.js'
import { startIdentityProvider } from '../helpers/identity-provider.js'

const insecure = { [allowInsecureRequests]: true }
const redirectUri = 'http://127.0.0.1:9/callback'

describe('the identity provider of the tests', () => {
  it('signs people in by a form, tells their groups in the ID token, and refreshes until they are disabled', async () => {
    await using provider = await startIdentityProvider()
    provider.allowRedirect(redirectUri)
    const issuer = new URL(provider.issuer)
    const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure))
    const client = { client_id: provider.clientId }
    const secret = oauth.ClientSecretBasic(provider.clientSecret)
    const verifier = oauth.generateRandomCodeVerifier()
    const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()]
    const url = new URL(server.authorization_endpoint!)
    const asked = {
      client_id: client.client_id,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid profile email',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }
    for (const [name, value] of Object.entries({ ...asked, state, nonce })) url.searchParams.set(name, value)
    const browser = createBrowser()
    const page = await browser.open(url.href)
    expect(page.text).toContain('name="login"')
    const back = await browser.submit(page, { login: 'alice' }, { stopAt: (to) => to.startsWith(redirectUri) })
    const params = oauth.validateAuthResponse(server, client, new URL(back.url), state)
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      secret,
      params,
      redirectUri,
      verifier,
      insecure,
    )
    const result = await oauth.processAuthorizationCodeResponse(server, client, response, { expectedNonce: nonce })
    expect(oauth.getValidatedIdTokenClaims(result)).toMatchObject({
      sub: 'alice',
      groups: ['eng'],
      email: 'alice@example.com',
      email_verified: true,
    })
    const refresh = async () =>
      oauth.processRefreshTokenResponse(
        server,
        client,
        await oauth.refreshTokenGrantRequest(server, client, secret, result.refresh_token!, insecure),
      )
    provider.accounts.alice!.disabled = true
    await expect(refresh()).rejects.toMatchObject({ error: 'invalid_grant' })
  })

  it('gives machines tokens for a resource', async () => {
    await using provider = await startIdentityProvider()
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      resource: 'http://127.0.0.1:8/mcp',
      scope: 'mcp:call',
    })
    const answer = await fetch(`${provider.issuer}/token`, {
      method: 'POST',
      body,
      headers: {
        Authorization: `Basic ${Buffer.from(`${provider.clientId}:${provider.clientSecret}`).toString('base64')}`,
      },
    })
    const { access_token: token } = (await answer.json()) as { access_token: string }
    const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
    expect(claims).toMatchObject({
      aud: 'http://127.0.0.1:8/mcp',
      sub: 'pegboard',
      client_id: 'pegboard',
      scope: 'mcp:call',
    })
  })
})
