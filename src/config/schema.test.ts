import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalised } from '../../test/helpers/config-files.js'
import { mcpAgentConfigSchema } from './agent-schema.js'
import { configJsonSchema } from './schema.js'

// The shape of the design page, whole.
const promised = {
  sources: {
    github: { type: 'stdio', command: 'npx', args: ['-y', 'x'], env: { TOKEN: `\${GITHUB_TOKEN}` } },
    docs: { type: 'http', url: 'https://h.example/mcp', headers: {} },
    news: { type: 'sse', url: 'https://h.example/sse' },
    live: { type: 'websocket', url: 'wss://h.example/' },
    shop: { type: 'openapi', spec: './shop.yaml', baseUrl: 'http://127.0.0.1:9000' },
    archive: { type: 'catalog', path: './tools.json', startOnDemand: true, idleStopMs: 60_000, tags: ['old'] },
  },
  profiles: {
    default: { expose: 'flat', allow: ['github.*'], deny: ['*.delete_*'], pin: [], namespacing: true, names: 'safe' },
    voice: { expose: 'search', limits: { maxResultBytes: 1024, callsPerMinute: 60 } },
  },
  server: {
    host: '127.0.0.1',
    port: 8000,
    path: '/mcp',
    trustedHosts: ['board.local'],
    allowedOrigins: ['https://a.example'],
  },
  storage: { backend: 'json', path: './data' },
  search: { method: 'auto', embedding: { provider: 'openai', url: 'https://h.example/v1', model: 'm' } },
  auth: { required: false },
  recall: {
    actions: [
      {
        kn_id: 'k',
        at_id: 'a',
        action_source: { type: 'mcp', mcp_id: 'github', tool_name: 't' },
        actions: [{ parameters: { x: 1 } }],
      },
    ],
  },
  xiaozhi: { endpoint: `\${MCP_ENDPOINT}`, reconnect: { initialBackoff: 1000, maxBackoff: 60_000 } },
  toolManager: {
    maxToolListSize: 10_240,
    maxResultSize: 1024,
    namespaceEnabled: true,
    namespaceSeparator: '.',
    whitelist: [],
    blacklist: [],
  },
  logging: { level: 'info', format: 'line' },
}

const env = { GITHUB_TOKEN: 'g', MCP_ENDPOINT: 'wss://h.example/mcp/?token=t' }

const normalise = (value: object) => normalised(value, { env })

const ajv = new Ajv2020({ strict: false, allErrors: true })

describe('configJsonSchema', () => {
  const validate = ajv.compile(configJsonSchema())

  it('is JSON Schema 2020-12 and accepts the promised shape', () => {
    expect(validate(promised), JSON.stringify(validate.errors)).toBe(true)
    expect(JSON.parse(JSON.stringify(configJsonSchema()))).toMatchObject({
      type: 'object',
      additionalProperties: false,
    })
  })

  it('accepts clients, 001 and placeholders, and marks mistakes', () => {
    expect(validate({ mcpServers: { a: { command: 'x', autoApprove: [] } }, server: { port: `\${PORT}` } })).toBe(true)
    expect(validate({ services: { a: { type: 'stdio', command: 'x', args: [] } } })).toBe(true)
    expect(validate({ server: { port: 70_000 } })).toBe(false)
    expect(validate({ server: { hots: 'x' } })).toBe(false)
    expect(validate({ sources: { a: { type: 'stdio' } } })).toBe(false)
  })
})

describe('mcpAgentConfigSchema (001-12)', () => {
  it('takes what 001 requires and nothing less', () => {
    const { xiaozhi, toolManager, logging } = promised
    const service = { type: 'stdio', enabled: true, namespace: 'c', command: 'x', args: [] }
    const whole = {
      xiaozhi: { ...xiaozhi, endpoint: env.MCP_ENDPOINT },
      services: { a: service },
      toolManager,
      logging,
    }
    expect(mcpAgentConfigSchema.safeParse(whole).success).toBe(true)
    expect(mcpAgentConfigSchema.safeParse({ ...whole, toolManager: undefined }).success).toBe(false)
    expect(mcpAgentConfigSchema.safeParse({ ...whole, services: { a: { ...service, namespace: '' } } }).success).toBe(
      false,
    )
  })
})

describe('a normalised configuration', () => {
  it('keeps every promise of the shape', () => {
    const { config, notes } = normalise(promised)
    // A file of definitions may say so, as every source may, but has nothing that could sleep or stop.
    expect(notes.map(({ path }) => path)).toEqual(['sources.archive.startOnDemand', 'sources.archive.idleStopMs'])
    const { xiaozhi: _, sources, storage: __, ...rest } = promised
    expect(config).toMatchObject(rest)
    expect(config.sources.github).toMatchObject({ ...sources.github, env: { TOKEN: 'g' }, namespace: 'github' })
    expect(config.storage).toMatchObject({ backend: 'json', path: '/etc/board/data', onCorrupt: 'refuse' })
  })

  it('is itself a file that gives the same configuration, whatever was valid', () => {
    fc.assert(
      fc.property(validFile(), (file) => {
        const { config } = normalise(file)
        expect(normalise(config).config).toEqual(config)
        expect(normalise(JSON.parse(JSON.stringify(config))).config).toEqual(config)
      }),
      { numRuns: 200 },
    )
  })

  it('never depends on or changes the object it was made from', () => {
    const file = structuredClone(promised)
    const { config } = normalise(file)
    expect(file).toEqual(promised)
    expect(Object.isFrozen(file.recall.actions[0]?.actions[0]?.parameters)).toBe(false)
    expect(config.recall.actions[0]?.actions[0]?.parameters).toEqual({ x: 1 })
  })
})

function validFile(): fc.Arbitrary<object> {
  const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,12}$/)
  // No dollar sign: what is expanded once must not be expanded again, and a Config holds plain text.
  const anyText = fc.string({ maxLength: 20 }).filter((text) => !/[$\0]/.test(text))
  const common = {
    enabled: fc.boolean(),
    tags: fc.array(word, { maxLength: 3 }),
    timeoutMs: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
    healthCheck: fc.record({
      interval: fc.integer({ min: 1000, max: 1e6 }),
      timeout: fc.integer({ min: 1000, max: 1e6 }),
    }),
    startOnDemand: fc.boolean(),
    excludeTools: fc.array(word, { maxLength: 2 }),
  }
  const stdio = fc.record(
    {
      command: word,
      args: fc.array(anyText, { maxLength: 4 }),
      env: fc.dictionary(word, anyText),
      cwd: word,
      ...common,
    },
    { requiredKeys: ['command'] },
  )
  const remote = fc.record(
    {
      url: fc
        .tuple(fc.constantFrom('http', 'https', 'wss'), word)
        .map(([scheme, host]) => `${scheme}://h${host}.example/mcp`),
      headers: fc.dictionary(word, word),
      ...common,
    },
    { requiredKeys: ['url'] },
  )
  const catalog = fc.record({ path: word, ...common }, { requiredKeys: ['path'] })
  const embedded = fc.record(
    { module: word, config: fc.dictionary(word, fc.oneof(fc.integer(), anyText, fc.array(fc.boolean()))), ...common },
    { requiredKeys: ['module'] },
  )
  const names = word.filter((name) => !(name in Object.prototype) && name !== 'prototype')
  const sources = fc
    .dictionary(names, fc.oneof(stdio, remote, catalog, embedded), { maxKeys: 5, noNullPrototype: true })
    .filter(
      (record) =>
        new Set(Object.keys(record).map((name) => name.replace(/-+$/, ''))).size === Object.keys(record).length,
    )
  return fc.record(
    {
      sources,
      server: fc.record({ port: fc.integer({ min: 0, max: 65_535 }), host: word }, { requiredKeys: [] }),
      profiles: fc.dictionary(
        names,
        fc.record(
          { expose: fc.constantFrom('flat', 'search', 'hybrid'), allow: fc.array(word), pin: fc.array(word) },
          { requiredKeys: [] },
        ),
        { maxKeys: 3, noNullPrototype: true },
      ),
      toolManager: fc.record(
        { maxResultSize: fc.integer({ min: 256, max: 10_240 }), namespaceEnabled: fc.boolean() },
        { requiredKeys: [] },
      ),
      xiaozhi: fc.record({ endpoint: word.map((host) => `wss://h${host}.example/`) }),
      logging: fc.record({ level: fc.constantFrom('debug', 'error'), format: word }, { requiredKeys: [] }),
    },
    { requiredKeys: [] },
  )
}
