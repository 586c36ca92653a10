import { describe, expect, it } from 'vitest'
import type { ClientPeer, RequestOptions } from '../mcp/client/client-peer.js'
import { RpcError } from '../mcp/rpc-error.js'
import type { Asking } from '../model/asking.js'
import { Cancel } from '../model/cancel.js'
import type { JsonObject } from '../model/json.js'
import { askMcp, readResult } from './mcp-ask.js'
import type { SourceCall } from './source.js'

interface Asked {
  readonly method: string
  readonly params: JsonObject
  readonly options: RequestOptions
}

/** A peer of this era whose answers the test writes. */
const peerOf = (
  era: 'legacy' | 'modern',
  answer: (asked: Asked, count: number) => JsonObject | Promise<JsonObject>,
) => {
  const asked: Asked[] = []
  const info = {
    era,
    version: '',
    capabilities: { logging: {} },
    serverInfo: undefined,
    instructions: undefined,
    raw: {},
  }
  const request = async (method: string, params: JsonObject = {}, options: RequestOptions = {}) => {
    if (method === 'logging/setLevel') return {}
    asked.push({ method, params, options })
    return answer(asked.at(-1)!, asked.length)
  }
  const send: ClientPeer['send'] = (method, params, options, waiter) =>
    void request(method, params, options).then(
      (result) => waiter.answered({ kind: 'result', id: 1, result, bytes: 0 }),
      (error) => waiter.failed(error),
    )
  return { peer: { info, request, send } as unknown as ClientPeer, asked }
}

const asking = (more: Partial<Asking> = {}): Asking => ({
  capabilities: { elicitation: { form: {}, url: {} } },
  ask: async () => ({ action: 'accept' }),
  ...more,
})
const elicit = { method: 'elicitation/create', params: { message: '?', requestedSchema: {} } }
const needsInput = (state?: string): JsonObject => ({
  resultType: 'input_required',
  inputRequests: { q: elicit },
  requestState: state,
})
const contextOf = (who: Asking | undefined): SourceCall => {
  const { signal } = new AbortController()
  const call = { tool: 't', caller: { id: 'ada', rights: ['call'] }, asking: who } as const
  return {
    call,
    signal,
    cancel: signal,
    sync: false,
    link: { tool: 't', args: {}, depth: 1 },
    reportProgress: () => {},
  }
}
const send = (peer: ClientPeer, who: Asking | undefined, more: JsonObject = {}) =>
  askMcp(
    peer,
    { method: 'tools/call', params: { name: 't', ...more }, onNotification: () => {}, context: contextOf(who) },
    readResult,
  )

describe('a request to a modern server', () => {
  it('mirrors exactly what its caller declared; nothing, if nobody can be asked', async () => {
    const { peer, asked } = peerOf('modern', () => ({}))
    await send(peer, asking())
    await send(peer, undefined)
    expect(asked.map(({ options }) => options.capabilities)).toEqual([{ elicitation: { form: {}, url: {} } }, {}])
  })

  it('is sent again with the answers and the exact state, when its caller is asked on its own stream', async () => {
    const { peer, asked } = peerOf('modern', (_, count) => (count === 1 ? needsInput('s 1') : { content: [] }))
    expect(await send(peer, asking())).toEqual({ content: [] })
    expect(asked[1]!.params).toEqual({ name: 't', inputResponses: { q: { action: 'accept' } }, requestState: 's 1' })
  })

  it('passes `input_required` through to a caller that takes rounds itself, and its answers on', async () => {
    const { peer, asked } = peerOf('modern', () => needsInput('s'))
    expect(await send(peer, asking({ rounds: { inputResponses: { q: {} }, requestState: 'u' } }))).toEqual(
      needsInput('s'),
    )
    expect(asked[0]!.params).toEqual({ name: 't', inputResponses: { q: {} }, requestState: 'u' })
  })

  it('ends after 16 rounds with a server that is never content (R68)', async () => {
    const { peer, asked } = peerOf('modern', () => needsInput())
    await expect(send(peer, asking())).rejects.toMatchObject({ code: 'RESULT_INVALID' })
    expect(asked).toHaveLength(16)
  })

  it('refuses questions that the caller did not declare, and malformed ones, before anybody is asked', async () => {
    let questions = 0
    const counting = asking({ capabilities: { sampling: {} }, ask: async () => ({ n: ++questions }) })
    for (const inputRequests of [{ q: elicit }, { q: 1 }, [], 'x', {}]) {
      const { peer } = peerOf('modern', () => ({ resultType: 'input_required', inputRequests }) as JsonObject)
      await expect(send(peer, counting)).rejects.toMatchObject({ code: 'RESULT_INVALID' })
    }
    const { peer } = peerOf('modern', () => needsInput())
    await expect(send(peer, undefined)).rejects.toMatchObject({ code: 'RESULT_INVALID' })
    expect(questions).toBe(0)
  })
})

describe('a request to a legacy server', () => {
  const handlerOf = async (who: Asking | undefined) => {
    const { peer, asked } = peerOf('legacy', () => ({}))
    await send(peer, who)
    const onRequest = asked[0]!.options.onRequest!
    return (method: string, params: JsonObject = {}) =>
      onRequest(
        { kind: 'request', id: 1, method, params, bytes: 0 },
        { signal: new AbortController().signal, cancel: new Cancel() },
      )
  }

  it('lets the server ask its caller, for what the caller declared', async () => {
    const handle = await handlerOf(asking())
    expect(await handle('elicitation/create')).toEqual({ action: 'accept' })
    await expect(handle('sampling/createMessage')).rejects.toMatchObject({ code: -32601 })
    await expect(handle('anything/else')).rejects.toMatchObject({ code: -32601 })
  })

  it('asks nobody where nobody can be asked', async () => {
    const handle = await handlerOf(undefined)
    await expect(handle('elicitation/create')).rejects.toMatchObject({ code: -32601 })
  })

  it('turns "open these addresses first" into a round for callers that know rounds', async () => {
    const elicitations = [{ mode: 'url', elicitationId: 'e', url: 'https://example.com', message: 'Sign in' }]
    const refusing = () =>
      peerOf('legacy', () => Promise.reject(new RpcError(-32042, 'first', { data: { elicitations } })))
    const result = await send(refusing().peer, asking({ rounds: {} }))
    expect(result).toEqual({
      resultType: 'input_required',
      inputRequests: {
        'url-1': {
          method: 'elicitation/create',
          params: { mode: 'url', url: 'https://example.com', message: 'Sign in' },
        },
      },
    })
    await expect(send(refusing().peer, asking())).rejects.toMatchObject({ code: -32042 })
    const formOnly = asking({ rounds: {}, capabilities: { elicitation: {} } })
    await expect(send(refusing().peer, formOnly)).rejects.toMatchObject({ code: -32042 })
  })
})
