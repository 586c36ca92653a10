import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ToolResult } from '../../../model/result.js'
import { limitsOf, toLinkResult } from './result.js'

const linked = (result: object, max = 1024) => JSON.parse(toLinkResult(result as ToolResult, limitsOf(max)))
const text = (value: string) => ({ content: [{ type: 'text', text: value }] })

describe('link result', () => {
  it('X11 joins everything into one text and drops what nobody reads', () => {
    const result = {
      content: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
      structuredContent: { x: 1 },
      _meta: { y: 1 },
    }
    expect(linked(result)).toEqual(text('a\nb'))
  })

  it('X11 says an error twice: for those who read isError and for those who read error', () => {
    expect(linked({ ...text('boom'), isError: true })).toEqual({ ...text('boom'), isError: true, error: 'boom' })
  })

  it('001 compat 3 keeps empty content', () => {
    expect(linked({ content: [] })).toEqual({ content: [] })
  })

  it.each([
    ['{"action":"on"}', '{"result":{"action":"on"}}'],
    [' {"a":1,"action":null}', '{"result": {"a":1,"action":null}}'],
    ['{"\\u0061ction":1}', '{"result":{"\\u0061ction":1}}'],
    ['{"action": NaN}', '{"result":{"action": NaN}}'],
    ['{"inner":{"action":1}}', '{"inner":{"action":1}}'],
    ['[{"action":1}]', '[{"action":1}]'],
    ['action', 'action'],
    ['{ not json', '{ not json'],
  ])('X12 sends %s as %s', (given, sent) => {
    expect(linked(text(given)).content[0].text).toBe(sent)
  })

  it('X12 wraps a large one within the limit', () => {
    const sent = linked(
      text(JSON.stringify({ action: 'play', list: Array.from({ length: 500 }, (_, id) => ({ id })) })),
    ).content[0].text
    expect(Buffer.byteLength(sent)).toBeLessThanOrEqual(1024)
    expect(JSON.parse(sent).result.action).toBe('play')
  })

  it('001 open point 3 keeps the frame under 8000 bytes, whatever the escapes', () => {
    for (const nasty of ['\u0001'.repeat(10_000), '"'.repeat(10_000), '\\'.repeat(10_000)]) {
      const json = toLinkResult({ ...text(nasty), isError: true }, limitsOf(1024))
      expect(Buffer.byteLength(json)).toBeLessThanOrEqual(8000)
    }
  })

  it('is within the limit, one text, and never an action, for any result', () => {
    const block = fc.oneof(
      fc.record({
        type: fc.constant('text'),
        text: fc.oneof(fc.string({ unit: 'grapheme', maxLength: 3000 }), fc.json()),
      }),
      fc.record({
        type: fc.constant('text'),
        text: fc
          .dictionary(fc.constantFrom('action', 'a', 'b'), fc.string({ maxLength: 900 }))
          .map((each) => JSON.stringify(each)),
      }),
      fc.record({ type: fc.constantFrom('image', 'audio', 'resource', 'resource_link', 'new'), data: fc.string() }),
    )
    fc.assert(
      fc.property(
        fc.array(block, { maxLength: 6 }),
        fc.boolean(),
        fc.integer({ min: 256, max: 10_240 }),
        (content, isError, max) => {
          const result = linked({ content, isError }, max)
          expect(result.content.length).toBeLessThanOrEqual(1)
          const sent = result.content[0]?.text ?? ''
          expect(Buffer.byteLength(sent)).toBeLessThanOrEqual(max)
          let parsed: unknown
          try {
            parsed = JSON.parse(sent)
          } catch {}
          if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
            expect(Object.hasOwn(parsed, 'action')).toBe(false)
          expect(result.error).toBe(isError ? sent : undefined)
        },
      ),
    )
  })
})
