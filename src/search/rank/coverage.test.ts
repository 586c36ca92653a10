import { describe, expect, it } from 'vitest'
import type { Tool } from '../../model/tool.js'
import { createLexicalIndex } from '../index/lexical-index.js'
import { sharedLexicon } from '../lexicon/lexicon.js'
import { coverageOf } from './coverage.js'
import { createLexicalScorer } from './lexical-search.js'

const tool = (name: string, description: string, source = ''): Tool => ({
  id: name,
  name,
  namespace: source,
  source,
  tags: [],
  definition: { name, description, inputSchema: {} },
})

const lookAt = (query: string, tools: readonly Tool[]) => {
  const index = createLexicalIndex(sharedLexicon())
  const slots = tools.map((one) => index.put(one))
  const words = createLexicalScorer(index, sharedLexicon())({ text: query, reach: 'related', view: undefined })
  return slots.map((slot) => coverageOf(index, words, slot))
}

describe('coverage', () => {
  it('tells where the words of a query stand', () => {
    const [named, described, sourced, other] = lookAt('zebra photo', [
      tool('zebra_photo', 'Does it'),
      tool('first', 'Shows a zebra on a photo'),
      tool('second', 'Does that', 'zebra'),
      tool('third', 'Nothing of the kind'),
    ])
    expect(named).toMatchObject({ covered: expect.closeTo(1), exact: expect.closeTo(1), named: expect.closeTo(1) })
    expect(described).toMatchObject({ covered: expect.closeTo(1), named: 0, sourced: 0, talk: 0 })
    expect(sourced!.sourced).toBeGreaterThan(0)
    expect(sourced!.sourced).toBeLessThan(1)
    expect(other).toEqual({ covered: 0, exact: 0, named: 0, sourced: 0, talk: 0 })
  })

  it('knows small talk', () => {
    const [chatty] = lookAt('zebra, preferably reliable', [tool('a', 'A reliable zebra'), tool('b', 'Nothing')])
    expect(chatty!.talk).toBeGreaterThan(0)
    expect(chatty!.talk).toBeLessThan(chatty!.covered)
  })

  it('counts another word for the same as less, and never as exact', () => {
    const [exact, related] = lookAt('delete zebra', [
      tool('a', 'Can delete a zebra'),
      tool('b', 'Can remove a zebra'),
      tool('c', 'Can paint'),
    ])
    expect(related!.covered).toBeLessThan(exact!.covered)
    expect(related!.covered).toBeGreaterThan(related!.exact)
  })
})
