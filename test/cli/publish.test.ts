import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../helpers/free-port.js'
import { breaches } from '../helpers/registry-contract.js'
import { type CliRun, runCli } from '../helpers/run-cli.js'
import { type ServedCli, serveCli } from './serve-cli.js'

const server = fileURLToPath(new URL('../helpers/servers/stdio-modern.mjs', import.meta.url))

describe('one gateway installs from another (N5)', () => {
  let team: string
  let mine: string
  let gateway: ServedCli
  let url: string
  beforeAll(async () => {
    team = mkdtempSync(join(tmpdir(), 'pegboard-team-'))
    mine = mkdtempSync(join(tmpdir(), 'pegboard-mine-'))
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    const sources = {
      good: { command: process.execPath, args: [server], env: { API_KEY: 'not-for-others-3141' }, description: 'Adds' },
      files: {
        command: 'npx',
        args: ['-y', '@example/files@1.4.2', '--root=/home/ada', `--key=\${FILES_KEY:-none}`],
        env: { API_TOKEN: 'not-for-others-2718' },
        enabled: false,
      },
      loose: { command: 'npx', args: ['-y', 'loose'], enabled: false },
    }
    writeFileSync(
      join(team, 'pegboard.json'),
      JSON.stringify({ server: { publicUrl: url, port }, publish: { namespace: 'com.example' }, sources }),
    )
    writeFileSync(join(mine, 'pegboard.json'), '{ "sources": {} }\n')
    gateway = await serveCli(team, { port: String(port) })
  })
  afterAll(async () => {
    await gateway?.stop()
    for (const folder of [team, mine]) rmSync(folder, { recursive: true, force: true })
  })
  const theirs = (...args: readonly string[]): Promise<CliRun> => runCli(args, { cwd: team, home: team })
  const ours = (...args: readonly string[]): Promise<CliRun> => runCli(args, { cwd: mine, home: mine })
  const listed = async (): Promise<any> => (await fetch(`${url}/v0.1/servers`)).json()
  const names = async (): Promise<readonly string[]> => (await listed()).servers.map((each: any) => each.server.name)

  it('once an operator has published something, which the running gateway lists at once', async () => {
    expect((await theirs('publish', 'list')).stdout).toContain('Nothing is published.')
    const refused = await theirs('publish', 'add', 'loose', '--as', 'own')
    expect([refused.code, refused.stderr]).toEqual([6, expect.stringContaining('without one exact version')])
    expect((await theirs('publish', 'add', 'goood')).stderr).toContain("There is no source named 'goood'")
    const run = await theirs('publish', 'add', 'good', '--title', 'Good tools')
    expect(run).toMatchObject({ code: 0 })
    expect((await theirs('publish', 'add', 'files')).code).toBe(0)
    expect(run.stdout).not.toContain('not-for-others')
    await expect.poll(names, { timeout: 30_000 }).toEqual(['com.example/files', 'com.example/good'])
    const list = await listed()
    expect(breaches('list', list)).toBe('')
    expect(JSON.stringify(list)).not.toMatch(/not-for-others|stdio-modern|home/)
    expect((await theirs('publish', 'list')).stdout).toMatch(/good +com\.example\/good +1\.0\.0 +active +http/)
  }, 120_000)

  it('finds it by name, adds it, and calls its tools through the gateway that published it', async () => {
    expect((await ours('registry', 'search', 'good', '--registry', url)).stdout).toContain('com.example/good')
    const added = await ours('add', 'com.example/good', '--registry', url, '--yes')
    expect([added.code, added.stderr]).toEqual([0, expect.any(String)])
    const { good } = JSON.parse(readFileSync(join(mine, 'pegboard.json'), 'utf8')).sources
    expect(good).toMatchObject({ url: `${url}/mcp`, registry: { url, name: 'com.example/good', version: '1.0.0' } })
    const tools = JSON.parse((await ours('list', '--json')).stdout)
    const add =
      tools.find?.(({ name }: any) => /add/.test(name)) ?? tools.tools.find(({ name }: any) => /add/.test(name))
    expect(add).toBeDefined()
    const called = await ours('call', add.id, 'a=2', 'b=3', '--json')
    expect([called.code, called.stdout]).toEqual([0, expect.stringContaining('5')])
  }, 180_000)

  it('is asked for what was a secret or a path of the other, and pins the version', async () => {
    const asked = await ours('add', 'com.example/files', '--registry', url, '--yes')
    expect([asked.code, asked.stderr]).toEqual([1, expect.stringContaining('API_TOKEN')])
    const answers = ['--env', 'API_TOKEN=my-own', '--arg', '--root=/tmp', '--arg', '--key=my-key']
    const run = await ours('add', 'com.example/files', '--registry', url, ...answers, '--yes', '--disabled', '--json')
    expect([run.code, run.stderr]).toEqual([0, ''])
    const text = readFileSync(join(mine, 'pegboard.json'), 'utf8')
    const { files } = JSON.parse(text).sources
    expect([files.command, ...files.args.slice(0, 3)]).toEqual(['npx', '-y', '@example/files@1.4.2', '--root=/tmp'])
    expect(text).not.toMatch(/my-own|my-key|not-for-others/)
  }, 120_000)

  it('no longer finds what was taken back', async () => {
    expect((await theirs('publish', 'remove', 'filess')).stderr).toContain('did you mean "files"?')
    expect((await theirs('publish', 'remove', 'files')).code).toBe(0)
    await expect.poll(names, { timeout: 30_000 }).toEqual(['com.example/good'])
    expect((await ours('registry', 'show', 'com.example/files', '--registry', url)).code).not.toBe(0)
  }, 120_000)
})
