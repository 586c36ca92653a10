import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { words } from '../../console/src/i18n/words.js'
import { examples, showcaseQuery } from '../../src/cli/terminal/examples.js'
import { createGateway } from '../../src/gateway.js'
import { exampleTools } from '../../src/sources/examples/example-tools.js'

const read = (page: string): string => readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8')

/** What readers are told to ask, and the tool among the examples that it is about. */
const promised: readonly (readonly [query: string, tool: string])[] = [
  ['what time is it', 'current_time'],
  ['现在几点', 'current_time'],
  ['count the words of a text', 'text_stats'],
  ['计算', 'calculator'],
  ['^calc', 'calculator'],
]

const queriesIn = (text: string): readonly string[] =>
  [...text.matchAll(/pegboard search ("[^"]+"|(?:[^\s`"-]+ ?)+)/g)].map((found) => found[1]!.replaceAll('"', '').trim())

describe('a query that pages and hints show (U7, U10)', () => {
  it.each(promised)('%s finds %s first, with nothing on the board but the examples', async (query, tool) => {
    const board = createGateway({ tools: exampleTools() })
    const { results } = await board.search(query, query.startsWith('^') ? { method: 'regex' } : {})
    expect(results[0]?.tool.id).toBe(tool)
    await board.close()
  })

  it('is one of these, wherever it stands', () => {
    const shown = [
      ...queriesIn(read('README.md')),
      ...queriesIn(read('README.zh.md')),
      ...queriesIn(examples.search!.join('\n')),
      showcaseQuery,
    ]
    const known = promised.map(([query]) => query)
    expect(shown.length).toBeGreaterThan(4)
    expect(shown.filter((query) => !known.includes(query))).toEqual([])
    for (const queryHint of words.queryHint) expect(known.filter((query) => queryHint.includes(query))).toHaveLength(2)
  })
})
