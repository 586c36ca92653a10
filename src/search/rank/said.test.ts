import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Tool } from '../../model/tool.js'
import { createLexicalIndex } from '../index/lexical-index.js'
import { sharedLexicon } from '../lexicon/lexicon.js'
import { createLexicalScorer } from './lexical-search.js'
import { createSaid } from './said.js'
import { createViews } from './view.js'

const tool = (name: string, description: string, title?: string): Tool => ({
  id: name,
  name,
  namespace: '',
  source: '',
  tags: [],
  definition: { name, title, description, inputSchema: {} },
})

const ask = (query: string, tools: readonly Tool[], accept?: (tool: Tool) => boolean) => {
  const index = createLexicalIndex(sharedLexicon())
  const slots = tools.map((one) => index.put(one))
  const view = createViews(index)(accept)
  const words = createLexicalScorer(index, sharedLexicon())({ text: query, reach: 'related', view })
  const saidOf = createSaid(index, words)
  return slots.map(saidOf)
}

describe('how much of a tool the query says', () => {
  it('is all of a terse tool and little of a long-winded one that has the same words', () => {
    const [terse, long] = ask('zebra photo, train ticket', [
      tool('a', 'A zebra photo'),
      tool('b', 'A zebra photo, a train ticket, a weather report, a cooking recipe, a tax form and a birthday song'),
    ])
    expect(terse!.said).toBeCloseTo(1)
    expect(long!.said).toBeGreaterThan(0)
    expect(long!.said).toBeLessThan(0.6)
  })

  it('knows the name and the title apart from the description', () => {
    const [named, titled] = ask('zebra photo', [
      tool('zebra_photo', 'Does something'),
      tool('zebra', 'Does that', 'Photo of the day'),
    ])
    expect(named).toEqual({ said: 0, nameSaid: expect.closeTo(1) })
    expect(titled!.nameSaid).toBeGreaterThan(0)
    expect(titled!.nameSaid).toBeLessThan(1)
  })

  it('counts another word for the same by its share', () => {
    const [exact, related] = ask('delete zebra', [tool('a', 'delete zebra'), tool('b', 'remove zebra')])
    expect(exact!.said).toBeCloseTo(1)
    expect(related!.said).toBeGreaterThan(0)
    expect(related!.said).toBeLessThan(exact!.said)
  })

  it('is not moved by tools that the asker cannot see', () => {
    const own = [tool('a', 'A zebra photo'), tool('b', 'A zebra and a train')]
    const hidden = Array.from({ length: 9 }, (_, i) => tool(`hidden${i}`, 'A zebra'))
    const seen = ask('zebra', [...own, ...hidden], ({ name }) => !name.startsWith('hidden'))
    expect(seen.slice(0, 2)).toEqual(ask('zebra', own))
  })

  it('is a share for any texts', () => {
    const text = fc.oneof(fc.string(), fc.lorem(), fc.constantFrom('删除文件', '查询 天气 weather', ''))
    fc.assert(
      fc.property(text, text, text, (query, name, description) => {
        for (const { said, nameSaid } of ask(query, [tool(name, description), tool('other', query)])) {
          expect(said >= 0 && said <= 1 && nameSaid >= 0 && nameSaid <= 1).toBe(true)
        }
      }),
    )
  })
})
