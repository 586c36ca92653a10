import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { Agent, type ClientRequest, request } from 'node:http'
import { request as requestByTls, Agent as TlsAgent } from 'node:https'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type GatewayProcess, type GatewayProcessOptions, startGateway } from '../helpers/gateway-process.js'

/** A gateway of several processes, as a user starts it. */
export const startWorkers = (
  config: { readonly server?: object; readonly [key: string]: unknown } = {},
  workers: number | 'auto' = 2,
  options?: GatewayProcessOptions,
) => startGateway({ ...config, server: { workers, ...config.server } }, options)

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

export interface Asked {
  readonly method?: string | undefined
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Whom to trust, where TLS is spoken. */
  readonly ca?: Buffer | undefined
}

/** Asks over a connection of its own, which goes to whichever process is next. */
export const ask = (url: string, asked: Asked = {}): Promise<Answered> =>
  send(url, asked, agentFor(url, asked)).answered

/** Asks this one of the processes, over a connection that the others could not take. One at a time. */
export const askAt = async (worker: number, url: string, asked: Asked = {}): Promise<Answered> => {
  const agent = await agentAt(worker, url, asked)
  try {
    return await send(url, asked, agent).answered
  } finally {
    agent.destroy()
  }
}

/** Opens a stream at this one of the processes; `ended` resolves when that closes it. */
export const streamAt = async (worker: number, url: string, asked: Asked): Promise<{ ended: Promise<void> }> => {
  const { sent } = send(url, asked, await agentAt(worker, url, asked))
  const status = await new Promise<number>((resolve, reject) => {
    sent.once('response', ({ statusCode }) => resolve(statusCode!))
    sent.once('error', reject)
  })
  if (status !== 200) throw new Error(`The stream was refused: ${status}`)
  return { ended: new Promise<void>((resolve) => void sent.once('close', resolve)) }
}

/** Its one connection is open at this process: whichever is free takes one, so the others are halted for that moment. */
const agentAt = async (worker: number, url: string, asked: Asked): Promise<Agent> => {
  const pid = Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(worker)], { encoding: 'utf8' }))
  const others = workersOf({ pid }).filter((each) => each !== worker)
  for (;;) {
    const agent = agentFor(url, asked)
    for (const other of others) process.kill(other, 'SIGSTOP')
    const { sent, answered } = send(new URL('/healthz', url).href, { method: 'GET' }, agent)
    try {
      await answered
    } finally {
      for (const other of others) process.kill(other, 'SIGCONT')
    }
    if (isOpenAt(worker, sent.socket!)) return agent
    agent.destroy()
  }
}

const agentFor = (url: string, { ca }: Asked): Agent =>
  url.startsWith('https:')
    ? new TlsAgent({ keepAlive: true, maxSockets: 1, ca })
    : new Agent({ keepAlive: true, maxSockets: 1 })

const send = (
  url: string,
  { method = 'POST', body, headers = {} }: Asked,
  agent: Agent,
): { sent: ClientRequest; answered: Promise<Answered> } => {
  const types = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
  const by = url.startsWith('https:') ? requestByTls : request
  const sent = by(url, { method, agent, headers: { ...types, ...headers } })
  const answered = new Promise<Answered>((resolve, reject) => {
    sent.once('error', reject)
    sent.once('response', (response) => {
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
    })
  })
  answered.catch(() => {})
  sent.end(body === undefined ? undefined : JSON.stringify(body))
  return { sent, answered }
}

/** Whether the other end of a connection is open in this process, as the system tells. */
const isOpenAt = (pid: number, { localPort, remotePort }: Socket): boolean => {
  const hex = (port: number | undefined): string => `:${(port ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
  const rows = ['tcp', 'tcp6'].flatMap((kind) => readFileSync(`/proc/net/${kind}`, 'utf8').trim().split('\n').slice(1))
  const inode = rows
    .map((row) => row.trim().split(/\s+/))
    .find(([, local, remote]) => local!.endsWith(hex(remotePort)) && remote!.endsWith(hex(localPort)))?.[9]
  const folder = `/proc/${pid}/fd`
  return readdirSync(folder).some((file) => linkOf(`${folder}/${file}`) === `socket:[${inode}]`)
}

const linkOf = (file: string): string | undefined => {
  try {
    return readlinkSync(file)
  } catch {
    // Closed since it was listed.
    return undefined
  }
}

/** A request of the modern era, which every process answers by itself. */
export const modern = (method: string, params: { readonly name?: string; readonly [key: string]: unknown } = {}) => ({
  headers: {
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': method,
    ...(params.name === undefined ? {} : { 'Mcp-Name': params.name }),
  },
  body: {
    jsonrpc: '2.0',
    id: 1,
    method,
    params: {
      ...params,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  },
})

/** The answer, as one text, to a call at this one of the processes. */
export const callAt = async (
  worker: number,
  url: string,
  tool: string,
  args: object = {},
  more: Pick<Asked, 'headers' | 'ca'> = {},
): Promise<string> => {
  const { headers, body } = modern('tools/call', { name: tool, arguments: args })
  const answer = await askAt(worker, url, { body, ca: more.ca, headers: { ...headers, ...more.headers } })
  return `${answer.status} ${answer.body}`
}

export const adminKeyOf = ({ folder }: Pick<GatewayProcess, 'folder'>): string =>
  readFileSync(join(folder, 'data', 'admin.key'), 'utf8').trim()

/** Long enough for a machine that does much else. */
export const patient = { interval: 50, timeout: 45_000 }

const upstream = fileURLToPath(new URL('../../bench/gateway/upstream.mjs', import.meta.url))

/** Whether it is the child of `echoSource`. */
export const isEcho = (pid: number): boolean =>
  execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).includes(upstream)

/** A child that says again what it is told: `echo`. */
export const echoSource = { type: 'stdio', command: process.execPath, args: [upstream, 'stdio', '3', ''] }
