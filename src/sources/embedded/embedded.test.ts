import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createGateway } from '../../gateway.js'
import { createEmbeddedSource } from './embedded.js'

const folder = mkdtempSync(join(tmpdir(), 'pegboard-embedded-'))
afterAll(() => rmSync(folder, { recursive: true }))

const moduleFile = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return `./${name}`
}
const body = `{
  initialize() { this.ready = true },
  listTools() { return [{ name: 'greet', description: 'Says hello', input_schema: { type: 'object', properties: { who: { type: 'string' } } } }] },
  callTool(name, args) { return { content: [{ type: 'text', text: config.greeting + ' ' + args.who + ' ' + this.ready }] } },
}`

describe('embedded source', () => {
  it.each(['default', 'create', 'createService', 'factory'])(
    '001 takes a factory exported as %s and hands it its config',
    async (name) => {
      const exported = name === 'default' ? 'export default' : `export const ${name} =`
      const module = moduleFile(`${name}.mjs`, `${exported} (config) => (${body})`)
      await using gateway = createGateway()
      await gateway.addSource('greeter', createEmbeddedSource({ module, baseDir: folder, config: { greeting: 'Hi' } }))
      expect(await gateway.run('greeter.greet', { who: 'Ada' })).toBe('Hi Ada true')
      expect(gateway.find('greeter.greet')?.definition.inputSchema).toMatchObject({
        properties: { who: { type: 'string' } },
      })
    },
  )

  it.each([
    ['nothing of use', 'export const x = 1', 'SOURCE_INVALID'],
    ['a factory that throws', "export default () => { throw new Error('no licence') }", 'SOURCE_START_FAILED'],
    ['a syntax error', 'export default (', 'SOURCE_START_FAILED'],
    ['a list that is none', 'export default () => ({ listTools: () => 7, callTool() {} })', 'SOURCE_INVALID'],
  ])('refuses a module with %s and leaves the gateway as it was', async (what, text, code) => {
    const module = moduleFile(`bad-${what.replaceAll(' ', '-')}.mjs`, text)
    await using gateway = createGateway()
    await expect(gateway.addSource('bad', createEmbeddedSource({ module, baseDir: folder }))).rejects.toMatchObject({
      code,
    })
    expect(gateway.sources().map((source) => source.name)).toEqual(['local'])
  })

  it('names a module that is not there', async () => {
    const missing = createEmbeddedSource({ module: './missing.mjs', baseDir: folder })
    await expect(missing.watch(() => [], new AbortController().signal)).rejects.toThrow(
      /'.\/missing.mjs' did not start/,
    )
  })

  it('T28 lists the good tools beside a bad one', async () => {
    await using gateway = createGateway()
    const module = { listTools: () => [{ name: 'good' }, { name: 'bad', inputSchema: 'x' }, 7], callTool: () => 1 }
    await gateway.addSource('mixed', createEmbeddedSource({ module }))
    expect(gateway.list().map((tool) => tool.id)).toEqual(['mixed.good'])
  })
})
