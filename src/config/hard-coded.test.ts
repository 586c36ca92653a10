import { describe, expect, it } from 'vitest'
import { useConfigFolder } from '../../test/helpers/config-files.js'
import { hardCodedSecrets } from './hard-coded.js'

const folder = useConfigFolder()
const found = (file: object) =>
  hardCodedSecrets(file as Record<string, unknown>, () => 'here').map(({ path, instead }) => `${path} → ${instead}`)
const inEnv = (env: object) => found({ mcpServers: { docs: { command: 'x', env } } })

// Written apart, so that nobody takes this file for one that holds keys.
const key = ['sk', 'proj', 'a1B2c3D4e5F6g7H8i9'].join('-')
const token = ['ghp', '0123456789abcdefABCDEF'].join('_')

describe('secrets that stand in the file (D15, 001-20)', () => {
  it('are found by the name they stand under', () => {
    expect(inEnv({ API_KEY: 'q7wertz12345', dbPassword: 'correct horse' })).toEqual([
      `mcpServers.docs.env.API_KEY → \${API_KEY}`,
      `mcpServers.docs.env.dbPassword → \${DOCS_DB_PASSWORD}`,
    ])
    expect(
      found({ sources: { docs: { headers: { Authorization: 'Bearer q7wertz12345', Accept: 'text/html' } } } }),
    ).toEqual([`sources.docs.headers.Authorization → Bearer \${DOCS_TOKEN}`])
    expect(found({ server: { token: 'sixteen-letters-1' }, auth: { apiKey: 'rtk-number-one' } })).toEqual([
      `server.token → \${PEGBOARD_TOKEN}`,
      `auth.apiKey → \${PEGBOARD_API_KEY}`,
    ])
  })

  it('are found by their shape, wherever they stand', () => {
    expect(inEnv({ OPENAI: key })).toEqual([`mcpServers.docs.env.OPENAI → \${DOCS_TOKEN}`])
    expect(found({ sources: { git: { command: 'x', args: [token] } } })).toEqual([
      `sources.git.args[0] → \${GIT_TOKEN}`,
    ])
  })

  it('are found in arguments, by the flag', () => {
    const args = ['--api-key', 'q7wertz12345', '--token=q7wertz12345', '--port', '12345678', '--secret', '--verbose']
    expect(found({ sources: { git: { command: 'x', args } } })).toEqual([
      `sources.git.args[1] → \${GIT_API_KEY}`,
      `sources.git.args[2] → \${GIT_TOKEN}`,
    ])
  })

  it('are found in addresses', () => {
    expect(found({ xiaozhi: { endpoint: 'wss://api.example.net/mcp/?token=q7wertz12345' } })).toEqual([
      `xiaozhi.endpoint → …token=\${TOKEN}`,
    ])
    expect(found({ sources: { db: { url: 'https://ann:q7wertz12345@db.example.net/' } } })).toEqual([
      `sources.db.url → …ann:\${DB_PASSWORD}@…`,
    ])
  })

  it.each([
    `\${API_KEY}`,
    `Bearer \${API_KEY:-none}`,
    `\${env:API_KEY}`,
    '$API_KEY',
    '{{API_KEY}}',
    '%API_KEY%',
    '<your API key here>',
    'YOUR_API_KEY',
    'your-api-key-here',
    'change-me-please',
    'xxxxxxxxxxxx',
    '************',
    '0000000000',
    '...',
    'sk-...',
    'true',
    '',
    '/run/secrets/api_key',
    './keys/api.pem',
  ])('are not seen in the placeholder %j', (value) => {
    expect(inEnv({ API_KEY: value })).toEqual([])
  })

  it('are not seen in names that only speak of one', () => {
    const env = {
      MAX_TOKENS: '1234567890',
      TOKENIZERS_PARALLELISM: 'false',
      TOKEN_URL: 'https://login.example.net/token',
      API_KEY_FILE: 'secrets.txt',
      SECRET_NAME: 'projects/one/secrets/two',
      LOG_LEVEL: 'information',
    }
    expect(inEnv(env)).toEqual([])
    expect(found({ sources: { docs: { url: 'https://docs.example.net/mcp?page=1234567890' } } })).toEqual([])
  })

  it('are told by their line and never by their value', async () => {
    const loaded = await folder.loadText(
      `{\n  "mcpServers": { "a": { "command": "x", "env": { "API_KEY": "${key}" } } }\n}`,
    )
    const [secret] = loaded.hardCoded()
    expect(secret).toEqual({
      path: 'mcpServers.a.env.API_KEY',
      where: expect.stringMatching(/pegboard\.json:2:\d+$/),
      instead: `\${API_KEY}`,
    })
    expect(JSON.stringify(loaded.hardCoded())).not.toContain(key)
  })

  it('are not what a variable or a flag brought', async () => {
    const { hardCoded } = await folder.load({
      env: { PEGBOARD_TOKEN: 'sixteen-letters-1' },
      flags: { token: 'sixteen-letters-2' },
    })
    expect(hardCoded()).toEqual([])
  })
})
