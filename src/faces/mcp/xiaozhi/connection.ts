import { notificationText } from '../../../mcp/message.js'
import type { Clock } from '../../../model/clock.js'
import type { Logger } from '../../../telemetry/logger.js'
import type { Client } from '../exchange.js'
import type { McpFace } from '../face.js'
import type { Address } from './address.js'
import { Dialogue } from './dialogue.js'
import type { Ending } from './ending.js'
import type { Freshness } from './freshness.js'
import { createHeartbeat, type Heartbeat } from './heartbeat.js'
import type { LinkLists } from './link-lists.js'
import type { Speech } from './say-error.js'
import { openSocket } from './socket.js'

export interface ConnectionOptions extends Client {
  readonly face: McpFace
  readonly address: Address
  readonly lists: LinkLists
  readonly maxResultBytes: number
  readonly speech: Speech
  readonly clock: Clock
  /** For what tools do; what the connection does is told by its endpoint. */
  readonly toolLogger: Logger
  readonly connectTimeoutMs: number
  readonly pingEveryMs: number
  readonly pongTimeoutMs: number
  /** Brings changed lists to the far side; kept by the endpoint, since it counts reconnections. */
  readonly freshness: Freshness
}

export interface ConnectionEvents {
  onOpen(): void
  /** Once; everything of the connection is gone. */
  onEnd(ending: Ending): void
  onLate(): void
}

/** One connection from dialling to its end, with the dialogue, the heartbeat and the list that live on it. */
export interface LinkConnection {
  close(ending: Ending): void
  /** Tells the far side that the list is another. */
  tellChanged(): void
  readonly running: number
  readonly calls: number
  readonly peer: string | undefined
  readonly pingMs: number | undefined
}

export const openConnection = (options: ConnectionOptions, events: ConnectionEvents): LinkConnection => {
  const { clock, face, freshness, lists } = options
  let dialogue: Dialogue | undefined
  let heartbeat: Heartbeat | undefined
  let stopTelling = () => {}

  const onOpen = (): void => {
    lists.forget()
    dialogue = new Dialogue({ ...options, logger: options.toolLogger, send: socket.send, onLate: events.onLate })
    heartbeat = createHeartbeat({
      clock,
      everyMs: options.pingEveryMs,
      patienceMs: options.pongTimeoutMs,
      ping: socket.ping,
      onSilence: () => socket.cut({ kind: 'silent', words: 'the far side stopped answering pings' }),
    })
    stopTelling = face.changes.subscribe(freshness.changed)
    events.onOpen()
  }
  const onEnd = (ending: Ending): void => {
    stopTelling()
    freshness.stop()
    heartbeat?.stop()
    dialogue?.end()
    events.onEnd(ending)
  }
  const socket = openSocket(options, {
    onOpen,
    onFrame: (frame) => dialogue?.receive(frame),
    onPong: () => heartbeat?.pong(),
    onEnd,
  })
  return {
    close: socket.close,
    tellChanged: () => socket.send(notificationText('notifications/tools/list_changed')),
    get running() {
      return dialogue?.running ?? 0
    },
    get calls() {
      return dialogue?.calls ?? 0
    },
    get peer() {
      return dialogue?.peer
    },
    get pingMs() {
      return heartbeat?.roundTripMs
    },
  }
}
