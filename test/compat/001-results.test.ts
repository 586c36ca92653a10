import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { ErrorCode } from '../../src/compat/agent/agent-error.js'
import { ToolAggregator } from '../../src/compat/agent/aggregator.js'
import type { CallToolResult } from '../../src/compat/agent/protocol.js'
import { ServiceRegistry } from '../../src/compat/agent/registry.js'
import type { ToolManagerConfig } from '../../src/compat/agent/settings.js'
import { PlainAdapter, text } from './fixtures/plain-adapter.js'
import { recordedLog } from './fixtures/recorded-log.js'

const config: ToolManagerConfig = {
  maxToolListSize: 10_240,
  maxResultSize: 1024,
  namespaceEnabled: true,
  namespaceSeparator: '.',
  whitelist: [],
  blacklist: [],
}

let aggregator: ToolAggregator | undefined
afterEach(() => aggregator?.close())

const answering = async (result: unknown, maxResultSize: number) => {
  const log = recordedLog()
  const registry = new ServiceRegistry(log)
  registry.register(new PlainAdapter('service', 's', { answer: () => result }))
  await registry.startAll()
  aggregator = new ToolAggregator(registry, { ...config, maxResultSize }, log)
  return { log, call: () => aggregator!.callTool('s.answer', {}) }
}
/** No half of a character: it comes back from UTF-8 as it went. */
const isWhole = (said: string): boolean => Buffer.from(said).toString() === said
const bytesOf = ({ content }: CallToolResult): number =>
  content.reduce((sum, { text: each }) => sum + Buffer.byteLength(each ?? ''), 0)

describe('001 result sizes', () => {
  it.each([
    ['hello', 5],
    ['你好', 6],
    ['🎉', 4],
    ['', 0],
  ])('001 compat 1: counts %j as %i bytes', async (said, bytes) => {
    const fits = await answering(text(said), bytes)
    expect(await fits.call()).toEqual(text(said))
    expect(fits.log.lines.filter((line) => line.includes('exceeds'))).toEqual([])
    if (bytes === 0) return
    const over = await answering(text(said), bytes - 1)
    await expect(over.call()).rejects.toMatchObject({ code: ErrorCode.TOOL_RESULT_TOO_LARGE })
    expect(over.log.lines).toContain(`[tool-aggregator] warn Result size ${bytes} bytes exceeds limit ${bytes - 1}`)
  })

  it('001 compat 2: leaves a text within and exactly at the limit as it is', async () => {
    for (const length of [99, 100]) {
      const { call } = await answering(text('A'.repeat(length)), 100)
      expect(await call()).toEqual(text('A'.repeat(length)))
    }
  })

  it('001 compat 2: shortens 200 bytes to at most 100 with a visible warning', async () => {
    const { call } = await answering(text('A'.repeat(200)), 100)
    const result = await call()
    expect(bytesOf(result)).toBeLessThanOrEqual(100)
    expect(result.content[0]!.text).toMatch(/^A+.*200 bytes.*100/)
  })

  it('001 compat 2: never cuts inside a character', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 100, maxLength: 300 }).filter(isWhole), async (said) => {
        const { call } = await answering(text(said), 90)
        const result = await call()
        expect(bytesOf(result)).toBeLessThanOrEqual(90)
        expect(isWhole(result.content[0]!.text!)).toBe(true)
      }),
      { numRuns: 30 },
    )
  })

  it('001 compat 2: shapes JSON as whole JSON (C4)', async () => {
    const { call } = await answering(
      text(JSON.stringify({ rows: Array.from({ length: 200 }, (_, n) => ({ n })) })),
      256,
    )
    const result = await call()
    expect(bytesOf(result)).toBeLessThanOrEqual(256)
    expect(JSON.parse(result.content[0]!.text!)).toMatchObject({ rows: expect.arrayContaining([{ n: 0 }]) })
  })

  it('001 compat 3: keeps isError and empty content, and counts all items together', async () => {
    const failed = await answering({ ...text('x'.repeat(200)), isError: true }, 100)
    expect(await failed.call()).toMatchObject({ isError: true })
    const empty = await answering({ content: [] }, 100)
    expect(await empty.call()).toEqual({ content: [] })
    const many = await answering(text('a'.repeat(90), 'b'.repeat(90)), 100)
    const result = await many.call()
    expect(bytesOf(result)).toBeLessThanOrEqual(100)
    // The items are joined by a line break, which counts too.
    expect(many.log.lines).toContain('[tool-aggregator] warn Result size 181 bytes exceeds limit 100')
  })

  it('001 compat 4: refuses a limit too small for the warning, naming the tool', async () => {
    const { call } = await answering(text('A'.repeat(200)), 5)
    await expect(call()).rejects.toMatchObject({
      name: 'MCPAgentError',
      code: 3003,
      message: expect.stringContaining('s.answer'),
    })
  })
})
