import { connect, type Socket } from 'node:net'
import { type ErrorCode, errorCodes, GatewayError } from '../../errors.js'
import { isProof, newNonce, proofHeader, toCallerProof } from './proof.js'
import type { RunRecord } from './record.js'

/** What the caller says of itself, so that the gateway can tell whether it serves the same. */
export interface Claim {
  readonly [name: string]: string | undefined
}

const patienceMs = 2000
const mostHeadBytes = 16 * 1024

/** The header that carries a claim. */
export const claimHeader = 'pegboard-claim'

/** The protocol name of the upgrade. */
export const localUpgrade = 'pegboard-local'

/**
 * A socket into the running gateway, both sides having proved the key. Over its own port, by an upgrade that is refused
 * to everybody else. Not by `node:http`: a bridge should weigh no more than what it does.
 */
export const dial = async (record: RunRecord, path: string, claim?: Claim, waitMs = patienceMs): Promise<Socket> => {
  const { hostname, port, host, protocol } = new URL(record.url)
  const nonce = newNonce()
  const socket =
    protocol === 'https:'
      ? await (await import('./pinned.js')).connectPinned(hostname, Number(port), record.pin, waitMs)
      : connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port), noDelay: true })
  const timer = setTimeout(() => socket.destroy(new Error(`no answer within ${waitMs} ms`)), waitMs)
  try {
    socket.write(requestOf(path, host, toCallerProof(record.key, nonce), claim))
    const { head, rest } = await readHead(socket)
    const told = headerOf(head, proofHeader) ?? ''
    if (!isProof(record.key, 'gateway', nonce, told)) throw new Error('somebody else answers there')
    if (!head.startsWith('HTTP/1.1 101 ')) throw await refusal(socket, rest)
    if (rest.length > 0) socket.unshift(rest)
    return socket
  } catch (error) {
    socket.on('error', () => {})
    socket.destroy()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** Whether the gateway of this record is there and is the one that wrote it. */
export const answers = async (record: RunRecord, waitMs?: number): Promise<boolean> => {
  try {
    const socket = await dial(record, '/local/hello', undefined, waitMs)
    socket.destroy()
    return true
  } catch {
    return false
  }
}

const requestOf = (path: string, host: string, proof: string, claim: Claim | undefined): string =>
  [
    `GET ${path} HTTP/1.1`,
    `Host: ${host}`,
    'Connection: Upgrade',
    `Upgrade: ${localUpgrade}`,
    `${proofHeader}: ${proof}`,
    ...(claim ? [`${claimHeader}: ${Buffer.from(JSON.stringify(claim)).toString('base64url')}`] : []),
    '\r\n',
  ].join('\r\n')

const readHead = (socket: Socket): Promise<{ readonly head: string; readonly rest: Buffer }> =>
  new Promise((resolve, reject) => {
    let bytes: Buffer = Buffer.alloc(0)
    const onData = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk])
      const end = bytes.indexOf('\r\n\r\n')
      if (end < 0 && bytes.length > mostHeadBytes) return fail(new Error('its answer is not ours'))
      if (end < 0) return
      leave()
      socket.pause()
      resolve({ head: bytes.subarray(0, end).toString('latin1'), rest: bytes.subarray(end + 4) })
    }
    const fail = (error?: Error): void => {
      leave()
      reject(error ?? new Error('it closed the connection'))
    }
    const onEnd = (): void => fail()
    const leave = (): void => {
      socket.off('data', onData).off('error', fail).off('end', onEnd).off('close', onEnd)
    }
    socket.on('data', onData).on('error', fail).on('end', onEnd).on('close', onEnd)
  })

const headerOf = (head: string, name: string): string | undefined =>
  head
    .split('\r\n')
    .find((line) => line.toLowerCase().startsWith(`${name}:`))
    ?.slice(name.length + 1)
    .trim()

/** Why it does not let us in, in its own words. */
const refusal = async (socket: Socket, rest: Buffer): Promise<GatewayError> => {
  const chunks = [rest]
  for await (const chunk of socket) chunks.push(chunk as Buffer)
  const { error } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { error: { code: string; message: string } }
  const code = (errorCodes as readonly string[]).includes(error.code) ? (error.code as ErrorCode) : 'INTERNAL'
  return new GatewayError(code, error.message)
}
