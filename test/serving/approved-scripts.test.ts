import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { defineTool } from '../../src/sources/functions/define-tool.js'
import { openRunning, type Running } from './open-running.js'

let running: Running
let done: string[]
let agent: string
let ops: string
beforeAll(async () => {
  running = await openRunning({
    auth: { required: true },
    telemetry: { audit: 'on' },
    scripts: { enabled: true },
    profiles: { default: { scripts: true } },
    rules: [
      { id: 'writes', tools: ['archive'], effect: 'ask', reason: 'Archived for good', approval: { waitMs: 0 } },
      { id: 'desk', tools: ['rename'], effect: 'ask', approval: { by: ['caller'] } },
    ],
  })
  register()
  const { keys } = running.board.listener!
  agent = (await keys.create({ name: 'agent', role: 'caller' })).key
  ops = (await keys.create({ name: 'ops', role: 'operator' })).key
})
afterAll(() => running[Symbol.asyncDispose]())
beforeEach(async () => {
  done = []
  // Whatever an earlier test left open.
  for (const { id, state } of (await rest(ops, 'GET', '/approvals')).body.approvals)
    if (state === 'asked' || state === 'granted') await rest(ops, 'POST', `/approvals/${id}`, { decision: 'deny' })
})

const register = (): void => {
  const input = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } as const
  const tool = (name: string, handler: (n: number) => unknown) =>
    running.board.gateway.register(
      defineTool({ name, description: name, input: input as never, handler: (args: any) => handler(args.n) }),
    )
  tool('read', (n) => {
    done.push(`read ${n}`)
    return n * 10
  })
  for (const name of ['archive', 'rename'])
    tool(name, (n) => {
      done.push(`${name} ${n}`)
      return { [name]: n }
    })
}

const rest = async (key: string, method: string, path: string, body?: object) => {
  const response = await fetch(`${running.board.listener!.listensAt}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  })
  return { status: response.status, location: response.headers.get('location'), body: (await response.json()) as any }
}

type Run = (args: Record<string, unknown>) => Promise<{ readonly isError: boolean; readonly text: string; value: any }>

const toTold = (result: any) => {
  const text = result.content[0].text as string
  return { isError: result.isError === true, text, value: result.structuredContent ?? text }
}

const clients: Readonly<Record<string, (key: string) => Promise<{ run: Run; close(): Promise<void> }>>> = {
  'SDK v1, with sessions': async (key) => {
    const client = new ClientV1({ name: 'v1', version: '1' })
    await client.connect(new TransportV1(mcp(), { requestInit: headers(key) }) as Transport)
    const run: Run = async (args) => toTold(await client.callTool({ name: 'run_script', arguments: args }))
    return { run, close: () => client.close() }
  },
  'SDK v2, modern': async (key) => {
    const client = new ClientV2({ name: 'v2', version: '1' }, { versionNegotiation: { mode: 'auto' } })
    await client.connect(new TransportV2(mcp(), { requestInit: headers(key) }))
    const run: Run = async (args) => toTold(await client.callTool({ name: 'run_script', arguments: args }))
    return { run, close: () => client.close() }
  },
}
const mcp = () => new URL(`${running.board.listener!.listensAt}/mcp`)
const headers = (key: string) => ({ headers: { authorization: `Bearer ${key}` } })

// Calls of their own in each test: a no of an earlier one holds for a while.
let next = 0
const numbers = (count: number): number[] => Array.from({ length: count }, () => ++next)

const mixed = `const [first, ...rest] = input
  const read = await tools.read({ n: first })
  const all = await Promise.all(rest.flatMap(n => [tools.read({ n }), tools.archive({ n })]))
  await tools.read({ n: 999 })
  return { read, all }`

describe.each(Object.entries(clients))('a script under a rule that asks, %s', (_, open) => {
  const opened = async (key = agent) => {
    const { run, close } = await open(key)
    return { run, [Symbol.asyncDispose]: close }
  }

  it('pauses once for all of it, is approved at once by its run, and does everything once', async () => {
    await using client = await opened()
    const [first, b, c, d] = numbers(4)
    const paused = (await client.run({ script: mixed, input: [first, b, c, d] })).value
    expect(paused).toMatchObject({ paused: true, approvals: Array(3).fill({ tool: 'archive', rule: 'writes' }) })
    expect(paused.hint).toContain(`about 3 calls together, as ${paused.run}`)

    const asked = (await rest(ops, 'GET', `/approvals/${paused.run}`)).body
    expect(asked.approvals.map(({ run, arguments: args }: any) => [run, args]).sort()).toEqual(
      [b, c, d].map((n) => [paused.run, `{"n":${n}}`]),
    )
    const answered = await rest(ops, 'POST', `/approvals/${paused.run}`, { decision: 'approve' })
    expect(answered).toMatchObject({ status: 200, body: { run: paused.run, refused: [] } })
    expect(answered.body.answered).toHaveLength(3)

    const told = (await client.run({ resume: paused.run })).value
    expect(told.result).toEqual({
      read: first! * 10,
      all: [b, c, d].flatMap((n) => [n! * 10, { archive: n }]),
    })
    expect([...done].sort()).toEqual(
      [`read ${first}`, ...[b, c, d].flatMap((n) => [`read ${n}`, `archive ${n}`]), 'read 999'].sort(),
    )
    expect((await client.run({ resume: paused.run })).text).toContain('Run the script anew')

    const admin = (await running.board.listener!.keys.create({ name: 'root', role: 'admin' })).key
    const trail = await fetch(`${running.board.listener!.listensAt}/api/admin/v1/audit?kind=approval&limit=500`, {
      headers: { authorization: `Bearer ${admin}` },
    })
    const { entries } = (await trail.json()) as any
    const steps = entries.filter(({ run }: any) => run === paused.run).map(({ action }: any) => action)
    expect(steps.sort()).toEqual([...Array(3).fill('asked'), ...Array(3).fill('granted'), ...Array(3).fill('spent')])
  })

  it('pauses again for the rest where only some were answered', async () => {
    await using client = await opened()
    const given = numbers(3)
    const script = 'return Promise.all(input.map(n => tools.archive({ n })))'
    const { run, approvals } = (await client.run({ script, input: given })).value
    await rest(ops, 'POST', `/approvals/${approvals[1].id}`, { decision: 'approve' })
    const again = (await client.run({ resume: run })).value
    expect(again).toMatchObject({ paused: true, run })
    expect(again.approvals).toHaveLength(2)
    expect(done).toHaveLength(1)
    await rest(ops, 'POST', `/approvals/${run}`, { decision: 'approve' })
    expect((await client.run({ resume: run })).value.result).toEqual(given.map((n) => ({ archive: n })))
    expect([...done].sort()).toEqual(given.map((n) => `archive ${n}`).sort())
  })

  it('may catch a no, which is an error of that call', async () => {
    await using client = await opened()
    const script = `const ends = []
      for (const n of input) try { ends.push(await tools.archive({ n })) } catch (e) { ends.push([e instanceof ToolError, e.code, e.details.reason]) }
      return ends`
    const [one, two] = numbers(2)
    const { run } = (await client.run({ script, input: [one, two] })).value
    await rest(ops, 'POST', `/approvals/${run}`, { decision: 'deny', note: 'not these' })
    const second = (await client.run({ resume: run })).value
    expect(second).toMatchObject({ paused: true, run })
    await rest(ops, 'POST', `/approvals/${run}`, { decision: 'approve' })
    expect((await client.run({ resume: run })).value.result).toEqual([
      [true, 'APPROVAL_DENIED', 'not these'],
      { archive: two },
    ])
    expect(done).toEqual([`archive ${two}`])
  })

  it('fails by a no that it does not catch, and says what was done', async () => {
    await using client = await opened()
    const [one, two] = numbers(2)
    const script = 'await tools.read({ n: input[0] }); return tools.archive({ n: input[1] })'
    const { run } = (await client.run({ script, input: [one, two] })).value
    await rest(ops, 'POST', `/approvals/${run}`, { decision: 'deny', note: 'no' })
    const { isError, text } = await client.run({ resume: run })
    expect(isError).toBe(true)
    expect(text).toMatch(/SCRIPT_FAILED.*APPROVAL_DENIED.*\n.*read ×1 ok; archive 1 failed \(APPROVAL_DENIED\)/)
  })

  it('is not thrown at the script while nobody has answered: what it does not wait for is left, asked and not made', async () => {
    await using client = await opened()
    const [n] = numbers(1)
    const script = `let caught = 'nothing'
      tools.archive({ n: input }).catch(e => { caught = e.code })
      const read = await tools.read({ n: input })
      return [caught, read]`
    const { result, paused } = (await client.run({ script, input: n })).value
    expect([result, paused]).toEqual([['nothing', n! * 10], undefined])
    expect(done).toEqual([`read ${n}`])
  })

  it('is gone on with by its own caller alone, and by one of two at once', async () => {
    await using client = await opened()
    const other = (await running.board.listener!.keys.create({ name: 'other', role: 'caller' })).key
    await using stranger = await opened(other)
    const [n] = numbers(1)
    const { run } = (await client.run({ script: 'return tools.archive({ n: input })', input: n })).value
    await rest(ops, 'POST', `/approvals/${run}`, { decision: 'approve' })
    expect((await stranger.run({ resume: run })).text).toContain('No script of yours is paused')
    const both = await Promise.all([client.run({ resume: run }), client.run({ resume: run })])
    expect(both.map(({ isError }) => isError).sort()).toEqual([false, true])
    expect(done).toEqual([`archive ${n}`])
  })

  it('asks for forty at once, and as one question', async () => {
    await using client = await opened()
    const given = numbers(40)
    const script = 'return (await Promise.all(input.map(n => tools.archive({ n })))).length'
    const { run, approvals } = (await client.run({ script, input: given })).value
    expect(approvals).toHaveLength(40)
    expect((await rest(ops, 'POST', `/approvals/${run}`, { decision: 'approve' })).body.answered).toHaveLength(40)
    expect((await client.run({ resume: run })).value.result).toBe(40)
    expect(new Set(done).size).toBe(40)
    expect(done).toHaveLength(40)
  })

  it('pauses where whoever sits at the client may answer, too: a script shows no form', async () => {
    await using client = await opened()
    const [n] = numbers(1)
    const { run, paused } = (await client.run({ script: 'return tools.rename({ n: input })', input: n })).value
    expect(paused).toBe(true)
    await rest(ops, 'POST', `/approvals/${run}`, { decision: 'approve' })
    expect((await client.run({ resume: run })).value.result).toEqual({ rename: n })
  })
})

describe('a script under a rule that asks, over REST', () => {
  const script = 'return Promise.all(input.map(n => tools.archive({ n })))'

  it('is 202, tells what it waits for, and goes on by resume', async () => {
    const given = numbers(2)
    const first = await rest(agent, 'POST', '/scripts', { script, input: given })
    expect(first).toMatchObject({ status: 202, body: { paused: true } })
    const path = first.location!.replace('/api/v1', '')
    expect((await rest(agent, 'GET', path)).body.approvals).toHaveLength(2)
    expect((await rest(agent, 'POST', `${path}/resume`)).status).toBe(202)
    expect((await rest(agent, 'POST', `/approvals/${first.body.run}`, { decision: 'approve' })).status).toBe(403)
    await rest(ops, 'POST', `/approvals/${first.body.run}`, { decision: 'approve' })
    expect(await rest(agent, 'POST', `${path}/resume`)).toMatchObject({
      status: 200,
      body: { result: given.map((n) => ({ archive: n })) },
    })
    expect(done).toHaveLength(2)
  })

  it('is answered only as far as the approver saw it, and never by an approver whose own it is', async () => {
    const given = numbers(2)
    const { run, approvals } = (await rest(ops, 'POST', '/scripts', { script, input: given })).body
    expect(await rest(ops, 'POST', `/approvals/${run}`, { decision: 'approve' })).toMatchObject({
      status: 403,
      body: { error: { code: 'ACCESS_DENIED' } },
    })
    const second = (await running.board.listener!.keys.create({ name: 'second', role: 'operator' })).key
    const seen = [approvals[0].id]
    const told = (await rest(second, 'POST', `/approvals/${run}`, { decision: 'approve', ids: seen })).body
    expect(told.answered.map(({ id }: any) => id)).toEqual(seen)
    expect((await rest(second, 'POST', '/approvals/r_nobody', { decision: 'approve' })).status).toBe(404)
    await rest(second, 'POST', `/approvals/${run}`, { decision: 'deny' })
  })

  // Last: what was registered goes with the first gateway.
  it('is gone after a restart, and run anew what was approved passes', async () => {
    const given = numbers(2)
    const { run } = (await rest(agent, 'POST', '/scripts', { script, input: given })).body
    await rest(ops, 'POST', `/approvals/${run}`, { decision: 'approve' })
    await running.restart()
    register()
    expect(await rest(agent, 'POST', `/scripts/${run}/resume`)).toMatchObject({
      status: 400,
      body: { error: { code: 'ARGUMENTS_INVALID', message: expect.stringContaining('Run the script anew') } },
    })
    expect(await rest(agent, 'POST', '/scripts', { script, input: given })).toMatchObject({
      status: 200,
      body: { result: given.map((n) => ({ archive: n })) },
    })
    expect(done).toHaveLength(2)
  })
})
