import type { Readable, Writable } from 'node:stream'
import { classifyRequest } from '../../../mcp/eras.js'
import { createLineSplitter } from '../../../mcp/framing.js'
import { errorText, isResponse, type RpcMessage, type RpcRequest } from '../../../mcp/message.js'
import { callerLimits, parseMessage } from '../../../mcp/parse.js'
import { isRpcError, RpcError, rpcCodes } from '../../../mcp/rpc-error.js'
import { Cancel } from '../../../model/cancel.js'
import { type Clock, systemClock } from '../../../model/clock.js'
import type { Logger } from '../../../telemetry/logger.js'
import { tellChanges } from '../changes.js'
import { OwnedSession } from '../client-session.js'
import { toRpcError } from '../encode-error.js'
import { type Client, wholeAnswer } from '../exchange.js'
import type { McpFace } from '../face.js'
import { RunningRequests } from '../in-flight.js'

export interface StdioCarrierOptions extends Client {
  readonly face: McpFace
  readonly input: Readable
  readonly output: Writable
  readonly logger: Logger
  readonly clock?: Clock | undefined
  /** Requests at once. Default 256. */
  readonly mostRequests?: number | undefined
}

/** Speaks MCP over a pair of pipes, one message a line, until the other side closes them. */
export interface StdioCarrier {
  /** Resolves when the input has ended or `close` was called. */
  readonly ended: Promise<void>
  close(): void
}

// What a client does not read may wait; past this it is not going to read any more.
const mostQueuedBytes = 64 * 1024 * 1024

export const serveStdio = (options: StdioCarrierOptions): StdioCarrier => {
  const { face, input, output, logger } = options
  const inFlight = new RunningRequests(options.mostRequests ?? 256)
  const owner = { caller: options.caller.id, shares: face.shares, face: 'stdio' } as const
  const session = new OwnedSession(options.clock ?? systemClock, { send: (text) => write(text) }, owner)
  const leaving = new Cancel()
  let legacy = false
  let end: () => void = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })

  const write = (line: string | Buffer): void => {
    if (output.writableEnded || output.destroyed) return
    if (output.writableLength > mostQueuedBytes) return close()
    // All that is said in one turn leaves as one piece: each write of its own wakes the reader once more.
    if (output.writableCorked === 0) {
      output.cork()
      process.nextTick(uncork)
    }
    output.write(line)
    output.write('\n')
  }
  const uncork = (): void => output.uncork()
  const refuse = (error: unknown, id: RpcRequest['id'] | null): void => write(errorText(id, toRpcError(error)))

  const ask = async (request: RpcRequest): Promise<void> => {
    const sender = classifyRequest({ method: request.method, params: request.params })
    if (sender.era === 'rejected') return refuse(sender.error, request.id)
    const running = inFlight.begin(request.id)
    if (!running) return refuse(new RpcError(rpcCodes.internalError, 'Too many requests are running.'), request.id)
    if (sender.era === 'legacy') legacy = true
    try {
      if (request.method === 'initialize') session.introduce(request.params)
      const { caller, profile } = options
      const gone = leaving
      const result = await face.answer({
        caller,
        profile,
        request,
        sender,
        signal: running,
        gone,
        session,
        notify: write,
      })
      // A cancelled request gets no answer in either era.
      if (!running.aborted) write(wholeAnswer(request.id, result))
    } catch (error) {
      if (!running.aborted) refuse(error, request.id)
    } finally {
      inFlight.end(running)
    }
  }

  const receive = (message: RpcMessage): void => {
    if (message.kind === 'request') return void ask(message)
    if (isResponse(message)) return void session.questions.settle(message)
    if (message.kind === 'notification' && message.method === 'notifications/cancelled')
      inFlight.cancel(message.params?.requestId)
  }

  const splitter = createLineSplitter({
    maxLineBytes: callerLimits.maxBytes,
    onLine: (line) => {
      try {
        receive(parseMessage(line))
      } catch (error) {
        refuse(error, isRpcError(error) ? error.id : null)
      }
    },
    onTooLong: () =>
      refuse(new RpcError(rpcCodes.invalidRequest, `A message may have at most ${callerLimits.maxBytes} bytes.`), null),
  })

  // A modern client listens by a request; a legacy one is told unasked.
  const stopTelling = tellChanges(face.changes, (text) => {
    if (legacy) write(text)
  })
  const onData = (chunk: Buffer): void => splitter.push(chunk)
  const close = (): void => {
    stopTelling()
    input.off('data', onData)
    inFlight.cancelAll()
    leaving.abort(new Error('The client is gone.'))
    session.close()
    end()
  }
  output.on('error', (error) => {
    logger.log('debug', `The client stopped reading: ${error.message}`)
    close()
  })
  input.on('data', onData)
  input.once('end', close)
  input.once('close', close)
  input.once('error', close)
  return { ended, close }
}
