import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bareEnv, cliPath } from '../helpers/run-cli.js'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pegboard-lines-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const traceback = ['Traceback (most recent call last):', '  File "server.py", line 1', 'AttributeError: no such thing']
const broken = {
  command: 'node',
  args: ['-e', `console.error(${JSON.stringify(traceback.join('\n'))}); process.exit(1)`],
}
const chatty = { command: 'node', args: ['-e', "console.log('hello world'); process.exit(0)"] }

/** The log of a gateway with this configuration until a line of it matches. */
const logUntil = async (
  config: object,
  expected: RegExp,
  { args = [] as readonly string[], env = {} as Readonly<Record<string, string>> } = {},
): Promise<readonly string[]> => {
  writeFileSync(join(home, 'pegboard.json'), JSON.stringify(config))
  const child = spawn(process.execPath, [cliPath(), 'serve', '--port', '0', ...args], {
    cwd: home,
    env: bareEnv(home, env),
  })
  let said = ''
  const seen = new Promise<void>((resolve) => {
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      if (expected.test(said)) resolve()
    })
  })
  const closed = once(child, 'close')
  await Promise.race([seen, closed])
  child.kill('SIGTERM')
  await closed
  expect(said).toMatch(expected)
  return said
    .split('\n')
    .filter((line) => /^\S+Z \[/.test(line))
    .map((line) => line.replace(/^\S+ /, ''))
}

describe('the log of serve, for people (U8)', () => {
  it('names the product, and no other', async () => {
    const lines = await logUntil({}, /Listening: /)
    expect(lines[0]).toMatch(/^\[info\] \[pegboard\] Starting Pegboard \d/)
    expect(lines.join('\n')).not.toMatch(/Agent Manager|Service|stdio-adapter|tool-aggregator/)
  })

  it('has the name of a source in the bracket, and one line about a start that fails, with the last of what it wrote', async () => {
    const lines = await logUntil({ mcpServers: { sqlite: broken } }, /did not start/)
    expect(lines.filter((line) => line.includes('[sqlite]'))).toEqual([
      '[info] [sqlite] Source added {"namespace":"sqlite","type":"stdio"}',
      expect.stringMatching(
        /^\[warn\] \[sqlite\] Source 'sqlite' did not start: .*exit code 1\. Its last words on stderr: … AttributeError: no such thing$/,
      ),
    ])
    expect(lines.join('\n')).not.toContain('Traceback')
  })

  it('has the rest of it for who debugs', async () => {
    const lines = await logUntil({ mcpServers: { sqlite: broken } }, /did not start/, {
      args: ['--log-level', 'debug'],
    })
    expect(lines).toContain('[debug] [sqlite] Traceback (most recent call last):')
  })

  it('says what a program wrote on stdout that is not MCP (U10)', async () => {
    const lines = await logUntil({ mcpServers: { chatty } }, /did not start/)
    expect(lines.join('\n')).toContain("It wrote 'hello world' on stdout, which is not MCP.")
  })

  it('is Chinese in a Chinese shell (U9)', async () => {
    const lines = await logUntil(
      { mcpServers: { sqlite: broken, chatty } },
      /hello world[\s\S]*AttributeError|AttributeError[\s\S]*hello world/,
      {
        env: { LANG: 'zh_CN.UTF-8' },
      },
    )
    expect(lines.filter((line) => !/\p{Script=Han}/u.test(line))).toEqual([])
    expect(lines.join('\n')).toMatch(/\[sqlite\] 来源“sqlite”未能启动：/)
  })
})

describe('the log of serve on a file in the xiaozhi MCP Agent format', () => {
  it("is that program's, in any shell (001-17)", async () => {
    const services = { calculator: { type: 'stdio', namespace: 'calc', ...broken } }
    const lines = await logUntil({ services }, /did not start/, { env: { LANG: 'zh_CN.UTF-8' } })
    expect(lines[0]).toBe('[info] [manager] Starting MCP Agent Manager')
    expect(lines).toContain('[info] [registry] Service registered: calculator {"namespace":"calc","type":"stdio"}')
    expect(lines.join('\n')).toMatch(/\[warn\] \[stdio-adapter\] Source 'calculator' did not start: /)
  })
})
