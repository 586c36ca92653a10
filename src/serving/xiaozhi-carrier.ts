import type { XiaozhiEndpointConfig } from '../config/schema.js'
import { plainProfile } from '../faces/mcp/profile.js'
import { createXiaozhiCarrier, type XiaozhiCarrier } from '../faces/mcp/xiaozhi/carrier.js'
import type { EndpointSettings } from '../faces/mcp/xiaozhi/endpoint.js'
import { linkViews } from '../faces/mcp/xiaozhi/views.js'
import { systemClock } from '../model/clock.js'
import type { Logger } from '../telemetry/logger.js'
import type { Board } from './board.js'
import { LeasedLinks } from './leased-links.js'
import { localeOf } from './locale.js'

/** The links to the endpoints that the configuration names now. */
export interface ConfiguredLinks extends Pick<XiaozhiCarrier, 'start' | 'status' | 'close'> {
  /** The configuration has changed. */
  follow(): Promise<void>
}

export const openConfiguredLinks = (board: Board, logger: Logger): ConfiguredLinks => {
  const make = (endpoints: readonly EndpointSettings[]): XiaozhiCarrier => createLinks(board, endpoints, logger)
  const carrier = board.fleet.isAlone
    ? make(endpointsOf(board))
    : new LeasedLinks(board.fleet, make, endpointsOf(board))
  return {
    start: () => carrier.start(),
    status: () => carrier.status(),
    close: () => carrier.close(),
    follow: () => carrier.update(endpointsOf(board)),
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
