import type { Command } from 'commander'
import { say } from '../../serving/locale.js'
import { showcaseQuery } from './examples.js'

/** What a person sees who types `pegboard` and nothing else. */
export const explain = (program: Command): void => {
  const lines: readonly (readonly [string, string])[] = [
    ['pegboard init', say('begin here: finds your clients and their servers', '从这里开始：找出你的客户端及其服务器')],
    [
      'pegboard serve',
      say(
        'MCP on http://127.0.0.1:8000/mcp, and a console in the browser',
        'MCP 在 http://127.0.0.1:8000/mcp，浏览器中有控制台',
      ),
    ],
    ['pegboard add files -- npx -y some-server', say('one more source', '再添加一个来源')],
    ['pegboard list', say('what tools there are', '有哪些工具')],
    [`pegboard search "${showcaseQuery}"`, say('which one fits', '哪一个合适')],
    ['pegboard call calculator expression=6*7', say('call one', '调用一个工具')],
    ['pegboard connect claude-code', say('put the board into a client', '把这块板写入客户端')],
    ['pegboard doctor', say('what is wrong, and what to do about it', '哪里有问题、怎么解决')],
  ]
  process.stdout.write(`${say('Pegboard: one board for every tool your AI agents use.', 'Pegboard：把 AI 智能体用到的全部工具放在一块板上。')}

${lines.map(([command, words]) => `  ${command.padEnd(widest)} ${words}`).join('\n')}

${say("As an MCP server in a client's configuration:", '在客户端的配置中作为 MCP 服务器：')}
  {"mcpServers":{"pegboard":{"command":"npx","args":["-y","pegboard"]}}}

${say('Put your servers into pegboard.json, in the shape you already have them:', '把你的服务器原样放进 pegboard.json：')}
  {"mcpServers":{"files":{"command":"npx","args":["-y","@modelcontextprotocol/server-filesystem","."]}}}

${say(`${program.name()} --help lists everything.`, `${program.name()} --help 列出全部命令。`)}
`)
}

const widest = 40
