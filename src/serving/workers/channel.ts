import type { ChildProcess } from 'node:child_process'
import { isRecord } from '../../model/json.js'
import type { KeeperLine, LineMessage } from '../../storage/parent/line.js'

/** What the messages between parent and worker are about. */
export type Topic = 'storage' | 'work'

/** Either end of the channel that Node opens to a child. */
export type ChannelEnd = Pick<ChildProcess, 'connected' | 'on'> & {
  send?(message: unknown, callback: (error: Error | null) => void): boolean
}

/** One of the lines that share a channel. What cannot be sent is lost with the process at the other end. */
export const lineOver = (end: ChannelEnd, topic: Topic): KeeperLine => ({
  send: (message) => {
    if (end.connected) end.send?.({ pegboard: topic, message }, () => {})
  },
  onMessage: (listener) =>
    void end.on('message', (packet: unknown) => {
      if (isRecord(packet) && packet.pegboard === topic) listener(packet.message as LineMessage)
    }),
  onEnd: (listener) => void end.on('disconnect', listener),
})
