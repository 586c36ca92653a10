import type { Writable } from 'node:stream'
import { GatewayError } from '../../errors.js'

export interface Input {
  /** Queues one line, or throws at once; it never waits for the child to read. */
  send(line: string): void
  /** Bytes that the child has not taken yet. */
  readonly queuedBytes: number
  /** Refuses further lines and tells the child that no more will come. */
  end(): void
}

/**
 * A bounded queue in front of a child's stdin (F12). A child that never reads costs at most `maxQueueBytes`, and a line
 * for a child that is gone is refused instead of waiting forever.
 *
 * Lines of one turn of the event loop leave as one text in one system call: under load a turn brings many callers, each
 * in a callback of its own, and a write for each cost a tenth of a call. Alone, a line waits for the end of its turn.
 */
export const createInput = (stdin: Writable, command: string, maxQueueBytes: number): Input => {
  let queuedBytes = 0
  let open = true
  let waiting = ''
  let waitingBytes = 0

  const flush = (): void => {
    if (waitingBytes === 0) return
    const [text, bytes] = [waiting, waitingBytes]
    waiting = ''
    waitingBytes = 0
    if (!stdin.destroyed) stdin.write(text, () => void (queuedBytes -= bytes))
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
      if (waitingBytes === 0) setImmediate(flush)
      waiting += `${line}\n`
      waitingBytes += bytes
    },
    end: () => {
      if (!open) return
      open = false
      flush()
      if (!stdin.destroyed) stdin.end()
    },
  }
}

/** A newline inside a line would end the message early and start another that the caller may have chosen. */
const checkFraming = (line: string, command: string): void => {
  if (line.includes('\n'))
    throw new GatewayError('INTERNAL', `A message for ${command} holds a newline: send it as one line.`)
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
