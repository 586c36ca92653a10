import { execFileSync } from 'node:child_process'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { type GatewayProcess, startGateway } from '../helpers/gateway-process.js'

/** A gateway of several processes, as a user starts it. */
export const startWorkers = (config: { readonly server?: object; readonly [key: string]: unknown } = {}, workers = 2) =>
  startGateway({ ...config, server: { workers, ...config.server } })

/** The processes that a gateway started itself to serve. */
export const workersOf = ({ pid }: Pick<GatewayProcess, 'pid'>): readonly number[] =>
  childrenOf(pid).filter((child) =>
    execFileSync('ps', ['-o', 'args=', '-p', String(child)], { encoding: 'utf8' }).includes(' serve '),
  )

export const childrenOf = (pid: number): readonly number[] => {
  try {
    return execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
      .split('\n')
      .filter(Boolean)
      .map(Number)
  } catch {
    return []
  }
}

export interface Answered {
  readonly status: number
  readonly body: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** Asks over a connection of its own, which goes to whichever process is next. */
export const ask = (
  url: string,
  { method = 'POST', body, headers = {} }: { method?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method,
        agent: false,
        headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            body: Buffer.concat(chunks).toString('utf8'),
            headers: response.headers,
          }),
        )
      },
    )
    sent.on('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })

export const openSocket = (url: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname, () => resolve(socket))
    socket.once('error', reject)
  })
