import { describe, expect, it } from 'vitest'
import { codeOf, returned, startGateway } from '../../../test/helpers/start-call.js'
import { localCaller } from '../../model/caller.js'

describe('record', () => {
  it('T40 tells every call once, refusals included, and no argument', async () => {
    const { call, records } = startGateway({ handler: () => 1 })
    await call({ secret: 'hunter2' })
    await call({}, { tool: 'absent' })
    expect(records).toMatchObject([
      { tool: 'tool', source: 'local', caller: 'local', ok: true, code: undefined, attempts: 1, cached: false },
      { tool: 'absent', source: undefined, ok: false, code: 'TOOL_NOT_FOUND', attempts: 0 },
    ])
    expect(JSON.stringify(records)).not.toContain('hunter2')
  })

  it('C9 counts a use for each call that reached the tool', async () => {
    const { call, gateway, clock } = startGateway({ handler: () => 1 })
    for (let times = 0; times < 10; times++) await call()
    await call({}, { tool: 'absent' })
    expect(gateway.catalog.usage.of('tool')).toEqual({ count: 10, lastUsed: clock.wall() })
    expect(gateway.catalog.usage.temperature('tool', clock.wall())).toBe('hot')
  })

  it('gives the latency, the attempts and the source with each outcome', async () => {
    const { call, clock } = startGateway({ handler: () => new Promise((resolve) => clock.after(40, () => resolve(1))) })
    const outcome = call()
    await clock.advance(40)
    expect((await outcome).meta).toEqual({ latencyMs: 40, attempts: 1, source: 'local', cached: false })
  })

  it('survives a listener that throws', async () => {
    const { call, gateway } = startGateway({ handler: () => 1 })
    gateway.onCall(() => {
      throw new Error('telemetry is down')
    })
    expect(returned(await call())).toBe(1)
  })
})

describe('dispatch', () => {
  it.each([
    ['a string', 'text', 'text'],
    ['nothing', undefined, 'the tool threw undefined'],
    ['null', null, 'the tool threw null'],
    ['an object', { reason: 7 }, '{"reason":7}'],
    ['an error', new Error('boom'), 'boom'],
  ])('turns %s that a tool throws into a coded error that keeps it', async (_what, thrown, words) => {
    const throwing = () => {
      throw thrown
    }
    for (const handler of [throwing, async () => throwing()]) {
      const { call } = startGateway({ handler })
      const outcome = await call()
      expect(outcome.ok || outcome.error).toMatchObject({
        code: 'TOOL_FAILED',
        message: `'tool' failed: ${words}`,
        cause: thrown,
      })
    }
  })

  it('C12 calls synchronous tools on the stack', () => {
    const { gateway } = startGateway({ handler: ({ a, b }) => a + b })
    expect(returned(gateway.callSync({ tool: 'tool', args: { a: 1, b: 2 }, caller: localCaller }))).toBe(3)
  })

  it('C12 refuses asynchronous tools on the stack', () => {
    const { gateway } = startGateway({ handler: async () => 1 })
    expect(codeOf(gateway.callSync({ tool: 'tool', caller: localCaller }))).toBe('TOOL_ASYNC_ONLY')
  })
})

describe('shape', () => {
  it('001 compat 3 leaves answers within the limit untouched and warns about larger ones', async () => {
    const { call, logs } = startGateway({ handler: ({ size }) => 'A'.repeat(size) })
    expect(returned(await call({ size: 1024 }, { maxResultBytes: 1024 }))).toBe('A'.repeat(1024))
    expect(logs).toEqual([])
    const cut = returned(await call({ size: 1500 }, { maxResultBytes: 1024 })) as string
    expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(1024)
    expect(logs).toEqual(['warn: Result size 1500 bytes exceeds limit 1024'])
  })

  it('001 compat 3 counts all items together and keeps isError and an empty content', async () => {
    const items = (content: unknown[]) => ({ content, isError: true, structuredContent: { a: 1 } })
    const { gateway } = startGateway({ handler: () => 1 })
    const { createEmbeddedSource } = await import('../../sources/embedded/embedded.js')
    const text = (length: number) => ({ type: 'text', text: 'B'.repeat(length) })
    await gateway.addSource(
      'm',
      createEmbeddedSource({
        module: {
          listTools: () => ['two', 'none'].map((name) => ({ name, inputSchema: { type: 'object' } })),
          callTool: (name: string) => items(name === 'two' ? [text(200), text(200)] : []),
        },
      }),
    )
    const shaped = await gateway.call({ tool: 'm.two', caller: localCaller, maxResultBytes: 300 })
    const result = shaped.ok && shaped.answer.type === 'result' ? shaped.answer.result : undefined
    expect(result).toMatchObject({ isError: true })
    expect(result).not.toHaveProperty('structuredContent')
    expect(result?.content).toHaveLength(1)
    expect(Buffer.byteLength(result?.content[0]?.text ?? '')).toBeLessThanOrEqual(300)
    const none = await gateway.call({ tool: 'm.none', caller: localCaller, maxResultBytes: 300 })
    expect(none.ok && none.answer.type === 'result' && none.answer.result.content).toEqual([])
  })

  it('001 compat 4 names the tool when the limit is too small for the note', async () => {
    const { call } = startGateway({ handler: () => 'A'.repeat(200) })
    const outcome = await call({}, { maxResultBytes: 4 })
    expect(outcome.ok || outcome.error).toMatchObject({ code: 'RESULT_TOO_LARGE', number: 3003 })
    expect(outcome.ok || outcome.error.message).toContain("'tool'")
  })

  it('keeps JSON whole', async () => {
    const { call } = startGateway({ handler: () => ({ hits: Array.from({ length: 100 }, (_, rank) => ({ rank })) }) })
    const value = returned(await call({}, { maxResultBytes: 256 }))
    expect(Buffer.byteLength(JSON.stringify(value))).toBeLessThanOrEqual(256)
    expect(value).toMatchObject({ hits: expect.arrayContaining([{ rank: 0 }]) })
  })
})
