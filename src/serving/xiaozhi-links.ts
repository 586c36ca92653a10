import type { EndpointStatus } from '../faces/mcp/xiaozhi/status.js'
import { type ClientPeers, createPeers } from '../http/auth-loopback.js'
import { systemClock } from '../model/clock.js'
import { type Operation, operation } from '../operations/operation.js'
import { anyObject, list, shape, words } from '../operations/shape.js'
import { plainErrors } from '../operations/told-error.js'
import type { Logger } from '../telemetry/logger.js'
import type { Board } from './board.js'
import type { ConfiguredLinks } from './xiaozhi-carrier.js'

/** The configured endpoints of a running gateway. */
export interface XiaozhiLinks {
  readonly operations: readonly Operation[]
  status(): readonly EndpointStatus[]
  /** Dials when the sources have reported, or after a moment: a far side reads the list as soon as it is there. */
  start(): void
  close(): Promise<void>
}

/** Where a running gateway tells its own machine how its endpoints are. */
export const xiaozhiPath = '/xiaozhi/status'
const patienceMs = 5000

/** Nothing that dials is loaded before there is somebody to dial. */
export const openXiaozhi = async (
  board: Board,
  logger: Logger,
  peers: ClientPeers = createPeers(),
): Promise<XiaozhiLinks> => {
  let carrier: ConfiguredLinks | undefined
  let started = false
  let closed = false
  const follow = async (): Promise<void> => {
    if (carrier) return carrier.follow()
    if (board.config.xiaozhi.endpoints.length === 0) return
    const { openConfiguredLinks } = await import('./xiaozhi-carrier.js')
    if (closed) return
    carrier ??= openConfiguredLinks(board, logger)
    if (started) carrier.start()
  }
  await follow()
  board.current.follow(
    [
      'xiaozhi.endpoints',
      'profiles',
      ...['maxToolListSize', 'maxResultSize', 'namespaceEnabled'].map((name) => `toolManager.${name}`),
    ],
    follow,
  )
  let cancelTimer = () => {}
  const start = (): void => {
    cancelTimer()
    if (!started && !closed) carrier?.start()
    started = true
  }
  const status = (): readonly EndpointStatus[] => carrier?.status() ?? []
  return {
    operations: [statusOperation(status, peers)],
    status,
    start: () => {
      cancelTimer = systemClock.after(patienceMs, start)
      void board.settled().then(start)
    },
    close: async () => {
      cancelTimer()
      closed = true
      await carrier?.close()
    },
  }
}

// For the owner's own machine: who else may call tools here need not know which devices there are.
const statusOperation = (status: () => readonly EndpointStatus[], peers: ClientPeers): Operation =>
  operation({
    id: 'xiaozhiStatus',
    method: 'GET',
    path: xiaozhiPath,
    right: 'discover',
    tag: 'xiaozhi',
    summary: words('How the links to voice devices are; for this machine only', '语音设备连接的状态；仅限本机'),
    query: anyObject(),
    answers: {
      200: {
        description: words('One entry per endpoint', '每个接入点一项'),
        schema: shape({ endpoints: list(anyObject()) }),
      },
      404: { description: words('Asked from elsewhere', '不是从本机访问') },
    },
    errors: plainErrors,
    run: ({ exchange: { request }, caller }) =>
      peers.isLocal(request) || caller.rights.includes('look')
        ? { json: { endpoints: status() } }
        : { status: 404, json: { error: 'Not found' } },
  })
