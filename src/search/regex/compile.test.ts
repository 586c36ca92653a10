import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../model/clock.js'
import { compileMatcher } from './compile.js'

// Nothing here is about time; a busy machine must find the same.
const stillClock = { ...systemClock, now: () => 0 }

/** Patterns that hang a backtracking engine (T27, Q118). */
const evil = [
  '^(a+)+$',
  '^(a|a)*$',
  '^(a|aa)+$',
  '(.*)*x',
  '.*.*=.*',
  '(a*)*b',
  '([a-zA-Z]+)*$',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '(x+x+)+y',
  '(a?){50}a{50}',
  '^(\\w+\\s?)*$',
  '(.+)+@(.+)+\\.com',
  '(?=(a+))a*b\\1$',
  '^(?:(a+)\\1?)+$',
  '((a{1,30}){1,30}){1,30}$',
]

describe('matcher', () => {
  const texts = [`${'a'.repeat(4_000)}!`, `${'x'.repeat(3_000)} = `, 'create_issue', `${'word '.repeat(800)}?`]

  it.each(evil)('ends for %s (T27, Q118)', (pattern) => {
    // No figure here: a backtracking engine would need longer than the test's own time.
    const { found } = compileMatcher(pattern, stillClock).match(texts)
    expect(found).toHaveLength(texts.length)
  })

  it('gives up when its time is over, and says so', () => {
    let now = 0
    const clock = { ...systemClock, now: () => (now += 30) }
    const { complete, found } = compileMatcher('(a+)+b', clock).match(Array.from({ length: 500 }, () => 'aab'))
    expect(complete).toBe(false)
    expect(found[0]).toBe(2)
    expect(found[499]).toBe(0)
  })

  it('tells a match of the whole text from one within it', () => {
    const { found } = compileMatcher('create_\\w+', stillClock).match(['create_issue', 'recreate_issue', 'delete'])
    expect([...found]).toEqual([2, 1, 0])
  })

  it('takes what is no pattern as it stands', () => {
    const matcher = compileMatcher('f(x', stillClock)
    expect(matcher.literal).toBe(true)
    expect([...matcher.match(['calls F(X)', 'f(x', 'fx']).found]).toEqual([1, 2, 0])
  })

  it('understands what the linear engine does not', async () => {
    // The native engine is bounded by the real time, which a busy machine may spend elsewhere: it may be asked again.
    const soon = { interval: 1 }
    const ofFile = () => [
      ...compileMatcher('create_(?!issue)', stillClock).match(['create_issue', 'create_file']).found,
    ]
    const ofPair = () => [...compileMatcher('(\\w)\\1', stillClock).match(['book', 'bok']).found]
    await expect.poll(ofFile, soon).toEqual([0, 1])
    await expect.poll(ofPair, soon).toEqual([1, 0])
  })

  it('agrees with the native engine on simple patterns', () => {
    const pattern = fc.stringMatching(/^[ab.|?]{1,5}$/)
    fc.assert(
      fc.property(pattern, fc.array(fc.stringMatching(/^[abc]{0,6}$/), { maxLength: 5 }), (source, samples) => {
        let native: RegExp
        try {
          native = new RegExp(source, 'iu')
        } catch {
          return
        }
        const { found } = compileMatcher(source, stillClock).match(samples)
        expect([...found].map((x) => x > 0)).toEqual(samples.map((text) => native.test(text)))
      }),
    )
  })
})
