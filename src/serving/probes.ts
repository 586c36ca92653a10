import { toSourceRecord, visibleSources } from '../faces/rest/operations/list-sources.js'
import { sendJson } from '../http/answer.js'
import type { Authenticate } from '../http/auth.js'
import type { HttpExchange, Route } from '../http/route.js'
import type { Caller } from '../model/caller.js'
import type { Board } from './board.js'
import type { Readiness } from './readiness.js'

/**
 * Alive, and ready to be asked. Both answer under any name and tell a stranger nothing else; whoever may list sources is
 * also told how those are, which does not make us unready: a hung server must not take the others off the net.
 */
export const probes = (board: Board, readiness: Readiness, authenticate: Authenticate): readonly Route[] => [
  {
    method: 'GET',
    path: '/healthz',
    right: 'open',
    probe: true,
    handle: ({ response }) => sendJson(response, 200, { ok: true }, uncached),
  },
  {
    method: 'GET',
    path: '/readyz',
    right: 'open',
    probe: true,
    handle: async (exchange) => {
      readiness.asked()
      const ok = !readiness.isDraining
      const caller = await callerOf(exchange, authenticate)
      const detail = caller ? { state: ok ? 'ready' : 'draining', sources: sourcesOf(board, caller) } : {}
      sendJson(exchange.response, ok ? 200 : 503, { ok, ...detail }, uncached)
    },
  },
]

const uncached = { 'Cache-Control': 'no-store' }

const callerOf = async (
  { isStranger, request }: HttpExchange,
  authenticate: Authenticate,
): Promise<Caller | undefined> => {
  if (isStranger) return undefined
  const result = await authenticate(request)
  return 'caller' in result && result.caller.rights.includes('discover') ? result.caller : undefined
}

const sourcesOf = ({ gateway }: Board, caller: Caller) =>
  visibleSources(gateway, caller).map((info) => toSourceRecord(info, gateway, caller))
