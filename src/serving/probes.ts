import { toSourceRecord, visibleSources } from '../faces/rest/operations/list-sources.js'
import type { Authenticate } from '../http/auth.js'
import type { HttpExchange } from '../http/route.js'
import type { Caller } from '../model/caller.js'
import type { Clock } from '../model/clock.js'
import { type Operation, operation } from '../operations/operation.js'
import { anyObject, choice, flag, list, shape, words } from '../operations/shape.js'
import { plainErrors } from '../operations/told-error.js'
import type { Logger } from '../telemetry/logger.js'
import type { Board } from './board.js'
import { say } from './locale.js'

const alive = () =>
  operation({
    ...common,
    id: 'alive',
    path: '/healthz',
    summary: words('Whether the process lives', '进程是否存活'),
    answers: { 200: { description: words('It does', '存活'), schema: shape({ ok: flag() }) } },
    run: () => ({ json: { ok: true }, headers: uncached }),
  })

/** The same while the database is awaited at the start: alive, and of no use yet. */
export const probesWhileAway = (): readonly Operation[] => [
  alive(),
  operation({
    ...common,
    id: 'ready',
    path: '/readyz',
    summary: words('Whether new clients should come', '是否接受新的客户端'),
    answers: {
      503: { description: words('The database is awaited', '正在等待数据库'), schema: shape({ ok: flag() }) },
    },
    run: () => ({ status: 503, json: { ok: false }, headers: uncached }),
  }),
]

/**
 * Alive, and ready to be asked. Both answer under any name and tell a stranger nothing else; whoever may list sources is
 * also told how those are, which does not make us unready: a hung server must not take the others off the net.
 */
export const probes = (board: Board, readiness: Readiness, authenticate: Authenticate): readonly Operation[] => [
  alive(),
  operation({
    ...common,
    id: 'ready',
    path: '/readyz',
    summary: words('Whether new clients should come', '是否接受新的客户端'),
    answers: {
      200: { description: words('They should', '接受'), schema: readySchema },
      503: { description: words('It is being shut down', '正在停止'), schema: readySchema },
    },
    run: async ({ exchange }) => {
      readiness.asked()
      const ok = !readiness.isDraining
      const caller = await callerOf(exchange, authenticate)
      const detail = caller ? { state: ok ? 'ready' : 'draining', sources: sourcesOf(board, caller) } : {}
      return { status: ok ? 200 : 503, json: { ok, ...detail }, headers: uncached }
    },
  }),
]

const common = {
  method: 'GET',
  right: 'open',
  probe: true,
  tag: 'probes',
  query: anyObject(),
  errors: plainErrors,
} as const

const readySchema = shape({ ok: flag() }, { state: choice(['ready', 'draining']), sources: list(anyObject()) })

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

/** Whether new clients should come. Before we listen nobody can ask, and by then what was stored is read. */
export interface Readiness {
  readonly isDraining: boolean
  /** Somebody looks at our readiness, so somebody decides by it. */
  asked(): void
  /**
   * From now on not ready; resolves after the time that whoever decides by it needs to notice. Among replicas there is
   * somebody, though nobody ever asked: a balancer may try calls only.
   */
  drain(drainMs: number, isAmongReplicas: boolean): Promise<void>
}

/** `onAsked` hears of it as well: who is asked may be one of several. */
export const createReadiness = (clock: Clock, logger: Logger, onAsked = () => {}): Readiness => {
  let isAsked = false
  let isDraining = false
  return {
    get isDraining() {
      return isDraining
    },
    asked: () => {
      isAsked = true
      onAsked()
    },
    drain: (drainMs, isAmongReplicas) => {
      isDraining = true
      // Nobody ever asked: there is no balancer to wait for.
      if (!(isAsked || isAmongReplicas) || drainMs === 0) return Promise.resolve()
      logger.log(
        'info',
        say(
          `Draining: not ready any more, serving for another ${drainMs} ms`,
          `正在排空：不再就绪，继续服务 ${drainMs} 毫秒`,
        ),
      )
      return new Promise((resolve) => void clock.after(drainMs, resolve, true))
    },
  }
}
