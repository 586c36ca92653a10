import type { CancelSignal } from '../../model/cancel.js'
import type { Operation } from '../../operations/operation.js'
import {
  anyObject,
  byName,
  choice,
  closed,
  flag,
  integer,
  list,
  of,
  shape,
  text,
  type ValueOf,
  words,
} from '../../operations/shape.js'
import { adminOperation } from './admin-operation.js'
import { type Decider, deciderOf } from './decider.js'
import { scannedFinding } from './findings.js'
import type { KeyDesk } from './keys.js'

const listedServer = shape(
  {
    name: text(),
    version: text(),
    description: text(),
    /** What it can be had as: `npm`, `remote` … */
    packages: list(text()),
  },
  { title: text(), status: choice(['active', 'deprecated', 'deleted']), updatedAt: text(), websiteUrl: text() },
)

const serverSearch = shape({
  registries: list(
    shape(
      { name: text(), servers: list(listedServer), refused: integer() },
      {
        nextCursor: text(),
        /** When it said this, where it is away now. */
        keptSince: integer(),
      },
    ),
  ),
  away: list(shape({ name: text(), reason: text() })),
})

const askedInput = shape(
  {
    key: text(),
    name: text(),
    place: choice(['env', 'arg', 'runtime', 'header', 'url']),
    isRequired: flag(),
    isSecret: flag(),
    isRepeated: flag(),
    format: choice(['string', 'number', 'boolean', 'filepath']),
  },
  { description: text(), default: text(), placeholder: text(), choices: list(text()) },
)

const bothWords = shape({ en: text(), zh: text() })
const diffLine = shape({ sign: choice([' ', '+', '-']), text: text() })

const serverPlan = shape(
  {
    name: text(),
    version: text(),
    description: text(),
    registry: text(),
    /** What it would be called here. */
    source: text(),
    /** Whether that name is free. */
    isFree: flag(),
    package: text(),
    packages: list(shape({ id: text(), label: text() }, { problem: text() })),
    /** The exact command or address. */
    runs: text(),
    /** As it would be written, secrets by reference. */
    entry: anyObject(),
    inputs: list(askedInput),
    missing: list(text()),
    cautions: list(bothWords),
    findings: list(scannedFinding),
  },
  { title: text(), status: choice(['active', 'deprecated', 'deleted']), repository: text(), websiteUrl: text() },
)

const installedServer = shape({ added: text(), plan: serverPlan })

const sourceUpdate = shape(
  {
    source: text(),
    name: text(),
    version: text(),
    state: choice(['current', 'newer', 'refused', 'away']),
    diff: list(diffLine),
    missing: list(text()),
  },
  { latest: text(), reason: text(), runs: text() },
)

const sourceUpdates = shape({ sources: list(sourceUpdate) })

export type ListedServerRow = ValueOf<typeof listedServer>
export type ServerSearchAnswer = ValueOf<typeof serverSearch>
export type ServerInputRow = ValueOf<typeof askedInput>
export type ServerPlanAnswer = ValueOf<typeof serverPlan>
export type InstalledServer = ValueOf<typeof installedServer>
export type SourceUpdateRow = ValueOf<typeof sourceUpdate>
export type SourceUpdatesAnswer = ValueOf<typeof sourceUpdates>

const answers = byName(of<string | readonly string[]>({ type: ['string', 'array'] }), { maxProperties: 512 })
const wish = closed(
  {
    name: text({ minLength: 3, maxLength: 200 }),
    version: text({ maxLength: 255 }),
    registry: text({ maxLength: 2048 }),
    package: text({ maxLength: 64 }),
    as: text({ maxLength: 128 }),
    values: answers,
    /** Hosts of packages beside the public ones. */
    packageHosts: list(text({ maxLength: 256 }), { maxItems: 16 }),
    /** Only says what would be: nothing is written. */
    dryRun: flag(),
  },
  ['name'],
)

export type InstallServer = ValueOf<typeof wish>

/** The registries of servers, for an operator. Whatever is added arrives switched off. */
export interface RegistryDesk {
  search(
    asked: { readonly search: string; readonly cursor: string | undefined; readonly registry: string | undefined },
    signal: CancelSignal,
  ): Promise<ServerSearchAnswer>
  /** What would be, without anything being done. */
  plan(wanted: InstallServer, signal: CancelSignal): Promise<ServerPlanAnswer>
  install(wanted: InstallServer, by: Decider, signal: CancelSignal): Promise<InstalledServer>
  updates(signal: CancelSignal): Promise<SourceUpdatesAnswer>
  /** Takes the newer version of a source, as `updates` shows it. */
  update(
    source: string,
    values: InstallServer['values'],
    version: string,
    by: Decider,
    signal: CancelSignal,
  ): Promise<SourceUpdateRow>
}

const query = (exchange: { readonly query: URLSearchParams }, name: string, longest: number): string | undefined =>
  exchange.query.get(name)?.slice(0, longest) || undefined

/** Servers to be had by name. What is added could start a process, and looking asks others, so all of it needs `spawn` (T3). */
export const registryOperations = ({
  registries,
  keys,
}: {
  readonly registries: RegistryDesk
  readonly keys: KeyDesk
}): readonly Operation[] => [
  adminOperation({
    id: 'searchRegistries',
    method: 'GET',
    path: '/registry/servers',
    right: 'spawn',
    summary: words('Servers of the registries whose names hold `search`', '注册表中名称含 `search` 的服务器'),
    answer: serverSearch,
    run: ({ exchange }) =>
      registries.search(
        {
          search: query(exchange, 'search', 200) ?? '',
          cursor: query(exchange, 'cursor', 2048),
          registry: query(exchange, 'registry', 2048),
        },
        exchange.cancel,
      ),
  }),
  adminOperation({
    id: 'lookAtRegistryServer',
    method: 'GET',
    path: '/registry/servers/:name',
    right: 'spawn',
    summary: words('What a server is, asks for and would run', '服务器是什么、需要什么、会运行什么'),
    params: { name: words('Its name in the registry', '它在注册表中的名称') },
    answer: serverPlan,
    run: ({ exchange, params }) =>
      registries.plan(
        {
          name: params.name!,
          version: query(exchange, 'version', 255),
          registry: query(exchange, 'registry', 2048),
          package: query(exchange, 'package', 64),
        },
        exchange.cancel,
      ),
  }),
  adminOperation({
    id: 'installFromRegistry',
    method: 'POST',
    path: '/registry/install',
    right: 'spawn',
    summary: words(
      'Add a server of a registry as a source, switched off',
      '把注册表中的服务器添加为来源，添加后处于停用状态',
    ),
    body: wish,
    answer: installedServer,
    run: async ({ body, caller, exchange }) =>
      body.dryRun
        ? { added: '', plan: await registries.plan(body, exchange.cancel) }
        : registries.install(body, await deciderOf(keys, caller), exchange.cancel),
  }),
  adminOperation({
    id: 'listRegistryUpdates',
    method: 'GET',
    path: '/registry/updates',
    right: 'spawn',
    summary: words(
      'What newer versions of sources from registries would change',
      '来自注册表的来源有哪些新版本，以及会改变什么',
    ),
    answer: sourceUpdates,
    run: ({ exchange }) => registries.updates(exchange.cancel),
  }),
  adminOperation({
    id: 'updateFromRegistry',
    method: 'POST',
    path: '/registry/updates/:source',
    right: 'spawn',
    summary: words(
      'Take the newer version of a source, the one that was shown',
      '采用来源的新版本，即所显示的那个版本',
    ),
    params: { source: words('The source', '来源名称') },
    body: closed({ version: text({ maxLength: 255 }), values: answers }, ['version']),
    answer: sourceUpdate,
    run: async ({ body, params, caller, exchange }) =>
      registries.update(params.source!, body.values, body.version, await deciderOf(keys, caller), exchange.cancel),
  }),
]
