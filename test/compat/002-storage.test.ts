import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ToolMetadata } from '../../src/compat/tool-metadata.js'
import { ToolRegistry } from '../../src/compat/tool-registry.js'
import { createToolStorage, type ToolStorage } from '../../src/compat/tool-storage.js'
import { createGateway } from '../../src/gateway.js'
import { createCatalogFileSource } from '../../src/library/catalog-source.js'
import { openStore } from '../../src/storage/open.js'
import type { Store } from '../../src/storage/store.js'
import { editDatabase } from '../helpers/sqlite-samples.js'
import { temporaryFolders } from '../helpers/store-samples.js'
import { VirtualClock } from '../helpers/virtual-clock.js'

const newFolder = temporaryFolders()
const pullRequest: ToolMetadata = {
  name: 'github.create_pr',
  description: 'Create a pull request',
  tags: ['git'],
  category: 'dev',
  mcp_server: 'github',
  input_schema: { type: 'object', properties: { title: { type: 'string' } } },
}

describe('002 ToolRegistry with a store', () => {
  it.each(['json', 'sqlite'] as const)('brings its definitions back from %s (D1, 002-07)', async (backend) => {
    const path = await newFolder()
    {
      const store = await openStore({ backend, path })
      const registry = new ToolRegistry({ store })
      registry.register(pullRequest)
      registry.register({ name: 'gone', description: 'Not for long' })
      for (let uses = 0; uses < 3; uses++) registry.update_usage('github.create_pr')
      await registry.saved()
      registry.unregister('gone')
      await registry.close()
      await store[Symbol.asyncDispose]()
    }
    const store = await openStore({ backend, path })
    const registry = await ToolRegistry.open({ store })
    expect(registry.get_tool('github.create_pr')).toMatchObject({
      ...pullRequest,
      tags: new Set(['git']),
      use_frequency: 3,
      temperature: 'warm',
    })
    expect(registry.get_tool('gone')).toBeNull()
    expect((await registry.search('pull request'))[0]?.tool_name).toBe('github.create_pr')
    // What is registered anew replaces it, and keeps its count.
    registry.register({ ...pullRequest, description: 'Open a pull request' })
    await registry.saved()
    expect(await store.load()).toMatchObject([{ useCount: 3, definition: { description: 'Open a pull request' } }])
    await registry.close()
    await store[Symbol.asyncDispose]()
  })

  it('brings them back from a store that somebody wrote themselves (D1, 002-21)', async () => {
    const { merge: _, uses: __, select: ___, ...own } = await openStore({ backend: 'memory' })
    const first = new ToolRegistry({ store: own })
    first.register(pullRequest)
    await first.saved()
    await first.close()
    const second = new ToolRegistry({ store: own })
    // The first search waits for it.
    expect((await second.search('pull request'))[0]?.tool_name).toBe('github.create_pr')
    expect(second.getTool('github.create_pr')?.category).toBe('dev')
    await second.close()
  })

  it('takes a storage by document 002’s interface, plain and synchronous (002-11, 002-21)', async () => {
    const kept = new Map<string, ToolMetadata>()
    const storage: ToolStorage = {
      load_all: () => kept.values(),
      save: (tool) => void kept.set(tool.name, tool),
      save_many: (tools) => {
        for (const tool of tools) kept.set(tool.name, tool)
      },
      delete: (name) => kept.delete(name),
      validate: () => true,
      load_by_temperature: (temperature) => [...kept.values()].filter((tool) => tool.temperature === temperature),
    }
    const first = new ToolRegistry({ storage })
    first.register(pullRequest)
    await first.saved()
    await first.close()
    expect(kept.get('github.create_pr')).toMatchObject({ description: 'Create a pull request', mcp_server: 'github' })
    const second = await ToolRegistry.open({ storage })
    expect(second.getTool('github.create_pr')).toMatchObject({
      category: 'dev',
      input_schema: pullRequest.input_schema,
    })
    second.unregister('github.create_pr')
    await second.saved()
    expect(kept.size).toBe(0)
    await second.close()
  })

  it('registers and searches many at once (002-19)', async () => {
    const registry = new ToolRegistry()
    registry.registerMany([pullRequest, { name: 'weather', description: '查询天气信息' }])
    const found = await registry.search_many(['天气', 'pull request'], 'bm25', 1)
    expect(found.map(([hit]) => hit?.tool_name)).toEqual(['weather', 'github.create_pr'])
    expect(() => registry.register_many([{ name: '', description: 'x' }])).toThrow(
      expect.objectContaining({ code: 'TOOL_INVALID' }),
    )
  })

  it('says what could not be kept, and lives on (B2)', async () => {
    const real = await openStore({ backend: 'memory' })
    const store: Store = { ...real, merge: () => Promise.reject(new Error('ENOSPC')) }
    const registry = new ToolRegistry({ store })
    registry.register(pullRequest)
    await expect(registry.saved()).rejects.toThrow('ENOSPC')
    expect(registry.getTool('github.create_pr')).not.toBeNull()
    await registry.close()
  })
})

describe('002 storages', () => {
  it.each(['json', 'sqlite'] as const)('%s has document 002’s methods (002-09, 002-11)', async (backend) => {
    const path = await newFolder()
    await using storage = await createToolStorage(backend, path)
    await storage.save_many([pullRequest, { name: 'hot', description: 'Used', use_frequency: 12, last_used: null }])
    await storage.save({ name: 'other', description: 'x' })
    const all = await storage.load_all()
    expect(all.map(({ name }) => name)).toEqual(['github.create_pr', 'hot', 'other'])
    expect(all[0]).toMatchObject({ ...pullRequest, tags: new Set(['git']) })
    expect((await storage.load_by_temperature('hot')).map(({ name }) => name)).toEqual(['hot'])
    await expect(storage.load_by_temperature('hot', -1)).rejects.toMatchObject({ code: 'ARGUMENTS_INVALID' })
    expect([await storage.delete('other'), await storage.delete('other')]).toEqual([true, false])
    expect(await storage.validate()).toBe(true)
  })

  it('a folder of RegistryTools is a registry (D1, 002-02)', async () => {
    const path = await newFolder()
    const original = JSON.stringify({ 'github.create_pr': { ...pullRequest, use_frequency: 4 } })
    writeFileSync(join(path, 'tools.json'), original)
    const store = await openStore({ backend: 'json', path })
    const registry = await ToolRegistry.open({ store })
    expect(registry.getTool('github.create_pr')).toMatchObject({ mcp_server: 'github', temperature: 'warm' })
    registry.updateUsage('github.create_pr')
    registry.register({ ...pullRequest, description: 'Changed here' })
    await registry.close()
    await store[Symbol.asyncDispose]()
    expect(readFileSync(join(path, 'tools.json'), 'utf8')).toBe(original)
    const again = await openStore({ backend: 'json', path })
    expect(await again.load()).toMatchObject([{ useCount: 5, definition: { description: 'Changed here' } }])
    await again[Symbol.asyncDispose]()
  })

  it('a tools.db of RegistryTools is a catalog source (002-02)', async () => {
    const folder = await newFolder()
    editDatabase(
      folder,
      'CREATE TABLE tools (name TEXT PRIMARY KEY, description TEXT NOT NULL, mcp_server TEXT, defer_loading INTEGER, tags TEXT, ' +
        'category TEXT, use_frequency INTEGER, last_used TEXT, input_schema TEXT, output_schema TEXT)',
      "INSERT INTO tools VALUES ('github.create_pr', 'Create a PR', NULL, 1, '[\"git\"]', 'dev', 0, NULL, '{\"type\":\"object\"}', NULL)",
    )
    const clock = new VirtualClock()
    await using gateway = createGateway({ clock })
    const source = createCatalogFileSource({ path: join(folder, 'tools.db'), clock })
    await gateway.addSource('theirs', source)
    expect(gateway.find('theirs.github.create_pr')).toMatchObject({ category: 'dev', tags: ['git'] })
  })
})
