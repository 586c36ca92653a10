import type { XiaozhiEndpointConfig } from '../config/schema.js'
import { plainProfile } from '../faces/mcp/profile.js'
import { createXiaozhiCarrier, type XiaozhiCarrier } from '../faces/mcp/xiaozhi/carrier.js'
import type { EndpointSettings } from '../faces/mcp/xiaozhi/endpoint.js'
import type { EndpointStatus } from '../faces/mcp/xiaozhi/status.js'
import { linkViews } from '../faces/mcp/xiaozhi/views.js'
import { type ClientPeers, createPeers } from '../http/auth-loopback.js'
import { systemClock } from '../model/clock.js'
import { type Operation, operation } from '../operations/operation.js'
import { anyObject, list, shape, words } from '../operations/shape.js'
import { plainErrors } from '../operations/told-error.js'
import type { Logger } from '../telemetry/logger.js'
import type { Board } from './board.js'
import { LeasedLinks } from './leased-links.js'
import { localeOf } from './locale.js'

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

export const openXiaozhi = (board: Board, logger: Logger, peers: ClientPeers = createPeers()): XiaozhiLinks => {
  const make = (endpoints: readonly EndpointSettings[]): XiaozhiCarrier => createLinks(board, endpoints, logger)
  const carrier = board.fleet.isAlone
    ? make(endpointsOf(board))
    : new LeasedLinks(board.fleet, make, endpointsOf(board))
  board.current.follow(
    [
      'xiaozhi.endpoints',
      'profiles',
      ...['maxToolListSize', 'maxResultSize', 'namespaceEnabled'].map((name) => `toolManager.${name}`),
    ],
    () => carrier.update(endpointsOf(board)),
  )
  let cancelTimer = () => {}
  let started = false
  const start = (): void => {
    cancelTimer()
    if (!started) carrier.start()
    started = true
  }
  return {
    operations: [statusOperation(carrier, peers)],
    status: () => carrier.status(),
    start: () => {
      cancelTimer = systemClock.after(patienceMs, start)
      void board.settled().then(start)
    },
    close: () => {
      cancelTimer()
      started = true
      return carrier.close()
    },
  }
}

/** A carrier for these endpoints; `test` makes one for a single endpoint. */
export const createLinks = (board: Board, endpoints: readonly EndpointSettings[], logger: Logger): XiaozhiCarrier => {
  const { initialBackoff, maxBackoff } = board.current.atStart.xiaozhi.reconnect
  return createXiaozhiCarrier({
    face: board.face,
    clock: systemClock,
    logger,
    initialBackoffMs: initialBackoff,
    maxBackoffMs: maxBackoff,
    language: localeOf(process.env),
    endpoints,
  })
}

export const endpointsOf = (board: Pick<Board, 'config' | 'findProfile'>): readonly EndpointSettings[] =>
  board.config.xiaozhi.endpoints.map((endpoint) => toSettings(endpoint, board.findProfile))

export const toSettings = (endpoint: XiaozhiEndpointConfig, findProfile: Board['findProfile']): EndpointSettings => ({
  url: endpoint.url,
  profile: endpoint.profile,
  name: endpoint.name,
  callTimeoutMs: endpoint.callTimeoutMs,
  language: endpoint.language,
  ...linkViews(findProfile(endpoint.profile) ?? plainProfile),
  maxResultBytes: endpoint.maxResultSize,
  maxListBytes: endpoint.maxToolListSize,
})

// For the owner's own machine: who else may call tools here need not know which devices there are.
const statusOperation = (carrier: XiaozhiCarrier, peers: ClientPeers): Operation =>
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
        ? { json: { endpoints: carrier.status() } }
        : { status: 404, json: { error: 'Not found' } },
  })
