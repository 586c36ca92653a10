// What a client pays in tokens for flat, search and hybrid exposure, with a real tokenizer (o200k_base).
//   npm run tokens            prints the table
//   npm run tokens -- --write puts it into docs/tokens.md with date and command
// Tools: the catalogs of ../shared/eval (or PEGBOARD_EVAL) that carry schemas; without them a printed reason and exit 0.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { getEncoding } from 'js-tiktoken'
import { namesTowards, safeNaming } from '../dist/catalog/names.js'
import { createMcpFace } from '../dist/faces/mcp/face.js'
import { createEmbeddedSource, createGateway, localCaller, systemClock, toToolResult } from '../dist/index.js'
import { createRegisteredSource } from '../dist/sources/registry/registered.js'
import { createRegistrySource } from '../dist/sources/registry/registry.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const evalFolder = process.env.PEGBOARD_EVAL ?? `${root}/../shared/eval`
const set = 'livemcp-large'
if (!existsSync(`${evalFolder}/${set}/tools.jsonl`)) {
  console.log(
    `tokens: skipped, there is no ${set} under ${process.env.PEGBOARD_EVAL ? 'PEGBOARD_EVAL' : '../shared/eval'}.`,
  )
  process.exit(0)
}

const encoding = getEncoding('o200k_base')
const count = (value) => encoding.encode(typeof value === 'string' ? value : JSON.stringify(value), [], []).length
const lines = (file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
const tools = lines(`${evalFolder}/${set}/tools.jsonl`)
const queries = lines(`${evalFolder}/${set}/queries.jsonl`).map(({ query }) => query)

const boardOf = async (size) => {
  const gateway = createGateway()
  const registered = createRegisteredSource()
  await gateway.addSource('registered', registered, { namespace: '' })
  await gateway.addSource(
    'registry',
    createRegistrySource({ board: gateway, registered, names: namesTowards(gateway.catalog, () => safeNaming) }),
    {
      namespace: '',
    },
  )
  const listed = tools.slice(0, size).map(({ name, description, input_schema }, index) => ({
    name: `${name}`.slice(0, 100) || `tool_${index}`,
    description,
    inputSchema: input_schema?.type === 'object' ? input_schema : { type: 'object' },
  }))
  await gateway.addSource(
    'catalog',
    createEmbeddedSource({
      module: { listTools: () => listed, callTool: () => ({ content: [{ type: 'text', text: 'done' }] }) },
    }),
  )
  const face = createMcpFace({ gateway, serverInfo: { name: 'pegboard', version: '0' }, clock: systemClock })
  return { gateway, face }
}

const listTokens = (face, expose) => {
  const view = face.view({ caller: localCaller, profile: { naming: safeNaming, expose, pin: [] } })
  return count(JSON.stringify(JSON.parse(view.listResult('legacy', undefined)).tools))
}

const ask = async (gateway, tool, args) => {
  const outcome = await gateway.call({ tool, args, caller: localCaller })
  const texts = outcome.ok
    ? toToolResult(outcome.answer).content.map((block) => block.text ?? '')
    : [outcome.error.message]
  return { first: texts[0], tokens: count({ name: tool, arguments: args }) + count(texts.join('\n')) }
}

/** One whole need: search, read the definition of the best, call it. What a flat client pays besides its list is the call. */
const conversation = async (gateway, query) => {
  const search = await ask(gateway, 'search_tools', { query })
  const [best] = JSON.parse(search.first)
  if (!best) return { search: search.tokens, define: 0, call: 0 }
  const define = await ask(gateway, 'get_tool_definition', { tool_name: best.tool_name })
  const call = await ask(gateway, 'call_tool', { tool_name: best.tool_name, arguments: {} })
  return { search: search.tokens, define: define.tokens, call: call.tokens }
}

const mean = (values) => Math.round(values.reduce((sum, value) => sum + value, 0) / values.length)
const rows = []
for (const size of [10, 100, 500, 1000, 2000]) {
  const { gateway, face } = await boardOf(Math.min(size, tools.length))
  const flat = listTokens(face, 'flat')
  const list = listTokens(face, 'search')
  const talks = []
  for (const query of queries.slice(0, 30)) talks.push(await conversation(gateway, query))
  const search = mean(talks.map((talk) => talk.search))
  const define = mean(talks.map((talk) => talk.define))
  const call = mean(talks.map((talk) => talk.call))
  const whole = list + search + define + call
  rows.push([size, flat, list, search, define, call, whole, `${(100 * (1 - whole / (flat + call))).toFixed(1)} %`])
  face.close()
  await gateway.close()
}
const head = [
  'tools',
  'flat list',
  'search list',
  'a search',
  'a definition',
  'a call',
  'search, define, call',
  'saved',
]
const table = [head, head.map((_, index) => (index ? '--:' : '---')), ...rows]
  .map((row) => `| ${row.join(' | ')} |`)
  .join('\n')
console.log(table)
if (process.argv.includes('--write')) {
  const page = `# Tokens

What a client pays for one need, in tokens of the o200k_base tokenizer: with every definition listed (\`flat\`), or with the board's own
tools listed and a search, a definition and a call made through them (\`search\`). Definitions are real MCP tools; searches are the
task descriptions of a public set, which are longer than what most people ask. The signature in a search result is enough to call most
tools, so the definition is often not needed.

Measured ${new Date().toISOString().slice(0, 10)} by \`npm run tokens -- --write\`.

${table}
`
  writeFileSync(`${root}/docs/tokens.md`, page)
}
