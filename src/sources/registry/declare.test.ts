import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../model/json.js'
import type { Tool } from '../../model/tool.js'
import { callOf, declarationOf } from './declare.js'

const tool = (inputSchema: object, more: object = {}): Tool =>
  ({
    id: 'github.list_issues',
    namespace: 'github',
    name: 'list_issues',
    definition: { name: 'list_issues', description: 'Lists issues.', inputSchema: inputSchema as JsonObject },
    ...more,
  }) as unknown as Tool

describe('the declaration of a tool', () => {
  it('is one line that a model can call by: what must be given first, choices, defaults and notes', () => {
    const schema = {
      type: 'object',
      properties: {
        page: { type: 'integer', default: 1 },
        state: { enum: ['open', 'closed'], default: 'open', description: 'Which ones' },
        owner: { type: 'string' },
        labels: { type: 'array', items: { type: ['string', 'null'] } },
        where: { type: 'object', properties: { 'a-b': { type: 'boolean' } }, required: ['a-b'] },
      },
      required: ['owner'],
    }
    expect(declarationOf(tool(schema))).toBe(
      '/** Lists issues. */\ntools.github.list_issues(args: { owner: string, page?: number /*=1*/, ' +
        'state?: "open"|"closed" /*="open" Which ones*/, labels?: (string|null)[], where?: { "a-b": boolean } }): any',
    )
  })

  it('comes with a call to begin with: what must be given, each with nothing in it', () => {
    const kinds = ['string', 'integer', 'boolean', 'array', 'object', 'null'] as const
    const properties = {
      ...Object.fromEntries(kinds.map((type) => [type, { type }])),
      'a-b': { enum: ['x', 'y'] },
      more: { type: 'string' },
    }
    expect(callOf(tool({ type: 'object', properties, required: [...kinds, 'a-b', 'constructor'] }))).toBe(
      `await tools.github.list_issues({ string: '', integer: 0, boolean: false, array: [], object: {}, null: undefined, ` +
        '"a-b": "x", constructor: undefined })',
    )
    expect(callOf(tool({ type: 'object' }, { namespace: '', name: 'then' }))).toBe('await tools["then"]({})')
  })

  it('follows references within the schema, and only so deep', () => {
    const schema = {
      type: 'object',
      properties: { node: { $ref: '#/$defs/node' } },
      $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
    }
    expect(declarationOf(tool(schema))).toContain('{ node?: { next?: ')
  })

  it('names what is no identifier as scripts have to', () => {
    const odd = { namespace: 'weird-ns', name: 'then' }
    expect(declarationOf(tool({ type: 'object' }, odd))).toContain('tools["weird-ns"]["then"](args: {})')
    expect(declarationOf(tool({ type: 'object' }, { namespace: '', name: 'add' }))).toContain('tools.add(args: {})')
  })

  it('stays short, on two lines and one comment each, whatever a server writes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), (properties, description) => {
        const schema = { type: 'object', properties, description } as JsonObject
        const text = declarationOf(tool(schema, { definition: { name: 'x', description, inputSchema: schema } }))
        expect(text.length).toBeLessThanOrEqual(1200)
        const [about, line] = text.startsWith('/**') ? text.split('\n') : ['', text]
        expect(text.split('\n').length).toBeLessThanOrEqual(2)
        expect(about!.slice(3, -2)).not.toContain('*/')
        expect(line).toContain('tools.github.list_issues(args: ')
      }),
    )
  })
})
