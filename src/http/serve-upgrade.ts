import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { isGatewayError, messageOf } from '../errors.js'
import type { Caller } from '../model/caller.js'
import { checkHeaders, checkRight } from './admit.js'
import type { ErrorAnswer } from './answer.js'
import { nobody } from './auth.js'
import { HttpError, isHttpError } from './http-error.js'
import type { UpgradeRoute } from './route.js'
import type { Match, RouteTable } from './route-table.js'
import { type ServeParts, stopping } from './serve.js'

export interface ServeUpgradeParts extends Omit<ServeParts, 'routes'> {
  readonly server: Server
  readonly upgrades: RouteTable<UpgradeRoute>
}

/** The same checks as `serve` in the same order, for handshakes. A browser sends Origin here too (T1). */
export const createServeUpgrade = (parts: ServeUpgradeParts) => {
  const { server, upgrades, context, active, authenticate, guard, logger } = parts

  const serveUpgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const protocol = request.headers.upgrade?.toLowerCase()
    if (!isSpoken(upgrades, protocol)) return serveWithoutUpgrade(server, request, socket, head)
    const hooks: (() => void)[] = []
    // Node's own listeners are gone: without one of ours, a reset before the handler listens would end the process.
    socket.on('error', () => socket.destroy())
    active.addSocket(socket, hooks)
    try {
      checkHeaders(request, context.rules, () => undefined)
      if (context.closing) throw stopping()
      const { path, match, route } = find(upgrades, request, protocol)
      if (route.right !== 'open' && route.right !== 'peer') guard?.(request)
      const caller = await callerOf(request, route)
      if (socket.destroyed) return
      const onDrain = (hook: () => void) => (context.closing ? hook() : void hooks.push(hook))
      await route.handle({ request, socket, head, path, params: match.params, caller, onDrain })
    } catch (error) {
      fail(request, socket, error)
    }
  }

  const callerOf = async (request: IncomingMessage, { right, admit }: UpgradeRoute): Promise<Caller> =>
    right === 'open'
      ? nobody
      : checkRight(await (right === 'peer' ? admit! : authenticate)(request), right, {
          request,
          challenge: parts.challenge,
        })

  const fail = (request: IncomingMessage, socket: Duplex, error: unknown): void => {
    const requestId = context.nextId()
    if (!isHttpError(error) && !isGatewayError(error))
      logger.log('error', `Upgrade failed: ${messageOf(error)}`, { requestId })
    refuseUpgrade(socket, parts.tellRefusal(error, requestId, request.headers))
  }

  return (request: IncomingMessage, socket: Duplex, head: Buffer): void => void serveUpgrade(request, socket, head)
}

const websocket = 'websocket'

const isSpoken = (upgrades: RouteTable<UpgradeRoute>, protocol: string | undefined): boolean =>
  upgrades
    .list()
    .some(({ path }) => (upgrades.find(path)?.place.byMethod.get('UPGRADE')?.protocol ?? websocket) === protocol)

const find = (
  upgrades: RouteTable<UpgradeRoute>,
  { url = '', method }: IncomingMessage,
  protocol: string | undefined,
): { path: string; match: Match<UpgradeRoute>; route: UpgradeRoute } => {
  const path = url.split('?', 1)[0]!
  const match = upgrades.find(path)
  const route = match?.place.byMethod.get('UPGRADE')
  if (!match || !route || (route.protocol ?? websocket) !== protocol)
    throw new HttpError(
      404,
      'ROUTE_NOT_FOUND',
      `There is no ${protocol === websocket ? 'WebSocket' : protocol} at this path.`,
    )
  if (method === 'GET') return { path, match, route }
  throw new HttpError(405, 'METHOD_NOT_ALLOWED', 'A WebSocket begins with GET.', { headers: { Allow: 'GET' } })
}

/**
 * Node hands over every request with an Upgrade header once somebody listens for one, also `h2c`, which Java's HTTP
 * client offers with each plain request and which RFC 9110 §7.8 lets us ignore. Its bytes go back to the server as the
 * request they would have been without the offer. They were parsed strictly, so writing them anew smuggles nothing.
 */
export const serveWithoutUpgrade = (server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void => {
  const { method, url, httpVersion, rawHeaders } = request
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!
    if (!hopByHop.has(name.toLowerCase())) lines.push(`${name}: ${rawHeaders[index + 1]}`)
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  // Where we speak TLS this is a socket inside a socket.
  server.emit('encrypted' in socket ? 'secureConnection' : 'connection', socket)
}

const hopByHop = new Set(['connection', 'upgrade', 'http2-settings'])

/** An error on a socket that has no response object: the same body as elsewhere, then the end. */
export const refuseUpgrade = (socket: Duplex, { status, headers, body }: ErrorAnswer): void => {
  const text = JSON.stringify(body)
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}`,
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  socket.on('error', () => {})
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy())
}
