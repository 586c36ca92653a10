import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { byProcess, settings } from '../helpers/documented.js'
import { cliPath, runCli } from '../helpers/run-cli.js'

let home: string
beforeAll(() => {
  cliPath()
  home = mkdtempSync(join(tmpdir(), 'pegboard-documented-'))
}, 120_000)
afterAll(() => rmSync(home, { recursive: true, force: true }))

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runCli(args, { cwd: home, home, env })
const write = (name: string, config: object): string => {
  const file = join(home, name)
  writeFileSync(file, JSON.stringify(config))
  return file
}
const shown = async (env: Readonly<Record<string, string>>) =>
  JSON.parse((await run(['config', 'show', '--json'], env)).stdout) as {
    readonly config: { readonly server: { readonly port: number } }
  }
const isChinese = (text: string): boolean => /\p{Script=Han}/u.test(text)
const isColoured = (text: string): boolean => text.includes('\u001b[')

/** What each of them does to a real process. */
const effects: Readonly<Record<(typeof byProcess)[number], () => Promise<void>>> = {
  PEGBOARD_CONFIG: async () => {
    const file = write('ours.json', { server: { port: 4712 } })
    expect(JSON.stringify(await shown({ PEGBOARD_CONFIG: file }))).toContain('4712')
  },
  MCP_AGENT_CONFIG: async () => {
    const file = write('agent.json', { server: { port: 4713 } })
    expect(JSON.stringify(await shown({ MCP_AGENT_CONFIG: file }))).toContain('4713')
  },
  PEGBOARD_ADMIN_KEY: async () => {
    const keys: unknown[] = []
    const server = createServer((request, response) => {
      keys.push(request.headers.authorization)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await run(['stats', '--json', '--port', String(port)], { PEGBOARD_ADMIN_KEY: 'rtk_told' })
    server.close()
    expect(keys).toContain('Bearer rtk_told')
  },
  NO_COLOR: async () => {
    expect(isColoured((await run(['doctor', '--home', home], { FORCE_COLOR: '1', NO_COLOR: '1' })).stdout)).toBe(false)
  },
  FORCE_COLOR: async () => {
    expect(isColoured((await run(['doctor', '--home', home], { FORCE_COLOR: '1' })).stdout)).toBe(true)
  },
  '--no-color': async () => {
    const { stdout } = await run(['doctor', '--home', home, '--no-color'], { FORCE_COLOR: '1' })
    expect(isColoured(stdout)).toBe(false)
  },
  LC_ALL: async () => {
    const env = { LC_ALL: 'zh_CN.UTF-8', LC_MESSAGES: 'en_GB.UTF-8', LANG: 'en_GB.UTF-8' }
    expect(isChinese((await run(['check'], env)).stdout)).toBe(true)
  },
  LC_MESSAGES: async () => {
    expect(isChinese((await run(['check'], { LC_MESSAGES: 'zh_CN.UTF-8', LANG: 'en_GB.UTF-8' })).stdout)).toBe(true)
  },
  LANG: async () => {
    expect(isChinese((await run(['check'], { LANG: 'zh_CN.UTF-8' })).stdout)).toBe(true)
    expect(isChinese((await run(['check'], { LANG: 'en_GB.UTF-8' })).stdout)).toBe(false)
  },
  '--version': async () => {
    expect((await run(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+/)
  },
}

describe('what is documented and not of the configuration takes effect in a process', () => {
  it.each(byProcess)('%s', (name) => effects[name]())
})

describe('the variables of the configuration, all at once', () => {
  it('are what `config show` shows', async () => {
    const own = {
      'server.port': 'PEGBOARD_PORT',
      'server.path': 'PEGBOARD_PATH',
      'recall.operators.url': 'PEGBOARD_RECALL_OPERATORS_URL',
    }
    const env = Object.fromEntries(Object.entries(own).map(([key, name]) => [name, settings[key]![0]]))
    const { stdout } = await run(['config', 'show', '--json'], env)
    for (const key of Object.keys(own)) expect(stdout).toContain(settings[key]![0])
  })
})
