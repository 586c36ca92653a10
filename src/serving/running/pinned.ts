import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Config } from '../../config/schema.js'
import { defined } from '../../model/json.js'
import { newNonce, proofHeader, toCallerProof } from './proof.js'
import type { RunRecord } from './record.js'

/** How a program of this machine knows the gateway that speaks TLS, and is known by it where clients need certificates. */
export type Recognition = Partial<Pick<RunRecord, 'pin' | 'key'>>

export interface OwnRequest {
  readonly method?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | undefined
  readonly waitMs: number
}

/** By the certificate in the configuration, where no run record says more. */
export const recognitionOf = async ({ server }: Pick<Config, 'server'>): Promise<Recognition> => {
  if (server.tls?.cert === undefined) return {}
  try {
    return { pin: new X509Certificate(await readFile(server.tls.cert)).fingerprint256 }
  } catch {
    return {}
  }
}

/**
 * Asks the gateway of this machine. Its certificate is known by its hash, which we have from a file of our own: who signed it
 * and for which name does not matter here, and nothing is sent to anybody else.
 */
export const fetchOwn = async (
  url: string,
  { pin, key }: Recognition,
  { method = 'GET', headers = {}, body, waitMs }: OwnRequest,
): Promise<Response> => {
  const signal = AbortSignal.timeout(waitMs)
  if (!url.startsWith('https:')) return fetch(url, { method, headers, body: body ?? null, signal })
  const { hostname, port } = new URL(url)
  const socket = await connectPinned(hostname, Number(port || 443), pin, waitMs)
  const http = await import('node:http')
  return new Promise((resolve, reject) => {
    const proof = key === undefined ? undefined : toCallerProof(key, newNonce())
    const sent = http.request(url.replace('https:', 'http:'), {
      method,
      headers: defined({ ...headers, [proofHeader]: proof, connection: 'close' }) as Record<string, string>,
      createConnection: () => socket,
      signal,
    })
    sent.on('error', reject)
    sent.on('response', async (answer) => {
      try {
        const chunks: Buffer[] = []
        for await (const chunk of answer) chunks.push(chunk as Buffer)
        const told = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)])
        const status = answer.statusCode ?? 500
        resolve(
          new Response(status === 204 || status === 304 ? null : Buffer.concat(chunks), { status, headers: told }),
        )
      } catch (error) {
        reject(error as Error)
      }
    })
    sent.end(body)
  })
}

/** A TLS connection to the holder of this certificate, and to nobody else. */
export const connectPinned = async (host: string, port: number, pin: string | undefined, waitMs: number) => {
  const { connect } = await import('node:tls')
  const socket = connect({
    host: host.replace(/^\[|\]$/g, ''),
    port,
    ALPNProtocols: ['http/1.1'],
    // By its hash below, before a byte of ours is sent.
    rejectUnauthorized: false,
  })
  socket.setNoDelay(true)
  const timer = setTimeout(() => socket.destroy(new Error(`no answer within ${waitMs} ms`)), waitMs)
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('secureConnect', resolve).once('error', reject)
      socket.once('close', () => reject(new Error('it closed the connection')))
    })
  } finally {
    clearTimeout(timer)
  }
  if (pin !== undefined && socket.getPeerX509Certificate()?.fingerprint256 === pin) return socket
  socket.on('error', () => {})
  socket.destroy()
  throw new Error('another certificate is shown there than that of our gateway')
}
