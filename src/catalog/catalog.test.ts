import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ToolSpec } from '../model/tool.js'
import { type CatalogChange, createCatalog } from './catalog.js'

const spec = (name: string, description = ''): ToolSpec => ({
  definition: { name, description, inputSchema: { type: 'object' } },
})
const all = (...tools: ToolSpec[]) => ({ type: 'all', tools }) as const

const mounted = (...sources: string[]) => {
  const catalog = createCatalog()
  for (const source of sources) catalog.mount({ source, namespace: source })
  return catalog
}

describe('catalog', () => {
  it('merges sources into one list sorted by id (T162)', () => {
    const catalog = mounted('math', 'calc')
    catalog.apply('math', all(spec('sub'), spec('add')))
    catalog.apply('calc', all(spec('add')))
    expect(catalog.snapshot().tools.map((tool) => tool.id)).toEqual(['calc.add', 'math.add', 'math.sub'])
  })

  it('finds a tool by canonical id and by safe name, and never by parsing', () => {
    const catalog = mounted('gh')
    catalog.apply('gh', all(spec('aws.s3.upload')))
    expect(catalog.find('gh.aws.s3.upload')?.name).toBe('aws.s3.upload')
    const safe = catalog
      .snapshot()
      .tools.map((tool) => catalog.names({ style: 'safe', namespacing: true, collisions: 'hash' }).nameOf(tool))
    expect(catalog.find(safe[0]!)?.name).toBe('aws.s3.upload')
    expect(catalog.find('gh.aws')).toBeUndefined()
    expect(catalog.find('__proto__')).toBeUndefined()
  })

  it('tells listeners the difference, and nothing when nothing changed', () => {
    const catalog = mounted('s')
    const changes: CatalogChange[] = []
    catalog.onChange((change) => changes.push(change))
    catalog.apply('s', all(spec('a'), spec('b')))
    catalog.apply('s', all(spec('a'), spec('b')))
    catalog.apply('s', all(spec('b', 'new words'), spec('c')))
    expect(
      changes.map(({ version, added, changed, removed }) =>
        [version, added, changed, removed].map((each) => (Array.isArray(each) ? each.map((tool) => tool.name) : each)),
      ),
    ).toEqual([
      [1, ['a', 'b'], [], []],
      [2, ['c'], ['b'], ['a']],
    ])
  })

  it('keeps a snapshot as it was while the catalog moves on', () => {
    const catalog = mounted('s')
    catalog.apply('s', all(spec('a')))
    const before = catalog.snapshot()
    catalog.apply('s', all())
    expect(before.tools.map((tool) => tool.name)).toEqual(['a'])
    expect(before.get('s.a')?.name).toBe('a')
    expect(catalog.snapshot().get('s.a')).toBeUndefined()
  })

  it('lists the good tools of a source beside a bad one, and names the bad one', () => {
    const catalog = mounted('s')
    const problems = catalog.apply(
      's',
      all(spec('good'), spec(''), spec('x\u0007'), spec('good'), spec('n'.repeat(300))),
    )
    expect(catalog.snapshot().tools.map((tool) => tool.name)).toEqual(['good'])
    expect(problems.map(({ error }) => error.code)).toEqual([
      'TOOL_INVALID',
      'TOOL_INVALID',
      'TOOL_CONFLICT',
      'TOOL_INVALID',
    ])
  })

  it('C8 refuses a second source of one namespace and a namespace with the separator', () => {
    const catalog = mounted('calc')
    expect(() => catalog.mount({ source: 'other', namespace: 'calc' })).toThrow(/belongs to source 'calc'/)
    expect(() => catalog.mount({ source: 'calc', namespace: 'x' })).toThrow(/already mounted/)
    expect(() => catalog.mount({ source: 'x', namespace: 'a.b' })).toThrow(/contains the separator/)
  })

  it('refuses a bare name that reads like another source’s id, and keeps the first', () => {
    const catalog = createCatalog()
    catalog.mount({ source: 'local', namespace: '' })
    catalog.mount({ source: 'calc', namespace: 'calc' })
    catalog.apply('calc', all(spec('add')))
    const [problem] = catalog.apply('local', all(spec('calc.add')))
    expect(problem?.error.code).toBe('NAME_COLLISION')
    expect(catalog.find('calc.add')?.source).toBe('calc')
  })

  it('001-12 takes exactly one character as separator', () => {
    for (const separator of ['', '::']) expect(() => createCatalog({ separator })).toThrow(/exactly one character/)
    const catalog = createCatalog({ separator: '/' })
    catalog.mount({ source: 'a', namespace: 'a' })
    catalog.apply('a', all(spec('b')))
    expect(catalog.find('a/b')).toBeDefined()
  })

  it('equals a plain map of maps after any sequence of reports', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd', '__proto__')
    const report = fc.oneof(
      fc.record({ type: fc.constant('all' as const), names: fc.uniqueArray(name) }),
      fc.record({ type: fc.constant('change' as const), names: fc.uniqueArray(name), removed: fc.uniqueArray(name) }),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('s', 't'), report, fc.boolean())), (reports) => {
        const catalog = mounted('s', 't')
        const model = new Map([
          ['s', new Set<string>()],
          ['t', new Set<string>()],
        ])
        for (const [source, update, look] of reports) {
          const tools = update.names.map((each) => spec(each))
          if (update.type === 'all') {
            model.set(source, new Set(update.names))
            catalog.apply(source, { type: 'all', tools })
          } else {
            for (const each of update.removed) if (!update.names.includes(each)) model.get(source)!.delete(each)
            for (const each of update.names) model.get(source)!.add(each)
            catalog.apply(source, { type: 'change', changed: tools, removed: update.removed })
          }
          if (look) catalog.snapshot()
        }
        const expected = [...model].flatMap(([source, names]) => [...names].map((each) => `${source}.${each}`)).sort()
        expect(catalog.snapshot().tools.map((tool) => tool.id)).toEqual(expected)
        expect(catalog.size).toBe(expected.length)
        for (const id of expected) expect(catalog.snapshot().get(id)).toBe(catalog.find(id))
      }),
    )
  })
})
