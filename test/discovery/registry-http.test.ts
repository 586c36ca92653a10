import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bareEnv, cliPath } from '../helpers/run-cli.js'

describe('registry-tools over HTTP', () => {
  let home: string
  let child: ChildProcess | undefined
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'pegboard-registry-http-'))
    chmodSync(cliPath(), 0o755)
    symlinkSync(cliPath(), join(home, 'registry-tools'))
  })
  afterEach(async () => {
    if (child && child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    rmSync(home, { recursive: true, force: true })
  })

  const serve = (...args: readonly string[]): Promise<string> =>
    new Promise((resolve, reject) => {
      let log = ''
      child = spawn(process.execPath, [join(home, 'registry-tools'), '--transport', 'http', '--port', '0', ...args], {
        cwd: home,
        env: bareEnv(home, {}),
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      child.once('exit', () => reject(new Error(`it ended: ${log}`)))
      child.stderr!.on('data', (chunk: Buffer) => {
        log += chunk
        const [, url] = /Listening: (http:\/\/\S+)/.exec(log) ?? []
        if (url) resolve(url)
      })
    })
  const connect = async (url: string): Promise<Client> => {
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(url)))
    return client
  }

  it('serves many clients at once, at the path it is told (002-05)', async () => {
    const url = await serve('--path', '/registry')
    expect(new URL(url).pathname).toBe('/registry')
    const clients = await Promise.all(Array.from({ length: 5 }, () => connect(url)))
    const lists = await Promise.all(clients.map((client) => client.listTools()))
    for (const { tools } of lists) expect(tools.map(({ name }) => name)).toContain('search_tools')
    await Promise.all(clients.map((client) => client.close()))
  })
})
