import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signedClient } from '../helpers/clients/signing.js'
import { freePort } from '../helpers/free-port.js'
import { createBrowser } from '../helpers/headless-browser.js'
import { startIdentityProvider } from '../helpers/identity-provider.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The package as a stranger gets it: packed, installed into an empty folder, imported from there. */
describe('packed tarball', () => {
  let folder: string
  const run = (command: string, args: readonly string[], cwd = folder) =>
    execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'pegboard-pack-'))
    const [packed] = JSON.parse(
      run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], root),
    ) as { filename: string }[]
    writeFileSync(join(folder, 'package.json'), '{"name":"stranger","private":true,"type":"module"}')
    run('npm', [
      'install',
      '--omit=dev',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--prefer-offline',
      join(folder, packed!.filename),
    ])
  }, 120_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('imports, registers and calls', () => {
    writeFileSync(
      join(folder, 'use.mjs'),
      `import { createGateway, defineTool, MCPRegistry, ToolManager } from 'pegboard'
       const gateway = createGateway({ tools: [defineTool({ name: 'add', handler: ({ a, b }) => a + b })] })
       const registry = new MCPRegistry()
       registry.register({ name: 'echo', call: (args) => args })
       const tools = new ToolManager()
       tools.toolFunc(function twice(n) { return n * 2 })
       console.log(JSON.stringify([await gateway.run('add', { a: 1, b: 2 }), await registry.call('echo', { x: 1 }), tools.callTool('twice', { n: 4 })]))`,
    )
    expect(JSON.parse(run('node', ['use.mjs']))).toEqual([3, { x: 1 }, 8])
  })

  it('has types that a strict compiler takes', () => {
    writeFileSync(
      join(folder, 'use.ts'),
      `import { createGateway, defineTool, type Outcome } from 'pegboard'
       const gateway = createGateway({ tools: [defineTool({ name: 'add', handler: ({ a, b }) => a + b })] })
       export const outcome: Promise<Outcome> = gateway.call({ tool: 'add', args: { a: 1, b: 2 }, caller: { id: 'me', rights: ['call'] } })`,
    )
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const complaints = run('node', [
      tsc,
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--lib',
      'es2023,esnext.disposable',
      '--types',
      'node',
      '--typeRoots',
      join(root, 'node_modules/@types'),
      'use.ts',
    ])
    expect(complaints).toBe('')
  })

  it('runs from the command line, with the data that lies beside it', () => {
    // A home of its own: a check of the machine looks at what is configured there.
    const cli = (...args: readonly string[]) =>
      run('env', [`HOME=${folder}`, 'node', 'node_modules/pegboard/dist/cli/main.js', ...args])
    expect(cli('--version').trim()).toMatch(/^\d+\.\d+\.\d+$/)
    expect(cli('call', 'calculator', 'expression=21*2+5')).toContain('47')
    // By its meaning alone, which needs the built-in model.
    expect(cli('search', 'arithmetic', '--method', 'embedding')).toContain('calculator')
    expect(JSON.parse(cli('doctor', '--json'))).toMatchObject({ ok: true })
  })

  // What signs people in is loaded with the first of them: a start alone would not notice that it is missing.
  it.each([
    ['the command line', ['node_modules/pegboard/dist/cli/main.js', 'serve']],
    ['the library', ['board.mjs']],
  ])('lets people of an identity provider in, by %s', async (_, program) => {
    await using provider = await startIdentityProvider()
    const { issuer, clientId, clientSecret } = provider
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    provider.allowRedirect(`${url}/authorize/callback`)
    const home = mkdtempSync(join(folder, 'home-'))
    const auth = { people: { issuer, clientId, clientSecret }, grants: [{ groups: ['eng'], role: 'caller' }] }
    const config = { server: { publicUrl: url, port }, auth, storage: { path: join(home, 'data') } }
    writeFileSync(join(home, 'pegboard.json'), JSON.stringify(config))
    writeFileSync(
      join(folder, 'board.mjs'),
      `import { loadConfig, openBoard } from 'pegboard/server'
         const board = await openBoard(await loadConfig({ file: process.env.PEGBOARD_CONFIG }), { http: true })
         console.error('Listening: ' + board.url)`,
    )
    const env = { PATH: process.env.PATH, HOME: home, PEGBOARD_CONFIG: join(home, 'pegboard.json') }
    const child = spawn(process.execPath, program, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] })
    const ended = once(child, 'exit')
    try {
      await new Promise<void>((resolve, reject) => {
        let said = ''
        child.stderr.on('data', (chunk: Buffer) => {
          said += chunk.toString()
          if (said.includes('Listening: ')) resolve()
        })
        child.once('exit', () => reject(new Error(said)))
      })
      const walk = async (link: URL, redirectUrl: string): Promise<string> => {
        const browser = createBrowser()
        const stopAt = (to: string): boolean => to.startsWith(redirectUrl)
        const login = await browser.submit(await browser.open(link.href), {}, { button: 'allow' })
        return (await browser.submit(login, { login: 'alice' }, { stopAt })).url
      }
      const client = await signedClient({ kind: 'v2-modern', url: `${url}/mcp`, walk })
      expect((await client.call('calculator', { expression: '6*7' })).text).toContain('42')
      await client.close()
    } finally {
      child.kill('SIGTERM')
      await ended
    }
  })

  it('names no package that does not come with it', () => {
    const packed = join(folder, 'node_modules/pegboard')
    const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>
      optionalDependencies: Record<string, string>
    }
    const there = Object.keys({ ...dependencies, ...optionalDependencies })
    const files = run('find', ['dist', '-name', '*.js', '-not', '-path', 'dist/console/*'], packed).trim().split('\n')
    const imports = /(?:^(?:import|export) [^'"\n]*from |^import |\bimport\()['"]([^'"]+)['"]/gm
    const named = files.flatMap((file) =>
      [...readFileSync(join(packed, file), 'utf8').matchAll(imports)].map((found) => found[1]!),
    )
    expect(named).toContain('@modelcontextprotocol/client')
    const missing = named.filter((name) => !/^(?:node:|\.)/.test(name) && !there.some((each) => name.startsWith(each)))
    expect([...new Set(missing)]).toEqual([])
  })

  it('has everything that its pages link to (U8)', () => {
    const packed = join(folder, 'node_modules/pegboard')
    const pages = run('find', ['.', '-name', '*.md', '-not', '-path', '*/node_modules/*'], packed).trim().split('\n')
    expect(pages.length).toBeGreaterThan(15)
    const broken = pages.flatMap((page) => {
      const text = readFileSync(join(packed, page), 'utf8').replace(/```[\s\S]*?```/g, '')
      const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map((found) => found[1]!.split('#')[0]!)
      return links
        .filter((link) => link !== '' && !/^[a-z]+:/.test(link))
        .filter((link) => !existsSync(join(packed, dirname(page), link)))
        .map((link) => `${page}: ${link}`)
    })
    expect(broken).toEqual([])
    expect(existsSync(join(packed, 'ops', 'Dockerfile'))).toBe(true)
  })

  it('tells whose code is inside it', () => {
    const notices = readFileSync(join(folder, 'node_modules/pegboard/dist/THIRD-PARTY-NOTICES.txt'), 'utf8')
    for (const name of ['commander', 'undici', 'yaml', 'zod']) expect(notices).toContain(`\n${name} `)
  })

  it('installs nothing that it has inside', () => {
    const packed = join(folder, 'node_modules/pegboard')
    const { dependencies } = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>
    }
    const notices = readFileSync(join(packed, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8')
    const inside = [...notices.matchAll(/^-{72}\n(\S+) /gm)].map(([, name]) => name!)
    expect(inside.length).toBeGreaterThan(8)
    expect(Object.keys(dependencies).filter((name) => inside.includes(name))).toEqual([])
  })

  it('ships what it names and nothing of the workshop', () => {
    const manifest = JSON.parse(readFileSync(join(folder, 'node_modules/pegboard/package.json'), 'utf8')) as {
      bin: Record<string, string>
    }
    const installed = run('find', [
      'node_modules/pegboard',
      '-type',
      'f',
      '-not',
      '-path',
      '*/node_modules/pegboard/node_modules/*',
    ]).split('\n')
    for (const file of Object.values(manifest.bin)) expect(installed).toContain(`node_modules/pegboard/${file}`)
    expect(installed.filter((file) => /\.test\.|\/test\/|\/bench\//.test(file))).toEqual([])
  })
})
