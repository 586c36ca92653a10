import { describe, expect, it } from 'vitest'
import { readLayers } from './layers.js'
import { normaliseConfig } from './normalise.js'
import { formatPath } from './problems.js'
import { redacted } from './redact.js'
import { secretValues } from './secret-values.js'

const key = '-----BEGIN PRIVATE KEY-----\nMIGH\n-----END PRIVATE KEY-----\n'

const load = (auth: unknown, type = 'http', env: Record<string, string> = {}) =>
  normaliseConfig(
    { sources: { docs: { type, url: type === 'websocket' ? 'wss://h/mcp' : 'https://h/mcp', auth } } },
    { env, layers: readLayers({}, {}), folder: '/', dataFolder: '/', strict: true, subject: 'it', where: formatPath },
  ).config

describe('auth of a remote source', () => {
  it('is taken by all three kinds that have an address', () => {
    for (const type of ['http', 'sse', 'websocket'])
      expect(load({ type: 'oauth' }, type).sources.docs).toMatchObject({ auth: { type: 'oauth' } })
  })

  it('takes secrets out of variables', () => {
    const secret = { type: 'client-credentials', clientId: 'id', clientSecret: `\${CANARY}` }
    expect(load(secret, 'http', { CANARY: 'canary-4711' }).sources.docs).toMatchObject({
      auth: { clientSecret: 'canary-4711' },
    })
  })

  it('signs with ES256 where nothing else is said', () => {
    expect(load({ type: 'private-key-jwt', clientId: 'id', privateKey: key }).sources.docs).toMatchObject({
      auth: { algorithm: 'ES256' },
    })
  })

  it.each([
    [{ type: 'oauth', clientMetadataUrl: 'http://h/client.json' }, 'sources.docs.auth.clientMetadataUrl'],
    [{ type: 'oauth', clientMetadataUrl: 'https://h/' }, 'sources.docs.auth.clientMetadataUrl'],
    [{ type: 'oauth', scopes: ['two words'] }, 'sources.docs.auth.scopes'],
    [{ type: 'oauth', clientid: 'x' }, 'sources.docs.auth.clientid'],
    [{ type: 'client-credentials', clientId: 'id' }, 'sources.docs.auth.clientSecret'],
    [{ type: 'private-key-jwt', clientId: 'id', privateKey: 'x' }, 'sources.docs.auth.privateKey'],
    [{ type: 'basic' }, 'sources.docs.auth'],
  ])('names the place of what is wrong: %j', (auth, path) => {
    expect(() => load(auth)).toThrow(path)
  })

  it('shows its settings and hides its secrets', () => {
    const config = load({ type: 'oauth', clientId: 'public-id', clientSecret: 'canary-0815', scopes: ['read'] })
    const shown = JSON.stringify(redacted(config))
    expect(shown).toContain('public-id')
    expect(shown).not.toContain('canary-0815')
    expect(secretValues(config)).toContain('canary-0815')
    expect(secretValues(config)).not.toContain('oauth')
  })
})
