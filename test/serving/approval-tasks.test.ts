import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CallRule } from '../../src/policy/call-rules.js'
import { compileRules } from '../../src/policy/rules.js'
import { defineTool } from '../../src/sources/functions/define-tool.js'
import { openRunning, type Running } from './open-running.js'

const extension = 'io.modelcontextprotocol/tasks'

let running: Running
let ran: unknown[]
let agent: { readonly key: string; readonly id: string }
let ops: { readonly key: string; readonly id: string }
const newKey = async (name: string, role: 'caller' | 'operator') => {
  const { key, record } = await running.board.listener!.keys.create({ name, role })
  return { key, id: record.id }
}
beforeEach(async () => {
  running = await openRunning({ auth: { required: true } })
  ran = []
  running.board.gateway.register(
    defineTool({
      name: 'refund',
      input: { type: 'object', properties: { amount: { type: 'number' } } },
      handler: (args) => {
        ran.push(args)
        if ((args as { amount: number }).amount === 13) throw new Error('not 13')
        return 'refunded'
      },
    }),
  )
  ops = await newKey('ops', 'operator')
  agent = await newKey('agent', 'caller')
  askAbout({})
})
afterEach(() => running[Symbol.asyncDispose]())

const askAbout = (approval: CallRule['approval'], profile?: string): void => {
  const rules: CallRule[] = [{ id: 'money', tools: ['refund'], effect: 'ask', approval }]
  running.board.gateway.policy.update({
    calls: compileRules(profile === undefined ? { board: rules } : { profiles: { [profile]: rules } }),
  })
}

interface Asking {
  readonly key?: string
  readonly capabilities?: object
  readonly name?: string
  readonly path?: string
  readonly signal?: AbortSignal
}
const declared = { extensions: { [extension]: {} } }

const send = (method: string, params: object, asking: Asking = {}): Promise<Response> =>
  fetch(`${running.board.listener!.listensAt}${asking.path ?? '/mcp'}`, {
    method: 'POST',
    signal: asking.signal ?? null,
    headers: {
      authorization: `Bearer ${asking.key ?? agent.key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(asking.name === undefined ? {} : { 'mcp-name': asking.name }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': asking.capabilities ?? declared,
          'io.modelcontextprotocol/clientInfo': { name: 'tasks', version: '1' },
        },
      },
    }),
  })
const ask = async (method: string, params: object, asking?: Asking): Promise<any> => {
  const text = await (await send(method, params, asking)).text()
  const { result, error } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text)
  return error ? { error } : result
}
const refund = (amount: number, asking: Asking = {}) =>
  ask('tools/call', { name: 'refund', arguments: { amount } }, { name: 'refund', ...asking })
const task = (method: string, taskId: string, asking: Asking = {}) =>
  ask(`tasks/${method}`, { taskId }, { name: taskId, ...asking })
const ended = (taskId: string) =>
  vi.waitFor(async () => {
    const told = await task('get', taskId)
    expect(told.status).not.toBe('working')
    return told
  })
const answer = async (decision: 'approve' | 'deny', note?: string) => {
  const base = `${running.board.listener!.listensAt}/api/v1/approvals`
  const headers = { authorization: `Bearer ${ops.key}`, 'content-type': 'application/json' }
  const { approvals } = (await (await fetch(base, { headers })).json()) as any
  const open = approvals.filter(({ state }: any) => state === 'asked')
  for (const { id } of open)
    await fetch(`${base}/${id}`, { method: 'POST', headers, body: JSON.stringify({ decision, note }) })
  return open.length
}

describe('a call that waits for an operator, for a client with the Tasks extension', () => {
  it('is a task at once, made exactly once after the yes, and has its result for who comes back', async () => {
    const begun = await refund(250)
    expect(begun).toMatchObject({ resultType: 'task', status: 'working', pollIntervalMs: 2000 })
    expect(begun.ttlMs).toBeGreaterThan(1_700_000)
    expect(begun.statusMessage).toContain('waiting for approval')
    for (const field of ['result', 'error', 'inputRequests', 'requestState', 'content', 'task'])
      expect(begun).not.toHaveProperty(field)
    expect(await task('get', begun.taskId)).toMatchObject({
      resultType: 'complete',
      taskId: begun.taskId,
      status: 'working',
    })
    expect(await answer('approve')).toBe(1)
    const done = await ended(begun.taskId)
    expect(done).toMatchObject({
      resultType: 'complete',
      status: 'completed',
      result: { content: [{ type: 'text', text: 'refunded' }] },
    })
    expect(await task('get', begun.taskId)).toEqual(done)
    expect(ran).toEqual([{ amount: 250 }])
    // The yes is spent: the same call is another task.
    expect(await refund(250)).toMatchObject({ resultType: 'task', status: 'working' })
  })

  it('is completed with the code after a no, and with what the tool said where it fails', async () => {
    const denied = await refund(250)
    await answer('deny', 'too much')
    expect(await ended(denied.taskId)).toMatchObject({
      status: 'completed',
      result: { isError: true, content: [{ text: expect.stringMatching(/^APPROVAL_DENIED: .*too much/) }] },
    })
    expect(ran).toEqual([])
    const broken = await refund(13)
    await answer('approve')
    expect(await ended(broken.taskId)).toMatchObject({ status: 'completed', result: { isError: true } })
  })

  it('is ended by its client: acknowledged without words, never sent, and nobody is asked any more', async () => {
    const { taskId } = await refund(250)
    const acknowledged = await task('cancel', taskId)
    expect(Object.keys(acknowledged).sort()).toEqual(['_meta', 'resultType'])
    expect(await task('get', taskId)).toMatchObject({ status: 'cancelled' })
    expect(await task('cancel', taskId)).toEqual(acknowledged)
    await vi.waitFor(async () => expect(await answer('approve')).toBe(0))
    expect(ran).toEqual([])
  })

  it('is there for its caller alone', async () => {
    const { taskId } = await refund(250)
    const other = await newKey('other', 'caller')
    for (const method of ['get', 'cancel', 'update'])
      expect(await task(method, taskId, { key: other.key })).toMatchObject({ error: { code: -32602 } })
    expect(await task('get', `${taskId.slice(0, -2)}AA`)).toMatchObject({ error: { code: -32602 } })
    expect(await task('get', taskId)).toMatchObject({ status: 'working' })
    expect(await task('update', taskId)).toMatchObject({ resultType: 'complete' })
  })

  it('is not made for a caller whose key was revoked meanwhile', async () => {
    await refund(250)
    await running.board.listener!.keys.revoke(agent.id)
    await vi.waitFor(async () => expect(await answer('approve')).toBe(0))
    expect(ran).toEqual([])
  })

  it('is not made where a rule forbids it by then, whatever somebody said', async () => {
    const { taskId } = await refund(250)
    running.board.gateway.policy.update({
      calls: compileRules({
        board: [
          { id: 'money', tools: ['refund'], effect: 'ask' },
          { id: 'never', tools: ['refund'], effect: 'deny', when: { type: 'object', required: ['amount'] } },
        ],
      }),
    })
    await answer('approve')
    expect(await ended(taskId)).toMatchObject({ status: 'completed', result: { isError: true } })
    expect(ran).toEqual([])
  })

  it('tells its changes to who listens for it', async () => {
    const { taskId } = await refund(250)
    const leaving = new AbortController()
    const response = await send(
      'subscriptions/listen',
      { notifications: { taskIds: [taskId, 'nobody'] } },
      { signal: leaving.signal },
    )
    const told: any[] = []
    const heard = (async () => {
      let text = ''
      for await (const chunk of response.body!) {
        text += Buffer.from(chunk).toString()
        told.splice(0, told.length, ...[...text.matchAll(/^data: (\{.*\})$/gm)].map(([, line]) => JSON.parse(line!)))
        if (told.some(({ params }) => params?.status === 'completed')) return
      }
    })()
    await vi.waitFor(() => expect(told).toHaveLength(1))
    expect(told[0].params.notifications).toEqual({ taskIds: [taskId] })
    await answer('approve')
    await heard
    leaving.abort()
    const news = told.filter(({ method }) => method === 'notifications/tasks').map(({ params }) => params)
    expect(news.map(({ taskId: id, status }) => [id, status])).toEqual([
      [taskId, 'working'],
      [taskId, 'completed'],
    ])
    expect(news[1].result.content[0].text).toBe('refunded')
  })

  it('is offered where a rule asks, and nowhere else', async () => {
    const offered = async (path = '/mcp') => (await ask('server/discover', {}, { path })).capabilities.extensions
    expect(await offered()).toEqual({ [extension]: {} })
    askAbout({}, 'other')
    expect(await offered()).toBeUndefined()
    askAbout({}, 'default')
    expect(await offered()).toEqual({ [extension]: {} })
    running.board.gateway.policy.update({})
    expect(await offered()).toBeUndefined()
    expect(await task('get', 'x')).toMatchObject({ error: { code: -32601 } })
  })

  it('is none for a client that does not declare it: it waits, and then it is told', async () => {
    askAbout({ waitMs: 1 })
    const plain = { capabilities: {} }
    expect(await refund(250, plain)).toMatchObject({
      resultType: 'complete',
      isError: true,
      content: [{ text: expect.stringMatching(/^APPROVAL_REQUIRED/) }],
    })
    expect(await task('get', 'x', plain)).toMatchObject({ error: { code: -32021 } })
  })

  it('asks at the client first where the rule lets the caller answer', async () => {
    askAbout({ by: ['caller'] })
    const both = { capabilities: { ...declared, elicitation: { form: {} } } }
    expect(await refund(250, both)).toMatchObject({ resultType: 'input_required' })
  })

  it('says after a restart to make the call again, which passes by the yes that was kept', async () => {
    const { taskId } = await refund(250)
    await answer('approve')
    expect(await ended(taskId)).toMatchObject({ status: 'completed' })
    const { taskId: second } = await refund(251)
    await running.restart()
    running.board.gateway.register(
      defineTool({
        name: 'refund',
        input: { type: 'object', properties: { amount: { type: 'number' } } },
        handler: (args) => {
          ran.push(args)
          return 'refunded'
        },
      }),
    )
    askAbout({})
    expect(await task('get', second)).toMatchObject({
      error: { code: -32602, message: expect.stringMatching(/started anew.*Make the call again/) },
    })
    expect(await answer('approve')).toBe(1)
    expect(await refund(251)).toMatchObject({ resultType: 'complete', content: [{ text: 'refunded' }] })
    expect(ran).toEqual([{ amount: 250 }, { amount: 251 }])
  })
})
