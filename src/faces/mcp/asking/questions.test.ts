import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../../../test/helpers/virtual-clock.js'
import { Shares } from '../../../model/shares.js'
import { createClientQuestions } from './questions.js'

const question = { method: 'elicitation/create', params: { message: 'Who?' } }
const open = (limits = {}) => {
  const clock = new VirtualClock()
  const sent: any[] = []
  const shares = new Shares()
  const questions = createClientQuestions(clock, { caller: 'ann', shares }, limits)
  const leaving = new AbortController()
  const ask = (asked: { method: string; params: Record<string, string> } = question) =>
    questions.ask(asked, (text) => sent.push(JSON.parse(text)), leaving.signal)
  return { clock, sent, questions, leaving, ask, shares }
}
const result = (id: string, value: unknown) => ({ kind: 'result', id, result: value, bytes: 0 }) as const

describe('questions to a legacy client', () => {
  it('are requests with ids of our own, answered by the client’s messages', async () => {
    const { ask, sent, questions } = open()
    const answer = ask()
    expect(sent).toMatchObject([{ jsonrpc: '2.0', method: 'elicitation/create', params: { message: 'Who?' } }])
    expect(questions.settle(result('guess', {}))).toBe(false)
    expect(questions.settle(result(sent[0].id, { action: 'accept' }))).toBe(true)
    expect(await answer).toEqual({ action: 'accept' })
    expect(questions.settle(result(sent[0].id, { action: 'decline' }))).toBe(false)
  })

  it('pass the client’s refusal on, code and data kept', async () => {
    const { ask, sent, questions } = open()
    const answer = ask()
    const error = { code: -1, message: 'User rejected', data: { why: 'no' } }
    questions.settle({ kind: 'failure', id: sent[0].id, error, bytes: 0 })
    await expect(answer).rejects.toMatchObject(error)
  })

  it('are withdrawn when the call ends, and when nobody answers in time', async () => {
    const { ask, sent, questions, leaving, clock } = open({ answerMs: 1000 })
    const late = ask()
    const judged = expect(late).rejects.toThrow(/did not answer/)
    await clock.advance(1000)
    await judged
    const withdrawn = ask()
    leaving.abort()
    await expect(withdrawn).rejects.toThrow(/has ended/)
    expect(sent.filter(({ method }) => method === 'notifications/cancelled')).toHaveLength(2)
    expect(questions.size).toBe(0)
    expect(clock.pendingTimers).toBe(0)
  })

  it('are bounded in number', async () => {
    const { ask, questions } = open({ most: 2 })
    const open1 = [ask(), ask()].map((asked) => asked.catch(() => 'closed'))
    await expect(ask()).rejects.toThrow(/2 questions are open/)
    questions.close()
    expect(await Promise.all(open1)).toEqual(['closed', 'closed'])
  })

  it('that happen elsewhere get the id that legacy clients want', () => {
    const { ask, sent, questions } = open()
    ask({ method: 'elicitation/create', params: { mode: 'url', url: 'https://example.com' } }).catch(() => {})
    expect(sent[0].params.elicitationId).toMatch(/^[0-9a-f-]{36}$/)
    questions.close()
  })
})
