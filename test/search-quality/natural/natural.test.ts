import { describe, expect, it } from 'vitest'
import { createBuiltInEmbeddings } from '../../../src/search/model/built-in.js'
import { createSearch } from '../../../src/search/search.js'
import { namesIn, rowsOf, toolsOf } from '../tool-table.js'
import { naturalQuestions } from './questions.js'
import { naturalTools } from './tools.js'

const tools = toolsOf(naturalTools)
const questions = rowsOf(naturalQuestions).map(([right, harmful, question = '']) => ({
  right: namesIn(right),
  harmful: namesIn(harmful),
  question,
}))

const search = createSearch({ embedding: createBuiltInEmbeddings() })
search.apply({ added: tools, changed: [], removed: [] })

const share = (asked: typeof questions, first: number): number =>
  asked.filter(({ question, right }) => bestOf(question, first).some((id) => right.includes(id))).length / asked.length
const bestOf = (question: string, limit: number): readonly string[] =>
  search.searchSync(question, { method: 'auto', limit }).results.map(({ tool }) => tool.id)

/** Floors lie a few points below what was measured when they were set; they only rise. Harmful ones first only become fewer. */
const halves = [
  { half: 'for tuning', asked: questions.filter((_, place) => place % 2 === 1), top1: 0.88, top3: 0.98, harmful: 0 },
  { half: 'only counted', asked: questions.filter((_, place) => place % 2 === 0), top1: 0.77, top3: 0.91, harmful: 0 },
] as const

describe('natural questions', () => {
  it('are 300, in both languages, about tools that are there', () => {
    const known = new Set(tools.map(({ id }) => id))
    expect(questions).toHaveLength(300)
    expect(questions.filter(({ question }) => /\p{Script=Han}/u.test(question))).toHaveLength(150)
    expect(questions.flatMap(({ right, harmful }) => [...right, ...harmful]).filter((id) => !known.has(id))).toEqual([])
  })

  it.each(halves)('of the half $half find what they ask for, and rarely what harms', ({ half, asked, ...floor }) => {
    const harmful = asked.filter((each) => each.harmful.includes(bestOf(each.question, 1)[0] ?? '')).length
    const [top1, top3] = [share(asked, 1), share(asked, 3)]
    console.log(`natural questions ${half}: first ${top1.toFixed(3)}, of three ${top3.toFixed(3)}, harmful ${harmful}`)
    expect(top1).toBeGreaterThanOrEqual(floor.top1)
    expect(top3).toBeGreaterThanOrEqual(floor.top3)
    expect(harmful).toBeLessThanOrEqual(floor.harmful)
  })
})
