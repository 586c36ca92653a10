import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toToolId } from '../model/tool-id.js'
import { advertisedName, createNameIndex, exactNaming, type Naming, safeNaming } from './names.js'

const tool = (namespace: string, name: string) => ({
  id: toToolId(namespace, name),
  namespace,
  name,
  source: namespace,
  tags: [],
  definition: { name, inputSchema: {} },
})

const awkward = fc.oneof(
  fc.string({ minLength: 1, maxLength: 90 }),
  fc.string({ unit: fc.constantFrom('a', 'b', '_', '-', '.', '一', 'é', ' ', '/'), minLength: 1, maxLength: 12 }),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'a__b',
    '_a',
    'a_',
    'ѕearch',
    'search',
    'x_deadbeef',
    '9lives',
    '工具',
    '🎉',
  ),
)
const namespace = fc.oneof(
  fc.constant(''),
  awkward.filter((text) => !text.includes('.')),
)
const pairs = fc.uniqueArray(fc.tuple(namespace, awkward), {
  selector: ([ns, name]) => JSON.stringify([ns, name]),
  maxLength: 40,
})

describe('advertised names', () => {
  it('keeps exact names as namespace, separator and name', () => {
    expect(advertisedName(tool('calc', 'add'), exactNaming)).toBe('calc.add')
    expect(advertisedName(tool('calc', 'add'), { ...exactNaming, namespacing: false })).toBe('add')
  })

  it('joins clean safe names by two underscores', () => {
    expect(advertisedName(tool('calc', 'add'), safeNaming)).toBe('calc__add')
    expect(advertisedName(tool('', 'add'), safeNaming)).toBe('add')
  })

  it('C7 gives every safe name letters that all providers take, at most 64', () => {
    fc.assert(
      fc.property(namespace, awkward, fc.constantFrom('hash', 'refuse' as const), (ns, name, collisions) => {
        expect(advertisedName(tool(ns, name), { ...safeNaming, collisions } as Naming)).toMatch(
          /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/,
        )
      }),
    )
  })

  it('gives two different tools two different safe names', () => {
    fc.assert(
      fc.property(pairs, (all) => {
        const names = all.map(([ns, name]) => advertisedName(tool(ns, name), safeNaming))
        expect(new Set(names).size).toBe(names.length)
      }),
    )
  })

  it('T20 tells look-alike pairs apart', () => {
    const names = [
      tool('a__b', 'c'),
      tool('a', 'b__c'),
      tool('a_', '_c'),
      tool('a', '_c'),
      tool('', 'a__c'),
      tool('a', 'c'),
    ]
    expect(new Set(names.map((each) => advertisedName(each, safeNaming))).size).toBe(names.length)
  })
})

describe('name index', () => {
  it('finds each tool by its advertised name, whatever else is there, and after any change', () => {
    fc.assert(
      fc.property(pairs, fc.array(fc.nat(39)), (all, removals) => {
        const tools = all.map(([ns, name]) => tool(ns, name))
        const index = createNameIndex(safeNaming, tools)
        const before = new Map(tools.map((each) => [each, index.nameOf(each)]))
        const gone = new Set(removals.map((at) => tools[at]).filter((each) => each !== undefined))
        for (const each of gone) index.remove(each)
        for (const each of tools) {
          expect(index.nameOf(each)).toBe(before.get(each))
          expect(index.find(index.nameOf(each))).toBe(gone.has(each) ? undefined : each)
        }
      }),
    )
  })

  it('answers nobody under a name that two tools claim, and reports it', () => {
    const dotted = tool('', 'a.b')
    const slashed = tool('', 'a/b')
    const index = createNameIndex({ ...safeNaming, collisions: 'refuse' }, [dotted, slashed])
    expect(index.find('a_b')).toBeUndefined()
    expect(index.collisions()).toEqual([{ name: 'a_b', tools: ['a.b', 'a/b'] }])
    index.remove(dotted)
    expect(index.find('a_b')).toBe(slashed)
    expect(index.collisions()).toEqual([])
  })

  it('C8 reports equal bare names when namespacing is off', () => {
    const index = createNameIndex({ ...exactNaming, namespacing: false }, [tool('calc', 'add'), tool('math', 'add')])
    expect(index.collisions()).toEqual([{ name: 'add', tools: ['calc.add', 'math.add'] }])
  })
})
