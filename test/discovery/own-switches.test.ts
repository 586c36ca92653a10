import { afterEach, describe, expect, it } from 'vitest'
import { namesTowards, safeNaming } from '../../src/catalog/names.js'
import { plainProfile } from '../../src/faces/mcp/profile.js'
import { createGateway, type Gateway } from '../../src/gateway.js'
import { valueAnswer } from '../../src/model/result.js'
import { defineTool } from '../../src/sources/functions/define-tool.js'
import { createRegisteredSource } from '../../src/sources/registry/registered.js'
import { createRegistrySource } from '../../src/sources/registry/registry.js'
import type { Source } from '../../src/sources/source.js'
import { rawOverHttp } from '../helpers/clients/raw-http.js'
import { serveFixture } from '../helpers/serve-fixture.js'
import { serveRest } from '../helpers/serve-rest.js'

/** A part of the board that a profile has to switch on. */
const switchable: Source = {
  kind: 'scripts',
  watch: async (onTools) => {
    onTools({
      type: 'all',
      tools: [{ definition: { name: 'run_it', inputSchema: { type: 'object' } }, own: true, switch: 'scripts' }],
    })
  },
  call: async () => valueAnswer('ran'),
  [Symbol.asyncDispose]: async () => {},
}

const openBoard = async (): Promise<Gateway> => {
  const gateway = createGateway({
    tools: [defineTool({ name: 'say', handler: () => 'hello' })],
    rules: {
      profiles: {
        on: { switches: ['scripts'] },
        off: { allow: ['*'] },
        fenced: { switches: ['scripts'], deny: ['*', 'search_tools'] },
      },
    },
  })
  const registered = createRegisteredSource()
  const names = namesTowards(gateway.shown, () => safeNaming)
  await gateway.addSource('registered', registered, { namespace: '' })
  await gateway.addSource('registry', createRegistrySource({ board: gateway, registered, names }), { namespace: '' })
  await gateway.addSource('scripts', switchable, { namespace: '' })
  return gateway
}

describe("the board's own tools and a profile's switches, in lists and in calls", () => {
  const clean: (() => unknown)[] = []
  afterEach(async () => {
    for (const task of clean.splice(0).reverse()) await task()
  })

  const profiles = ['default', 'off', 'fenced', 'on'] as const
  const has: Readonly<Record<(typeof profiles)[number], { readonly search: boolean; readonly run: boolean }>> = {
    default: { search: true, run: false },
    off: { search: true, run: false },
    // All tools are denied, and by name one that searches them.
    fenced: { search: false, run: true },
    on: { search: true, run: true },
  }

  describe.each(['legacy', 'modern'] as const)('over MCP, %s', (era) => {
    it.each(profiles)('shows and calls what the profile %s has', async (profile) => {
      const served = await serveFixture(await openBoard(), {
        findProfile: () => ({ ...plainProfile, expose: 'search' }),
      })
      clean.push(() => served.close())
      const client = await rawOverHttp(era, `${served.url}/${profile}`)
      clean.push(() => client.close())
      const listed = await client.list()
      expect(listed.includes('run_it')).toBe(has[profile].run)
      expect(listed.includes('search_tools')).toBe(has[profile].search)
      expect(listed).toContain('get_tool_definition')
      const called = async (name: string, args: Record<string, unknown>) =>
        client.call(name, args).then(
          ({ text, isError }) => (isError ? text : 'ok'),
          (error: unknown) => JSON.stringify(error),
        )
      expect((await called('run_it', {})) === 'ok').toBe(has[profile].run)
      expect((await called('search_tools', { query: 'say' })) === 'ok').toBe(has[profile].search)
      // Nor by a tool that calls others.
      expect(await called('call_tool', { tool_name: 'run_it', arguments: {} })).not.toBe('ok')
    })
  })

  it.each(profiles)('calls over REST what the profile %s has, and nothing else', async (profile) => {
    const served = await serveRest({ gateway: await openBoard(), findProfile: () => ({}) })
    clean.push(() => served.close())
    const call = (name: string, args: object) =>
      served.ask('POST', `/api/v1/tools/${name}/call?profile=${profile}`, args)
    const run = await call('run_it', {})
    expect([run.status, run.json.error?.code]).toEqual(has[profile].run ? [200, undefined] : [404, 'TOOL_NOT_FOUND'])
    const search = await call('search_tools', { query: 'say' })
    expect(search.status).toBe(has[profile].search ? 200 : 404)
  })

  it('follows the switch when it changes', async () => {
    const gateway = await openBoard()
    clean.push(() => gateway.close())
    const caller = { id: 'ann', rights: ['discover', 'call'] as const, profile: 'off' }
    expect(gateway.find('run_it', caller)).toBeUndefined()
    gateway.policy.update({ profiles: { off: { switches: ['scripts'] } } })
    expect(gateway.find('run_it', caller)?.name).toBe('run_it')
    expect((await gateway.call({ tool: 'run_it', caller })).ok).toBe(true)
  })
})
