import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MadeEntry, makeArchive, makeBundle, manifestOf } from '../helpers/bundle-file.js'
import { type CliRun, runCli } from '../helpers/run-cli.js'
import { type ServedCli, serveCli } from './serve-cli.js'

/** A whole MCP server in one file without a dependency, as people pack them. */
const server = `
import { createInterface } from 'node:readline'
const tool = {
  name: 'greet',
  description: 'Greets somebody',
  inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
}
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'greeter', version: process.env.VERSION ?? '1' },
  }),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call': ({ arguments: { name } }) => ({
    content: [{ type: 'text', text: [process.env.GREETING, name, process.env.API_KEY, process.argv.slice(2).join('+')].join('|') }],
  }),
  ping: () => ({}),
}
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params = {} } = JSON.parse(line)
  if (id === undefined) continue
  const answer = answers[method]
  const body = answer ? { result: answer(params) } : { error: { code: -32601, message: 'unknown' } }
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...body }) + '\\n')
}
`

const greeter = (version = '1.0.0', more: readonly MadeEntry[] = []): Buffer =>
  makeBundle(
    manifestOf({
      name: 'Greeter',
      version,
      server: {
        type: 'node',
        entry_point: 'server/index.mjs',
        mcp_config: {
          command: 'node',
          args: [`\${__dirname}/server/index.mjs`, `\${user_config.folders}`],
          env: { GREETING: `\${user_config.greeting}`, API_KEY: `\${user_config.api_key}`, VERSION: version },
        },
      },
      user_config: {
        greeting: { type: 'string', title: 'Greeting', default: 'Hello' },
        api_key: { type: 'string', title: 'Key', sensitive: true, required: true },
        folders: { type: 'directory', title: 'Folders', multiple: true },
      },
    }),
    [{ name: 'server/index.mjs', data: server }, ...more],
  )

const secret = 'correct-horse-battery-staple'

describe('a bundle (N17)', () => {
  let home: string
  let gateway: ServedCli
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'pegboard-bundles-'))
    writeFileSync(join(home, 'pegboard.json'), '{ "sources": {} }\n')
    writeFileSync(join(home, 'greeter.mcpb'), greeter())
    gateway = await serveCli(home)
  })
  afterAll(async () => {
    await gateway.stop()
    rmSync(home, { recursive: true, force: true })
  })
  const pegboard = (...args: readonly string[]): Promise<CliRun> => runCli(args, { cwd: home, home })
  const config = (): string => readFileSync(join(home, 'pegboard.json'), 'utf8')
  const bundles = (): string => join(home, '.local', 'share', 'pegboard', 'bundles')
  const greeted = async (): Promise<string> =>
    (await pegboard('call', 'greeter.greet', 'name=Ada', '--port', gateway.port)).stdout

  it('is shown as it would run, and nothing is written', async () => {
    const before = config()
    const looked = await pegboard('bundle', 'inspect', 'greeter.mcpb')
    expect(looked.stdout).toContain('Signature: none')
    expect(looked.stdout).toContain('Asks for api_key (string, required, secret): Key')
    const dry = await pegboard('bundle', 'install', 'greeter.mcpb', '--set', `api_key=${secret}`, '--dry-run', '--json')
    expect(JSON.parse(dry.stdout)).toMatchObject({ installed: false, name: 'greeter', source: { command: 'node' } })
    const asked = await pegboard('bundle', 'install', 'greeter.mcpb', '--set', `api_key=${secret}`)
    expect(asked.stdout).toContain('Nothing was written. Install it with --yes.')
    expect(dry.stdout + asked.stdout).not.toContain(secret)
    expect([config(), existsSync(bundles())]).toEqual([before, false])
  }, 120_000)

  it('is installed, started by the gateway that runs, and called through it', async () => {
    const sha256 = createHash('sha256')
      .update(readFileSync(join(home, 'greeter.mcpb')))
      .digest('hex')
    const set = ['--set', `api_key=${secret}`, '--set', 'folders=/a', '--set', 'folders=/b']
    const run = await pegboard('bundle', 'install', 'greeter.mcpb', '--sha256', sha256, ...set, '--yes')
    expect(run).toMatchObject({ code: 0 })
    const folder = join(bundles(), 'greeter', '1.0.0')
    expect(run.stdout).toContain(`Runs: ["node","${folder}/server/index.mjs","/a","/b"], without a shell`)
    expect(run.stdout + run.stderr + config()).not.toContain(secret)
    expect(JSON.parse(config()).sources.greeter).toMatchObject({
      cwd: folder,
      env: { API_KEY: `\${file:${join(bundles(), 'greeter', 'secrets', 'api_key')}}`, GREETING: 'Hello' },
    })
    expect(statSync(join(bundles(), 'greeter', 'secrets', 'api_key')).mode & 0o777).toBe(0o600)
    await expect.poll(greeted, { timeout: 60_000, interval: 500 }).toContain(`Hello|Ada|${secret}|/a+/b`)
    expect((await pegboard('bundle', 'list')).stdout).toMatch(/greeter +1\.0\.0 +greeter +no/)
  }, 180_000)

  it('is replaced by its next version, whose folder takes the place of the first', async () => {
    writeFileSync(join(home, 'greeter.mcpb'), greeter('1.1.0'))
    const set = ['--set', `api_key=${secret}2`, '--set', 'greeting=Hi']
    const run = await pegboard('add', 'greeter.mcpb', ...set, '--yes')
    expect(run).toMatchObject({ code: 0 })
    expect(run.stdout).toContain('Takes the place of the version that is installed.')
    await expect.poll(greeted, { timeout: 60_000, interval: 500 }).toContain(`Hi|Ada|${secret}2|`)
    expect(existsSync(join(bundles(), 'greeter', '1.0.0'))).toBe(false)
  }, 180_000)

  it('is uninstalled with its source, its files and its secrets', async () => {
    expect((await pegboard('bundle', 'uninstall', 'greter')).stderr).toContain('did you mean "greeter"?')
    expect(await pegboard('bundle', 'uninstall', 'greeter')).toMatchObject({ code: 0 })
    expect(JSON.parse(config()).sources).toEqual({})
    expect(existsSync(join(bundles(), 'greeter'))).toBe(false)
    expect((await pegboard('bundle', 'list', '--json')).stdout).toContain('"bundles": []')
  }, 120_000)

  it.each<[string, readonly MadeEntry[]]>([
    ['leads out of its folder', [{ name: '../../evil.mjs', data: 'x' }]],
    ['is a link', [{ name: 'link', data: '/etc/passwd', mode: 0o120777 }]],
    ['as a bomb does', [{ name: 'zeros', data: Buffer.alloc(32 * 1024 * 1024) }]],
    ['its sum is wrong', [{ name: 'x', data: 'abc', crc: 5 }]],
  ])(
    'that is bad is refused with a reason, and nothing is written: it %s',
    async (reason, entries) => {
      const before = config()
      writeFileSync(join(home, 'bad.mcpb'), greeter('1.0.0', entries))
      const run = await pegboard('bundle', 'install', 'bad.mcpb', '--set', 'api_key=x', '--yes')
      expect([run.code, run.stderr]).toEqual([1, expect.stringContaining(reason)])
      expect([config(), existsSync(join(bundles(), 'greeter')), existsSync(join(home, 'evil.mjs'))]).toEqual([
        before,
        false,
        false,
      ])
    },
    60_000,
  )

  it('that starts a shell, wants what was not given, or takes the name of another source is refused', async () => {
    const shell = { type: 'node', entry_point: 'x', mcp_config: { command: 'sh', args: ['-c', 'x'] } }
    const file = makeArchive([{ name: 'manifest.json', data: manifestOf({ server: shell }) }, { name: 'x' }])
    writeFileSync(join(home, 'bad.mcpb'), file)
    expect((await pegboard('bundle', 'install', 'bad.mcpb', '--yes')).stderr).toContain("it starts 'sh'")
    expect((await pegboard('bundle', 'install', 'greeter.mcpb', '--yes')).stderr).toContain('it needs api_key')
    await pegboard('add', 'greeter', 'http://127.0.0.1:9/mcp', '--disabled')
    const taken = await pegboard('bundle', 'install', 'greeter.mcpb', '--set', 'api_key=x', '--yes')
    expect(taken.stderr).toContain('which is no bundle')
    expect(existsSync(bundles()) && existsSync(join(bundles(), 'greeter'))).toBe(false)
  }, 120_000)
})

describe('a bundle at an address', () => {
  let home: string
  let host: Server
  let port: number
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'pegboard-bundle-url-'))
    writeFileSync(join(home, 'pegboard.json'), '{ "sources": {} }\n')
    host = createServer((request, response) => {
      if (request.url === '/loop') response.writeHead(302, { location: '/loop' }).end()
      else if (request.url === '/away') response.writeHead(302, { location: `http://127.0.0.2:${port}/x` }).end()
      else if (request.url === '/moved') response.writeHead(302, { location: '/hello.mcpb' }).end()
      else if (request.url === '/hello.mcpb') response.end(makeBundle())
      else response.writeHead(404).end()
    })
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
    port = (host.address() as AddressInfo).port
  })
  afterAll(() => {
    host.close()
    rmSync(home, { recursive: true, force: true })
  })
  const install = (path: string, ...more: readonly string[]): Promise<CliRun> =>
    runCli(['bundle', 'install', `http://127.0.0.1:${port}${path}`, ...more], { cwd: home, home })

  it('is fetched, also from where it was moved to, and held to its hash', async () => {
    expect(await install('/moved', '--dry-run')).toMatchObject({ code: 0 })
    expect((await install('/hello.mcpb', '--sha256', 'b'.repeat(64), '--yes')).stderr).toContain('was expected')
    expect((await install('/nowhere', '--yes')).stderr).toContain('answered with 404')
    expect((await install('/loop', '--yes')).stderr).toContain('leads on more than 5 times')
    expect((await install('/away', '--yes')).stderr).toContain('private address')
    expect(existsSync(join(home, '.local', 'share', 'pegboard', 'bundles'))).toBe(false)
  }, 120_000)
})
