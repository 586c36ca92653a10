import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bareEnv, cliPath } from '../helpers/run-cli.js'

const counter = fileURLToPath(new URL('loaded-files.mjs', import.meta.url))

/** Time until something is shown is mostly time to load files, and files can be counted on any machine, however busy. They
 * were seven hundred once; a few more than now are no news, so there is room. */
describe('files that the command line loads', () => {
  let home: string
  let cli: string
  beforeAll(() => {
    cli = cliPath()
    home = mkdtempSync(join(tmpdir(), 'pegboard-loaded-'))
  })
  afterAll(() => rmSync(home, { recursive: true, force: true }))

  const start = (list: string, args: readonly string[]): ChildProcess =>
    spawn(process.execPath, ['--import', counter, cli, ...args], {
      cwd: home,
      env: bareEnv(home, { LOADED_FILES: join(home, list) }),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
  const loaded = (list: string) => {
    const files = readFileSync(join(home, list), 'utf8')
      .trim()
      .split('\n')
      .map((url) => fileURLToPath(url))
    return { files, bytes: files.reduce((sum, file) => sum + statSync(file).size, 0) }
  }

  it('are a handful for its version and its help', async () => {
    await once(start('help', ['--help']), 'close')
    const { files, bytes } = loaded('help')
    expect(files.length).toBeLessThanOrEqual(8)
    // Mostly what the commands and their options say, in two languages; thirty of it for rules, approvals, scripts, how tools are
    // shown, webhooks, plugins, servers by name, bundles, the service and the history.
    expect(bytes).toBeLessThan(263_000)
  })

  it('are few until a gateway listens', async () => {
    const child = start('serve', ['serve', '--port', '0', '--json'])
    await untilListening(child)
    const { files, bytes } = loaded('serve')
    child.kill('SIGTERM')
    await once(child, 'close')
    // Mostly our own code; the scanner, the rules for credentials, the bounds and what follows a shared store are a seventh of it.
    // Three more since calls have rules, overrides and approvals, whose steps are on the path of every call; four for what `add`
    // takes and what the history shares with the command line. The history itself is loaded with the first call.
    expect(files.length).toBeLessThanOrEqual(123)
    // Chinese is written as escapes, which take more on the disk and half in memory.
    expect(bytes).toBeLessThan(2_500_000)
    // Sources connect after the port is open, nobody has searched yet, there is no device to dial and no database.
    expect(files.filter((file) => /undici|search\.js$|edit-yaml|\/ws\.js|xiaozhi-carrier|sqlite/.test(file))).toEqual(
      [],
    )
  })

  it('hold nothing of sign-ins and tokens where nobody signs in', async () => {
    const child = start('without', ['serve', '--port', '0', '--json'])
    await untilListening(child)
    child.kill('SIGTERM')
    await once(child, 'close')
    const theirs = /jose|oauth4webapi|dist\/(?:access\/(?:tokens|authorization)|http\/(?:challenge|resource-metadata))/
    const holding = loaded('without').files.filter((file) =>
      [file, ...readFileSync(file, 'utf8').matchAll(/^\/\/ (dist\/\S+)/gm)].some((each) => theirs.test(String(each))),
    )
    expect(holding).toEqual([])
  })

  /** Word lists, verbs, vectors: what of them was loaded, by name, in whichever file they are. */
  const searchData = (list: string): readonly string[] => {
    const known = /search\/(?:model\/)?data\/([\w-]+)\.(?:js|bin)/g
    const files = readFileSync(join(home, list), 'utf8')
      .trim()
      .split('\n')
      .map((url) => fileURLToPath(url))
    const names = files.flatMap((file) => [
      ...file.matchAll(known),
      ...(file.endsWith('.js')
        ? readFileSync(file, 'utf8').matchAll(/^\/\/ \S*search\/(?:model\/)?data\/([\w-]+)\.js/gm)
        : []),
    ])
    return [...new Set(names.map((found) => found[1]!))].sort()
  }

  it('hold no word list, verb or vector until somebody searches: not to list, not to call', async () => {
    const child = spawn(process.execPath, ['--import', counter, cli, 'serve', '--port', '0', '--json'], {
      cwd: home,
      env: bareEnv(home, { LOADED_FILES: join(home, 'searched') }),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const url = await untilListening(child)
    const rest = async (path: string, body?: object): Promise<unknown> => {
      const init = body && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }
      const answer = await fetch(`${url}/api/v1/${path}`, init)
      expect({ path, status: answer.status }).toEqual({ path, status: 200 })
      return answer.json()
    }
    await rest('tools')
    await rest('tools/calculator/call', { expression: '6*7' })
    const before = searchData('searched')
    await rest('search', { query: 'what time is it' })
    const after = searchData('searched')
    child.kill('SIGTERM')
    await once(child, 'close')
    expect(before).toEqual([])
    expect(after).toEqual(expect.arrayContaining(['table', 'thesaurus', 'zh-en', 'verbs']))
  })

  it('are fewer where a gateway runs that can be asked (U4)', async () => {
    const gateway = start('gateway', ['serve', '--port', '0', '--json'])
    await untilListening(gateway)
    await once(start('call', ['call', 'calculator', 'expression=6*7']), 'close')
    // A client's child: its input has ended, so it leaves as soon as it is connected.
    await once(start('bridge', ['stdio']), 'close')
    await once(start('plain', []), 'close')
    gateway.kill('SIGTERM')
    await once(gateway, 'close')
    for (const list of ['call', 'bridge', 'plain']) {
      const { files, bytes } = loaded(list)
      const heavy = files.filter((file) => /\/(?:board|alone|schema|normalise|logger|stdio-here)\.js$/.test(file))
      expect({ list, heavy }).toEqual({ list, heavy: [] })
      expect(files.length).toBeLessThanOrEqual(40)
      // Of which the words of settings and commands in both languages are the most.
      expect(bytes).toBeLessThan(441_000)
    }
  })
})

describe('files that the library loads', () => {
  it('are those of a gateway, and nothing of what is asked for later', async () => {
    const home = mkdtempSync(join(tmpdir(), 'pegboard-library-'))
    const list = join(home, 'library')
    const entry = new URL('../../dist/index.js', import.meta.url).href
    const program = ['--input-type=module', '-e', `await import(${JSON.stringify(entry)})`]
    cliPath()
    const env = bareEnv(home, { LOADED_FILES: list })
    await once(spawn(process.execPath, ['--import', counter, ...program], { env, stdio: 'ignore' }), 'close')
    const files = readFileSync(list, 'utf8').trim().split('\n')
    rmSync(home, { recursive: true, force: true })
    expect(files.length).toBeLessThanOrEqual(340)
    // Schemas of a configuration, servers, connections and word lists: each is loaded by whoever uses it.
    const later =
      /node_modules\/pino\/|dist\/vendor\/(?:zod|undici|ws|yaml)|dist\/(?:faces\/mcp|http|cli)\/|search\/(?:model|lexicon)\//
    expect(files.filter((file) => later.test(file))).toEqual([])
  })
})

const untilListening = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ''
    child.stderr!.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const url = /Listening: (http:\/\/[^\s"/]+)/.exec(text)?.[1]
      if (url !== undefined) resolve(url)
    })
    child.once('close', () => reject(new Error(`The gateway ended:\n${text}`)))
  })
