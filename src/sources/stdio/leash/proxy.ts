import { lookup } from 'node:dns'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { isIP, type LookupFunction, connect as openSocket, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Logger } from '../../../telemetry/logger.js'
import { isPrivateAddress } from '../../private-addresses.js'
import { createAllowList } from './allow-list.js'

export interface SandboxProxy {
  close(): Promise<void>
}

export interface SandboxProxyOptions {
  /** The file of the socket at which it listens: whoever can open it may use it. */
  readonly socket: string
  readonly allow: readonly string[]
  /** Whose traffic it is. */
  readonly source: string
  readonly logger: Logger
}

const mostConnections = 256
const dialMs = 15_000
// One line for each new place, and no more than this many: who asks for a million names fills no log.
const mostTold = 64

/**
 * The way out of a box with a list of places: HTTP CONNECT for everything with TLS, plain requests for the rest. The place
 * is judged here, outside; a name is looked up by us and dialled at the very address that was checked, and one that leads
 * into a private network is refused unless the list names that address itself (T10, T11).
 */
export const openSandboxProxy = async (options: SandboxProxyOptions): Promise<SandboxProxy> => {
  const gate = createGate(options)
  const server = createServer({ headersTimeout: 10_000, maxHeaderSize: 16_384 })
  const open = new Set<Duplex>()
  server.maxConnections = mostConnections
  server.on('connection', (socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  })
  server.on('connect', (asked, client, head) => tunnel(asked, client as Socket, head, gate))
  server.on('request', (asked, answer) => forward(asked, answer, gate))
  server.on('clientError', (_error, socket) => void socket.destroy())
  await listen(server, options.socket)
  return {
    close: async () => {
      for (const socket of open) socket.destroy()
      await new Promise<void>((resolve) => void server.close(() => resolve()))
    },
  }
}

const listen = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      server.off('error', reject)
      server.on('error', () => {})
      // It alone must not keep the process alive.
      server.unref()
      resolve()
    })
  })

interface Passage {
  readonly host: string
  readonly port: number
  readonly lookup: LookupFunction
}

type Gate = (host: string, port: number) => Passage | undefined

const createGate = ({ allow, source, logger }: SandboxProxyOptions): Gate => {
  const list = createAllowList(allow)
  const told = new Set<string>()
  const tell = (place: string, why: string): void => {
    if (told.has(place) || told.size >= mostTold) return
    told.add(place)
    logger.log('warn', `Kept a sandboxed source from a place that is not on its list`, { source, place, why })
  }
  return (written, port) => {
    const host = written.replace(/^\[|\]$/g, '')
    const place = `${host.slice(0, 255)}:${port}`
    const verdict = list.judge(host, port)
    if (verdict === 'no') return void tell(place, 'not allowed')
    const guarded: LookupFunction = (name, wanted, callback) => {
      lookup(name, { ...wanted, all: true }, (error, addresses) => {
        if (error) return callback(error, '', 0)
        const good = verdict === 'named' ? addresses : addresses.filter(({ address }) => !isPrivateAddress(address))
        const [first] = good
        if (!first) {
          tell(place, 'leads to a private address')
          return callback(Object.assign(new Error('leads to a private address'), { code: 'EACCES' }), '', 0)
        }
        if (wanted.all) callback(null, good as never, 0)
        else callback(null, first.address, first.family)
      })
    }
    // An address never reaches the lookup; in the list it is named, and so may be private.
    return { host, port, lookup: guarded }
  }
}

const tunnel = (asked: IncomingMessage, client: Socket, head: Buffer, gate: Gate): void => {
  client.on('error', () => client.destroy())
  const [, host = '', port = ''] = /^(\[[0-9a-f:.]+\]|[^:\s]+):(\d{1,5})$/i.exec(asked.url ?? '') ?? []
  const passage = host === '' ? undefined : gate(host, Number(port))
  if (!passage) return void client.end('HTTP/1.1 403 Not on the list of this sandbox\r\nContent-Length: 0\r\n\r\n')
  const far = openSocket({ host: passage.host, port: passage.port, lookup: passage.lookup, timeout: dialMs })
  far.once('timeout', () => far.destroy())
  far.once('connect', () => {
    far.setTimeout(0)
    client.write('HTTP/1.1 200 Connection established\r\n\r\n')
    far.write(head)
    far.pipe(client)
    client.pipe(far)
  })
  far.on('error', (error: NodeJS.ErrnoException) => {
    const status = error.code === 'EACCES' ? '403 Leads to a private address' : '502 Not reached'
    if (far.connecting || !client.bytesWritten) client.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`)
    else client.destroy()
  })
  far.on('close', () => client.destroySoon())
  client.on('close', () => far.destroy())
}

/** `GET http://host/path`, as programs ask a proxy without TLS. The host of the address counts, whatever the header says. */
const forward = (asked: IncomingMessage, answer: ServerResponse, gate: Gate): void => {
  const url = URL.canParse(asked.url ?? '') ? new URL(asked.url ?? '') : undefined
  const passage = url?.protocol === 'http:' ? gate(url.hostname, Number(url.port || 80)) : undefined
  if (!url || !passage)
    return void answer.writeHead(403, 'Not on the list of this sandbox', { connection: 'close' }).end()
  const { 'proxy-connection': _own, 'proxy-authorization': _theirs, ...headers } = asked.headers
  const far = request({
    host: passage.host,
    port: passage.port,
    lookup: passage.lookup,
    family: isIP(passage.host) || undefined,
    path: `${url.pathname}${url.search}`,
    method: asked.method,
    headers: { ...headers, host: url.host, connection: 'close' },
    agent: false,
  })
  far.on('response', (response) => {
    answer.writeHead(response.statusCode ?? 502, { ...response.headers, connection: 'close' })
    response.pipe(answer)
    response.on('error', () => answer.destroy())
  })
  far.on('error', (error: NodeJS.ErrnoException) => {
    if (answer.headersSent) return void answer.destroy()
    answer.writeHead(error.code === 'EACCES' ? 403 : 502, { connection: 'close' }).end()
  })
  answer.on('close', () => far.destroy())
  asked.pipe(far)
}
