import type { JsonObject } from '../../model/json.js'
import type { Operation } from '../../operations/operation.js'
import {
  byName,
  choice,
  closed,
  flag,
  integer,
  list,
  number,
  of,
  shape,
  text,
  type ValueOf,
  words,
} from '../../operations/shape.js'
import { adminOperation } from './admin-operation.js'

/** One setting that can be changed here. */
const settingField = shape(
  {
    /** Its place in the file, as in `logging.level`. */
    path: text(),
    /** What to call it. */
    label: shape({ en: text(), zh: text() }),
    kind: choice(['choice', 'number', 'switch', 'text', 'list']),
    /** What is in force, or will be after a restart. */
    value: of<unknown>({}),
    /** Counts at once; else after a restart. */
    live: flag(),
    /** Changed since the start, and not in force before the next one. */
    waits: flag(),
  },
  {
    /** What to know of it beside. */
    help: shape({ en: text(), zh: text() }),
    choices: list(text()),
    /** The flag or variable that speaks before the file, so that a change here would change nothing. */
    fixedBy: text(),
  },
)

const settingsReport = shape(
  {
    /** All of it; the path is where clients connect. */
    config: of<JsonObject & { readonly server: { readonly path: string } }>({ type: 'object' }),
    fields: list(settingField),
    /** Every setting whose change since the start waits for the next one, also those that cannot be changed here. */
    waiting: list(text()),
  },
  {
    /** Not there when there is none yet; then the first change makes it. */
    file: text(),
  },
)

/** A link to voice devices, without any part of its token. */
const endpoint = shape(
  {
    name: text(),
    host: text(),
    profile: text(),
    state: choice(['stopped', 'connecting', 'connected', 'waiting']),
    connects: integer(),
    calls: integer(),
    running: integer(),
    late: integer(),
    maxResultBytes: integer(),
    maxListBytes: integer(),
  },
  {
    reason: text(),
    code: integer(),
    alarm: text(),
    nextTryAt: number(),
    connectedAt: integer(),
    tokenExpiresAt: integer(),
    peer: text(),
    pingMs: number(),
    list: shape({ tools: integer(), bytes: integer(), pages: integer(), tokens: integer() }),
  },
)

const endpointsAnswer = shape({ endpoints: list(endpoint) })

export type SettingField = ValueOf<typeof settingField>
export type SettingsReport = ValueOf<typeof settingsReport>
export type EndpointsAnswer = ValueOf<typeof endpointsAnswer>
export type EndpointRow = ValueOf<typeof endpoint>

export interface SettingsDesk {
  report(): SettingsReport
  /** By path; null takes a setting out of the file, so that its default counts. */
  save(changes: Readonly<Record<string, unknown>>): Promise<void>
}

interface SettingsBoard {
  readonly settings: SettingsDesk
  /** How the links to voice devices are. */
  xiaozhi(): readonly EndpointRow[]
}

/** What is in force, secrets left out, what of it can be changed here, and the links to voice devices. */
export const settingOperations = (board: SettingsBoard): readonly Operation[] => [
  adminOperation({
    id: 'readSettings',
    method: 'GET',
    path: '/settings',
    right: 'admin',
    summary: words('The settings in force, secrets left out', '生效的设置，不含机密'),
    answer: settingsReport,
    run: () => board.settings.report(),
  }),
  adminOperation({
    id: 'changeSettings',
    method: 'PUT',
    path: '/settings',
    right: 'admin',
    deed: { action: 'change', after: ({ body }) => Object.keys(body.changes).sort().join(',') },
    summary: words('Change settings in the file', '修改文件中的设置'),
    body: closed({ changes: byName(of<unknown>({}), { minProperties: 1, maxProperties: 64 }) }, ['changes']),
    answer: settingsReport,
    run: async ({ body }) => {
      await board.settings.save(body.changes)
      return board.settings.report()
    },
  }),
  adminOperation({
    id: 'listEndpoints',
    method: 'GET',
    path: '/xiaozhi',
    right: 'look',
    summary: words('How the links to voice devices are', '语音设备连接的状态'),
    answer: endpointsAnswer,
    run: () => ({ endpoints: board.xiaozhi() }),
  }),
]
