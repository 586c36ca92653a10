import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalised } from '../../test/helpers/config-files.js'
import { isGatewayError } from '../errors.js'
import { parseConfig } from './parse.js'
import { redacted } from './redact.js'

const env = { A: 'canary', PORT: '80' }

const attempt = (value: Readonly<Record<string, unknown>>): void => {
  try {
    const { config, references } = normalised(value, { env, strict: false })
    expect(JSON.stringify(redacted(config, references))).not.toContain('canary')
  } catch (error) {
    if (!isGatewayError(error)) throw error
    expect(['CONFIG_INVALID', 'VARIABLE_UNSET']).toContain(error.code)
    expect(error.message + JSON.stringify(error)).not.toContain('canary')
  }
}

const words = [
  'x',
  '',
  '$',
  '$$',
  `\${A}`,
  `\${NONE}`,
  `\${A`,
  `\${PORT}`,
  'http://h/',
  'wss://h/',
  'a b',
  '../x',
  'true',
  'sse',
]
const leaf = fc.oneof(
  fc.constantFrom(...words),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.string(),
)
const keys = [
  ...[
    'type',
    'command',
    'args',
    'env',
    'cwd',
    'url',
    'httpUrl',
    'baseUrl',
    'headers',
    'enabled',
    'disabled',
    'isActive',
  ],
  ...['namespace', 'tags', 'timeout', 'timeoutMs', 'healthCheck', 'interval', 'env_vars', 'bearer_token_env_var'],
  ...['env_http_headers', 'spec', 'module', 'config', 'path', 'endpoint', 'endpoints', 'reconnect', 'port', 'host'],
  ...['expose', 'allow', 'limits', 'namespaceSeparator', 'whitelist', 'level', 'actions', 'default', 'transport', 'x'],
]
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...keys), tie('any'), { maxKeys: 5, noNullPrototype: true }),
  ),
})).any
const topKeys = [
  ...['sources', 'services', 'mcpServers', 'servers', 'profiles', 'server', 'storage', 'search', 'auth', 'recall'],
  ...['xiaozhi', 'toolManager', 'logging', 'mcpEndpoint', 'inputs', '$schema'],
]

describe('any configuration', () => {
  it('ends in a Config or a coded error, and shows no variable', () => {
    const file = fc.dictionary(fc.constantFrom(...topKeys), value, { maxKeys: 4, noNullPrototype: true })
    fc.assert(fc.property(file, attempt), { numRuns: 2000 })
  })

  it('may hold any sources, in any section', () => {
    const entry = fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: 6, noNullPrototype: true })
    const section = fc.dictionary(fc.string({ maxLength: 6 }), entry, { maxKeys: 3, noNullPrototype: true })
    const file = fc.tuple(fc.constantFrom('sources', 'services', 'mcpServers', 'servers'), section)
    fc.assert(
      fc.property(file, ([key, sources]) => attempt({ [key]: sources })),
      { numRuns: 2000 },
    )
  })
})

describe('any text', () => {
  it.each(['x.json', 'x.yaml'])('of %s ends in an object or a coded error', async (name) => {
    const unit = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '"',
      "'",
      '\n',
      ' ',
      '-',
      '?',
      '&a',
      '*a',
      '!',
      '|',
      '#',
      'x',
      '1',
      '\t',
      '//',
    )
    await fc.assert(
      fc.asyncProperty(fc.string({ unit, maxLength: 60 }), async (text) => {
        const outcome = await parseConfig(Buffer.from(text), name).catch((error: unknown) => error)
        expect(isGatewayError(outcome) || typeof (outcome as { value: unknown }).value === 'object').toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})
