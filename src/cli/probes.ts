import type { Route } from '../http/route.js'
import type { Board } from './board.js'

/** Alive, and ready to be asked. Neither tells a stranger anything. */
export const probes = (board: Board): readonly Route[] => {
  const answer =
    (state: () => { readonly ok: boolean }): Route['handle'] =>
    ({ response }) => {
      const body = state()
      response.writeHead(body.ok ? 200 : 503, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
  const starting = () => board.gateway.sources().filter(({ status }) => status.state === 'starting').length
  return [
    { method: 'GET', path: '/healthz', right: 'open', handle: answer(() => ({ ok: true })) },
    { method: 'GET', path: '/readyz', right: 'open', handle: answer(() => ({ ok: starting() === 0 })) },
  ]
}
