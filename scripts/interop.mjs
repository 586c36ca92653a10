// Real servers of others, all mounted at once behind one gateway, read and called through an official client, and their
// tools listed in every model provider's words over REST.
//   npm run interop                    all of them
//   npm run interop -- --reference     the four reference servers, as CI does
// They are fetched once, at the versions written down, into node_modules/.cache.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { lookAtDialects } from '../test/surface/interop/dialects.mjs'
import { servers as all } from '../test/surface/interop/servers.mjs'
import { installServers, programOf } from './reference-servers.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const program = join(resolve(root, process.env.PEGBOARD_DIST ?? 'dist'), 'cli', 'main.js')
const chosen = Object.entries(all).filter(([, { reference }]) => reference || !process.argv.includes('--reference'))
const home = mkdtempSync(join(tmpdir(), 'pegboard-interop-'))
const filled = (value) => JSON.parse(JSON.stringify(value).replaceAll('HOME_FOLDER', home))

const start = async () => {
  const sources = Object.fromEntries(
    chosen.map(([name, server]) => {
      const args = [programOf(server), ...(server.args ?? [])]
      return [name, filled({ type: 'stdio', command: process.execPath, args, env: server.env ?? {} })]
    }),
  )
  writeFileSync(join(home, 'clean.js'), 'export const one = 1\n')
  writeFileSync(join(home, 'eslint.config.mjs'), 'export default []\n')
  const profiles = { default: { expose: 'flat', names: 'exact' } }
  writeFileSync(join(home, 'pegboard.json'), JSON.stringify({ sources, profiles }))
  const args = [program, 'serve', '--json', '--port', '0', '--config', join(home, 'pegboard.json'), '--data-path', home]
  const child = spawn(process.execPath, args, { cwd: home, stdio: ['ignore', 'ignore', 'pipe'] })
  for await (const line of createInterface({ input: child.stderr })) {
    const [, url] = /Listening: (http\S+?)[",\s]/.exec(`${line} `) ?? []
    if (!url) continue
    child.stderr.resume()
    return { child, url: url.replace(/"$/, '') }
  }
  throw new Error('The gateway did not start.')
}

/** Sources start in their own time; each is looked at when it has shown what it must, or when the time is up. */
const untilListed = async (client) => {
  const until = Date.now() + 60_000
  for (;;) {
    const { tools } = await client.listTools({}, { cacheMode: 'refresh' })
    const counts = chosen.map(([name, server]) => [
      tools.filter((tool) => tool.name.startsWith(`${name}.`)).length,
      server.tools,
    ])
    if (counts.every(([found, wanted]) => found >= wanted) || Date.now() > until) return tools
    await new Promise((next) => setTimeout(next, 250))
  }
}

const look = async (client, name, server, lists) => {
  const problems = []
  const own = (items, key) => items.filter((item) => item[key].startsWith(`${name}.`)).length
  const found = { tools: own(lists.tools, 'name'), prompts: own(lists.prompts, 'name') }
  for (const kind of ['tools', 'prompts'])
    if (found[kind] < (server[kind] ?? 0)) problems.push(`${found[kind]} ${kind}, wanted ${server[kind]}`)
  let called = ''
  if (server.call) {
    const { expect, ...call } = server.call
    const result = await client.callTool(filled({ ...call, name: `${name}.${call.name}` }))
    const text = JSON.stringify(result.content)
    called = expect.test(text) && !result.isError ? 'ok' : 'wrong'
    if (called === 'wrong') problems.push(`${call.name} answered ${text.slice(0, 200)}`)
  }
  if (server.prompt) {
    const { messages } = await client.getPrompt({ name: `${name}.${server.prompt}` })
    if (messages.length === 0) problems.push(`${server.prompt} has no messages`)
  }
  return { name, ...found, called, problems }
}

installServers(chosen.map(([, server]) => server))
const { child, url } = await start()
const client = new Client({ name: 'interop', version: '1' }, { versionNegotiation: { mode: 'auto' } })
const startedAt = Date.now()
await client.connect(new StreamableHTTPClientTransport(new URL(url)))
const tools = await untilListed(client)
const { prompts } = await client.listPrompts()
const { resources } = await client.listResources()
const { resourceTemplates } = await client.listResourceTemplates()
const rows = []
for (const [name, server] of chosen) rows.push(await look(client, name, server, { tools, prompts }))
const unreadable = []
for (const { uri } of resources)
  await client.readResource({ uri }).catch((error) => unreadable.push(`${uri}: ${error.message}`))
for (const { name, tools: count, prompts: asked, called, problems } of rows)
  console.log(
    `${name.padEnd(12)} ${String(count).padStart(4)} tools ${String(asked).padStart(3)} prompts  ${called.padEnd(6)} ${problems.join('; ')}`,
  )
const dialects = await lookAtDialects(new URL(url).origin, tools.length)
for (const { format, tools: count, leftOut = 0, losses, problems } of dialects) {
  const counts = `${String(count).padStart(4)} tools ${String(losses).padStart(3)} with losses ${leftOut} left out`
  console.log(`${format.padEnd(24)}${counts}  ${problems.length === 0 ? 'ok' : `${problems.length} problems`}`)
  for (const problem of problems.slice(0, 20)) console.log(`✗ ${format}: ${problem}`)
}
const wantedResources = chosen.reduce((sum, [, server]) => sum + (server.resources ?? 0), 0)
console.log(
  `${tools.length} tools, ${prompts.length} prompts, ${resources.length} resources (${unreadable.length} unreadable), ${resourceTemplates.length} templates from ${chosen.length} servers in ${Date.now() - startedAt} ms`,
)
for (const problem of unreadable) console.log(`✗ ${problem}`)
await client.close()
child.kill('SIGTERM')
await once(child, 'exit')
rmSync(home, { recursive: true, force: true })
const failed = [...rows, ...dialects].some(({ problems }) => problems.length > 0) || resources.length < wantedResources
process.exit(failed ? 1 : 0)
