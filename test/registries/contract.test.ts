import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseListedServer, parseServerPage } from '../../src/registries/parse-server-json.js'
import { officialMeta } from '../../src/registries/server-json.js'
import { breaches } from '../helpers/registry-contract.js'
import { npmServer, openTestRegistry, type TestRegistry } from '../helpers/registry-server.js'

/** Whatever the published document allows of an input, within our bounds. */
const text = fc.string({ minLength: 1, maxLength: 40 }).filter((each) => !/\p{Cc}/u.test(each))
const input = {
  description: text,
  isRequired: fc.boolean(),
  isSecret: fc.boolean(),
  format: fc.constantFrom('string', 'number', 'boolean', 'filepath'),
  value: text,
  default: text,
  placeholder: text,
  choices: fc.array(text, { maxLength: 3 }),
}
const variables = fc.dictionary(fc.stringMatching(/^[a-z_]{1,8}$/), fc.record(input, { requiredKeys: [] }), {
  maxKeys: 2,
  noNullPrototype: true,
})
const named = fc.record({ ...input, variables, name: text }, { requiredKeys: ['name'] })
const argument = fc.oneof(
  fc.record(
    { ...input, variables, type: fc.constant('positional'), valueHint: text },
    { requiredKeys: ['type', 'valueHint'] },
  ),
  fc.record({ ...input, variables, type: fc.constant('named'), name: text }, { requiredKeys: ['type', 'name'] }),
)
const server = fc.record(
  {
    $schema: fc.constant('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
    name: fc.stringMatching(/^[a-z.]{1,10}\/[a-z_-]{1,10}$/),
    description: text,
    title: text,
    version: fc.constantFrom('1.0.0', '2.1.0-alpha', '2026.1'),
    websiteUrl: fc.webUrl(),
    packages: fc.array(
      fc.record(
        {
          registryType: fc.constantFrom('npm', 'pypi', 'oci', 'nuget', 'mcpb', 'cargo'),
          identifier: text,
          version: fc.constant('1.0.0'),
          runtimeHint: fc.constantFrom('npx', 'uvx', 'docker', 'dnx'),
          transport: fc.constant({ type: 'stdio' }),
          runtimeArguments: fc.array(argument, { maxLength: 2 }),
          packageArguments: fc.array(argument, { maxLength: 2 }),
          environmentVariables: fc.array(named, { maxLength: 2 }),
        },
        { requiredKeys: ['registryType', 'identifier', 'transport'] },
      ),
      { maxLength: 2 },
    ),
    remotes: fc.array(
      fc.record(
        {
          type: fc.constantFrom('streamable-http', 'sse'),
          url: fc.constant('https://{tenant}.example.com/mcp'),
          headers: fc.array(named, { maxLength: 2 }),
          variables,
        },
        { requiredKeys: ['type', 'url'] },
      ),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: ['name', 'description', 'version'] },
)
const meta = {
  [officialMeta]: {
    status: 'active',
    publishedAt: '2026-01-02T03:04:05Z',
    updatedAt: '2026-01-02T03:04:05Z',
    isLatest: true,
  },
}

describe('the published shape of a registry’s answers', () => {
  let registry: TestRegistry
  beforeAll(async () => {
    registry = await openTestRegistry([
      npmServer('io.example/a', '1.0.0'),
      { ...npmServer('io.example/b', '1.0.0'), status: 'deprecated', statusMessage: 'Take a' },
    ])
  })
  afterAll(() => registry.close())

  it('is what we read: every answer that fits it is taken, and comes out as it went in', () => {
    fc.assert(
      fc.property(server, (each) => {
        const answer = { server: each, _meta: meta }
        fc.pre(breaches('version', answer) === '')
        const read = parseListedServer(answer)
        expect(JSON.parse(JSON.stringify(read.server))).toEqual(JSON.parse(JSON.stringify(each)))
        expect(parseServerPage({ servers: [answer], metadata: { count: 1 } }).refused).toEqual([])
      }),
    )
  })

  it('is what the registry of our tests answers', async () => {
    const get = async (path: string): Promise<unknown> => (await fetch(`${registry.url}/v0.1/servers${path}`)).json()
    expect(breaches('list', await get('?limit=1'))).toBe('')
    expect(breaches('list', await get('/io.example%2Fa/versions'))).toBe('')
    expect(breaches('version', await get('/io.example%2Fb/versions/latest'))).toBe('')
    expect(breaches('error', await get('/io.example%2Fnone/versions/latest'))).toBe('')
  })
})
