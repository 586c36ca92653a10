import type { Socket } from 'node:net'
import { isGatewayError, messageOf } from '../../errors.js'
import type { McpFace } from '../../faces/mcp/face.js'
import { type ProfileSettings, plainProfile } from '../../faces/mcp/profile.js'
import { serveStdio } from '../../faces/mcp/stdio/carrier.js'
import { createLineSplitter } from '../../mcp/framing.js'
import type { Logger } from '../../telemetry/logger.js'
import type { StdioVisitor } from '../access.js'
import type { Claim } from './dial.js'
import type { LocalRoom } from './door.js'
import type { GuestIntroduction } from './far-side.js'

export interface GuestOptions {
  readonly face: McpFace
  readonly findProfile: (name: string) => ProfileSettings | undefined
  /** Throws where the claim is for another configuration. */
  readonly admit: (claim: Claim) => Promise<void>
  /** See `Board.firstList`. */
  readonly firstList: () => Promise<unknown> | undefined
  readonly visitor: (introduction: GuestIntroduction) => Promise<StdioVisitor>
  readonly logger: Logger
}

/** Clients over stdio whose own process is only a bridge: served here as if they had started us. */
export interface Guests {
  readonly room: LocalRoom
  /** Before the streams of other clients end: their bridges wait for the next gateway instead of saying goodbye. */
  close(): void
}

export const createGuests = ({ face, findProfile, admit, firstList, visitor, logger }: GuestOptions): Guests => {
  const leaving = new Set<() => void>()

  const sessions = face.shares.of('sessions')
  const serve = (socket: Socket, guest: StdioVisitor): void => {
    const { id } = guest.caller
    const carrier = serveStdio({
      face,
      caller: guest.caller,
      // Asked each time: an edit of the profile counts at once.
      get profile() {
        return findProfile(guest.profile) ?? plainProfile
      },
      input: socket,
      output: socket,
      logger,
    })
    // It was stopped behind the first line.
    socket.resume()
    guest.onLeave(carrier.close)
    leaving.add(carrier.close)
    void carrier.ended.then(async () => {
      leaving.delete(carrier.close)
      sessions.give(id)
      socket.destroySoon()
      await guest.close()
    })
  }
  const greet = async (socket: Socket, line: Buffer): Promise<void> => {
    try {
      const introduction = JSON.parse(line.toString('utf8')) as GuestIntroduction
      const guest = await visitor(introduction)
      if (introduction.again) await firstList()
      // Each is a session of its caller like those over HTTP, and takes no other caller's (S6).
      const refused = sessions.take(guest.caller.id)
      if (refused) {
        await guest.close()
        throw refused
      }
      socket.write('{}\n')
      serve(socket, guest)
    } catch (error) {
      const code = isGatewayError(error) ? error.code : 'INTERNAL'
      socket.end(`${JSON.stringify({ error: { code, message: messageOf(error) } })}\n`)
    }
  }

  return {
    room: async ({ socket, claim, onDrain }) => {
      await admit(claim)
      onDrain(() => socket.destroySoon())
      return () => firstLine(socket, (line) => void greet(socket, line))
    },
    close: () => {
      for (const leave of leaving) leave()
    },
  }
}

const longestIntroduction = 64 * 1024

/** Hands the first line on; what came behind it stays in the socket. */
const firstLine = (socket: Socket, onLine: (line: Buffer) => void): void => {
  const stop = (): void => {
    socket.off('data', onData)
    socket.pause()
  }
  const lines = createLineSplitter({
    maxLineBytes: longestIntroduction,
    onLine: (line) => {
      stop()
      onLine(line)
    },
    onTooLong: () => socket.destroy(),
  })
  const onData = (chunk: Buffer): void => {
    const end = chunk.indexOf('\n') + 1
    if (end > 0 && end < chunk.length) socket.unshift(chunk.subarray(end))
    lines.push(end > 0 ? chunk.subarray(0, end) : chunk)
  }
  socket.on('data', onData)
}
