import { describe, expect, it } from 'vitest'
import { codeOf, startGateway } from '../../../test/helpers/start-call.js'
import { localCaller } from '../../model/caller.js'

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

describe('what another replica wrote a moment ago', () => {
  it('is looked for before it is said to be absent, and for nothing that is there', async () => {
    const { gateway, call } = startGateway({ handler: () => 1 })
    let looks = 0
    gateway.catalog.askElsewhere(async () => {
      looks += 1
      if (!gateway.find('late'))
        gateway.register({ definition: { name: 'late', inputSchema: { type: 'object' } }, handler: () => 2 })
    })
    expect(codeOf(await call())).toBe('ok')
    expect(looks).toBe(0)
    expect(codeOf(await call({}, { tool: 'late' }))).toBe('ok')
    expect(looks).toBe(1)
    expect(codeOf(await call({}, { tool: 'never' }))).toBe('TOOL_NOT_FOUND')
    expect(looks).toBe(2)
  })

  it('is found by the name under which it was asked for', async () => {
    const { gateway } = startGateway({ handler: () => 1 })
    const look = (name: string) => gateway.catalog.find(name.replace('my-', ''))
    const found = gateway.resolve('my-late', undefined, look)
    gateway.catalog.askElsewhere(async () =>
      gateway.register({ definition: { name: 'late', inputSchema: { type: 'object' } }, handler: () => 2 }),
    )
    const outcome = await gateway.call({ tool: 'my-late', found, args: {}, caller: localCaller })
    expect(codeOf(outcome)).toBe('ok')
  })

  it('is not waited for where nobody can wait, or there is nobody to ask', async () => {
    const { gateway, call } = startGateway({ handler: () => 1 })
    gateway.catalog.askElsewhere(() => undefined)
    expect(codeOf(await call({}, { tool: 'never' }))).toBe('TOOL_NOT_FOUND')
    gateway.catalog.askElsewhere(async () => {})
    expect(codeOf(gateway.callSync({ tool: 'never', args: {}, caller: localCaller }))).toBe('TOOL_NOT_FOUND')
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
