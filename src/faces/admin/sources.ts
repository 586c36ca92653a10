import { GatewayError } from '../../errors.js'
import type { SourceInfo } from '../../gateway.js'
import type { Route } from '../../http/route.js'
import type { JsonObject } from '../../model/json.js'
import type { OpenCircuit } from '../../model/open-circuit.js'
import { adminRoute, closed } from './admin-route.js'
import type { AdminBoard, ConfiguredSource } from './board.js'

/** A source as the console lists it: what was asked for beside what became of it. */
export interface SourceRow {
  readonly name: string
  readonly kind: string
  readonly namespace: string
  readonly enabled: boolean
  /** False for what this process brings along: its functions and the board's own tools. */
  readonly configured: boolean
  readonly state: string
  readonly reason: string | undefined
  readonly nextRetryAt: number | undefined
  readonly peer: object | undefined
  readonly tools: number
  readonly held: number
  readonly circuits: readonly OpenCircuit[]
}

export const listSources = ({ gateway, sources }: AdminBoard): readonly SourceRow[] => {
  const running = new Map(gateway.sources().map((info) => [info.name, info]))
  const configured = sources.list()
  const names = new Set(configured.map(({ name }) => name))
  const held = heldBySource(gateway.catalog.held())
  const rows = [
    ...configured.map((source) => toRow(source, running.get(source.name))),
    ...[...running.values()].filter(({ name }) => !names.has(name)).map(ownRow),
  ]
  return rows.map((row) => ({ ...row, held: held.get(row.name) ?? 0 })).filter((row) => row.configured || row.tools > 0)
}

const heldBySource = (tools: readonly { readonly source: string }[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const { source } of tools) counts.set(source, (counts.get(source) ?? 0) + 1)
  return counts
}

const toRow = (source: ConfiguredSource, info: SourceInfo | undefined): Omit<SourceRow, 'held'> => ({
  name: source.name,
  kind: source.type,
  namespace: source.namespace,
  enabled: source.enabled,
  configured: true,
  state: info?.status.state ?? (source.problem === undefined ? 'stopped' : 'needs-config'),
  reason: info ? info.status.reason : (source.problem ?? 'Switched off.'),
  nextRetryAt: info?.status.nextRetryAt,
  peer: info?.status.peer,
  tools: info?.tools ?? 0,
  circuits: info?.circuits ?? [],
})

const ownRow = (info: SourceInfo): Omit<SourceRow, 'held'> => ({
  name: info.name,
  kind: info.kind,
  namespace: info.namespace,
  enabled: true,
  configured: false,
  state: info.status.state,
  reason: info.status.reason,
  nextRetryAt: info.status.nextRetryAt,
  peer: info.status.peer,
  tools: info.tools,
  circuits: info.circuits,
})

const name = { type: 'string', minLength: 1, maxLength: 64 }
const config = { type: 'object', maxProperties: 64 }

/** Sources: seen by `admin`, started and changed by `spawn`. */
export const sourceRoutes = (board: AdminBoard): readonly Route[] => [
  adminRoute({ method: 'GET', path: '/sources', right: 'admin', run: () => ({ sources: listSources(board) }) }),
  adminRoute({
    method: 'GET',
    path: '/sources/:name',
    right: 'admin',
    run: ({ params }) => {
      const source = listSources(board).find((row) => row.name === params.name)
      if (!source) throw unknown(params.name!)
      return { source, config: configured(board, params.name!)?.config, logs: board.logs(params.name).slice(-300) }
    },
  }),
  adminRoute<JsonObject>({
    method: 'PUT',
    path: '/sources/:name',
    right: 'spawn',
    body: config,
    run: ({ params, body }) => board.sources.save(params.name!, body),
  }),
  adminRoute({
    method: 'DELETE',
    path: '/sources/:name',
    right: 'admin',
    run: ({ params }) => board.sources.remove(known(board, params.name!)),
  }),
  adminRoute({
    method: 'POST',
    path: '/sources/:name/enable',
    right: 'spawn',
    run: ({ params }) => board.sources.setEnabled(known(board, params.name!), true),
  }),
  adminRoute({
    method: 'POST',
    path: '/sources/:name/disable',
    right: 'admin',
    run: ({ params }) => board.sources.setEnabled(known(board, params.name!), false),
  }),
  adminRoute({
    method: 'POST',
    path: '/sources/:name/restart',
    right: 'spawn',
    run: async ({ params }) => {
      const supervised = board.gateway.supervised(params.name!)
      if (!supervised) throw unknown(params.name!)
      // What became of it is its state, which the page follows; a failed start is no failure of this request.
      await supervised.restart().catch(() => {})
      // One that was set aside leaves its place to the real one.
      const now = board.gateway.sources().find(({ name }) => name === params.name)
      return { status: now?.status ?? supervised.status }
    },
  }),
  adminRoute<{ readonly name: string; readonly config: JsonObject }>({
    method: 'POST',
    path: '/source-test',
    right: 'spawn',
    body: closed({ name, config }, ['name', 'config']),
    run: ({ body, exchange }) => board.sources.test(body.name, body.config, exchange.signal),
  }),
]

const configured = ({ sources }: AdminBoard, name: string): ConfiguredSource | undefined =>
  sources.list().find((source) => source.name === name)

const known = (board: AdminBoard, name: string): string => {
  if (!configured(board, name)) throw unknown(name)
  return name
}

const unknown = (name: string): GatewayError =>
  new GatewayError('SOURCE_NOT_FOUND', `There is no source named '${name.slice(0, 64)}' to change; look at the list.`)
