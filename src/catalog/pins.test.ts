import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Tool, ToolDefinition } from '../model/tool.js'
import { comparePins, formatPins, parsePins, pinVerdict, toPin } from './pins.js'

const tool = (id: string, more: Partial<ToolDefinition> = {}): Tool => ({
  id,
  namespace: '',
  name: id,
  source: 's',
  tags: [],
  definition: {
    name: id,
    description: 'd',
    inputSchema: { type: 'object', properties: { a: { type: 'string' } } },
    ...more,
  },
})
const pinsOf = (...tools: readonly Tool[]) => new Map(tools.map((each) => [each.id, toPin(each)]))

describe('pins', () => {
  it('T17: a change in any field that a model reads is a change; the order of keys is none', () => {
    const pins = pinsOf(tool('a'))
    expect(pinVerdict(pins, tool('a'))).toBe('same')
    expect(pinVerdict(pins, tool('b'))).toBe('new')
    for (const more of [
      { description: 'e' },
      { title: 't' },
      { annotations: { readOnlyHint: true } },
      { outputSchema: { type: 'object', properties: { a: { description: 'x' } } } },
      { inputSchema: { type: 'object', properties: { a: { type: 'number' } } } },
    ])
      expect(pinVerdict(pins, tool('a', more)), JSON.stringify(more)).toBe('changed')
    expect(
      pinVerdict(pins, tool('a', { inputSchema: { properties: { a: { type: 'string' } }, type: 'object' } })),
    ).toBe('same')
  })

  it('says what is new, changed, gone and the same', () => {
    const changed = tool('b', { description: 'other' })
    const {
      added,
      changed: others,
      gone,
      same,
    } = comparePins(pinsOf(tool('a'), tool('b'), tool('c')), [tool('a'), changed, tool('d')])
    expect({ added: added.map(({ id }) => id), changed: others.map((each) => each.tool.id), gone, same }).toEqual({
      added: ['d'],
      changed: ['b'],
      gone: ['c'],
      same: 1,
    })
  })

  it('are the same after being written and read, whatever the ids are, and sorted', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 8 }), (ids) => {
        const pins = new Map(
          ids.filter((id) => id !== '__proto__').map((id) => [id, toPin(tool('x', { description: id }))]),
        )
        for (const words of [undefined, pins]) {
          const text = formatPins({ tools: pins, words })
          const { tools, words: read } = parsePins(text, 'f')
          expect([...tools.keys()].sort()).toEqual([...pins.keys()].sort())
          expect(read === undefined).toBe(words === undefined)
          expect(formatPins(parsePins(text, 'f'))).toBe(text)
        }
      }),
    )
  })

  it.each([
    '',
    '{}',
    '[]',
    '{"version":2,"tools":{}}',
    '{"version":3,"tools":{},"words":{}}',
    '{"version":1,"tools":{"a":{}}}',
    'null',
  ])('refuse what is no lock file: %s', (text) => {
    expect(() => parsePins(text, 'pegboard.lock.json')).toThrow(/pegboard lock write/)
  })
})
