import type { Writable } from 'node:stream'
import { GatewayError } from '../../errors.js'

export interface Input {
  /** Queues one line, or throws at once; it never waits for the child to read. */
  send(line: string | Buffer): void
  /** Bytes that the child has not taken yet. */
  readonly queuedBytes: number
  /** Refuses further lines and tells the child that no more will come. */
  end(): void
}

const newline = 0x0a

/**
 * A bounded queue in front of a child's stdin (F12). A child that never reads costs at most `maxQueueBytes`, and a line
 * for a child that is gone is refused instead of waiting forever.
 */
export const createInput = (stdin: Writable, command: string, maxQueueBytes: number): Input => {
  let queuedBytes = 0
  let open = true
  let corked = false

  // Lines sent in one turn leave in one system call.
  const corkForThisTurn = () => {
    if (corked) return
    corked = true
    stdin.cork()
    process.nextTick(() => {
      corked = false
      stdin.uncork()
    })
  }

  return {
    get queuedBytes() {
      return queuedBytes
    },
    send: (line) => {
      if (!open || stdin.destroyed) throw gone(command)
      const bytes = Buffer.byteLength(line) + 1
      if (queuedBytes + bytes > maxQueueBytes) throw full(command, queuedBytes, maxQueueBytes)
      checkFraming(line, command)
      queuedBytes += bytes
      corkForThisTurn()
      if (typeof line === 'string') stdin.write(`${line}\n`, () => void (queuedBytes -= bytes))
      else {
        stdin.write(line)
        stdin.write('\n', () => void (queuedBytes -= bytes))
      }
    },
    end: () => {
      if (!open) return
      open = false
      if (!stdin.destroyed) stdin.end()
    },
  }
}

/** A newline inside a line would end the message early and start another that the caller may have chosen. */
const checkFraming = (line: string | Buffer, command: string): void => {
  const broken = typeof line === 'string' ? line.includes('\n') : line.includes(newline)
  if (broken) throw new GatewayError('INTERNAL', `A message for ${command} holds a newline: send it as one line.`)
}

const gone = (command: string) =>
  new GatewayError(
    'SOURCE_UNAVAILABLE',
    `${command} has ended, so nothing can be sent to it. Try again once it is back.`,
    {
      notSent: true,
      details: { command },
    },
  )

const full = (command: string, queuedBytes: number, maxQueueBytes: number) =>
  new GatewayError(
    'OVERLOADED',
    `${command} does not read its input: ${queuedBytes} bytes wait, and the limit is ${maxQueueBytes}. Try again later, ` +
      'or restart the source.',
    { notSent: true, details: { command, queuedBytes, maxQueueBytes } },
  )
