import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compileRules } from '../../src/policy/rules.js'
import { defineTool } from '../../src/sources/functions/define-tool.js'
import { openRunning, type Running } from './open-running.js'

let running: Running
let ran: unknown[]
let agent: string
let ops: string
beforeEach(async () => {
  running = await openRunning({ auth: { required: true }, telemetry: { audit: 'on' } })
  ran = []
  const { gateway, listener } = running.board
  gateway.register(
    defineTool({
      name: 'refund',
      title: 'Refund money',
      input: { type: 'object', properties: { amount: { type: 'number' }, to: { type: 'string' } } },
      handler: (args) => {
        ran.push(args)
        return 'refunded'
      },
    }),
  )
  const when = { type: 'object', properties: { amount: { exclusiveMinimum: 100 } }, required: ['amount'] }
  gateway.policy.update({
    calls: compileRules({
      board: [{ id: 'money', tools: ['refund'], when, effect: 'ask', reason: 'More than pocket money' }],
    }),
  })
  agent = (await listener!.keys.create({ name: 'agent', role: 'caller' })).key
  ops = (await listener!.keys.create({ name: 'ops', role: 'operator' })).key
})
afterEach(() => running[Symbol.asyncDispose]())

const ask = async (key: string, method: string, path: string, body?: unknown) => {
  const response = await fetch(`${running.board.listener!.listensAt}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, json: text === '' ? undefined : JSON.parse(text) }
}
const refund = (args: object, key = agent) => ask(key, 'POST', '/api/v1/tools/refund/call?result=value', args)

describe('approval over REST', () => {
  it('answers 202 with where the request stands; the same call runs once after the yes', async () => {
    expect((await refund({ amount: 5 })).json).toBe('refunded')
    const first = await refund({ amount: 250, to: 'ann' })
    expect(first.status).toBe(202)
    expect(first.json.error).toMatchObject({ code: 'APPROVAL_REQUIRED', details: { tool: 'refund', rule: 'money' } })
    expect(first.headers.get('retry-after')).toBe('5')
    const where = first.headers.get('location')!
    expect(where).toBe(`/api/v1/approvals/${first.json.error.details.approval}`)
    expect((await ask(agent, 'GET', where)).json).toMatchObject({
      state: 'asked',
      tool: 'refund',
      title: 'Refund money',
    })

    const shown = (await ask(ops, 'GET', '/api/v1/approvals')).json.approvals
    expect(shown).toMatchObject([
      {
        arguments: '{"amount":250,"to":"ann"}',
        callerName: 'agent',
        rules: ['money'],
        reason: 'More than pocket money',
      },
    ])
    expect((await ask(ops, 'POST', where, { decision: 'approve' })).json).toMatchObject({ state: 'granted' })
    expect((await ask(agent, 'GET', where)).json).toMatchObject({ state: 'granted' })

    expect((await refund({ to: 'ann', amount: 251 })).status).toBe(202)
    const sent = await refund({ to: 'ann', amount: 250 })
    expect([sent.status, sent.json]).toEqual([200, 'refunded'])
    expect((await refund({ amount: 250, to: 'ann' })).status).toBe(202)
    expect(ran).toEqual([{ amount: 5 }, { amount: 250, to: 'ann' }])
  })

  it('answers 403 with the note after a no', async () => {
    const where = (await refund({ amount: 999 })).headers.get('location')!
    await ask(ops, 'POST', where, { decision: 'deny', note: 'too much' })
    expect(await refund({ amount: 999 })).toMatchObject({
      status: 403,
      json: { error: { code: 'APPROVAL_DENIED', details: { reason: 'too much' } } },
    })
    expect(ran).toEqual([])
  })

  it('lets callers see their own requests alone, and answer none', async () => {
    const where = (await refund({ amount: 999 })).headers.get('location')!
    const other = (await running.board.listener!.keys.create({ name: 'other', role: 'caller' })).key
    expect((await ask(other, 'GET', where)).status).toBe(404)
    expect((await ask(other, 'GET', '/api/v1/approvals')).json.approvals).toEqual([])
    expect((await ask(agent, 'GET', '/api/v1/approvals')).json.approvals).toHaveLength(1)
    expect((await ask(agent, 'POST', where, { decision: 'approve' })).status).toBe(403)
    expect((await refund({ amount: 999 })).status).toBe(202)
  })

  it('lets no operator approve their own call', async () => {
    const where = (await refund({ amount: 999 }, ops)).headers.get('location')!
    expect(await ask(ops, 'POST', where, { decision: 'approve' })).toMatchObject({
      status: 403,
      json: { error: { code: 'ACCESS_DENIED', message: expect.stringContaining('their own call') } },
    })
    expect(ran).toEqual([])
  })

  it('does not count the yes of a key that was revoked since', async () => {
    const { key, record } = await running.board.listener!.keys.create({ name: 'second', role: 'operator' })
    const where = (await refund({ amount: 999 })).headers.get('location')!
    await ask(key, 'POST', where, { decision: 'approve' })
    await running.board.listener!.keys.revoke(record.id)
    expect((await refund({ amount: 999 })).status).toBe(202)
    expect(ran).toEqual([])
  })

  it.each([
    [{ decision: 'maybe' }, 400],
    [{ decision: 'approve', for: 'ever' }, 400],
    [{ decision: 'approve', for: '10m' }, 400],
    [{}, 400],
  ])('refuses the answer %j', async (answer, status) => {
    const where = (await refund({ amount: 999 })).headers.get('location')!
    expect((await ask(ops, 'POST', where, answer)).status).toBe(status)
    expect((await ask(ops, 'POST', '/api/v1/approvals/nobody', { decision: 'approve' })).status).toBe(404)
  })

  it('shows what hides in arguments, and no secret', async () => {
    await refund({ amount: 999, to: 'evil\u202etxt\u200b ghp_0123456789abcdefghijABCDEFGHIJ012345' })
    const [row] = (await ask(ops, 'GET', '/api/v1/approvals')).json.approvals
    expect(row.arguments).toContain('evil\\u202etxt\\u200b')
    expect(row.arguments).not.toContain('ghp_')
  })

  it('writes every step into the trail, and the grant into the record of the call', async () => {
    const where = (await refund({ amount: 250 })).headers.get('location')!
    const id = where.split('/').at(-1)
    await ask(ops, 'POST', where, { decision: 'approve' })
    await refund({ amount: 250 })
    const admin = (await running.board.listener!.keys.create({ name: 'root', role: 'admin' })).key
    const { entries } = (await ask(admin, 'GET', '/api/admin/v1/audit?kind=approval&limit=50')).json
    const steps = entries.filter((entry: any) => entry.on?.id === id).map((entry: any) => entry.action)
    expect(steps.reverse()).toEqual(['asked', 'granted', 'spent'])
    const calls = (await ask(admin, 'GET', '/api/v1/calls')).json.calls
    expect(calls.map(({ code, grant, rule }: any) => ({ code, grant, rule }))).toEqual([
      { code: undefined, grant: id, rule: 'money' },
      { code: 'APPROVAL_REQUIRED', grant: undefined, rule: 'money' },
    ])
  })
})
