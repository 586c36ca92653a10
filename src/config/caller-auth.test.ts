import { describe, expect, it } from 'vitest'
import { readLayers } from './layers.js'
import { normaliseConfig } from './normalise.js'
import { formatPath } from './problems.js'
import { redacted } from './redact.js'
import { secretValues } from './secret-values.js'

const read = (source: object, env: Record<string, string> = {}) =>
  normaliseConfig(
    { sources: { docs: 'spec' in source || 'command' in source ? source : { url: 'https://h/mcp', ...source } } },
    { env, layers: readLayers({}, {}), folder: '/', dataFolder: '/', strict: true, subject: 'it', where: formatPath },
  )
const load = (source: object, env?: Record<string, string>) => read(source, env).config.sources.docs
const problemOf = (source: object, env?: Record<string, string>): string => {
  try {
    load(source, env)
    return 'none'
  } catch (error) {
    return (error as Error).message
  }
}

describe('a source at which each caller signs in', () => {
  it.each(['http', 'sse', 'openapi'])('may be of kind %s', (type) => {
    const place = type === 'openapi' ? { type, spec: 'https://h/api.json' } : { type }
    expect(load({ ...place, auth: { type: 'oauth', per: 'caller' } })).toMatchObject({ auth: { per: 'caller' } })
    expect(load({ ...place, auth: { type: 'key', per: 'caller' } })).toMatchObject({
      auth: { header: 'Authorization' },
    })
  })

  it('may not be a command, and says why', () => {
    const command = { command: 'node', auth: { type: 'oauth', per: 'caller' } }
    expect(problemOf(command)).toContain('one process for everybody')
  })

  it('may be exchanged for, by one or two issuers, whose secrets are kept apart', () => {
    const auth = { type: 'exchange', issuer: 'https://idp', clientId: 'us', clientSecret: 's', audience: 'https://h' }
    expect(load({ auth })).toMatchObject({ auth: { grant: 'token-exchange' } })
    expect(problemOf({ auth: { ...auth, grant: 'id-jag' } })).toContain('"server"')
    const server = { issuer: 'https://as', clientId: 'us' }
    expect(problemOf({ auth: { ...auth, server } })).toContain('id-jag')
    expect(load({ auth: { ...auth, grant: 'id-jag', server } })).toMatchObject({ auth: { grant: 'id-jag' } })
  })

  it('lists by a key or a client of the gateway', () => {
    const listAs = { type: 'key', key: 'k' }
    expect(load({ auth: { type: 'oauth', per: 'caller', listAs } })).toMatchObject({ auth: { listAs: { key: 'k' } } })
    expect(problemOf({ auth: { type: 'oauth', listAs } })).toContain('"listAs"')
  })

  it.each([
    [{ headers: { authorization: 'x' }, auth: { type: 'oauth', per: 'caller' } }, 'keep one'],
    [{ headers: { 'X-Key': 'x' }, auth: { type: 'key', per: 'caller', header: 'x-key' } }, 'keep one'],
    [{ auth: { type: 'key', per: 'caller', header: 'Host' } }, 'not ours to set'],
    [{ auth: { type: 'key', per: 'caller', header: 'X\r\nY' } }, 'header name'],
    [{ auth: { type: 'key', per: 'caller', prefix: 'a\r\nb' } }, 'printable'],
    [{ auth: { type: 'key', header: 'X-Key' } }, 'per'],
    [{ auth: { type: 'oauth', per: 'person' } }, 'per'],
    [{ type: 'openapi', spec: './a.json', auth: { type: 'oauth', per: 'caller' } }, 'baseUrl'],
  ])('is refused where it cannot be: %j', (source, words) => {
    expect(problemOf(source)).toContain(words)
  })

  it('shows no secret of its own, and hides no plain word for one', () => {
    const { config, references } = read({
      auth: {
        type: 'key',
        per: 'caller',
        header: 'X-Api-Key',
        help: 'https://h/keys',
        listAs: { type: 'client-credentials', clientId: 'us', clientSecret: 'canary-1' },
      },
    })
    const shown = JSON.stringify(redacted(config, references))
    expect(shown).not.toContain('canary-1')
    expect(shown).toContain('X-Api-Key')
    const hidden = secretValues(config)
    expect(hidden).toContain('canary-1')
    for (const plain of ['key', 'caller', 'X-Api-Key', 'client-credentials', 'us']) expect(hidden).not.toContain(plain)
    const second = read({ auth: { type: 'oauth', per: 'caller', listAs: { type: 'key', key: 'canary-2' } } })
    expect(JSON.stringify(redacted(second.config))).not.toContain('canary-2')
    expect(secretValues(second.config)).toContain('canary-2')
  })
})

describe('a header that names the caller', () => {
  it('stays as it is written, beside variables', () => {
    const headers = { 'X-User': `\${PREFIX}\${caller.sub}/\${caller.groups}` }
    const { config, references } = read({ headers }, { PREFIX: 'p-' })
    expect(config.sources.docs).toMatchObject({ headers: { 'X-User': `p-\${caller.sub}/\${caller.groups}` } })
    expect(JSON.stringify(redacted(config, references))).toContain(`\${caller.sub}`)
  })

  it('names nothing that there is not', () => {
    expect(problemOf({ headers: { 'X-User': `\${caller.token}` } })).toContain('nothing else')
    expect(problemOf({ headers: { 'X-User': `\${caller.id:-me}` } })).toContain('nothing else')
  })

  it('is one of a source: elsewhere a caller has no name', () => {
    expect(problemOf({ url: `https://h/\${caller.sub}` })).toContain('only "headers"')
    expect(problemOf({ command: 'x', env: { WHO: `\${caller.sub}` } })).toContain('only "headers"')
  })
})
