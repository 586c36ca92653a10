import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { exportCatalog } from '../../src/catalog/export.js'
import { createGateway } from '../../src/gateway.js'
import { createCatalogFileSource } from '../../src/sources/catalog-file/catalog-file.js'
import { defineTool } from '../../src/sources/functions/define-tool.js'
import { VirtualClock } from '../helpers/virtual-clock.js'

describe('catalog file', () => {
  let folder: string
  let path: string
  const clock = new VirtualClock()
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'pegboard-catalog-'))
    path = join(folder, 'tools.json')
  })
  afterEach(() => rmSync(folder, { recursive: true }))
  const mounted = async (value: unknown) => {
    writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value))
    const gateway = createGateway({ clock })
    await gateway.addSource('archive', createCatalogFileSource({ path, clock }))
    return gateway
  }
  const greet = { name: 'greet', description: 'Says hello', tags: ['x'], category: 'social' }

  it.each([
    ['a list', [{ ...greet, inputSchema: { type: 'object', properties: { who: {} } } }]],
    ['{"tools": […]}', { tools: [{ ...greet, input_schema: { type: 'object', properties: { who: {} } } }] }],
    [
      'RegistryTools’ object by name',
      {
        greet: {
          ...greet,
          input_schema: { type: 'object', properties: { who: {} } },
          use_frequency: 3,
          last_used: null,
          defer_loading: false,
        },
      },
    ],
  ])('reads %s', async (_what, value) => {
    const gateway = await mounted(value)
    expect(gateway.find('archive.greet')).toMatchObject({
      tags: ['x'],
      category: 'social',
      definition: { inputSchema: { properties: { who: {} } } },
    })
    expect(gateway.find('archive.greet')?.definition).not.toHaveProperty('use_frequency')
    await gateway.close()
  })

  it('lists what it cannot run, and says so when asked', async () => {
    const gateway = await mounted([greet])
    await expect(gateway.run('archive.greet')).rejects.toMatchObject({ code: 'TOOL_NOT_CALLABLE' })
    await gateway.close()
  })

  it('follows the file, and keeps the last good list while it is broken', async () => {
    const gateway = await mounted([greet])
    const listed = () => gateway.list().map((tool) => tool.name)
    const changed = () => new Promise<void>((resolve) => gateway.catalog.onChange(() => resolve()))
    writeFileSync(path, '[{"name":')
    await clock.advance(2000)
    expect(listed()).toEqual(['greet'])
    const after = changed()
    writeFileSync(`${path}.new`, JSON.stringify([greet, { name: 'part' }]))
    renameSync(`${path}.new`, path)
    await clock.advance(2000)
    await after
    expect(listed()).toEqual(['greet', 'part'])
    await gateway.close()
  })

  it('reads back what was exported', async () => {
    const board = createGateway({
      tools: [
        defineTool({
          name: 'a',
          title: 'A',
          tags: ['t'],
          category: 'c',
          examples: ['say a'],
          idempotent: true,
          handler: () => 1,
        }),
      ],
    })
    const gateway = await mounted(exportCatalog(board.list()))
    const [original, read] = [board.list()[0]!, gateway.list()[0]!]
    expect(read).toMatchObject({
      definition: original.definition,
      tags: original.tags,
      category: 'c',
      examples: ['say a'],
      idempotent: true,
    })
    await gateway.close()
  })

  it.each([
    ['no JSON', '{', 'SOURCE_INVALID'],
    ['a number', '7', 'SOURCE_INVALID'],
  ])('refuses a file of %s', async (_what, text, code) => {
    await expect(mounted(text)).rejects.toMatchObject({ code })
  })

  it('names a file that is not there', async () => {
    const source = createCatalogFileSource({ path: join(folder, 'missing.json'), clock })
    await expect(createGateway().addSource('x', source)).rejects.toMatchObject({
      code: 'SOURCE_START_FAILED',
      message: expect.stringContaining('missing.json'),
    })
  })
})
