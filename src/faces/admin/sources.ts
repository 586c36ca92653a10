import { GatewayError } from '../../errors.js'
import type { Others } from '../../fleet/others.js'
import type { Gateway, SourceInfo } from '../../gateway.js'
import type { CancelSignal } from '../../model/cancel.js'
import type { JsonObject } from '../../model/json.js'
import type { Operation } from '../../operations/operation.js'
import {
  anyObject,
  choice,
  closed,
  flag,
  integer,
  list,
  number,
  shape,
  text,
  type ValueOf,
  words,
} from '../../operations/shape.js'
import { adminOperation } from './admin-operation.js'
import { atHolder, peer, restarted } from './at-holder.js'
import { type LogBoard, logLine } from './calls.js'
import { type Decider, deciderOf } from './decider.js'
import { type FindingDesk, scannedItem } from './findings.js'
import type { KeyDesk } from './keys.js'
import { guards, processes } from './process-shapes.js'
import { gather, inOrder, joinedSources, labelled } from './whole-fleet.js'

/** What failed repeatedly and is left alone; without a tool it is the whole source. */
const openCircuit = shape({ source: text(), reason: text(), since: integer(), retryAt: integer() }, { tool: text() })

/** Who decides what it runs, and whether what it shows later waits for a yes. */
const pinned = shape({
  how: choice(['remote', 'unpinned', 'pinned', 'local']),
  reason: shape({ en: text(), zh: text() }),
  newTools: choice(['hold', 'note']),
})

export const sourceRow = shape(
  {
    name: text(),
    kind: text(),
    namespace: text(),
    enabled: flag(),
    /** False for what this process brings along: its functions and the board's own tools. */
    configured: flag(),
    state: text(),
    tools: integer(),
    held: integer(),
    circuits: list(openCircuit),
  },
  {
    ...{ reason: text(), nextRetryAt: integer(), peer, guards, processes, pinned },
    /** Where it runs, if only one replica of a fleet runs it. */
    replica: text(),
    /** Where each replica runs its own: those that are in another state than this one. */
    elsewhere: list(shape({ replica: text(), state: text() }, { reason: text() })),
  },
)

const sourceDetail = shape(
  { source: sourceRow, logs: list(logLine), findings: list(scannedItem) },
  { config: anyObject() },
)

const testReport = shape(
  { ok: flag(), tools: list(shape({ name: text(), description: text() })), tookMs: number() },
  { reason: text() },
)

/** A source as the console lists it: what was asked for beside what became of it. */
export type SourceRow = ValueOf<typeof sourceRow>
export type SourceDetail = ValueOf<typeof sourceDetail>
export type TestReport = ValueOf<typeof testReport>

/** A source as the configuration has it, whether it runs or not. Secrets are masked. */
export interface ConfiguredSource {
  readonly name: string
  readonly type: string
  readonly enabled: boolean
  readonly namespace: string
  readonly config: JsonObject
  /** Why it is not mounted although it should be. */
  readonly problem: string | undefined
  readonly pinned: SourceRow['pinned']
}

/** Edits of the configuration, applied to the running gateway when they resolve. */
export interface SourceDesk {
  list(): readonly ConfiguredSource[]
  /** Adds or replaces. A masked value keeps what stands there. */
  save(name: string, config: JsonObject, by: Decider): Promise<void>
  remove(name: string): Promise<void>
  setEnabled(name: string, enabled: boolean): Promise<void>
  /** Starts it apart from the board, asks for its tools and ends it. */
  test(name: string, config: JsonObject, signal: CancelSignal): Promise<TestReport>
}

export interface SourceBoard {
  readonly gateway: Gateway
  readonly sources: SourceDesk
}

interface FindingBoard {
  readonly findings: FindingDesk
  readonly keys: KeyDesk
}

export const listSources = ({ gateway, sources }: SourceBoard): readonly SourceRow[] => {
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
  guards: info?.status.guards,
  processes: info?.status.processes,
  tools: info?.tools ?? 0,
  circuits: info?.circuits ?? [],
  pinned: source.pinned,
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
  guards: info.status.guards,
  tools: info.tools,
  circuits: info.circuits,
})

const config = anyObject({ maxProperties: 64 })
const params = { name: words('The name of the source', '来源名称') }

/** Sources: seen by `look`, switched and started anew by `operate`, made by `spawn`: what they run or lead to is in their entry. */
export const sourceOperations = (
  board: SourceBoard & LogBoard & FindingBoard,
  { others }: { readonly others?: Others | undefined },
): readonly Operation[] => [
  adminOperation({
    id: 'listSources',
    method: 'GET',
    path: '/sources',
    right: 'look',
    summary: words('The sources and their states', '来源列表及其状态'),
    answer: shape({ sources: list(sourceRow) }),
    run: async (request) => {
      const { said } = await gather(others, request, { sources: listSources(board) })
      const [own, ...rest] = said
      if (!others || rest.length === 0) return own!.answer
      const theirs = new Map(rest.map(({ replica = '', answer }) => [replica, answer.sources]))
      return { sources: joinedSources(own!.answer.sources, theirs, others) }
    },
  }),
  adminOperation({
    id: 'readSource',
    method: 'GET',
    path: '/sources/:name',
    right: 'look',
    summary: words('One source, its configuration and its log', '一个来源及其配置与日志'),
    params,
    answer: sourceDetail,
    run: async (request) => {
      const { name = '' } = request.params
      const source = listSources(board).find((row) => row.name === name)
      if (!source) throw unknown(name)
      const findings = await board.findings.ofSource(name)
      const own = {
        source,
        config: configured(board, name)?.config,
        logs: board.logs(name).slice(-mostLines),
        findings,
      }
      const { said } = await gather(others, request, own)
      if (!others || said.length === 1) return own
      const theirs = new Map(said.slice(1).map(({ replica = '', answer }) => [replica, [answer.source]]))
      const logs = inOrder(labelled(said, (answer) => answer.logs)).slice(-mostLines)
      return { ...own, source: joinedSources([source], theirs, others)[0]!, logs }
    },
  }),
  adminOperation({
    id: 'saveSource',
    method: 'PUT',
    path: '/sources/:name',
    right: 'spawn',
    summary: words('Add or replace a source', '新增或替换来源'),
    params,
    body: config,
    run: async ({ params, body, caller }) =>
      board.sources.save(params.name!, body, await deciderOf(board.keys, caller)),
  }),
  adminOperation({
    id: 'removeSource',
    method: 'DELETE',
    path: '/sources/:name',
    right: 'admin',
    summary: words('Remove a source', '删除来源'),
    params,
    run: ({ params }) => board.sources.remove(known(board, params.name!)),
  }),
  adminOperation({
    id: 'enableSource',
    method: 'POST',
    path: '/sources/:name/enable',
    right: 'operate',
    summary: words('Switch a source on', '启用来源'),
    params,
    run: ({ params }) => board.sources.setEnabled(known(board, params.name!), true),
  }),
  adminOperation({
    id: 'disableSource',
    method: 'POST',
    path: '/sources/:name/disable',
    right: 'operate',
    summary: words('Switch a source off', '停用来源'),
    params,
    run: ({ params }) => board.sources.setEnabled(known(board, params.name!), false),
  }),
  adminOperation({
    id: 'restartSource',
    method: 'POST',
    path: '/sources/:name/restart',
    right: 'operate',
    summary: words('Start a source anew', '重新启动来源'),
    params,
    answer: restarted,
    run: async ({ params, exchange, caller }) => {
      const elsewhere = await atHolder(others, params.name!, exchange, caller)
      if (elsewhere) return elsewhere
      const supervised = board.gateway.supervised(params.name!)
      if (!supervised) throw unknown(params.name!)
      // What became of it is its state, which the page follows; a failed start is no failure of this request.
      await supervised.restart().catch(() => {})
      // One that was set aside leaves its place to the real one.
      const now = board.gateway.sources().find(({ name }) => name === params.name)
      return { status: now?.status ?? supervised.status }
    },
  }),
  adminOperation({
    id: 'testSource',
    method: 'POST',
    path: '/source-test',
    right: 'spawn',
    summary: words('Try a source out, apart from the others', '单独试运行一个来源'),
    body: closed({ name: text({ minLength: 1, maxLength: 64 }), config }, ['name', 'config']),
    answer: testReport,
    run: ({ body, exchange }) => board.sources.test(body.name, body.config, exchange.cancel),
  }),
]

const mostLines = 300

const configured = ({ sources }: SourceBoard, name: string): ConfiguredSource | undefined =>
  sources.list().find((source) => source.name === name)

const known = (board: SourceBoard, name: string): string => {
  if (!configured(board, name)) throw unknown(name)
  return name
}

const unknown = (name: string): GatewayError =>
  new GatewayError('SOURCE_NOT_FOUND', `There is no source named '${name.slice(0, 64)}' to change; look at the list.`)
