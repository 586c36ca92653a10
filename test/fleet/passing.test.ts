import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { describePostgres, newDatabase } from '../helpers/postgres.js'
import { LegacyClient, modernCall } from './mcp-client.js'
import { adminKeyOf } from './model.mjs'
import { baseConfig, type FleetProcesses, startFleet } from './replicas.mjs'

// A guard against what never comes; a busy machine takes its time.
const patience = { timeout: 50_000 }

const asker = fileURLToPath(new URL('../helpers/servers/asker.mjs', import.meta.url))
const signer = fileURLToPath(new URL('./servers/signer.mjs', import.meta.url))
const asking = (hosting: string) => ({ type: 'stdio', command: process.execPath, args: [asker, hosting], hosting })

const places = [0, 1, 2] as const
const ada = { action: 'accept', content: { name: 'Ada' } }

const administer = async (url: string, key: string, method: string, path: string): Promise<any> => {
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(`${url}/api/admin/v1${path}`, { method, headers })
  const body: any = await response.json()
  if (response.ok) return body
  throw new Error(`${body.error.code}: ${body.error.message}`)
}

/** Until this replica lists them. */
const listed = async (url: string, names: readonly string[]): Promise<void> => {
  const client = await LegacyClient.begin(url)
  let seen: readonly string[] = []
  const whole = vi.waitUntil(async () => {
    const answer: any = await (await client.post(url, { id: 1, method: 'tools/list' })).json()
    seen = answer.result.tools.map(({ name }: { name: string }) => name)
    return names.every((name) => seen.includes(name))
  }, patience)
  await whole.catch((cause) => {
    throw new Error(`${url} lists only ${seen.join(', ')}`, { cause })
  })
}

describePostgres('a question', () => {
  let fleet: FleetProcesses
  const at = (index: number): string => fleet.urls[index]!
  /** Runs at each replica, and at one of them for all. */
  const sources = ['each', 'one'] as const

  beforeAll(async () => {
    const browser = { type: 'stdio', command: process.execPath, args: [signer], hosting: 'each' }
    const config = baseConfig({ sources: { each: asking('each'), one: asking('one'), browser } })
    fleet = await startFleet({ url: await newDatabase(), config })
    await fleet.ready()
    await Promise.all(fleet.urls.map((url) => listed(url, ['each.greet', 'one.greet', 'browser.sign'])))
  })
  afterAll(async () => fleet?.dispose())

  for (const source of sources)
    for (const asked of places)
      for (const answering of places) {
        const where = `asked at r${asked + 1} by a source that runs ${source === 'each' ? 'there' : 'at one replica'}`

        it(`${where} is answered at r${answering + 1} by a client with a session`, async () => {
          const client = await LegacyClient.begin(at((asked + 1) % 3))
          const call = await client.call(at(asked), 7, `${source}.greet`)
          const question = await call.find(({ method }) => method === 'elicitation/create')
          const taken = await client.post(at(answering), { id: question.id, result: ada })
          expect(taken.status).toBe(202)
          const { result } = await call.find(({ id }) => id === 7)
          expect(result.content[0].text).toBe('Hello, Ada')
        })

        it(`${where} is answered at r${answering + 1} by a client without one`, async () => {
          const { result } = await (await modernCall(at(asked), `${source}.greet`)).next()
          const [name] = Object.keys(result.inputRequests)
          const more = { requestState: result.requestState, inputResponses: { [name!]: ada } }
          const answered = await (await modernCall(at(answering), `${source}.greet`, more)).next()
          expect(answered.result.content[0].text).toBe('Hello, Ada')
          // Used up, wherever it is brought again.
          const again = await (await modernCall(at((answering + 1) % 3), `${source}.greet`, more)).next()
          expect(again.error).toMatchObject({ code: -32602, message: expect.stringContaining('Begin again') })
        })
      }

  it('is withdrawn, and its call ends, when the cancel comes in at another replica', async () => {
    const client = await LegacyClient.begin(at(0))
    const call = await client.call(at(0), 'greeting', 'each.greet')
    const question = await call.find(({ method }) => method === 'elicitation/create')
    const params = { requestId: 'greeting', reason: 'not now' }
    expect((await client.post(at(1), { method: 'notifications/cancelled', params })).status).toBe(202)
    const withdrawn = await call.find(({ method }) => method === 'notifications/cancelled')
    expect(withdrawn.params.requestId).toBe(question.id)
    const last = await call.find(({ id }) => id === 'greeting')
    expect(last.error.data).toMatchObject({ code: 'CALL_CANCELLED' })
  })

  it('is nobody else’s to cancel or to answer, wherever they try', async () => {
    const [client, other] = await Promise.all([LegacyClient.begin(at(0)), LegacyClient.begin(at(0))])
    const call = await client.call(at(0), 1, 'each.greet')
    const question = await call.find(({ method }) => method === 'elicitation/create')
    await other.post(at(1), { method: 'notifications/cancelled', params: { requestId: 1 } })
    await other.post(at(1), { id: question.id, result: { action: 'accept', content: { name: 'Eve' } } })
    // Behind both, on the way that they would have taken.
    await client.post(at(1), { id: question.id, result: ada })
    expect((await call.find(({ id }) => id === 1)).result.content[0].text).toBe('Hello, Ada')
  })

  it('of a person who answers in a browser is told as done where its client listens', async () => {
    const client = await LegacyClient.begin(at(0))
    const heard = await client.listen(at(1))
    const call = await client.call(at(0), 1, 'browser.sign')
    const question = await call.find(({ method }) => method === 'elicitation/create')
    expect(question.params).toMatchObject({ mode: 'url', elicitationId: 'paper-1' })
    await client.post(at(2), { id: question.id, result: { action: 'accept' } })
    expect((await call.find(({ id }) => id === 1)).result.content[0].text).toBe('signed')
    const done = await heard.find(({ method }) => method === 'notifications/elicitation/complete')
    expect(done.params.elicitationId).toBe('paper-1')
  })

  it('and all streams end with the key of their caller, whichever replica is told', async () => {
    const admin = adminKeyOf(fleet.replicas)
    const made = await fetch(`${at(0)}/api/admin/v1/keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'leaving', permission: 'write' }),
    })
    const { key, record }: any = await made.json()
    const client = await LegacyClient.begin(at(1), key)
    const heard = await client.listen(at(1))
    expect(heard.response.status).toBe(200)
    await administer(at(2), admin, 'DELETE', `/keys/${record.id}`)
    await expect(heard.find(() => false)).rejects.toThrow(/over|terminated/)
    expect((await client.post(at(1), { id: 1, method: 'ping' })).status).toBe(401)
  })

  it('of a call that waits at one replica is seen and ended from any by operators', async () => {
    const key = adminKeyOf(fleet.replicas)
    const { result } = await (await modernCall(at(0), 'each.greet')).next()
    const rows = await administer(at(2), key, 'GET', '/parked')
    expect(rows.calls).toMatchObject([{ name: 'each.greet', replica: 'r1', asks: ['elicitation/create'] }])
    expect(rows.covers).toMatchObject({ replica: 'r3', away: [] })
    expect([...rows.covers.replicas].sort()).toEqual(['r1', 'r2', 'r3'])
    await administer(at(1), key, 'DELETE', `/parked/${rows.calls[0].id}`)
    expect((await administer(at(0), key, 'GET', '/parked')).calls).toEqual([])
    const [name] = Object.keys(result.inputRequests)
    const more = { requestState: result.requestState, inputResponses: { [name!]: ada } }
    const late = await (await modernCall(at(1), 'each.greet', more)).next()
    expect(late.error).toMatchObject({ code: -32602 })
    await expect(administer(at(1), key, 'DELETE', `/parked/${rows.calls[0].id}`)).rejects.toThrow('no longer waits')
  })

  it('is lost with the replica that put it: its caller is told to begin again, and can', async () => {
    const { result } = await (await modernCall(at(0), 'each.greet')).next()
    const session = await LegacyClient.begin(at(0))
    const asked = await session.call(at(0), 1, 'one.greet')
    const question = await asked.find(({ method }) => method === 'elicitation/create')
    await fleet.replicas[0]!.stop('SIGKILL')
    const [name] = Object.keys(result.inputRequests)
    const more = { requestState: result.requestState, inputResponses: { [name!]: ada } }
    const answer = await (await modernCall(at(1), 'each.greet', more)).next()
    expect(answer.error).toMatchObject({ code: -32602, message: expect.stringContaining('Begin again') })
    expect((await session.post(at(1), { id: question.id, result: ada })).status).toBe(202)
    const again = await (await modernCall(at(1), 'each.greet')).next()
    expect(again.result).toMatchObject({ resultType: 'input_required' })
  })
})
