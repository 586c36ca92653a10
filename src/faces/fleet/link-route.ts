import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import {
  linkPath,
  linkProtocol,
  type OpenedPass,
  type PeerDoor,
  type PeerPass,
  peerHeader,
  peerPath,
} from '../../fleet/peers.js'
import type { AuthResult } from '../../http/auth.js'
import { HttpError } from '../../http/http-error.js'
import type { UpgradeRoute } from '../../http/route.js'
import type { LineChannel } from '../../mcp/client/line-transport.js'
import { sourceLimits } from '../../mcp/parse.js'
import { SealedLines } from '../../mcp/sealed-lines.js'
import { noPass, passOf } from './peer-route.js'

/** Another replica that wants to ask a source which it thinks we hold. */
export interface LinkVisit {
  readonly source: string
  readonly pass: PeerPass
  /** Called once when the host begins to close. */
  onDrain(hook: () => void): void
}

/** Who is not the holder, or held it under an older epoch; undefined where we do. */
export interface Misdirected {
  readonly holder: string | undefined
  readonly epoch: number
}

export interface LinkDoor {
  readonly door: PeerDoor
  /** Undefined where the link may begin. */
  judge(visit: LinkVisit): Misdirected | undefined
  begin(visit: LinkVisit, lines: LineChannel): void
}

/** `GET /fleet/v1/mcp/:source`: the connection over which another replica hands calls over. One pass lets it in, for all of them. */
export const linkRoute = ({ door, judge, begin }: LinkDoor): UpgradeRoute => {
  const opened = new WeakMap<IncomingMessage, OpenedPass>()
  return {
    path: peerPath + linkPath,
    right: 'peer',
    protocol: linkProtocol,
    admit: (request): AuthResult => {
      const pass = door.open(request.headers[peerHeader])
      if ('refused' in pass) return { refused: { status: 401, message: noPass(pass.refused) } }
      opened.set(request, pass)
      return { caller: pass.pass.caller }
    },
    handle: ({ request, socket, head, params, onDrain }) => {
      const pass = passOf(opened.get(request), request, undefined)
      const { key } = pass
      if (key?.length !== 32) throw new HttpError(401, 'UNAUTHENTICATED', noPass('it has no key for a connection'))
      const visit = { source: params.source ?? '', pass, onDrain }
      const misdirected = judge(visit)
      if (misdirected) return misdirect(socket as Socket, misdirected)
      socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${linkProtocol}\r\n\r\n`)
      begin(
        visit,
        new SealedLines({ socket: socket as Socket, head, key, side: 'server', maxLineBytes: sourceLimits.maxBytes }),
      )
    },
  }
}

/** 421: asked at the wrong door, with what we know of the right one. */
const misdirect = (socket: Socket, movedTo: Misdirected): void => {
  const body = JSON.stringify({ movedTo })
  const head = `HTTP/1.1 421 Misdirected Request\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`
  socket.end(`${head}Connection: close\r\n\r\n${body}`)
}
