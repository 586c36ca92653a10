import type { Socket } from 'node:net'
import { type ErrorCode, errorCodes, GatewayError, isGatewayError } from '../../errors.js'
import { createLineSplitter } from '../../mcp/framing.js'
import { say } from '../locale.js'
import { version } from '../version.js'
import { dial } from './dial.js'
import type { BoardLocation } from './place.js'
import type { AnswerLine, PlainError, QuestionName, Questions } from './questions.js'
import { localProtocol, type RunRecord, readRecord } from './record.js'

/** A conversation with the running gateway. */
export interface Line {
  readonly record: RunRecord
  ask<Q extends QuestionName>(
    question: Q,
    asks: Questions[Q]['asks'],
    onWaiting?: (names: readonly string[]) => void,
  ): Promise<Questions[Q]['answer']>
  close(): void
}

/** The result of looking for a running gateway. `notice` says why one that seems to exist is not used. */
export interface FoundGateway {
  readonly record?: RunRecord | undefined
  readonly notice?: { readonly code: ErrorCode; readonly message: string } | undefined
}

// Time for the gateway to apply an edit before it lets us in; past it the command does it alone.
const patienceMs = 5000
const maxLineBytes = 256 * 1024 * 1024

/** The gateway that runs on this data folder, if there is one to speak with. */
export const findRunning = async (
  { dataFolder, claim }: BoardLocation,
  mustMatch: 'version' | 'protocol',
): Promise<FoundGateway> => {
  const looked = await readRecord(dataFolder)
  if (looked.state === 'refused') return { notice: looked.error }
  if (looked.state === 'none') return {}
  const { record } = looked
  // Somebody means the gateway at another port, which has a data folder of its own.
  if (claim.port !== undefined && new URL(record.url).port !== claim.port) return {}
  if (record.protocol === localProtocol && (mustMatch === 'protocol' || record.version === version)) return { record }
  return {
    notice: {
      code: 'CONFIG_INVALID',
      message: say(
        `The gateway at ${record.url} is Pegboard ${record.version}, this is ${version}. Restart it (pid ${record.pid}).`,
        `${record.url} 的网关是 Pegboard ${record.version}，本命令是 ${version}。请重启网关（pid ${record.pid}）。`,
      ),
    },
  }
}

/** Comes in by `path`; undefined where the gateway serves something else, with a notice where it does not answer. */
export const enter = async (
  record: RunRecord,
  path: string,
  { claim }: BoardLocation,
): Promise<{ readonly socket?: Socket | undefined } & FoundGateway> => {
  try {
    return { record, socket: await dial(record, path, claim, patienceMs) }
  } catch (error) {
    // It said so itself. Another configuration is no news, and one that cannot be read is told by who reads it.
    if (isGatewayError(error)) return {}
    const why = error instanceof Error ? error.message : String(error)
    return {
      notice: {
        code: 'GATEWAY_LOST',
        message: say(
          `The gateway at ${record.url} (pid ${record.pid}) does not answer: ${why}.`,
          `${record.url} 的网关（pid ${record.pid}）没有应答：${why}。`,
        ),
      },
    }
  }
}

export const openLine = async (place: BoardLocation): Promise<{ readonly line?: Line | undefined } & FoundGateway> => {
  const found = await findRunning(place, 'version')
  if (!found.record) return found
  const entered = await enter(found.record, '/local/ask', place)
  return entered.socket ? { line: toLine(entered.socket, found.record) } : entered
}

interface Open {
  readonly settle: (line: AnswerLine) => void
  readonly fail: (error: Error) => void
}

const toLine = (socket: Socket, record: RunRecord): Line => {
  const open = new Map<number, Open>()
  let last = 0
  const lines = createLineSplitter({
    maxLineBytes,
    onLine: (bytes) => {
      const line = JSON.parse(bytes.toString('utf8')) as AnswerLine
      open.get(line.id)?.settle(line)
    },
    onTooLong: () => socket.destroy(),
  })
  socket.on('data', (chunk: Buffer) => lines.push(chunk))
  socket.on('error', () => {})
  socket.on('close', () => {
    for (const { fail } of open.values()) fail(lost(record))
    open.clear()
  })
  // It was stopped between the handshake and whoever reads on.
  socket.resume()
  return {
    record,
    ask: (question, asks, onWaiting) =>
      new Promise((resolve, reject) => {
        const id = ++last
        const settle = ({ waiting, error, answer }: AnswerLine): void => {
          if (waiting) return onWaiting?.(waiting)
          open.delete(id)
          if (error) reject(toError(error))
          else resolve(answer as never)
        }
        if (socket.destroyed) return reject(lost(record))
        open.set(id, { settle, fail: reject })
        socket.write(`${JSON.stringify({ id, ask: question, with: asks })}\n`)
      }),
    close: () => socket.destroy(),
  }
}

const lost = ({ url, pid }: RunRecord): GatewayError =>
  new GatewayError(
    'GATEWAY_LOST',
    say(
      `The gateway at ${url} (pid ${pid}) ended before it answered. What was asked may have been done.`,
      `${url} 的网关（pid ${pid}）在应答之前结束了。所请求的操作可能已经执行。`,
    ),
  )

/** An error of the gateway as it was there. */
export const toError = ({ code, message, details }: PlainError): GatewayError =>
  new GatewayError(
    (errorCodes as readonly string[]).includes(code) ? (code as ErrorCode) : 'INTERNAL',
    message,
    details ? { details } : {},
  )
