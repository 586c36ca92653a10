import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cliPath, runCli } from '../helpers/run-cli.js'

// Compiled before any test counts its time.
beforeAll(() => void cliPath(), 120_000)

// Written apart, so that nobody takes this file for one that holds keys.
const secret = ['sk', 'live', '0aB1cD2eF3gH4iJ5'].join('-')

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pegboard-secrets-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const write = (config: object): void => writeFileSync(join(home, 'pegboard.json'), JSON.stringify(config, null, 2))
const run = (...args: readonly string[]) => runCli(args, { cwd: home, home })

interface Found {
  readonly findings: readonly {
    readonly area: string
    readonly state: string
    readonly message: string
    readonly fix?: string
  }[]
}

describe('a key in the file (D15, 001-20)', () => {
  const config = {
    mcpServers: {
      docs: { url: 'http://127.0.0.1:9/mcp', headers: { Authorization: `Bearer ${secret}` }, enabled: false },
      shop: { command: 'node', env: { API_KEY: secret, REGION: 'eu', OTHER_KEY: `\${OTHER_KEY:-}` }, enabled: false },
    },
  }

  it('is pointed out by `check`, which still calls the file valid, and never shown', async () => {
    write(config)
    const { code, stdout, stderr } = await run('check')
    expect(code).toBe(0)
    expect(stdout).toContain('valid')
    expect(stderr).toMatch(
      /warning: pegboard\.json:\d+:\d+ mcpServers\.docs\.headers\.Authorization .*Bearer \$\{DOCS_TOKEN\}/,
    )
    expect(stderr).toMatch(/mcpServers\.shop\.env\.API_KEY .*\$\{API_KEY\}/)
    expect(stderr.match(/warning:/g)).toHaveLength(2)
    const { secrets } = JSON.parse((await run('check', '--json')).stdout) as { readonly secrets: readonly unknown[] }
    expect(secrets).toHaveLength(2)
    expect(stdout + stderr + JSON.stringify(secrets)).not.toContain(secret)
  })

  it('is pointed out by `doctor`, in Chinese too', async () => {
    write(config)
    const { stdout } = await run('doctor', '--json', '--home', home)
    const told = (JSON.parse(stdout) as Found).findings.filter(({ message }) => message.includes('plain text'))
    expect(told).toMatchObject([{ state: 'warn', fix: expect.stringContaining('DOCS_TOKEN') }, { state: 'warn' }])
    const chinese = await runCli(['doctor', '--home', home], { cwd: home, home, env: { LANG: 'zh_CN.UTF-8' } })
    expect(chinese.stdout).toContain('明文密钥')
    expect(stdout + chinese.stdout).not.toContain(secret)
  })

  it('that is imported comes with a word of variables and .gitignore (U10)', async () => {
    const theirs = join(home, 'theirs.json')
    writeFileSync(theirs, JSON.stringify({ mcpServers: { shop: { command: 'node', env: { API_KEY: secret } } } }))
    const { stdout } = await run('import', theirs, '--yes')
    expect(stdout).toMatch(/holds a secret in plain text, at \S*shop\.env\.API_KEY.*\.gitignore.*\$\{API_KEY\}/)
    const plain = join(home, 'plain.json')
    writeFileSync(plain, JSON.stringify({ mcpServers: { calm: { command: 'node', env: { REGION: 'eu' } } } }))
    expect((await run('import', plain, '--yes')).stdout).not.toContain('.gitignore')
  })
})

describe('the services behind the recall (D16, 004-19)', () => {
  let server: Server
  const seen: string[] = []
  beforeEach(async () => {
    seen.length = 0
    server = createServer((request, response) => {
      seen.push(`${request.headers['x-account-id']} ${request.headers.authorization ?? '-'}`)
      response.writeHead(request.headers.authorization === 'Bearer open' ? 404 : 401).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterEach(() => server.close())

  it('are looked at by `doctor`: not there, refusing, answering', async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    write({ recall: { knowledge: { url: 'http://127.0.0.1:9' }, operators: { url } } })
    const found = async () => {
      const { stdout, code } = await run('doctor', '--json', '--home', home)
      const findings = (JSON.parse(stdout) as Found).findings.filter(({ area }) => area === 'recall')
      return { findings, code }
    }
    const { findings, code } = await found()
    expect(findings).toMatchObject([
      {
        state: 'fail',
        message: expect.stringContaining('ECONNREFUSED'),
        fix: expect.stringContaining('recall.knowledge.url'),
      },
      {
        state: 'warn',
        message: expect.stringContaining('401'),
        fix: expect.stringContaining('recall.operators.headers'),
      },
    ])
    expect(code).toBe(4)
    write({ recall: { operators: { url, headers: { Authorization: 'Bearer open' } } } })
    expect((await found()).findings).toMatchObject([{ state: 'ok' }])
    expect(seen).toEqual(['pegboard-doctor -', 'pegboard-doctor Bearer open'])
  })

  it('are named by variables as well (D2)', async () => {
    const env = {
      PEGBOARD_RECALL_KNOWLEDGE_URL: 'http://127.0.0.1:9',
      PEGBOARD_RECALL_OPERATORS_URL: 'http://127.0.0.1:9',
    }
    expect((await runCli(['config', 'check'], { cwd: home, home, env })).code).toBe(0)
    const { stdout } = await runCli(['config', 'show', '--json'], { cwd: home, home, env })
    expect(stdout).toContain('"url": "http://127.0.0.1:9"')
  })
})
