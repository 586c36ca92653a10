import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Json = Readonly<Record<string, unknown>>

/** One version of one server as a registry has it. */
export interface RegistryEntry {
  readonly server: Json & { readonly name: string; readonly version: string }
  readonly status?: 'active' | 'deprecated' | 'deleted' | undefined
  readonly statusMessage?: string | undefined
}

/** How a registry lies; by the path and query that it is asked for. */
export type Lie = (url: URL, request: IncomingMessage, response: ServerResponse) => boolean

export interface TestRegistry extends AsyncDisposable {
  readonly url: string
  /** What was asked for, with the answer's status. */
  readonly asked: { readonly path: string; readonly status: number; readonly headers: IncomingMessage['headers'] }[]
  entries: readonly RegistryEntry[]
  lie: Lie | undefined
  close(): Promise<void>
}

/**
 * A registry that speaks the official API, v0.1, over a real socket: pages by cursor, search in names, `version=latest`,
 * ETag. Its entries and its lies can be changed while it runs.
 */
export const openTestRegistry = async (entries: readonly RegistryEntry[]): Promise<TestRegistry> => {
  const registry = { entries, lie: undefined as Lie | undefined, asked: [] as TestRegistry['asked'] }
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://registry')
    response.on('finish', () =>
      registry.asked.push({ path: request.url ?? '', status: response.statusCode, headers: request.headers }),
    )
    if (registry.lie?.(url, request, response)) return
    const answer = answerTo(url, registry.entries)
    if (answer === undefined) return send(request, response, 404, { error: 'Server not found' })
    send(request, response, 200, answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return Object.assign(registry, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close,
    [Symbol.asyncDispose]: close,
  })
}

export const send = (request: IncomingMessage, response: ServerResponse, status: number, value: unknown): void => {
  const body = JSON.stringify(value)
  const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`
  if (status === 200 && request.headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end()
  response.writeHead(status, { 'content-type': 'application/json', etag }).end(body)
}

const answerTo = (url: URL, entries: readonly RegistryEntry[]): unknown => {
  const [, name, version] = /^\/v0\.1\/servers\/([^/]+)\/versions(?:\/([^/]+))?$/.exec(url.pathname) ?? []
  if (name !== undefined) {
    const own = entries.filter(({ server }) => server.name === decodeURIComponent(name))
    if (own.length === 0) return undefined
    if (version === undefined) return page([...own].reverse(), entries)
    const wanted = decodeURIComponent(version)
    const found = wanted === 'latest' ? own.at(-1) : own.find(({ server }) => server.version === wanted)
    return found && toResponse(found, entries)
  }
  if (url.pathname !== '/v0.1/servers') return undefined
  const { searchParams: query } = url
  const search = query.get('search')?.toLowerCase() ?? ''
  const found = entries
    .filter(({ server }) => server.name.toLowerCase().includes(search))
    .filter((entry) => query.get('version') !== 'latest' || isLatest(entry, entries))
  const limit = Number(query.get('limit') ?? 30)
  const after = query.get('cursor')
  const from = after === null ? 0 : found.findIndex(({ server }) => `${server.name}:${server.version}` === after) + 1
  const shown = found.slice(from, from + limit)
  const last = shown.at(-1)
  return page(
    shown,
    entries,
    from + limit < found.length && last ? `${last.server.name}:${last.server.version}` : undefined,
  )
}

const page = (shown: readonly RegistryEntry[], all: readonly RegistryEntry[], nextCursor?: string): unknown => ({
  servers: shown.map((entry) => toResponse(entry, all)),
  metadata: { ...(nextCursor !== undefined && { nextCursor }), count: shown.length },
})

const isLatest = (entry: RegistryEntry, all: readonly RegistryEntry[]): boolean =>
  all.filter(({ server }) => server.name === entry.server.name).at(-1) === entry

const toResponse = (entry: RegistryEntry, all: readonly RegistryEntry[]): unknown => ({
  server: entry.server,
  _meta: {
    'io.modelcontextprotocol.registry/official': {
      status: entry.status ?? 'active',
      ...(entry.statusMessage !== undefined && { statusMessage: entry.statusMessage }),
      publishedAt: '2026-01-02T03:04:05Z',
      updatedAt: '2026-01-02T03:04:05Z',
      isLatest: isLatest(entry, all),
    },
  },
})

const schema = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'

/** A server of npm, with what is said beside. */
export const npmServer = (name: string, version: string, more: Json = {}, own: Json = {}): RegistryEntry => ({
  server: {
    $schema: schema,
    name,
    description: `The server ${name.split('/')[1]}`,
    version,
    packages: [
      {
        registryType: 'npm',
        registryBaseUrl: 'https://registry.npmjs.org',
        identifier: `@example/${name.split('/')[1]}`,
        version,
        transport: { type: 'stdio' },
        ...more,
      },
    ],
    ...own,
  },
})
