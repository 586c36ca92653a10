import { randomBytes } from 'node:crypto'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Socket } from 'node:net'
import type { GatewayError } from '../errors.js'
import { networkFailure, unavailable } from '../mcp/client/failure.js'
import type { LineChannel } from '../mcp/client/line-transport.js'
import { sourceLimits } from '../mcp/parse.js'
import { SealedLines } from '../mcp/sealed-lines.js'
import type { Caller } from '../model/caller.js'
import { isRecord } from '../model/json.js'
import type { Member } from './fleet.js'
import type { PeerPasses } from './peer-pass.js'
import { type LinkedSource, linkProtocol, peerHeader, peerPath } from './peers.js'

export interface DialOptions {
  readonly passes: Pick<PeerPasses, 'write'>
  readonly connectTimeoutMs: number
  readonly caller: Caller
}

/** An answer that refuses is short; one that is not is cut. */
const mostRefusalBytes = 64 * 1024

/** Begins a link to one source at another replica. */
export const dialLink = (
  to: Member,
  { source, epoch }: LinkedSource,
  { passes, connectTimeoutMs, caller }: DialOptions,
  signal: AbortSignal | undefined,
): Promise<LineChannel> =>
  new Promise((resolve, reject) => {
    if (to.address === undefined) return reject(unavailable(`Replica ${to.name} does not listen.`, { notSent: true }))
    const url = new URL(`${peerPath}/mcp/${encodeURIComponent(source)}`, to.address)
    const key = randomBytes(32)
    const pass = passes.write({ method: 'GET', target: url.pathname, caller, epoch, key, to })
    const headers = { connection: 'Upgrade', upgrade: linkProtocol, [peerHeader]: pass }
    // For the whole handshake: nothing is asked yet, so who is slow to let us in is as good as gone.
    const asked = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, { headers, signal, agent: false })
    const late = setTimeout(() => asked.destroy(lateHandshake()), connectTimeoutMs)
    asked.once('upgrade', (_answer, socket, head) => {
      clearTimeout(late)
      // Answers as long as any source's may be, and their frame.
      const maxLineBytes = sourceLimits.maxBytes + 64 * 1024
      resolve(new SealedLines({ socket: socket as Socket, head, key, side: 'client', maxLineBytes }))
    })
    asked.once('response', (answer) => {
      clearTimeout(late)
      refusalOf(to, source, answer).then(reject, reject)
    })
    asked.on('error', (error) => {
      clearTimeout(late)
      reject(signal?.aborted ? signal.reason : networkFailure(error, `replica ${to.name}`, true))
    })
    asked.end()
  })

const refusalOf = async (to: Member, source: string, answer: IncomingMessage): Promise<GatewayError> => {
  const said = await readShort(answer)
  const movedTo = answer.statusCode === 421 && isRecord(said) ? said.movedTo : undefined
  const why = movedTo ? 'does not hold it any more' : `answered ${answer.statusCode}`
  const details = movedTo === undefined ? { status: answer.statusCode } : { movedTo }
  return unavailable(`'${source}' could not be reached at replica ${to.name}, which ${why}.`, {
    notSent: true,
    details,
  })
}

const readShort = async (answer: IncomingMessage): Promise<unknown> => {
  let text = ''
  try {
    for await (const part of answer) {
      text += part
      if (text.length > mostRefusalBytes) break
    }
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const lateHandshake = (): Error => Object.assign(new Error('late'), { code: 'UND_ERR_CONNECT_TIMEOUT' })
