import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServedCli, serveCli } from './serve-cli.js'

/** Stands in for a provider: asks for the calculator once, then repeats what the tool said. */
const openai = `export default class {
  chat = { completions: { create: async ({ messages, tools }) => {
    if (!tools.some((tool) => tool.type === 'function' && tool.function.name === 'calculator')) throw new Error('no calculator')
    const last = messages.at(-1)
    const call = { id: 'c1', type: 'function', function: { name: 'calculator', arguments: '{"expression":"21*2+5"}' } }
    const message = last.role === 'tool' ? { role: 'assistant', content: 'It is ' + last.content } : { role: 'assistant', content: null, tool_calls: [call] }
    return { choices: [{ message }] }
  } } }
}`
const anthropic = `export default class {
  messages = { create: async ({ messages, tools }) => {
    if (!tools.some((tool) => tool.name === 'calculator' && tool.input_schema)) throw new Error('no calculator')
    const result = Array.isArray(messages.at(-1).content) && messages.at(-1).content.find(({ type }) => type === 'tool_result')
    return result
      ? { stop_reason: 'end_turn', content: [{ type: 'text', text: 'It is ' + JSON.stringify(result.content) }] }
      : { stop_reason: 'tool_use', content: [{ type: 'tool_use', id: 't1', name: 'calculator', input: { expression: '21*2+5' } }] }
  } }
}`

let home: string
let gateway: ServedCli

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'pegboard-cookbook-'))
  for (const [name, code] of [
    ['openai', openai],
    ['@anthropic-ai/sdk', anthropic],
  ] as const) {
    const folder = join(home, 'node_modules', name)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, type: 'module', exports: './index.js' }))
    writeFileSync(join(folder, 'index.js'), code)
  }
  gateway = await serveCli(home)
})
afterAll(async () => {
  await gateway.stop()
  rmSync(home, { recursive: true, force: true })
})

describe('docs/cookbook.md', () => {
  const page = readFileSync(new URL('../../docs/cookbook.md', import.meta.url), 'utf8')
  const loops = [...page.matchAll(/^## (A loop with .*)\n[\s\S]*?```js\n([\s\S]*?)```/gm)]

  it.each(loops.map(([, title, code]) => [title!, code!] as const))('%s runs as it is printed', async (title, code) => {
    const file = join(home, `${title.replace(/\W+/g, '-')}.mjs`)
    writeFileSync(file, code.replace('http://127.0.0.1:8000', gateway.url))
    const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: home })
    expect(stdout).toContain('47')
  })

  it('has both loops', () => expect(loops).toHaveLength(2))
})
