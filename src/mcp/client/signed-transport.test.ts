import { describe, expect, it } from 'vitest'
import { GatewayError } from '../../errors.js'
import type { RpcError } from '../rpc-error.js'
import type { Credentials } from './signed-transport.js'
import { createSigned } from './signed-transport.js'
import type { ClientTransport, SendOptions } from './transport.js'

const refusal = (status: 401 | 403, wwwAuthenticate = '') =>
  new GatewayError('SOURCE_UNAVAILABLE', `refused ${status}`, { details: { status, wwwAuthenticate } })

type Answer = GatewayError | 'ok'

/** A server that answers from a list, and notes the headers that came. */
const startLink = (answers: readonly Answer[], given: Partial<Credentials> = {}) => {
  const left = [...answers]
  const seen: (string | undefined)[] = []
  let token = { authorization: 'Bearer 1' }
  let renewals = 0
  const credentials: Credentials = {
    headers: () => token,
    isFresh: () => true,
    renew: async () => {
      renewals += 1
      token = { authorization: `Bearer ${renewals + 1}` }
    },
    ...given,
  }
  const transport = createSigned({ 'x-own': 'a' }, credentials, (headers): ClientTransport => {
    const now = () => (typeof headers === 'function' ? headers() : headers)
    return {
      kind: 'http',
      perRequest: true,
      open: async () => {},
      send: (_text, { hooks }) => {
        seen.push(now().authorization)
        const answer = left.shift() ?? 'ok'
        queueMicrotask(() => (answer === 'ok' ? hooks.onEnd() : hooks.onFail(answer)))
        return { sent: true, cancel: () => {} }
      },
      close: async () => {},
    }
  })
  const send = () =>
    new Promise<'ok' | GatewayError | RpcError>((resolve) => {
      const ignore = () => {}
      const hooks = {
        onMessage: ignore,
        onRefused: ignore,
        onNoise: ignore,
        onEnd: () => resolve('ok'),
        onFail: resolve,
      }
      transport.send('{}', { hooks } as SendOptions)
    })
  return { send, seen, renewals: () => renewals, transport }
}

describe('a signed transport', () => {
  it('sends again with new credentials what was refused for the old ones', async () => {
    const { send, seen } = startLink([refusal(401), 'ok'])
    expect(await send()).toBe('ok')
    expect(seen).toEqual(['Bearer 1', 'Bearer 2'])
  })

  it('tries each kind of refusal once, so that two servers at odds end it', async () => {
    const scope = refusal(403, 'Bearer error="insufficient_scope"')
    const { send, renewals } = startLink([refusal(401), scope, refusal(401), 'ok'])
    expect(await send()).toMatchObject({ message: 'refused 401' })
    expect(renewals()).toBe(2)
  })

  it('leaves a refusal alone that new credentials cannot change', async () => {
    const { send, renewals } = startLink([refusal(403)])
    expect(await send()).toMatchObject({ message: 'refused 403' })
    expect(renewals()).toBe(0)
  })

  it('renews before sending what would be refused for sure', async () => {
    let fresh = false
    const { send, seen } = startLink(['ok'], {
      isFresh: () => fresh,
      renew: async () => {
        fresh = true
      },
    })
    expect(await send()).toBe('ok')
    expect(seen).toHaveLength(1)
  })

  it('tells why nothing could be renewed, once', async () => {
    const why = refusal(401)
    const { send, seen } = startLink([refusal(401)], { renew: () => Promise.reject(why) })
    expect(await send()).toBe(why)
    expect(seen).toHaveLength(1)
  })

  it('is the plain transport where there are no credentials', () => {
    const plain = {} as ClientTransport
    expect(createSigned({}, undefined, () => plain)).toBe(plain)
  })
})
