import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bareEnv, cliPath, runCli } from '../helpers/run-cli.js'
import { type Served, serveRest } from '../helpers/serve-rest.js'

/** What nobody means and somebody sends, by what must come of it: a clear answer, never a failure. */
const odd: readonly (readonly [what: string, query: string])[] = [
  ['one stop word', 'the'],
  ['one stop character', '的'],
  ['only punctuation', '?!… —— ，。'],
  ['only quoted text', '"a long text between quotation marks, and nothing else"'],
  ['mixed scripts', 'сложи numbers 数字 أرقام'],
  ['emoji', '👨‍👩‍👧‍👦🏳️‍🌈🤖'],
  ['a lone surrogate', 'zz\ud800yy'],
  ['several parts, cut within a character', `add numbers and send mail ${'😀'.repeat(200)}`],
  ['control characters', 'zz\u0000\u0007\u001b[31myy'],
]
const megabyte = 'add numbers '.repeat(90_000)

interface Answered {
  readonly results: readonly unknown[]
  readonly notice?: string | undefined
  readonly areas?: readonly unknown[] | undefined
}

/** Something was found, or it says why not and what there is; never with half a character, which strict readers of JSON refuse. */
const expectClear = (answered: Answered): void => {
  const { results, notice, areas } = answered
  expect(JSON.stringify(answered)).not.toMatch(/\\ud[89a-f]/)
  if (results.length > 0) return
  expect(notice).toMatch(/\w+ \w+/)
  expect(areas!.length).toBeGreaterThan(0)
}

describe('a bad query over REST', () => {
  let served: Served
  beforeAll(async () => {
    served = await serveRest()
  })
  afterAll(() => served.close())
  const search = (query: string) => served.ask('POST', '/api/v1/search', { query })
  const expectWords = async (): Promise<void> =>
    expect((await search('add numbers')).json.results[0].tool.id).toBe('add')

  it.each(odd)('is answered clearly: %s', async (_what, query) => {
    const { status, json } = await search(query)
    expect(status).toBe(200)
    expectClear(json)
    await expectWords()
  })

  it('is refused where it has a megabyte, and says how long it may be', async () => {
    const { status, json } = await search(megabyte)
    expect([status, json.error.code]).toEqual([400, 'REQUEST_INVALID'])
    expect(JSON.stringify(json.error)).toContain('10000')
    await expectWords()
  })
})

describe('a bad query over MCP', () => {
  let home: string
  let client: Client
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'pegboard-bad-search-'))
    chmodSync(cliPath(), 0o755)
    symlinkSync(cliPath(), join(home, 'registry-tools'))
    client = new Client({ name: 'test', version: '1' })
    const args = [join(home, 'registry-tools'), '--transport', 'stdio']
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, env: bareEnv(home), cwd: home, stderr: 'ignore' }),
    )
    // Longer than is shown: the cut falls within a character.
    const description = `Adds two numbers: ${'😀'.repeat(200)}`
    await client.callTool({ name: 'register_tool', arguments: { name: 'add', description } })
  })
  afterAll(async () => {
    await client?.close()
    rmSync(home, { recursive: true, force: true })
  })
  const search = async (query: string): Promise<any> => client.callTool({ name: 'search_tools', arguments: { query } })
  const expectWords = async (): Promise<void> => {
    const { structuredContent } = await search('add numbers')
    expectClear(structuredContent)
    expect(structuredContent.results[0].tool_name).toBe('add')
  }

  it.each(odd)('is answered clearly: %s', async (_what, query) => {
    const { isError, structuredContent } = await search(query)
    expect(isError ?? false).toBe(false)
    expectClear(structuredContent)
    await expectWords()
  })

  it('is refused where it has a megabyte, and says how long it may be', async () => {
    const { isError, content } = await search(megabyte)
    expect([isError, content[0].text]).toEqual([true, expect.stringContaining('1000')])
    await expectWords()
  })
})

describe('a bad query on the command line', () => {
  const home = mkdtempSync(join(tmpdir(), 'pegboard-bad-search-'))
  let serving: ChildProcess | undefined
  // One gateway is asked by all, so that each costs a question and not a start.
  beforeAll(async () => {
    serving = spawn(process.execPath, [cliPath(), 'serve', '--port', '0'], {
      cwd: home,
      env: bareEnv(home),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    await once(serving.stderr!, 'data')
  })
  afterAll(async () => {
    serving?.kill('SIGTERM')
    if (serving?.exitCode === null) await once(serving, 'exit')
    rmSync(home, { recursive: true, force: true })
  })
  // A shell hands neither NUL nor half a character over.
  const typed = odd.map(([what, query]) => [what, query.replaceAll('\u0000', '').toWellFormed()] as const)

  it.each([...typed, ['a hundred kilobytes', 'add numbers '.repeat(8_000)] as const])(
    'is answered clearly: %s',
    async (_what, query) => {
      const { code, stdout, stderr } = await runCli(['search', '--json', '--', query], { cwd: home, home })
      expect([code, stderr]).toEqual([0, expect.not.stringContaining('at ')])
      expectClear(JSON.parse(stdout))
    },
    30_000,
  )
})
