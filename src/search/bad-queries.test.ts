import { describe, expect, it } from 'vitest'
import { codeOf } from '../../test/helpers/thrown-code.js'
import { VirtualClock } from '../../test/helpers/virtual-clock.js'
import type { Tool } from '../model/tool.js'
import { createSearch } from './search.js'

const tool = (id: string, description: string): Tool => ({
  id,
  name: id,
  namespace: '',
  source: 'test',
  tags: [],
  definition: { name: id, description, inputSchema: {} },
})

const searchOver = (tools: readonly Tool[]) => {
  const search = createSearch({ clock: new VirtualClock() })
  search.apply({ added: tools, changed: [], removed: [] })
  return search
}

const ids = (outcome: { readonly results: readonly { readonly tool: Tool }[] }): readonly string[] =>
  outcome.results.map(({ tool }) => tool.id)

/** Corpus Q of bad queries: id, query, what must hold of the outcome. */
const corpus: readonly (readonly [id: string, query: string, found: 'nothing' | 'something'])[] = [
  ['Q113 empty', '', 'nothing'],
  ['Q113 blanks', ' \t\n ', 'nothing'],
  ['Q114 one character', 'x', 'nothing'],
  ['Q114 one megabyte', 'create issue '.repeat(80_000), 'something'],
  ['Q115 stop words', 'the of and to', 'nothing'],
  ['Q115 punctuation', '?!.,;:-_()[]{}', 'nothing'],
  ['Q116 FTS quote', '"create issue', 'something'],
  ['Q116 FTS star', 'creat*', 'something'],
  ['Q116 FTS near', 'NEAR(create issue, 5)', 'something'],
  ['Q116 FTS column', 'name:create', 'something'],
  ['Q116 FTS boolean', 'create AND issue OR NOT file', 'something'],
  ['Q116 FTS minus', '-create', 'something'],
  ['Q116 FTS caret', '^create', 'something'],
  ['Q117 LIKE', '%_%', 'nothing'],
  ['Q117 SQL', "'; DROP TABLE tools; --", 'nothing'],
  ['Q119 CJK', '创建一个新的工单', 'something'],
  ['Q119 mixed width', 'ｃｒｅａｔｅ　ｉｓｓｕｅ', 'something'],
  ['Q119 pinyin', 'chuangjian gongdan', 'nothing'],
  ['Q120 RTL', 'إنشاء تذكرة', 'nothing'],
  ['Q120 RTL mark', '\u202ecreate issue', 'something'],
  ['Q120 Zalgo', 'c\u0335r\u0336e\u0337a\u0338t\u0321e\u0322 issue', 'something'],
  ['Q120 emoji', '👨‍👩‍👧‍👦🏳️‍🌈', 'nothing'],
  ['Q121 NFD', 'cre\u0301er issue'.normalize('NFD'), 'something'],
  ['Q122 Turkish', 'CREATE İSSUE', 'something'],
  ['Q123 proto', '__proto__', 'nothing'],
  ['Q123 toString', 'toString hasOwnProperty', 'nothing'],
]

describe('bad queries', () => {
  const search = searchOver([tool('jira.create_issue', 'Create an issue'), tool('read_file', 'Read a file')])

  for (const method of ['auto', 'bm25'] as const) {
    it.each(corpus)(`by ${method}: %s`, (_id, query, found) => {
      const { results, notice } = search.searchSync(query, { method })
      if (found === 'something') expect(ids({ results })[0]).toBe('jira.create_issue')
      if (found === 'nothing') {
        expect(results).toEqual([])
        expect(notice).toBeTruthy()
      }
    })
  }

  it.each(corpus)('by regex: %s', (_id, query) => {
    const { results, notice } = search.searchSync(query, { method: 'regex' })
    const fits = query === 'creat*' || query === '^create'
    expect(ids({ results })).toEqual(fits ? ['jira.create_issue'] : [])
    expect(notice === undefined).toBe(fits)
  })

  it('says that a query was cut', () => {
    expect(search.searchSync('create issue '.repeat(1_000)).notice).toMatch(/only its beginning/)
  })

  it.each([[-1], [Number.NaN], ['3'], [null]])('refuses the limit %s (Q124)', (limit) => {
    expect(codeOf(() => search.searchSync('x', { limit: limit as number }))).toBe(
      limit === null ? undefined : 'ARGUMENTS_INVALID',
    )
  })

  it('refuses a query that is no text', () => {
    expect(codeOf(() => search.searchSync(7 as unknown as string))).toBe('ARGUMENTS_INVALID')
  })

  it('says when only weak matches were found', () => {
    const many = searchOver(
      Array.from({ length: 40 }, (_, i) => tool(`t${i}`, `${i % 8 ? 'book' : 'file'} number ${i} of the archive`)),
    )
    const { results, notice } = many.searchSync(
      'orchestrate quantum telescope file calibration across seventeen observatories',
    )
    expect(results.length).toBeGreaterThan(0)
    expect(notice).toMatch(/weak/)
  })

  it('leaves out what answers nothing of the query, and says so where that is all (D18)', () => {
    const many = searchOver(Array.from({ length: 40 }, (_, i) => tool(`t${i}`, `file number ${i} of the archive`)))
    const { results, notice } = many.searchSync('orchestrate quantum telescope file calibration across observatories')
    expect(results.filter(({ score }) => Math.round(score * 1000) === 0)).toEqual([])
    if (results.length === 0) expect(notice).toMatch(/No tool matches/)
  })
})
