import { describe, expect, it } from 'vitest'
import { readLayers } from './layers.js'
import { normaliseConfig } from './normalise.js'
import { formatPath } from './problems.js'
import { redacted } from './redact.js'

const read = (value: object, env = {}) =>
  normaliseConfig(value as Record<string, unknown>, {
    env,
    layers: readLayers({}, env),
    folder: '/etc/board',
    dataFolder: '/data',
    strict: true,
    subject: 'the file',
    where: formatPath,
  })

const shownOf = (value: object, env = {}): string => {
  const { config, references } = read(value, env)
  return JSON.stringify(redacted(config, references))
}

describe('redacted', () => {
  it('shows none of the planted secrets (T23)', () => {
    const shown = shownOf(
      {
        sources: {
          a: {
            command: 'x',
            args: [
              '--token',
              'canary1',
              '--api-key=canary2',
              'Authorization: Bearer canary3',
              '--header=Bearer canary4',
              'https://h/?k=canary5',
              '--url=https://u:canary6@h/',
              '--secret-word',
              'canary7',
              '--header',
              'X-Any: canary23',
              '-e',
              'GITHUB_PAT=canary24',
            ],
            env: { ANY: 'canary8' },
          },
          b: { url: 'https://h/mcp?key=canary9&x=canary10', headers: { 'X-Any': 'canary11' } },
          c: { module: 'm', config: { deep: [{ password: 'canary12', apiKey: 'canary13' }] } },
          d: { url: `https://\${HOST}/mcp`, headers: { K: `\${KEY}` } },
        },
        server: { token: 'canary14-canary14' },
        auth: { apiKey: 'canary15' },
        search: { embedding: { provider: 'openai', url: 'https://h/v1?key=canary16', model: 'm', apiKey: 'canary18' } },
        xiaozhi: { endpoint: 'wss://h/mcp/?token=canary19' },
        recall: { actions: [{ kn_id: 'k', at_id: 'a', actions: [{ parameters: { token: 'canary20' } }] }] },
      },
      { HOST: 'canary21', KEY: 'canary22' },
    )
    expect(shown).not.toContain('canary')
  })

  it('shows the variable in the place of its value, without its default', () => {
    const shown = shownOf(
      {
        sources: { a: { url: 'https://h/', headers: { Authorization: `Bearer \${KEY}`, B: `s3cr3t\${KEY:-canary}` } } },
      },
      { KEY: 'canary' },
    )
    expect(shown).toContain(`"Authorization":"Bearer \${KEY}"`)
    expect(shown).toContain(`"B":"***\${KEY:-***}"`)
    expect(shown).not.toContain('canary')
  })

  it('leaves what is no secret readable, also in a source called token', () => {
    const { config } = read({ sources: { token: { command: 'npx', args: ['-y', 'x', '--port', '1'], cwd: '/srv' } } })
    expect(redacted(config)).toMatchObject({
      sources: { token: { type: 'stdio', command: 'npx', args: ['-y', 'x', '--port', '1'], cwd: '/srv' } },
      server: { host: '127.0.0.1', port: 8000 },
      auth: { required: false },
    })
  })

  it('leaves the config as it is', () => {
    const { config } = read({ sources: { a: { command: 'x', env: { K: 'v' } } } })
    redacted(config)
    expect(config.sources.a).toMatchObject({ env: { K: 'v' } })
  })
})
