import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMcpFace, type McpFace } from '../../src/faces/mcp/face.js'
import { createGateway, type Gateway, type ParkingLimits, waitingRoomOf } from '../../src/gateway.js'
import { isRecord, type JsonObject } from '../../src/model/json.js'
import { type AskingSource, createAskingSource } from '../helpers/asking-source.js'
import { VirtualClock } from '../helpers/virtual-clock.js'
import { ask } from './modern-request.js'

let clock: VirtualClock
let gateway: Gateway
let face: McpFace
let source: AskingSource

const open = async (waiting?: () => ParkingLimits): Promise<void> => {
  clock = new VirtualClock()
  gateway = createGateway({ clock, waiting })
  source = createAskingSource()
  await gateway.addSource('legacy', source)
  face = createMcpFace({ gateway, serverInfo: { name: 'pegboard', version: '0' }, clock })
}
const close = async (): Promise<void> => {
  face.close()
  await gateway.close()
}
beforeEach(() => open())
afterEach(close)

const begin = (name = 'legacy.ask', more: Partial<Parameters<typeof ask>[0]> = {}) =>
  ask({ face, params: { name, arguments: { a: 1 } }, ...more })

/** The same request again, with answers to all that was asked. */
const comeBack = (asked: JsonObject, more: Partial<Parameters<typeof ask>[0]> = {}, change: JsonObject = {}) =>
  ask({
    face,
    params: {
      name: 'legacy.ask',
      arguments: { a: 1 },
      inputResponses: answersTo(asked),
      requestState: asked.requestState as string,
      ...change,
    },
    ...more,
  })

const answersTo = (asked: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.keys(asked.inputRequests as JsonObject).map((key) => [key, { action: 'accept', content: { name: 'Ada' } }]),
  )

const textIn = (result: JsonObject): unknown => (result.content as readonly JsonObject[])[0]?.text
const refused = { code: -32602 }

describe('a parked call', () => {
  it('tells an operator since when it waits and until when, and is ended by one', async () => {
    const heard: number[] = []
    waitingRoomOf(gateway).onChange(() => heard.push(waitingRoomOf(gateway).list().length))
    const asked = await begin()
    await clock.advance(60_000)
    const [call] = waitingRoomOf(gateway).list()
    expect(call).toMatchObject({ sinceMs: 60_000, expiresInMs: 240_000 })
    expect(waitingRoomOf(gateway).questionsOf(call!.id)).toMatchObject([{ params: { message: 'Who?' } }])
    expect(waitingRoomOf(gateway).cancel(call!.id)).toBe(true)
    expect(waitingRoomOf(gateway).cancel(call!.id)).toBe(false)
    expect(waitingRoomOf(gateway).list()).toEqual([])
    expect(heard.at(-1)).toBe(0)
    expect(source.aborted).toBe(1)
    await expect(comeBack(asked)).rejects.toMatchObject(refused)
  })

  it('waits behind a state while its modern caller thinks, and ends when the caller is back', async () => {
    const asked = await begin()
    expect(asked).toMatchObject({
      resultType: 'input_required',
      inputRequests: { q1: { method: 'elicitation/create' } },
    })
    expect(asked).not.toHaveProperty('content')
    expect(waitingRoomOf(gateway).list()).toMatchObject([
      { caller: 'ada', name: 'legacy.ask', asks: ['elicitation/create'] },
    ])
    expect(textIn(await comeBack(asked))).toBe('Ada')
    expect(waitingRoomOf(gateway).list()).toEqual([])
  })

  it('asks again for what the answers left out', async () => {
    const asked = await begin()
    const again = await comeBack(asked, {}, { inputResponses: { elsewhere: {} } })
    expect(again.inputRequests).toEqual(asked.inputRequests)
    expect(textIn(await comeBack(again))).toBe('Ada')
  })

  it('goes through several rounds with a new state each', async () => {
    const first = await begin('legacy.ask_twice')
    const second = await comeBack(first, {}, { name: 'legacy.ask_twice' })
    expect(second.requestState).not.toBe(first.requestState)
    expect(textIn(await comeBack(second, {}, { name: 'legacy.ask_twice' }))).toBe('Ada Ada')
  })

  it('does not lose its time while the caller thinks', async () => {
    const asked = await begin()
    await clock.advance(4 * 60_000)
    expect(textIn(await comeBack(asked))).toBe('Ada')
  })

  it('is refused to a caller that declared nothing, before anybody is asked', async () => {
    const result = await begin('legacy.ask', { capabilities: {} })
    expect(result).toMatchObject({ isError: true })
    expect(waitingRoomOf(gateway).list()).toEqual([])
  })

  it('tells operators neither arguments nor the words of a question', async () => {
    await begin()
    expect(JSON.stringify(waitingRoomOf(gateway).list())).not.toMatch(/Who\?|"a":1/)
  })
})

describe('a request state under abuse (T34)', () => {
  it('is refused when any character of it is changed', async () => {
    const asked = await begin()
    const state = asked.requestState as string
    await fc.assert(
      fc.asyncProperty(
        fc.nat(state.length - 1),
        fc.constantFrom('A', 'b', '3', '-', '_', '=', ' '),
        async (at, other) => {
          if (state[at] === other) return
          const changed = state.slice(0, at) + other + state.slice(at + 1)
          await expect(comeBack(asked, {}, { requestState: changed })).rejects.toMatchObject(refused)
        },
      ),
      { numRuns: 300 },
    )
    expect(textIn(await comeBack(asked))).toBe('Ada')
  })

  it('is refused when it is made up', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.base64String(), fc.jsonValue()), async (made) => {
        if (made === undefined) return
        await expect(comeBack({ inputRequests: {} }, {}, { requestState: made as string })).rejects.toMatchObject(
          refused,
        )
      }),
    )
  })

  it('opens once: a replay is refused, whatever became of the first', async () => {
    const asked = await begin()
    await comeBack(asked)
    await expect(comeBack(asked)).rejects.toMatchObject(refused)
    const second = await begin('legacy.ask_twice')
    await comeBack(second, {}, { name: 'legacy.ask_twice' })
    await expect(comeBack(second, {}, { name: 'legacy.ask_twice' })).rejects.toMatchObject(refused)
  })

  it('opens once even when both copies come at the same time', async () => {
    const asked = await begin()
    const both = await Promise.allSettled([comeBack(asked), comeBack(asked)])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('is refused to another caller, another tool and other arguments', async () => {
    const asked = await begin()
    await expect(comeBack(asked, { caller: 'eve' })).rejects.toMatchObject(refused)
    await expect(comeBack(asked, {}, { name: 'legacy.other' })).rejects.toMatchObject(refused)
    await expect(comeBack(asked, {}, { arguments: { a: 2 } })).rejects.toMatchObject(refused)
    await expect(
      comeBack(asked, { extra: { caller: { id: 'ada', rights: ['discover', 'call'], profile: 'p' } } }),
    ).rejects.toMatchObject(refused)
    expect(source.running).toBe(1)
    expect(textIn(await comeBack(asked))).toBe('Ada')
  })

  it('is refused after its time, and the call behind it is given up', async () => {
    const asked = await begin()
    await clock.advance(5 * 60_000)
    await new Promise(setImmediate)
    expect(waitingRoomOf(gateway).list()).toEqual([])
    expect(source).toMatchObject({ running: 0, aborted: 1 })
    await expect(comeBack(asked)).rejects.toMatchObject(refused)
  })

  it('is refused by another process', async () => {
    const asked = await begin()
    const elsewhere = createGateway({ clock })
    await elsewhere.addSource('legacy', createAskingSource())
    const other = createMcpFace({ gateway: elsewhere, serverInfo: { name: 'pegboard', version: '0' }, clock })
    await expect(comeBack(asked, { face: other })).rejects.toMatchObject(refused)
    other.close()
    await elsewhere.close()
  })
})

describe('many parked calls', () => {
  it('of 10,000, as many wait as there is room for; the others are told to try later, and nothing stays', async () => {
    const calls = Array.from({ length: 10_000 }, (_, at) => begin('legacy.ask', { caller: `caller ${at % 50}` }))
    const results = await Promise.all(calls)
    const waiting = results.filter(({ resultType }) => resultType === 'input_required')
    expect(waiting).toHaveLength(128)
    expect(waitingRoomOf(gateway).list()).toHaveLength(128)
    const others = results.filter(({ resultType }) => resultType !== 'input_required')
    expect(others.every(({ isError }) => isError === true)).toBe(true)
    await clock.advance(5 * 60_000)
    await new Promise(setImmediate)
    expect(waitingRoomOf(gateway).list()).toEqual([])
    expect(source.running).toBe(0)
    expect(textIn(await comeBack(await begin()))).toBe('Ada')
  })

  it('of one caller leave room for the others', async () => {
    await Promise.all(Array.from({ length: 100 }, () => begin('legacy.ask', { caller: 'greedy' })))
    expect(waitingRoomOf(gateway).list()).toHaveLength(32)
    expect(await begin('legacy.ask', { caller: 'modest' })).toMatchObject({ resultType: 'input_required' })
  })

  it('are answered by another door, and their callers find the result when they come back', async () => {
    const asked = await begin()
    const [call] = waitingRoomOf(gateway).list()
    expect(waitingRoomOf(gateway).answer('nobody', {})).toBe(false)
    expect(waitingRoomOf(gateway).answer(call!.id, answersTo(asked))).toBe(true)
    const params = { name: 'legacy.ask', arguments: { a: 1 }, requestState: asked.requestState as string }
    expect(textIn(await ask({ face, params }))).toContain('Ada')
    expect(waitingRoomOf(gateway).list()).toEqual([])
  })

  it('end with the door by which they came, and stay while another closes', async () => {
    const other = createMcpFace({ gateway, serverInfo: { name: 'pegboard', version: '0' }, clock })
    await begin()
    other.close()
    expect(waitingRoomOf(gateway).list()).toHaveLength(1)
    face.close()
    expect(waitingRoomOf(gateway).list()).toEqual([])
  })

  it('follow bounds that change while they run', async () => {
    await close()
    let most = 1
    await open(() => ({ most, waitMs: 1000 }))
    expect(await begin()).toMatchObject({ resultType: 'input_required' })
    expect(textIn(await begin())).toContain('as many calls that wait')
    most = 2
    expect(await begin()).toMatchObject({ resultType: 'input_required' })
    await clock.advance(1000)
    expect(waitingRoomOf(gateway).list()).toEqual([])
  })

  it('are bounded in bytes', async () => {
    await close()
    await open(() => ({ maxBytes: 1000 }))
    await Promise.all(Array.from({ length: 20 }, () => begin()))
    expect(waitingRoomOf(gateway).list().length).toBeLessThan(10)
  })

  it('never hold up calls that ask nothing', async () => {
    await Promise.all(Array.from({ length: 200 }, (_, at) => begin('legacy.ask', { caller: `caller ${at}` })))
    const result = await begin('legacy.quiet')
    expect(isRecord(result) && result.isError).toBeUndefined()
  })
})

describe('a client that vanishes', () => {
  it('while it is answered takes its call along', async () => {
    const leaving = new AbortController()
    const answer = begin('legacy.quiet', { signal: leaving.signal })
    leaving.abort()
    await answer.catch(() => {})
    expect(source.running).toBe(0)
  })

  it('from its pipe frees what waited for it', async () => {
    const pipe = new AbortController()
    await begin('legacy.ask', { gone: pipe.signal })
    expect(waitingRoomOf(gateway).list()).toHaveLength(1)
    pipe.abort()
    await new Promise(setImmediate)
    expect(waitingRoomOf(gateway).list()).toEqual([])
    expect(source).toMatchObject({ running: 0, aborted: 1 })
  })

  it('because the gateway closes frees all', async () => {
    await begin()
    face.close()
    await new Promise(setImmediate)
    expect(source.running).toBe(0)
  })
})
