import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readPasted } from './read-pasted.js'
import { splitShellLines } from './shell-words.js'
import { suggestName } from './suggest-name.js'

const only = async (text: string) => {
  const { servers, problems } = await readPasted(text)
  expect(problems).toEqual([])
  expect(servers).toHaveLength(1)
  const [{ name, entry }] = servers as [(typeof servers)[number]]
  return { name, ...entry }
}

describe('a pasted text (G9)', () => {
  it.each([
    ['the section of Claude and Cursor', '{"mcpServers": {"gh": {"command": "npx", "args": ["-y", "x"]}}}'],
    ['the section of VS Code', '{"servers": {"gh": {"command": "npx", "args": ["-y", "x"]}}, "inputs": []}'],
    ['the settings of VS Code', '{"mcp": {"servers": {"gh": {"command": "npx", "args": ["-y", "x"]}}}}'],
    ['the section of OpenCode', '{"mcp": {"gh": {"type": "local", "command": ["npx", "-y", "x"]}}}'],
    ['a fragment without braces', '"gh": {\n  "command": "npx",\n  "args": ["-y", "x"],\n},'],
    ['comments and trailing commas', '// ours\n{"gh": {"command": "npx", /* no */ "args": ["-y", "x",],},}'],
    ['a fence of Markdown', '```json\n{"mcpServers": {"gh": {"command": "npx", "args": ["-y", "x"]}}}\n```'],
    ['an entry with its own name', '{"name": "gh", "command": "npx", "args": ["-y", "x"]}'],
    ['TOML of Codex', '[mcp_servers.gh]\ncommand = "npx"\nargs = ["-y", "x"]'],
    ['a command that tells Claude', 'claude mcp add --scope user gh -- npx -y x'],
    ['the same without its dashes', '$ claude mcp add gh npx -y x'],
    ['a command that tells Codex', 'codex mcp add gh -- npx -y x'],
    ['a command that tells VS Code', `code --add-mcp '{"name":"gh","command":"npx","args":["-y","x"]}'`],
    ['JSON that tells Claude', `claude mcp add-json gh '{"command":"npx","args":["-y","x"]}'`],
  ])('is read as %s', async (_, text) => {
    expect(await only(text)).toMatchObject({
      name: 'gh',
      command: 'npx',
      args: ['-y', 'x'],
    })
  })

  it('may hold several servers', async () => {
    const { servers } = await readPasted(
      '{"mcpServers": {"a": {"command": "x"}, "b": {"url": "https://b.example/mcp"}}}',
    )
    expect(servers.map(({ name }) => name)).toEqual(['a', 'b'])
    expect((await readPasted('npx one\n# a comment\nuvx two \\\n  --fast')).servers.map(({ entry }) => entry)).toEqual([
      { command: 'npx', args: ['one'] },
      { command: 'uvx', args: ['two', '--fast'] },
    ])
  })

  it.each([
    ['https://mcp.notion.com/mcp', { name: 'notion', url: 'https://mcp.notion.com/mcp' }],
    [
      'claude mcp add --transport http notion https://mcp.notion.com/mcp --header "Authorization: Bearer x y"',
      { name: 'notion', type: 'http', url: 'https://mcp.notion.com/mcp', headers: { Authorization: 'Bearer x y' } },
    ],
    [
      'A=1 B="two words" npx -y @modelcontextprotocol/server-github@1.2.0',
      { name: 'github', command: 'npx', env: { A: '1', B: 'two words' } },
    ],
    [
      'export KEY=abc\nuvx mcp-server-time --local',
      { name: 'time', env: { KEY: 'abc' }, args: ['mcp-server-time', '--local'] },
    ],
    ['claude mcp add -e A=1 B=2 -s user time -- uvx mcp-server-time', { name: 'time', env: { A: '1', B: '2' } }],
    [
      'codex mcp add docs --url https://d.example/mcp --bearer-token-env-var DOCS',
      { headers: { Authorization: `Bearer \${DOCS}` } },
    ],
    ['docker run -i --rm -e TOKEN ghcr.io/github/github-mcp-server', { name: 'github', command: 'docker' }],
    [
      'pegboard add files -- npx -y server-files ~/notes',
      { name: 'files', args: ['-y', 'server-files', `\${HOME}/notes`] },
    ],
  ])('%s', async (text, expected) => {
    expect(await only(text)).toMatchObject(expected)
  })

  it('keeps variables of other programs as references, and says which a person is asked for', async () => {
    const { servers } = await readPasted(
      `{"servers": {"a": {"command": "x", "env": {"K": "\${input:my-key}", "L": "\${env:OTHER}"}}}}`,
    )
    expect(servers).toMatchObject([{ entry: { env: { K: `\${MY_KEY}`, L: `\${env:OTHER}` } }, asked: ['MY_KEY'] }])
  })

  it('lets nothing in it reach a file, a program or a keychain of ours (T15)', async () => {
    const words = ['cmd:id', 'file:/etc/passwd', 'keychain:a/b']
    for (const word of words) {
      const { servers } = await readPasted(JSON.stringify({ a: { command: 'x', env: { K: `\${${word}}` } } }))
      expect(servers[0]!.entry).toMatchObject({ env: { K: `$\${${word}}` } })
      expect((await readPasted(`K=\${${word}} npx x`)).problems).toHaveLength(1)
      expect((await readPasted(`K='\${${word}}' npx x`)).servers[0]!.entry).toMatchObject({
        env: { K: `$$\{${word}}` },
      })
    }
  })

  it.each(['npx a | tee b', 'cd x && npx a', 'npx a; rm b', 'npx $(id)', 'npx `id`', 'npx a > b', 'npx "a'])(
    'is refused where only a shell could read it: %s',
    async (text) => {
      const { servers, problems } = await readPasted(text)
      expect(servers).toEqual([])
      expect(problems).toHaveLength(1)
      expect(problems[0]!.zh).toMatch(/[\u4e00-\u9fff]/)
    },
  )

  it('names the line that is wrong, and what has no server in it', async () => {
    expect((await readPasted('{\n "a": {"command": "x"\n')).problems[0]!.en).toMatch(/^Line \d cannot be read as JSON/)
    expect((await readPasted('{"a": {"b": 1}}')).problems[0]!.en).toContain('No server was found')
    expect((await readPasted(`{"__proto__": {"command": "x"}}`)).problems).toHaveLength(1)
    expect((await readPasted('x'.repeat(300_000))).problems[0]!.en).toContain('256 KB')
    expect(await readPasted(' \n')).toEqual({ form: 'nothing', servers: [], problems: [] })
  })

  it('never throws, whatever it is', async () => {
    const scraps = fc.constantFrom(
      '{',
      '}',
      '"a"',
      ':',
      ',',
      '[',
      ']',
      "'",
      '"',
      '\\',
      '$',
      '${',
      'A=',
      ' ',
      '\n',
      'npx',
      'claude mcp add',
      '--',
      '-e',
      '#',
    )
    const texts = fc.oneof(
      fc.string({ maxLength: 200 }),
      fc.array(scraps, { maxLength: 30 }).map((parts) => parts.join('')),
    )
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const { servers, problems } = await readPasted(text)
        for (const { name } of servers) expect(name).not.toBe('')
        expect(Array.isArray(problems)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

describe('words of a command line', () => {
  const single = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`
  const double = (word: string): string => `"${word.replace(/[$"\\`]/g, '\\$&')}"`
  const plainly = (word: string): string => word.replaceAll('$$', '$')

  it('are those that a shell would hand over, however they are quoted', () => {
    const words = fc.array(
      fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.replaceAll('\r', '')),
      { minLength: 1, maxLength: 6 },
    )
    fc.assert(
      fc.property(words, fc.infiniteStream(fc.boolean()), (given, turns) => {
        const line = given.map((word) => (turns.next().value ? single(word) : double(word))).join('  ')
        const [read, ...more] = splitShellLines(line)
        expect(more).toEqual([])
        expect(read?.problem).toBeUndefined()
        expect((read as { words: readonly string[] }).words.map(plainly)).toEqual(given)
      }),
    )
  })

  it('keep variables as references, and every other dollar sign as one', () => {
    expect(splitShellLines(`a $B "\${C}d" '$E' \\$F 5$ \${G:-h}`)).toEqual([
      { words: ['a', `\${B}`, `\${C}d`, '$$E', '$$F', '5$$', `\${G:-h}`] },
    ])
  })
})

describe('a name for a server without one', () => {
  it.each([
    [{ command: 'npx', args: ['-y', '@playwright/mcp@latest'] }, 'playwright'],
    [{ command: 'uvx', args: ['--from', 'git+https://x.example/y', 'serena-mcp-server'] }, 'serena'],
    [{ command: 'python', args: ['-m', 'mcp_server_git'] }, 'git'],
    [{ command: '/usr/bin/node', args: ['./dist/weather.mjs'] }, 'weather'],
    [{ url: 'https://api.githubcopilot.com/mcp/' }, 'githubcopilot'],
    [{ url: 'http://localhost:3000/mcp' }, 'local'],
    [{}, 'server'],
  ])('%j is %s', (entry, name) => {
    expect(suggestName(entry)).toBe(name)
  })
})
