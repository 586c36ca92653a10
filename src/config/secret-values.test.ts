import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadConfig } from './load.js'
import { secretValues } from './secret-values.js'

describe('secret values', () => {
  it('T23 are those of env, headers, tokens and the queries of URLs', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'pegboard-secrets-'))
    writeFileSync(
      join(cwd, 'pegboard.json'),
      JSON.stringify({
        sources: {
          a: { type: 'stdio', command: 'a', env: { ANY: 'env-canary-1' } },
          b: {
            type: 'http',
            url: 'https://x.example/mcp?k=query-canary-2',
            headers: { Authorization: 'Bearer header-canary-3', 'X-Plain': 'header-canary-4' },
          },
        },
        server: { token: 'token-canary-5-long' },
        xiaozhi: { endpoint: 'wss://api.example/mcp/?token=jwt-canary-6' },
      }),
    )
    const { config } = await loadConfig({ cwd, env: {} })
    rmSync(cwd, { recursive: true })
    const values = secretValues(config)
    for (const canary of [
      'env-canary-1',
      'query-canary-2',
      'header-canary-3',
      'header-canary-4',
      'token-canary-5-long',
      'jwt-canary-6',
    ])
      expect(values).toContain(canary)
    expect(values).not.toContain('a')
  })
})
