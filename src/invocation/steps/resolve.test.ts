import { describe, expect, it } from 'vitest'
import { codeOf, startGateway } from '../../../test/helpers/start-call.js'

describe('resolve', () => {
  it('finds a tool by its id and by its safe name', async () => {
    const { call } = startGateway({ name: 'a.b', handler: () => 1 })
    expect(codeOf(await call({}, { tool: 'a.b' }))).toBe('ok')
    const { gateway } = startGateway({ name: 'a.b', handler: () => 1 })
    const safe = gateway.catalog.names({ style: 'safe', namespacing: true, collisions: 'hash' })
    expect(codeOf(await call({}, { tool: safe.nameOf(gateway.list()[0]!) }))).toBe('ok')
  })

  it('T6 answers alike for a hidden and an absent tool', async () => {
    const hidden = startGateway({ handler: () => 1 }, { rules: { deny: ['tool'] } })
    const absent = startGateway({ name: 'other', handler: () => 1 })
    const answers = [await hidden.call(), await absent.call()].map((outcome) =>
      outcome.ok ? outcome : outcome.error.toJSON(),
    )
    expect(answers[0]).toEqual(answers[1])
    expect(answers[0]).toMatchObject({ code: 'TOOL_NOT_FOUND' })
  })

  it('shows a hostile name short and without control characters', async () => {
    const { call } = startGateway({ handler: () => 1 })
    const outcome = await call({}, { tool: `\u001b[2J${'x'.repeat(10_000)}` })
    expect(outcome.ok || outcome.error.message.length).toBeLessThan(300)
    expect(outcome.ok || outcome.error.message).not.toContain('\u001b')
  })
})

describe('authorize', () => {
  it('A14 refuses a caller who may see but not call, naming the right', async () => {
    const { call } = startGateway({ handler: () => 1 })
    const outcome = await call({}, { caller: { id: 'reader', rights: ['discover'] } })
    expect(codeOf(outcome)).toBe('ACCESS_DENIED')
    expect(outcome.ok || outcome.error.message).toContain("lacks the right 'call'")
  })
})
