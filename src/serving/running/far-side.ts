import { once } from 'node:events'
import type { Socket } from 'node:net'
import { say } from '../locale.js'
import type { FarSide } from './bridge.js'
import { enter, type FoundGateway, findRunning, toError } from './line.js'
import type { BoardLocation } from './place.js'
import type { PlainError } from './questions.js'

/** Who the client behind the bridge is. Said once the gateway has proved itself, since a key is among it. */
export interface GuestIntroduction {
  readonly profile: string
  readonly apiKey?: string | undefined
  /** It knows the tools already, from a gateway that is gone: it is let in when they are there again. */
  readonly again?: boolean | undefined
}

/** A way into the running gateway for a client; none where it is not there or serves something else. */
export const openFarSide = async (
  place: BoardLocation,
  introduction: GuestIntroduction,
): Promise<{ readonly far?: FarSide | undefined } & FoundGateway> => {
  const found = await findRunning(place, 'protocol')
  if (!found.record) return found
  const { socket, ...rest } = await enter(found.record, '/local/mcp', place)
  if (!socket) return rest
  socket.write(`${JSON.stringify(introduction)}\n`)
  const welcome = await firstLine(socket)
  if (welcome.error) {
    socket.destroy()
    throw toError(welcome.error)
  }
  return { ...rest, far: { input: socket, output: socket, close: () => socket.destroySoon() } }
}

const firstLine = async (socket: Socket): Promise<{ readonly error?: PlainError | undefined }> => {
  let bytes: Buffer = Buffer.alloc(0)
  for (;;) {
    const chunk: Buffer | null = socket.read()
    if (chunk === null) {
      if (socket.readableEnded || socket.destroyed) return { error: { code: 'GATEWAY_LOST', message: gone() } }
      await Promise.race([once(socket, 'readable'), once(socket, 'end'), once(socket, 'close')])
      continue
    }
    bytes = Buffer.concat([bytes, chunk])
    const end = bytes.indexOf('\n')
    if (end < 0) continue
    if (end + 1 < bytes.length) socket.unshift(bytes.subarray(end + 1))
    return JSON.parse(bytes.subarray(0, end).toString('utf8'))
  }
}

const gone = () => say('The gateway ended while it was greeted. Try again.', '网关在握手时停止了。请重试。')
