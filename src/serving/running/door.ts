import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { HttpError } from '../../http/http-error.js'
import type { UpgradeRoute } from '../../http/route.js'
import { isRecord } from '../../model/json.js'
import { type Claim, claimHeader, localUpgrade } from './dial.js'
import { checkCallerProof, proofHeader, proofOf } from './proof.js'

/** Somebody of this machine who has proved the local key. */
export interface DoorVisit {
  readonly socket: Socket
  readonly claim: Claim
  /** Called once when the gateway begins to close. */
  onDrain(hook: () => void): void
}

/** What is behind the door, by the last part of the path. It owns the socket. May refuse by throwing, before it answers. */
export type LocalRoom = (visit: DoorVisit) => Promise<(() => void) | undefined> | (() => void) | undefined

/** The way into a running gateway for whoever may read its run record: this user's command line and clients. */
export interface LocalDoor {
  readonly route: UpgradeRoute
  /** How many are inside. */
  visits(): number
  /** Told whenever somebody comes or leaves. */
  onVisit(listener: () => void): void
}

export const createLocalDoor = (key: string, rooms: Readonly<Record<string, LocalRoom>>): LocalDoor => {
  const inside = new Set<Duplex>()
  const listeners: (() => void)[] = []
  const tell = (): void => {
    for (const listener of listeners) listener()
  }
  const enter = (socket: Duplex): void => {
    inside.add(socket)
    // The sockets of an HTTP server stay half open until both sides have ended.
    socket.once('end', () => socket.end())
    tell()
    socket.once('close', () => {
      inside.delete(socket)
      tell()
    })
  }
  const route: UpgradeRoute = {
    path: '/local/:room',
    // Not by a key of `access`: whoever can read the run record could read those of the data folder as well.
    right: 'open',
    protocol: localUpgrade,
    handle: async ({ request, socket, head, params, onDrain }) => {
      const nonce = checkCallerProof(key, request.headers[proofHeader])
      const room = Object.hasOwn(rooms, params.room ?? '') ? rooms[params.room!] : undefined
      if (nonce === undefined || !room)
        throw new HttpError(403, 'ACCESS_DENIED', 'This door is for whoever may read the run record of this gateway.')
      const proof = proofOf(key, 'gateway', nonce)
      const begin = await admitted(
        () => room({ socket: socket as Socket, claim: claimOf(request.headers[claimHeader]), onDrain }),
        proof,
      )
      if (socket.destroyed) return
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${localUpgrade}\r\n${proofHeader}: ${proof}\r\n\r\n`,
      )
      if (head.length > 0) socket.unshift(head)
      enter(socket)
      begin?.()
    },
  }
  return {
    route,
    visits: () => inside.size,
    onVisit: (listener) => void listeners.push(listener),
  }
}

/** Nothing but the proof that we are we. */
export const hello: LocalRoom = ({ socket }) => {
  return () => {
    socket.end()
    socket.resume()
  }
}

/** Asks the room. A refusal carries our proof too: who refuses must be known as well as who lets in. */
const admitted = async <T>(ask: () => T, proof: string): Promise<Awaited<T>> => {
  try {
    return await ask()
  } catch (error) {
    const { code, message } = error as HttpError
    if (typeof code !== 'string') throw error
    throw new HttpError(409, code, message, { headers: { [proofHeader]: proof }, cause: error })
  }
}

const claimOf = (header: unknown): Claim => {
  try {
    const value: unknown = JSON.parse(Buffer.from(String(header ?? ''), 'base64url').toString('utf8'))
    return isRecord(value) ? (value as Claim) : {}
  } catch {
    return {}
  }
}
