import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolders } from '../../test/helpers/store-samples.js'
import { loadConfig } from './load.js'

const newFolder = temporaryFolders()
const $schema = 'https://gofastmcp.com/public/schemas/fastmcp.json/v1.json'
const source = { path: 'src/registrytools/__main__.py', entrypoint: 'main' }

const load = async (file: object, env: Record<string, string> = {}, flags = {}) => {
  const cwd = await newFolder()
  writeFileSync(join(cwd, 'fastmcp.json'), JSON.stringify(file))
  return { cwd, ...(await loadConfig({ file: 'fastmcp.json', cwd, env: { HOME: cwd, ...env }, flags })) }
}

describe('fastmcp.json (D8, 002-06)', () => {
  it('is taken as document 002 writes it, over stdio and over HTTP', async () => {
    const stdio = await load({ $schema, source, deployment: { transport: 'stdio' } })
    expect(stdio.config.server.transport).toBe('stdio')
    expect(stdio.config.sources).toEqual({})
    expect(stdio.notes).toEqual([{ path: 'source', message: 'is not started: this program is the server' }])
    const deployment = { transport: 'http', host: '0.0.0.0', port: 8000, path: '/mcp' }
    const http = await load({ $schema, source, deployment })
    expect(http.config.server).toMatchObject({ transport: 'http', host: '0.0.0.0', port: 8000, path: '/mcp' })
  })

  it('sets variables and the log level below the real ones and the flags', async () => {
    const deployment = {
      transport: 'streamable-http',
      port: 9000,
      log_level: 'WARNING',
      env: { REGISTRYTOOLS_STORAGE_BACKEND: 'sqlite', REGISTRYTOOLS_SEARCH_METHOD: 'regex' },
      stateless_http: true,
      cwd: '/srv',
    }
    const { config, notes } = await load(
      { source, deployment },
      { REGISTRYTOOLS_SEARCH_METHOD: 'bm25' },
      { port: '9001' },
    )
    expect(config.storage.backend).toBe('sqlite')
    expect(config.search.method).toBe('bm25')
    expect(config.server).toMatchObject({ transport: 'http', port: 9001 })
    expect(config.logging.level).toBe('warn')
    expect(notes.map(({ path }) => path)).toEqual(['source', 'deployment.stateless_http', 'deployment.cwd'])
  })

  it('makes any other server a source, started as FastMCP would', async () => {
    const { config, cwd } = await load({
      source: { path: 'weather/server.py', entrypoint: 'mcp' },
      environment: { type: 'uv', python: '3.12', dependencies: ['httpx'], requirements: 'requirements.txt' },
      deployment: { args: ['--units', 'metric'], env: { API_URL: 'https://example.com' } },
    })
    expect(config.sources).toMatchObject({
      weather: {
        type: 'stdio',
        command: 'uv',
        args: [
          'run',
          ...['--with', 'fastmcp', '--python', '3.12', '--with-requirements', 'requirements.txt', '--with', 'httpx'],
          ...['fastmcp', 'run', 'weather/server.py:mcp', '--transport', 'stdio', '--', '--units', 'metric'],
        ],
        env: { API_URL: 'https://example.com' },
        cwd,
      },
    })
    const plain = await load({ source: { path: 'tools.py' }, sources: { calc: { command: 'calc' } } })
    expect(Object.keys(plain.config.sources)).toEqual(['tools', 'calc'])
    expect(plain.config.sources.tools).toMatchObject({
      command: 'fastmcp',
      args: ['run', 'tools.py', '--transport', 'stdio'],
    })
  })

  it('says what it cannot take, and leaves other files alone', async () => {
    const { notes } = await load({ source: { type: 'git', repo: 'x' }, deployment: { transport: 'sse' } })
    expect(notes.map(({ path }) => path)).toEqual(['source', 'deployment.transport'])
    await expect(load({ source: 'x' })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
    await expect(load({ source, deployment: { transport: 'carrier-pigeon' } })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    })
  })
})
