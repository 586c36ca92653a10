import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../model/json.js'
import { declaredCapabilities, keptCapabilities } from './capabilities.js'

describe('what a client declares', () => {
  it('is kept as it is where clients are what they seem', () => {
    const declared = {
      elicitation: { form: { applyDefaults: true }, url: {} },
      sampling: { tools: {} },
      roots: { listChanged: true },
      extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } },
    }
    expect(declaredCapabilities(declared)).toEqual(declared)
    expect(declaredCapabilities(structuredClone(declared))).toBe(declaredCapabilities(declared))
  })

  it('is refused past 16 KiB (S5)', () => {
    for (const key of ['roots', 'experimental', 'unknown', '长'])
      expect(() => declaredCapabilities({ [key]: { a: 'x'.repeat(17_000) } })).toThrow(/16384 bytes/)
    expect(declaredCapabilities('x'.repeat(100_000))).toEqual({})
  })

  it('is cut to what is named, whatever else is said (S5)', () => {
    const kept = keptCapabilities({
      elicitation: { form: {}, url: { text: 'x'.repeat(10_000) } },
      extensions: { a: { text: 'x'.repeat(10_000) }, ['n'.repeat(1000)]: {} },
      surprise: { b: 1 },
    } as JsonObject)
    expect(kept).toEqual({ elicitation: { form: {}, url: {} }, extensions: { a: { text: {} } } })
  })

  it('never holds more than a few kilobytes', () => {
    const json = fc.dictionary(
      fc.oneof(fc.constantFrom('elicitation', 'sampling', 'roots', 'tasks', 'extensions', 'experimental'), fc.string()),
      fc.dictionary(fc.string({ maxLength: 300 }), fc.jsonValue(), { maxKeys: 60 }),
    )
    fc.assert(
      fc.property(json, (declared) => {
        const kept = keptCapabilities(declared as JsonObject)
        expect(JSON.stringify(kept).length).toBeLessThan(16_000)
        expect(Object.keys(kept).every((key) => Object.hasOwn(declared, key))).toBe(true)
      }),
    )
  })
})
