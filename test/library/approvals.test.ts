import { describe, expect, it } from 'vitest'
import { compileRules, createGateway, defineTool, localCaller } from '../../src/index.js'

const open = () => {
  const ran: unknown[] = []
  const gateway = createGateway({
    tools: [
      defineTool({
        name: 'refund',
        handler: (args: Record<string, unknown>) => {
          ran.push(args)
          return 'refunded'
        },
      }),
    ],
    rules: { calls: compileRules({ board: [{ id: 'money', tools: ['refund'], effect: 'ask' }] }) },
  })
  return { gateway, ran }
}

const codeOf = async (calling: Promise<unknown>): Promise<unknown> => calling.catch((error) => error.code)

describe('approval in a program', () => {
  it('refuses what a rule asks about while nobody listens', async () => {
    const { gateway, ran } = open()
    expect(await codeOf(gateway.run('refund', { amount: 1 }))).toBe('APPROVAL_DENIED')
    expect(ran).toEqual([])
    await gateway.close()
  })

  it('tells whoever listens, throws APPROVAL_REQUIRED, and runs the same call after their yes, once', async () => {
    const { gateway, ran } = open()
    const told: string[] = []
    const answers: Promise<unknown>[] = []
    const leave = gateway.onApproval(({ type, grant }) => {
      told.push(`${type} ${grant.tool} ${grant.args ?? ''}`.trim())
      if (type === 'asked') answers.push(gateway.approvals.answer(grant.id, { decision: 'once', by: { id: 'ann' } }))
    })
    expect(await codeOf(gateway.run('refund', { amount: 1 }))).toBe('APPROVAL_REQUIRED')
    await Promise.all(answers)
    expect(await gateway.run('refund', { amount: 1 })).toBe('refunded')
    expect(told).toEqual(['asked refund {"amount":1}', 'granted refund', 'spent refund'])
    leave()
    expect(await codeOf(gateway.run('refund', { amount: 1 }))).toBe('APPROVAL_REQUIRED')
    expect(ran).toEqual([{ amount: 1 }])
    await gateway.close()
  })

  it('lets no program approve as the caller it calls as', async () => {
    const { gateway } = open()
    let id = ''
    gateway.onApproval(({ grant }) => {
      id = grant.id
    })
    expect(await codeOf(gateway.run('refund'))).toBe('APPROVAL_REQUIRED')
    await expect(gateway.approvals.answer(id, { decision: 'once', by: { id: localCaller.id } })).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    })
    await gateway.close()
  })

  it('never lets a synchronous call wait, or pass', async () => {
    const { gateway, ran } = open()
    gateway.onApproval(() => {})
    const sync = () => gateway.callSync({ tool: 'refund', args: {}, caller: localCaller })
    expect(sync()).toMatchObject({ ok: false, error: { code: 'APPROVAL_REQUIRED' } })
    await expect.poll(async () => (await gateway.approvals.list()).length).toBe(1)
    const [grant] = await gateway.approvals.list()
    await gateway.approvals.answer(grant!.id, { decision: 'once', by: { id: 'ann' } })
    expect(sync()).toMatchObject({ ok: false, error: { code: 'APPROVAL_REQUIRED' } })
    expect(await gateway.run('refund', {})).toBe('refunded')
    expect(ran).toEqual([{}])
    await gateway.close()
  })
})
