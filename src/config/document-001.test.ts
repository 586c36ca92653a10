import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { failure, useConfigFolder } from '../../test/helpers/config-files.js'
import { mcpAgentConfigSchema, type ValidatedConfig } from '../exports/compat.js'

const folder = useConfigFolder()
const { load, loadText } = folder

describe('001 compat 12', () => {
  const endpoint = 'wss://api.example/mcp/'
  it.each([
    ['initialBackoff 99', { xiaozhi: { endpoint, reconnect: { initialBackoff: 99, maxBackoff: 60_000 } } }],
    ['initialBackoff 10001', { xiaozhi: { endpoint, reconnect: { initialBackoff: 10_001, maxBackoff: 60_000 } } }],
    ['maxBackoff 999', { xiaozhi: { endpoint, reconnect: { initialBackoff: 1000, maxBackoff: 999 } } }],
    ['maxBackoff 300001', { xiaozhi: { endpoint, reconnect: { initialBackoff: 1000, maxBackoff: 300_001 } } }],
    ['maxResultSize 255', { toolManager: { maxResultSize: 255 } }],
    ['maxResultSize 10241', { toolManager: { maxResultSize: 10_241 } }],
    ['maxToolListSize 1023', { toolManager: { maxToolListSize: 1023 } }],
    ['separator ""', { toolManager: { namespaceSeparator: '' } }],
    ['separator "::"', { toolManager: { namespaceSeparator: '::' } }],
    [
      'interval 999',
      { services: { a: { type: 'stdio', command: 'x', healthCheck: { interval: 999, timeout: 1000 } } } },
    ],
    [
      'timeout 999',
      { services: { a: { type: 'stdio', command: 'x', healthCheck: { interval: 1000, timeout: 999 } } } },
    ],
    ['endpoint "x"', { xiaozhi: { endpoint: 'x' } }],
    ['empty namespace', { services: { a: { type: 'stdio', command: 'x', namespace: '' } } }],
    ['level "loud"', { logging: { level: 'loud' } }],
  ])('refuses %s with 1002', async (_what, value) => {
    const error = await failure(loadText(value))
    expect(error).toMatchObject({ code: 'CONFIG_INVALID', number: 1002 })
    expect(error.details?.problems).toHaveLength(1)
    expect(error.message).toMatch(/pegboard\.json:1:\d+ /)
  })

  it('answers a missing file with 1001', async () => {
    expect(await failure(load({ file: 'none.json' }))).toMatchObject({ code: 'CONFIG_UNREADABLE', number: 1001 })
    const named = await failure(load({ env: { MCP_AGENT_CONFIG: 'none.json' } }))
    expect(named).toMatchObject({ code: 'CONFIG_UNREADABLE', number: 1001 })
  })

  it('answers an unset variable with 1003, naming it, its path and its line', async () => {
    const text = `{\n "services": {\n  "a": { "type": "stdio", "command": "x", "args": [],\n   "env": { "K": "\${MISSING_KEY}" } } } }`
    const error = await failure(loadText(text))
    expect(error).toMatchObject({ code: 'VARIABLE_UNSET', number: 1003 })
    expect(error.message).toContain(
      'pegboard.json:4:18 services.a.env.K: the environment variable MISSING_KEY is not set',
    )
    const setting = await failure(loadText({ xiaozhi: { endpoint: `\${MCP_ENDPOINT}` } }))
    expect(setting).toMatchObject({ number: 1003, message: expect.stringContaining('xiaozhi.endpoint') })
  })

  it('001-12 001-15 requires args where document 001 does, and bounds starts where the operator does', async () => {
    const service = { type: 'stdio', enabled: true, namespace: 'calc', command: 'python' }
    const whole = {
      xiaozhi: { endpoint, reconnect: { initialBackoff: 1000, maxBackoff: 60_000 } },
      services: { calc: service },
      toolManager: {
        maxToolListSize: 1024,
        maxResultSize: 256,
        namespaceEnabled: true,
        namespaceSeparator: '.',
        whitelist: [],
        blacklist: [],
      },
      logging: { level: 'info', format: 'json' },
    }
    const { error } = mcpAgentConfigSchema.safeParse(whole)
    expect(error?.issues).toMatchObject([{ path: ['services', 'calc', 'args'] }])
    expect(mcpAgentConfigSchema).toBeInstanceOf(z.ZodObject)
    expect(z.object({ agent: mcpAgentConfigSchema }).safeParse({ agent: {} }).error?.issues.length).toBeGreaterThan(0)
    const services = { calc: { ...service, args: [] } }
    const validated: ValidatedConfig = mcpAgentConfigSchema.parse({ ...whole, services })
    expect(validated.services.calc).toMatchObject({ args: [] })
    // Our own file is kinder, and knows what document 001 leaves open: what follows after three failed starts.
    const { config } = await loadText({ services: { calc: { ...service, startTries: 2, afterStartTries: 'park' } } })
    expect(config.sources.calc).toMatchObject({ args: [], startTries: 2, afterStartTries: 'park' })
  })

  it('accepts the whole of 001-03, 001-05 and 001-06 as it is', async () => {
    const { config, notes } = await loadText(
      {
        xiaozhi: { endpoint: `\${MCP_ENDPOINT}`, reconnect: { initialBackoff: 100, maxBackoff: 300_000 } },
        services: {
          calculator: {
            type: 'stdio',
            enabled: true,
            namespace: 'calc',
            command: 'python',
            args: ['-m', 'calc'],
            env: { A: 'b' },
            cwd: '/srv',
            healthCheck: { interval: 1000, timeout: 1000 },
          },
          news: { type: 'sse', enabled: false, namespace: 'news', url: 'http://localhost:1/sse' },
          web: { type: 'http', enabled: true, namespace: 'web', url: 'https://h/mcp', headers: { 'X-A': 'b' } },
          inner: { type: 'embedded', enabled: true, namespace: 'in', module: './m.js', config: { deep: [1] } },
        },
        toolManager: {
          maxToolListSize: 1024,
          maxResultSize: 256,
          namespaceEnabled: false,
          namespaceSeparator: '/',
          whitelist: [],
          blacklist: ['calc/x'],
        },
        logging: { level: 'debug', format: 'json', file: '/var/log/x' },
      },
      { env: { MCP_ENDPOINT: 'wss://h/mcp/?token=t' } },
    )
    expect(notes).toEqual([])
    expect(Object.values(config.sources).map(({ namespace }) => namespace)).toEqual(['calc', 'news', 'web', 'in'])
    expect(config.sources.calculator).toMatchObject({ type: 'stdio', healthCheck: { interval: 1000, timeout: 1000 } })
    expect(config.sources.inner).toMatchObject({ module: join(folder.path, 'm.js'), config: { deep: [1] } })
    expect(config.profiles.default.namespacing).toBe(false)
    expect(config.xiaozhi.endpoints).toMatchObject([{ maxResultSize: 256, maxToolListSize: 1024 }])
  })
})
