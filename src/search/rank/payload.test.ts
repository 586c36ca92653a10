import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSearch } from '../search.js'
import { withoutPayload } from './payload.js'
import { asksNothing } from './query.js'

describe('payload of a query', () => {
  it.each([
    ['translate "the cat sat on the mat" to French', 'translate   to French'],
    ['translate “the cat sat on the mat” to French', 'translate   to French'],
    ["post 'don't forget the milk today' to slack", 'post   to slack'],
    ['把「今天下午三点在会议室开会，请准时参加」翻译成英文', '把 翻译成英文'],
    ['发送消息『今天下午三点在会议室开会，请准时参加』', '发送消息 '],
  ])('is left out: %s', (query, asked) => {
    expect(withoutPayload(query)).toBe(asked)
  })

  it.each([
    ['a short name', 'open the file "report.csv"'],
    ['what stands between two names', 'rename the file "a.txt" and then also call it "b.txt"'],
    ['an apostrophe', "list the users' files and the teams' shared folders"],
    ['inches', 'a 15" screen that is wide and a 27" one'],
    ['a mark without its other', 'search for "something that never ends'],
    ['a query that is nothing but quoted', '"find cheap flights to Paris"'],
    ['small talk around it', 'Could you please help me: "find cheap flights to Paris"'],
    ['the same in Chinese', '请问「帮我查一查明天从北京到上海的航班」'],
  ])('is not %s', (_what, query) => {
    expect(withoutPayload(query)).toBe(query)
  })

  it('never leaves nothing to search for, and takes no long time', () => {
    const mark = fc.constantFrom('"', "'", '“', '”', '「', '」', ' ', 'a', '文', 'find the weather in Rome')
    fc.assert(
      fc.property(fc.array(mark, { maxLength: 60 }), (marks) => {
        const query = marks.join('')
        expect(asksNothing(withoutPayload(query))).toBe(asksNothing(query) && asksNothing(withoutPayload(query)))
        expect(withoutPayload(query).trim() === '').toBe(query.trim() === '')
      }),
    )
    for (const piece of ['"', "'", "'a", '“', "a'"]) {
      const long = piece.repeat(500_000)
      expect(withoutPayload(long).length).toBeGreaterThan(0)
    }
  })

  it('does not decide which tool is found', () => {
    const search = createSearch()
    const tool = (name: string, description: string) => ({
      id: name,
      name,
      namespace: '',
      source: '',
      tags: [],
      definition: { name, description, inputSchema: {} },
    })
    const added = [
      tool('send_message', 'Sends a message'),
      tool('book_flight', 'Books a cheap flight to Paris on a day in May'),
    ]
    search.apply({ added, changed: [], removed: [] })
    for (const method of ['auto', 'bm25'] as const) {
      const query = 'send "I booked the cheap flight to Paris in May"'
      expect(search.searchSync(query, { method }).results.map(({ tool }) => tool.name)).toEqual(['send_message'])
    }
  })
})
