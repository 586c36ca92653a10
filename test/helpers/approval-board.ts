import { createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { loadConfig } from '../../src/config/load.js'
import { type OpenedBoard, openBoard } from '../../src/serving/open-board.js'
import { defineTool } from '../../src/sources/functions/define-tool.js'

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly message: any
}

/** Somebody else's HTTP server, to which messages about calls are posted. */
export interface Receiver extends AsyncDisposable {
  readonly url: string
  readonly received: Received[]
  /** Resolves with the message at this place, counted from one. */
  nth(count: number): Promise<Received>
}

export const startReceiver = async (
  answer: (count: number) => { status: number; headers?: Record<string, string> } | 'never' = () => ({ status: 204 }),
): Promise<Receiver> => {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      received.push({ headers: request.headers, body, message: body === '' ? undefined : JSON.parse(body) })
      const said = answer(received.length)
      if (said !== 'never') response.writeHead(said.status, said.headers).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    nth: async (count) => {
      await expect.poll(() => received.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(count)
      return received[count - 1]!
    },
    [Symbol.asyncDispose]: () => {
      server.closeAllConnections()
      return new Promise((resolve) => void server.close(() => resolve()))
    },
  }
}

export const secret = 'canary-approvals-secret'

/** As a receiver of another's checks it. */
export const isSigned = ({ headers, body }: Received): boolean => {
  const [, seconds, mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['pegboard-signature'])) ?? []
  return mac === createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** A whole gateway with a tool that a rule asks about, and a receiver that is told of it. */
export interface ApprovalBoard extends AsyncDisposable {
  readonly board: OpenedBoard
  readonly url: string
  readonly ran: unknown[]
  readonly agent: string
  readonly ops: string
  /** Calls the tool over REST, by the agent's key unless another is given. */
  refund(args: object, key?: string): Promise<Answer & { readonly json: any }>
  api(key: string, method: string, path: string, body?: unknown): Promise<Answer & { readonly json: any }>
  ask(method: string, url: string, headers?: Readonly<Record<string, string>>, body?: string): Promise<Answer>
  /** Sends the form of a link's page, as a browser does. */
  decide(
    link: string,
    fields: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>
  key(role: 'reader' | 'caller' | 'viewer' | 'operator' | 'admin', name?: string): Promise<string>
  log(): string
  edit(config: object): void
  /** Another process of the same folder, once this one has ended. */
  restart(): Promise<void>
}

export const openApprovalBoard = async (webhook: object | undefined, more: object = {}): Promise<ApprovalBoard> => {
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-approvers-'))
  const file = join(folder, 'pegboard.json')
  const logFile = join(folder, 'log')
  const base = {
    auth: { required: true },
    rules: [{ id: 'money', tools: ['refund'], effect: 'ask', reason: 'More than pocket money' }],
    logging: { level: 'info', file: logFile },
    ...more,
  }
  const edit = (config: object): void => writeFileSync(file, JSON.stringify({ ...base, ...config }))
  edit({ approvals: { webhook } })
  const ran: unknown[] = []
  const flags = { dataPath: join(folder, 'data') }
  const open = async (): Promise<OpenedBoard> => {
    const loaded = await loadConfig({ file, cwd: folder, env: {}, flags })
    const opened = await openBoard(loaded, { http: { port: 0 }, flags, cwd: folder, env: {} })
    opened.gateway.register(
      defineTool({
        name: 'refund',
        title: 'Refund\u202e money',
        input: { type: 'object' },
        handler: (args) => {
          ran.push(args)
          return 'refunded'
        },
      }),
    )
    return opened
  }
  let board = await open()
  const url = (): string => board.listener!.listensAt
  const key: ApprovalBoard['key'] = async (role, name = role) => (await board.listener!.keys.create({ name, role })).key
  // Not by `fetch`, which lets nobody say where a request comes from.
  const ask: ApprovalBoard['ask'] = (method, address, headers = {}, body) =>
    new Promise((resolve, reject) => {
      const asked = httpRequest(address, { method, headers }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        )
      })
      asked.once('error', reject)
      asked.end(body)
    })
  const api: ApprovalBoard['api'] = async (by, method, path, body) => {
    const headers = { authorization: `Bearer ${by}`, 'content-type': 'application/json' }
    const answer = await ask(method, `${url()}${path}`, headers, body === undefined ? undefined : JSON.stringify(body))
    return { ...answer, json: answer.text === '' ? undefined : JSON.parse(answer.text) }
  }
  const [agent, ops] = [await key('caller', 'agent'), await key('operator', 'ops')]
  return {
    get board() {
      return board
    },
    get url() {
      return url()
    },
    ...{ ran, agent, ops, key, ask, api, edit },
    refund: (args, by = agent) => api(by, 'POST', '/api/v1/tools/refund/call?result=value', args),
    decide: (link, fields, headers = {}) =>
      ask(
        'POST',
        link,
        {
          'content-type': 'application/x-www-form-urlencoded',
          origin: new URL(link).origin,
          'sec-fetch-site': 'same-origin',
          ...headers,
        },
        new URLSearchParams(fields).toString(),
      ),
    log: () => readFileSync(logFile, 'utf8'),
    restart: async () => {
      await board.close()
      board = await open()
    },
    [Symbol.asyncDispose]: async () => {
      await board.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
