import { describe, expect, it } from 'vitest'
import { safeNaming } from '../../src/catalog/names.js'
import { overridingBy } from '../../src/invocation/overriding.js'
import { createGateway } from '../../src/library/gateway.js'
import { localCaller } from '../../src/model/caller.js'
import { defineTool } from '../../src/sources/functions/define-tool.js'

const named = (name: string) => defineTool({ name, description: name, handler: () => name })

const tracker = () => {
  const seen: unknown[] = []
  const create = {
    name: 'create_issue',
    description: 'Creates an issue in a repository.',
    input: {
      type: 'object',
      properties: {
        owner: { type: 'string' },
        repo: { type: 'string' },
        token: { type: 'string' },
        requested_by: { type: 'string' },
        body: { type: 'string', maxLength: 10_000 },
        milestone: { type: 'integer' },
      },
      required: ['owner', 'repo'],
      additionalProperties: false,
    },
    handler: (args: unknown) => {
      seen.push(args)
      return {
        number: 7,
        html_url: 'https://x/7',
        body: 'long',
        user: { email: 'a@b.c' },
        labels: [{ name: 'bug', id: 1 }],
      }
    },
  } as const
  return { seen, create }
}

const override = {
  name: 'file_bug',
  title: 'File a bug',
  description: 'Files a bug in our tracker.',
  annotations: { destructiveHint: false },
  tags: ['tracker'],
  arguments: {
    owner: { set: 'acme' },
    token: { set: 'sesame', secret: true },
    requested_by: { set: '$caller.id' },
    repo: { default: 'web' },
    body: { description: 'Markdown', maxLength: 20 },
    milestone: { hide: true },
  },
  result: { pick: ['/number', '/user', '/labels/*/name'], redact: ['/user/email'] },
} as const

describe('a tool that an operator shows otherwise', () => {
  it('is listed, found and called under its new name, and not under the old', async () => {
    const { create, seen } = tracker()
    await using gateway = createGateway({
      tools: [defineTool(create)],
      overrides: overridingBy({ tools: { create_issue: override } }),
    })
    const [tool] = gateway.list()
    expect(tool).toMatchObject({
      id: 'file_bug',
      tags: ['tracker'],
      definition: {
        name: 'file_bug',
        title: 'File a bug',
        description: 'Files a bug in our tracker.',
        annotations: { destructiveHint: false },
        inputSchema: {
          properties: { repo: { type: 'string', default: 'web' }, body: { description: 'Markdown', maxLength: 20 } },
        },
      },
    })
    expect(Object.keys((tool!.definition.inputSchema.properties as object) ?? {})).toEqual(['repo', 'body'])
    expect(tool!.definition.inputSchema.required ?? []).toEqual([])
    expect(JSON.stringify([gateway.list(), gateway.find('file_bug')])).not.toMatch(/sesame|acme|upstream/)
    expect(gateway.find('create_issue')).toBeUndefined()
    expect(gateway.toolsFor('openai').tools).toMatchObject([{ function: { name: 'file_bug' } }])
    const outcome = await gateway.call({ caller: localCaller, tool: 'file_bug', args: { body: 'short' } })
    expect(outcome).toMatchObject({
      ok: true,
      answer: { value: { number: 7, user: { email: '[redacted]' }, labels: [{ name: 'bug' }] } },
    })
    expect(seen).toEqual([{ owner: 'acme', token: 'sesame', requested_by: localCaller.id, repo: 'web', body: 'short' }])
    const old = await gateway.call({ caller: localCaller, tool: 'create_issue', args: {} })
    expect(old).toMatchObject({ ok: false, error: { code: 'TOOL_NOT_FOUND' } })
  })

  it('refuses what its callers do not see as unknown, whatever the mode of validation', async () => {
    const { create, seen } = tracker()
    await using gateway = createGateway({
      tools: [defineTool(create)],
      overrides: overridingBy({ tools: { create_issue: override } }),
    })
    for (const validation of ['strict', 'warn', 'off'] as const)
      for (const args of [{ owner: 'evil' }, { milestone: 3 }, { token: 'x' }]) {
        const outcome = await gateway.call({ caller: localCaller, tool: 'file_bug', args, validation })
        expect(outcome).toMatchObject({ ok: false, error: { code: 'ARGUMENTS_INVALID', notSent: true } })
        expect((outcome as { error: Error }).error.message).toMatch(/^Invalid arguments for 'file_bug'.*not a known/)
      }
    const long = await gateway.call({ caller: localCaller, tool: 'file_bug', args: { body: 'x'.repeat(21) } })
    expect(long).toMatchObject({ ok: false, error: { code: 'ARGUMENTS_INVALID' } })
    expect(seen).toEqual([])
  })

  it('speaks of itself in errors, and is recorded under the name its source knows', async () => {
    const { create } = tracker()
    await using gateway = createGateway({
      tools: [defineTool({ ...create, handler: () => Promise.reject(new Error('no')) })],
      overrides: overridingBy({ tools: { create_issue: { name: 'file_bug', arguments: override.arguments } } }),
    })
    const records: unknown[] = []
    gateway.onCall((record, call) => records.push([record.tool, record.code, call.args]))
    const outcome = await gateway.call({ caller: localCaller, tool: 'file_bug', args: {} })
    expect(outcome).toMatchObject({
      ok: false,
      error: { message: "'file_bug' failed: no", details: { tool: 'file_bug' } },
    })
    expect(records).toEqual([['create_issue', 'TOOL_FAILED', {}]])
  })

  it('is found by its new words, each profile by its own', async () => {
    const { create } = tracker()
    await using gateway = createGateway({
      tools: [
        defineTool(create),
        defineTool({ name: 'weather', description: 'Tells the forecast.', handler: () => 1 }),
      ],
      rules: { profiles: { desk: {}, plain: {} } },
      overrides: overridingBy({
        profiles: { desk: { create_issue: { name: 'file_bug', description: 'Reports a defect to engineers.' } } },
      }),
    })
    const desk = { ...localCaller, profile: 'desk' }
    const plain = { ...localCaller, profile: 'plain' }
    const ids = async (query: string, caller: typeof desk) =>
      (await gateway.search(query, { method: 'bm25' }, caller)).results.map(({ tool }) => tool.id)
    expect(await ids('defect engineers', desk)).toEqual(['file_bug'])
    expect(await ids('defect engineers', plain)).toEqual([])
    expect(await ids('repository issue', plain)).toEqual(['create_issue'])
    gateway.override(overridingBy({ tools: { weather: { description: 'Sunshine and rain.' } } }))
    expect(await ids('sunshine', desk)).toEqual(['weather'])
    expect(await ids('forecast', desk)).toEqual([])
    expect(await ids('defect engineers', desk)).toEqual([])
    gateway.register(defineTool({ name: 'late', description: 'Sunshine later.', handler: () => 2 }))
    expect((await ids('sunshine', desk)).sort()).toEqual(['late', 'weather'])
    gateway.override(undefined)
    expect(await ids('forecast', desk)).toEqual(['weather'])
  })

  it('is off where it is said to be, and on for a profile that says so', async () => {
    const { create } = tracker()
    await using gateway = createGateway({
      tools: [defineTool(create)],
      rules: { profiles: { desk: {} } },
      overrides: overridingBy({
        tools: { create_issue: { enabled: false } },
        profiles: { desk: { create_issue: { enabled: true } } },
      }),
    })
    const desk = { ...localCaller, profile: 'desk' }
    expect(gateway.list()).toEqual([])
    expect(gateway.list(desk).map(({ id }) => id)).toEqual(['create_issue'])
    const outcome = await gateway.call({ caller: localCaller, tool: 'create_issue', args: {} })
    expect(outcome).toMatchObject({ ok: false, error: { code: 'TOOL_NOT_FOUND' } })
  })

  it('takes a name that another gives up, not one that another has', () => {
    const gateway = createGateway({
      tools: ['a', 'b'].map(named),
      overrides: overridingBy({ tools: { a: { name: 'b' }, b: { name: 'a' }, c: { name: 'a' } } }),
    })
    gateway.register(named('c'))
    expect(gateway.list().map(({ id, definition }) => [id, definition.description])).toEqual([
      ['a', 'b'],
      ['b', 'a'],
      ['c', 'c'],
    ])
    expect(gateway.overrides?.problems()).toEqual([
      { tool: 'c', path: 'name', message: "'a' is the name of 'b'; 'c' keeps its own" },
    ])
    expect(() => gateway.override(overridingBy({ tools: { a: { name: 'b' } } }))).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID',
        message: expect.stringContaining("a name 'b' is the name of 'b'"),
      }),
    )
    expect(gateway.shown().names(safeNaming).find('a')?.definition.description).toBe('b')
  })

  it('is held back with the reason when a parameter that is set is gone', async () => {
    const { create } = tracker()
    await using gateway = createGateway({
      overrides: overridingBy({ tools: { create_issue: override, absent: { title: 'x' } } }),
    })
    expect(gateway.overrides?.absent()).toEqual(['absent', 'create_issue'])
    const { owner: _, ...properties } = create.input.properties
    gateway.register(defineTool({ ...create, input: { type: 'object', properties } }))
    expect(gateway.list()).toEqual([])
    const outcome = await gateway.call({ caller: localCaller, tool: 'create_issue', args: {} })
    expect(outcome).toMatchObject({ ok: false, error: { code: 'TOOL_HELD', notSent: true } })
    expect((outcome as { error: Error }).error.message).toBe(
      "'create_issue' is held back: its override does not fit it: arguments.owner upstream has no parameter 'owner'. An operator mends it: pegboard tool show create_issue",
    )
    expect(gateway.overrides?.absent()).toEqual(['absent'])
  })

  it('keeps answers for the same caller, profile and arguments, and says so', async () => {
    let asked = 0
    await using gateway = createGateway({
      tools: [
        defineTool({
          name: 'look',
          description: 'x',
          annotations: { readOnlyHint: true },
          handler: (args: unknown) => ({ asked: ++asked, args }),
        }),
      ],
      rules: { profiles: { desk: {} } },
      overrides: overridingBy({ tools: { look: { result: { cacheMs: 60_000 } } } }),
    })
    const records: unknown[] = []
    gateway.onCall(({ cached, attempts }) => records.push([cached, attempts]))
    const call = async (args: object, profile?: string) => {
      const outcome = await gateway.call({ caller: { ...localCaller, profile }, tool: 'look', args })
      return outcome.ok && (outcome.answer as { value: { asked: number } }).value.asked
    }
    expect([
      await call({ a: 1, b: 2 }),
      await call({ b: 2, a: 1 }),
      await call({ a: 2 }),
      await call({ a: 1, b: 2 }, 'desk'),
    ]).toEqual([1, 1, 2, 3])
    expect(records).toEqual([
      [false, 1],
      [true, 0],
      [false, 1],
      [false, 1],
    ])
    gateway.override(undefined)
    expect(await call({ a: 1, b: 2 })).toBe(4)
  })
})
