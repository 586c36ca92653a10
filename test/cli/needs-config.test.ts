import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { rawOverStdio } from '../helpers/clients/raw-stdio.js'
import { fixtureCommand } from '../helpers/fixture-servers.js'
import { type GatewayProcess, startGateway, toConfig, untilListed } from '../helpers/gateway-process.js'
import { cliPath, runCli } from '../helpers/run-cli.js'
import { snippetsOf } from '../helpers/snippets.js'

// Compiled before any test counts its time.
beforeAll(() => void cliPath(), 120_000)

const good = { type: 'stdio', ...fixtureCommand('stdio-raw') }

/** One good source among every kind of bad one, and the words by which each is told. */
const bad = (folder: string) =>
  ({
    docs: [
      { type: 'http', url: 'http://127.0.0.1:9/', headers: { A: `Bearer \${DOCS_TOKEN}` } },
      'DOCS_TOKEN is not set',
    ],
    typed: [{ type: 'stdoi', command: 'x' }, 'not a known type'],
    bare: [{ type: 'stdio' }, 'command: is required'],
    extra: [{ command: 'x', commnad: 'y' }, 'not a known key'],
    shelf: [{ path: join(folder, 'tools.json') }, 'tools.json cannot be read'],
    shop: [{ spec: join(folder, 'shop.json') }, 'shop.json cannot be read'],
    own: [{ module: join(folder, 'own.mjs') }, 'own.mjs'],
  }) as const
const badNames = Object.keys(bad(''))

const sourcesIn = (folder: string) => ({
  good,
  ...Object.fromEntries(Object.entries(bad(folder)).map(([name, [entry]]) => [name, entry])),
})

interface Row {
  readonly name: string
  readonly state: string
  readonly reason?: string
}

describe.concurrent('one bad entry of each kind beside a good one', () => {
  let home: string
  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), 'pegboard-needs-config-'))
    writeFileSync(join(home, 'pegboard.json'), toConfig({ sources: sourcesIn(home) }))
  }, 120_000)
  afterAll(() => rmSync(home, { recursive: true, force: true }))
  const run = (...args: readonly string[]) => runCli(args, { cwd: home, home })

  it('fails `check`, which says all of it (U2)', async () => {
    const { code, stderr } = await run('check')
    expect(code).toBe(6)
    for (const [, word] of Object.values(bad(home))) expect(stderr).toContain(word)
    expect(stderr).toContain(`${badNames.length} problems`)
  })

  it('is told by `doctor` with the same code, and a line for each (U2)', async () => {
    const { code, stdout } = await run('doctor', '--json')
    expect(code).toBe(6)
    const { findings } = JSON.parse(stdout) as { findings: { area: string; state: string; message: string }[] }
    const failed = findings.filter(({ state }) => state === 'fail').map(({ message }) => message)
    for (const [, word] of Object.values(bad(home))) expect(failed.join('\n')).toContain(word)
    expect(failed).toHaveLength(badNames.length)
    for (const name of badNames)
      expect(
        findings.some(({ message }) => message.startsWith(`${name}: needs-config`)),
        name,
      ).toBe(true)
    expect(findings.some(({ message }) => message.startsWith('good: ready'))).toBe(true)
  })

  it('lets `list`, `search` and `call` work, and has its state and reason listed (U2)', async () => {
    const [list, sources, search, call] = await Promise.all([
      run('list'),
      run('list', '--sources', '--json'),
      run('search', 'fixture add'),
      run('call', 'good.add', 'a=1', 'b=2'),
    ])
    expect([list.code, sources.code, search.code, call.code]).toEqual([0, 0, 0, 0])
    expect(list.stdout).toContain('good.add')
    expect(list.stderr).toContain("source 'docs' is needs-config")
    expect(call.stdout.trim()).toBe('3')
    const rows = JSON.parse(sources.stdout) as { name: string; status: { state: string; reason?: string } }[]
    for (const [name, [, word]] of Object.entries(bad(home)))
      expect(rows.find((row) => row.name === name)?.status).toMatchObject({
        state: 'needs-config',
        reason: expect.stringContaining(word),
      })
  })

  it('lets `stdio` serve the good one (U2)', async () => {
    const args = [cliPath(), 'stdio', '--config', join(home, 'pegboard.json'), '--data-path', join(home, 'stdio-data')]
    const client = await rawOverStdio('legacy', process.execPath, args)
    try {
      await untilListed(client, ['good'])
      expect(await client.call('good.add', { a: 1, b: 2 })).toMatchObject({ text: '3' })
    } finally {
      await client.close()
    }
  })
})

describe('a running gateway', () => {
  let files: string
  let gateway: GatewayProcess | undefined
  beforeEach(() => {
    files = mkdtempSync(join(tmpdir(), 'pegboard-mended-'))
  })
  afterEach(async () => {
    await gateway?.dispose()
    gateway = undefined
    rmSync(files, { recursive: true, force: true })
  })
  const ask = async (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(new URL(path, gateway!.url), { headers })
  const admin = async (path: string) => {
    const authorization = `Bearer ${readFileSync(join(gateway!.folder, 'data', 'admin.key'), 'utf8').trim()}`
    return (await ask(`/api/admin/v1${path}`, { authorization })).json()
  }
  const stateOf = async (name: string): Promise<string | undefined> =>
    ((await admin('/sources')) as { sources: readonly Row[] }).sources.find((row) => row.name === name)?.state

  it('shows the state wherever states are shown (U2)', async () => {
    gateway = await startGateway({ sources: sourcesIn(files) })
    await untilListed(gateway.client, ['good'])
    await expect.poll(() => stateOf('own')).toBe('needs-config')
    const { sources } = (await admin('/sources')) as { sources: readonly Row[] }
    const rest = (await (await ask('/api/v1/sources')).json()) as { sources: readonly Row[] }
    const metrics = await (await ask('/metrics')).text()
    for (const name of badNames) {
      expect(sources.find((row) => row.name === name)).toMatchObject({ state: 'needs-config' })
      expect(rest.sources.find((row) => row.name === name)).toMatchObject({ state: 'needs-config' })
      expect(metrics).toContain(`pegboard_source_state{source="${name}",state="needs-config"} 1`)
    }
    expect(sources.find(({ name }) => name === 'docs')?.reason).toContain(`set it, or write \${DOCS_TOKEN:-default}`)
  })

  it('starts what was mended: the file of a source, the entry, the variable by a default (U2)', async () => {
    gateway = await startGateway({ sources: sourcesIn(files) })
    const { client, file } = gateway
    await untilListed(client, ['good'])
    await expect.poll(() => stateOf('own')).toBe('needs-config')
    writeFileSync(join(files, 'tools.json'), '[{"name":"read"}]')
    writeFileSync(
      join(files, 'shop.json'),
      JSON.stringify({
        openapi: '3.0.0',
        servers: [{ url: 'https://shop.example.com' }],
        paths: { '/x': { get: { operationId: 'buy' } } },
      }),
    )
    writeFileSync(
      join(files, 'own.mjs'),
      "export default () => ({ listTools: () => [{ name: 'mine' }], callTool: () => 1 })",
    )
    await untilListed(client, ['good', 'shelf', 'shop', 'own'])
    writeFileSync(
      file,
      toConfig({
        sources: {
          ...sourcesIn(files),
          bare: good,
          extra: { command: `\${COMMAND:-${good.command}}`, args: good.args },
          typed: { ...good, type: 'nonsense' },
        },
      }),
    )
    await untilListed(client, ['good', 'shelf', 'shop', 'own', 'bare', 'extra'])
    expect(await stateOf('typed')).toBe('needs-config')
  })

  it('sets a source aside that an edit breaks, and the others stay as they are (U2)', async () => {
    gateway = await startGateway({ sources: { good, other: good } })
    const { client, file } = gateway
    await untilListed(client, ['good', 'other'])
    writeFileSync(file, toConfig({ sources: { good, other: { ...good, commnad: 1 } } }))
    await untilListed(client, ['good'], ['other'])
    expect(await stateOf('other')).toBe('needs-config')
  })

  it('refuses a bad entry that is saved in the console, and keeps the file (U2)', async () => {
    gateway = await startGateway({ sources: { good, broken: { command: 3 } } })
    const { client, file, folder } = gateway
    await untilListed(client, ['good'])
    await expect.poll(() => existsSync(join(folder, 'data', 'admin.key'))).toBe(true)
    const before = readFileSync(file, 'utf8')
    const authorization = `Bearer ${readFileSync(join(folder, 'data', 'admin.key'), 'utf8').trim()}`
    const put = (name: string, entry: object) =>
      fetch(new URL(`/api/admin/v1/sources/${name}`, gateway!.url), {
        method: 'PUT',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify(entry),
      })
    const refused = await put('wrong', { type: 'stdio', command: 'x', commnad: 'y' })
    expect([refused.status, await refused.text()]).toEqual([expect.any(Number), expect.stringContaining('commnad')])
    expect(refused.ok).toBe(false)
    expect(readFileSync(file, 'utf8')).toBe(before)
    // What is wrong elsewhere is no reason to refuse what is right.
    expect((await put('right', { ...good })).ok).toBe(true)
    await untilListed(client, ['good', 'right'])
  })
})

describe('the first configuration of the README', () => {
  let home: string
  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), 'pegboard-readme-'))
    // Stands for the real one, which would fetch the packages.
    mkdirSync(join(home, 'bin'))
    const { command, args } = fixtureCommand('stdio-raw')
    writeFileSync(join(home, 'bin', 'npx'), `#!/bin/sh\nexec '${command}' '${args[0]}'\n`)
    chmodSync(join(home, 'bin', 'npx'), 0o755)
  })
  afterAll(() => rmSync(home, { recursive: true, force: true }))

  it.each(['README.md', 'README.zh.md'])('of %s runs as it stands (U2)', async (page) => {
    const folder = join(home, page)
    mkdirSync(folder)
    writeFileSync(join(folder, 'pegboard.json'), snippetsOf(page, 'jsonc')[0]!.text)
    const env = { PATH: `${join(home, 'bin')}:${process.env.PATH}` }
    const run = (...args: readonly string[]) => runCli(args, { cwd: folder, home, env })
    const [check, list] = await Promise.all([run('check'), run('list')])
    expect([check.code, list.code]).toEqual([0, 0])
    expect(list.stdout).toMatch(/files\.add/)
    expect(list.stdout).toMatch(/memory\.add/)
    expect(list.stderr).toBe('')
  })
})
