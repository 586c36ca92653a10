import { afterEach, describe, expect, it } from 'vitest'
import { namesTowards, safeNaming } from '../../src/catalog/names.js'
import { inOnePiece } from '../../src/faces/mcp/exchange.js'
import { createMcpFace, type McpFace } from '../../src/faces/mcp/face.js'
import type { ProfileSettings } from '../../src/faces/mcp/profile.js'
import { createGateway, type Gateway } from '../../src/gateway.js'
import { localCaller } from '../../src/model/caller.js'
import { defineTool } from '../../src/sources/functions/define-tool.js'
import { createRegisteredSource } from '../../src/sources/registry/registered.js'
import { createRegistrySource } from '../../src/sources/registry/registry.js'
import { VirtualClock } from '../helpers/virtual-clock.js'

const registryNames = [
  'call_tool',
  'get_tool_definition',
  'list_tools_by_category',
  'register_tool',
  'search_hot_tools',
  'search_tools',
  'unregister_tool',
]

describe('exposure', () => {
  let gateway: Gateway
  let face: McpFace
  const clock = new VirtualClock()
  afterEach(async () => {
    face.close()
    await gateway.close()
  })
  const open = async (tools: number) => {
    gateway = createGateway({
      clock,
      tools: Array.from({ length: tools }, (_, index) =>
        defineTool({
          name: `tool_${String(index).padStart(3, '0')}`,
          description: `Does thing ${index}`,
          handler: () => index,
        }),
      ),
    })
    const registered = createRegisteredSource()
    await gateway.addSource('registered', registered, { namespace: '' })
    await gateway.addSource(
      'registry',
      createRegistrySource({ board: gateway, registered, names: namesTowards(gateway.shown, () => safeNaming) }),
      {
        namespace: '',
      },
    )
    face = createMcpFace({ gateway, serverInfo: { name: 'x', version: '1' }, clock })
  }
  const listed = (
    profile: Partial<ProfileSettings> = {},
    caller = localCaller,
    era: 'legacy' | 'modern' = 'legacy',
  ) => {
    const view = face.view({ caller, profile: { naming: safeNaming, ...profile } })
    return (
      JSON.parse(inOnePiece(view.listResult(era, undefined)).toString()) as {
        tools: { name: string; description: string }[]
      }
    ).tools
  }
  const names = (...args: Parameters<typeof listed>) => listed(...args).map((tool) => tool.name)

  it('002-01 shows up to 40 tools as they are and a way to search beyond', async () => {
    await open(40)
    expect(names()).toHaveLength(40)
    gateway.register(defineTool({ name: 'one_more', handler: () => 1 }))
    expect(names()).toEqual(registryNames)
    expect(names({ expose: 'flat' })).toHaveLength(41)
  })

  it.each(['legacy', 'modern'] as const)('is the same for %s clients', async (era) => {
    await open(50)
    expect(names({}, localCaller, era)).toEqual(registryNames)
  })

  it('tells in search_tools what is in scope', async () => {
    await open(50)
    const search = listed().find((tool) => tool.name === 'search_tools')
    expect(search?.description).toContain('50 tools are here: local (50)')
  })

  it('leaves registering out for who may not', async () => {
    await open(50)
    expect(names({}, { id: 'reader', rights: ['discover', 'call'] })).toEqual(
      registryNames.filter((name) => !name.includes('register')),
    )
  })

  it('still calls what is not listed, by name', async () => {
    await open(50)
    expect(await gateway.run('tool_007')).toBe(7)
  })

  it('hybrid lists pinned and hot tools beside the search; the hot set moves by the hour, never by a call', async () => {
    await open(50)
    const hybrid = { expose: 'hybrid', pin: ['tool_00?'] } as const
    const beside = () => names(hybrid).filter((name) => !registryNames.includes(name))
    expect(beside()).toEqual(Array.from({ length: 10 }, (_, index) => `tool_00${index}`))
    for (let times = 0; times < 12; times++) await gateway.run('tool_042')
    expect(beside()).toHaveLength(10)
    let told = 0
    face.changes.subscribe(() => told++)
    await clock.advance(3_600_000)
    expect(beside()).toContain('tool_042')
    expect(told).toBe(1)
  })

  it('T20 keeps the registry’s names from other tools', async () => {
    await open(1)
    expect(() => gateway.register(defineTool({ name: 'search_tools', handler: () => 'fake' }))).toThrow(
      /already the id/,
    )
  })
})

describe('registry resources', () => {
  it('002 compat 8: reads statistics and categories through the MCP face', async () => {
    const { serveFixture } = await import('../helpers/serve-fixture.js')
    const gateway = createGateway({ rules: { profiles: { default: { deny: ['hidden*'] } } } })
    for (const name of ['visible', 'hidden'])
      gateway.register(defineTool({ name, category: 'things', description: name, handler: () => 1 }))
    const registered = createRegisteredSource()
    await gateway.addSource('registered', registered, { namespace: '' })
    await gateway.addSource(
      'registry',
      createRegistrySource({ board: gateway, registered, names: namesTowards(gateway.shown, () => safeNaming) }),
      {
        namespace: '',
      },
    )
    const served = await serveFixture(gateway)
    const ask = async (method: string, params: object = {}) => {
      const response = await fetch(served.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      })
      return ((await response.json()) as { result: any }).result
    }
    await gateway.run('visible')
    expect((await ask('resources/list')).resources.map(({ uri }: { uri: string }) => uri)).toEqual([
      'registry://categories',
      'registry://stats',
    ])
    const read = async (uri: string) => JSON.parse((await ask('resources/read', { uri })).contents[0].text)
    expect(await read('registry://stats')).toEqual({
      total_tools: 1,
      total_categories: 1,
      categories: ['things'],
      most_used: [{ name: 'visible', description: 'visible', use_count: 1 }],
    })
    expect(await read('registry://categories')).toEqual({ count: 1, categories: ['things'] })
    await served.close()
  })
})
