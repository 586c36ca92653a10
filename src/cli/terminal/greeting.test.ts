import { describe, expect, it } from 'vitest'
import type { Tool } from '../../model/tool.js'
import { localeOf } from '../../serving/locale.js'
import { type GreetingFacts, greeting } from './greeting.js'

const url = 'http://127.0.0.1:8000/mcp'
const tool = (id: string, more: Partial<Tool['definition']> = {}): Tool => ({
  id,
  namespace: id.split('.')[0]!,
  name: id.split('.')[1] ?? id,
  source: 'github',
  tags: [],
  definition: { name: id, inputSchema: { type: 'object' }, ...more },
})
const examples = ['calculator', 'current_time'].map((id) => tool(id))
const facts = (more: Partial<GreetingFacts> = {}): GreetingFacts => ({
  url,
  console: 'http://127.0.0.1:8000/',
  port: '8000',
  tools: examples,
  sources: [],
  keyVariable: undefined,
  signIn: undefined,
  options: '',
  locale: 'en',
  ...more,
})

describe('greeting', () => {
  it('of a board without a configuration shows the example tools and how to connect each client', () => {
    expect(greeting(facts())).toMatchInlineSnapshot(`
      "
      Pegboard serves MCP at http://127.0.0.1:8000/mcp
      Console  http://127.0.0.1:8000/
      Tools    calculator, current_time (examples, until there are sources)

      Connect a client:
        Claude Code  claude mcp add --transport http pegboard http://127.0.0.1:8000/mcp
        Cursor       ~/.cursor/mcp.json: {"mcpServers":{"pegboard":{"url":"http://127.0.0.1:8000/mcp"}}}
        VS Code      code --add-mcp '{"name":"pegboard","type":"http","url":"http://127.0.0.1:8000/mcp"}'
        Codex        codex mcp add pegboard --url http://127.0.0.1:8000/mcp
        or let us write it (--undo takes it back): npx pegboard connect cursor --http

      Try   npx pegboard call calculator expression="21*2+5"
      Next  npx pegboard init brings in the servers that your clients already have
      Stop  Ctrl+C

      "
    `)
  })

  it('of a registry, which brings no tools along, promises none (B4)', () => {
    const said = greeting(facts({ tools: [] }))
    expect(said).toContain('Tools    (none yet: clients register them, or add sources)')
    expect(said).not.toContain('calculator')
  })

  it('suggests a tool of the configured sources: the one that changes nothing and asks for least', () => {
    const tools = [
      tool('github.delete_repo', { annotations: { destructiveHint: true } }),
      tool('github.create_issue'),
      tool('github.list_issues', {
        annotations: { readOnlyHint: true },
        inputSchema: { type: 'object', required: ['repo'], properties: { repo: { type: 'string', default: 'a b' } } },
      }),
    ]
    const text = greeting(facts({ tools, sources: ['github'] }))
    expect(text).toContain("Try   npx pegboard call github.list_issues repo='a b'\n")
    expect(text).not.toContain('calculator')
  })

  it('suggests the list while the sources still start, and the same configuration for every command', () => {
    const text = greeting(facts({ tools: [], sources: ['github', 'docs'], options: ' --config team.json' }))
    expect(text).toContain('Tools    (starting: github, docs)\n')
    expect(text).toContain('Try   npx pegboard list --config team.json\n')
    expect(text).toContain('npx pegboard doctor --config team.json')
  })

  it('carries the key where callers are asked for one, by its variable and never by its value', () => {
    const text = greeting(facts({ keyVariable: 'PEGBOARD_KEY', url: 'http://127.0.0.1:9100/mcp', port: '9100' }))
    expect(text).toContain('export PEGBOARD_KEY=$(npx pegboard key create me)')
    expect(text).toContain(
      'claude mcp add --transport http pegboard http://127.0.0.1:9100/mcp --header "Authorization: Bearer $PEGBOARD_KEY"',
    )
    expect(text).toContain(
      `{"url":"http://127.0.0.1:9100/mcp","headers":{"Authorization":"Bearer \${env:PEGBOARD_KEY}"}}`,
    )
    expect(text).toContain('--bearer-token-env-var PEGBOARD_KEY')
    expect(text).toContain('connect cursor --http --port 9100')
    expect(greeting(facts({ keyVariable: 'PEGBOARD_TOKEN' }))).toContain('Bearer $PEGBOARD_TOKEN')
  })

  it('tells a team that the address is all that a client needs, and where keys come from', () => {
    const text = greeting(facts({ signIn: 'provider', options: ' --config team.json' }))
    expect(text).toContain('Sign in  people give their client the address alone and sign in with the browser')
    expect(text).toContain('npx pegboard key create NAME --role caller --config team.json')
    expect(text).not.toContain('Authorization')
    expect(greeting(facts({ signIn: 'key' }))).toContain('paste their key into the browser')
    expect(greeting(facts({ signIn: 'key', locale: 'zh' }))).toContain('粘贴自己的密钥')
    expect(greeting(facts({ signIn: 'provider', locale: 'zh' }))).toContain('在浏览器中登录')
  })

  it('speaks Chinese, in columns that line up', () => {
    expect(greeting(facts({ locale: 'zh', keyVariable: 'PEGBOARD_TOKEN' }))).toMatchInlineSnapshot(`
      "
      Pegboard 已启动，MCP 地址： http://127.0.0.1:8000/mcp
      控制台  http://127.0.0.1:8000/
      工具    calculator, current_time （示例；添加来源后换成你自己的）
      密钥    调用者必须出示 token；下面的命令从 PEGBOARD_TOKEN 读取它

      接入客户端：
        Claude Code  claude mcp add --transport http pegboard http://127.0.0.1:8000/mcp --header "Authorization: Bearer $PEGBOARD_TOKEN"
        Cursor       ~/.cursor/mcp.json: {"mcpServers":{"pegboard":{"url":"http://127.0.0.1:8000/mcp","headers":{"Authorization":"Bearer \${env:PEGBOARD_TOKEN}"}}}}
        VS Code      code --add-mcp '{"name":"pegboard","type":"http","url":"http://127.0.0.1:8000/mcp","headers":{"Authorization":"Bearer \${env:PEGBOARD_TOKEN}"}}'
        Codex        codex mcp add pegboard --url http://127.0.0.1:8000/mcp --bearer-token-env-var PEGBOARD_TOKEN
        或者由我们写好（--undo 可撤销）： npx pegboard connect cursor --http

      试试    npx pegboard call calculator expression="21*2+5"
      下一步  npx pegboard init 把客户端里已有的服务器搬过来
      停止    Ctrl+C

      "
    `)
  })
})

describe('localeOf', () => {
  it.each([
    [{ LANG: 'zh_CN.UTF-8' }, 'zh'],
    [{ LANG: 'en_US.UTF-8', LC_ALL: 'zh_TW' }, 'zh'],
    [{ LANG: 'zh_CN', LC_MESSAGES: 'C' }, 'en'],
    [{ LANG: 'zh', LC_ALL: '' }, 'zh'],
    [{ LANG: 'zhx' }, 'en'],
    [{}, 'en'],
  ] as const)('of %j is %s', (env, locale) => expect(localeOf(env)).toBe(locale))
})
