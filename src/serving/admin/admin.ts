import { fileURLToPath } from 'node:url'
import type { Keys } from '../../access/keys.js'
import { auditWishes } from '../../config/audit-schema.js'
import type { AuditDesk } from '../../faces/admin/audit.js'
import { consoleRoutes } from '../../faces/admin/console-files.js'
import type { AdminBoard, AdminFace } from '../../faces/admin/face.js'
import { createAdminFace } from '../../faces/admin/face.js'
import type { HistoryDesk } from '../../faces/admin/history.js'
import type { LogRing } from '../../faces/admin/log-ring.js'
import type { MeDesk } from '../../faces/admin/me.js'
import type { OverrideDesk } from '../../faces/admin/overrides.js'
import type { ParkedDesk } from '../../faces/admin/parked.js'
import type { PeopleDesk } from '../../faces/admin/people.js'
import type { PublishDesk } from '../../faces/admin/publish.js'
import type { RegistryDesk } from '../../faces/admin/registry.js'
import type { ScriptDesk } from '../../faces/admin/scripts.js'
import type { SessionDesk } from '../../faces/admin/session.js'
import type { ReadingDesk } from '../../faces/admin/source-reading.js'
import { waitingRoomOf } from '../../gateway.js'
import type { Route } from '../../http/route.js'
import { systemClock } from '../../model/clock.js'
import type { CallDesk } from '../../operations/call-approvals.js'
import { createApprovalDesk } from '../approvals/approval-desk.js'
import { createEffectDesk } from '../approvals/effect-desk.js'
import type { Board } from '../board.js'
import type { FileInForce } from '../file-in-force.js'
import type { OtherReplicas } from '../other-replicas.js'
import { reportOf } from '../profile-report.js'
import type { CommonFlags } from '../read-config.js'
import type { Telemetry } from '../telemetry.js'
import { version } from '../version.js'
import type { XiaozhiLinks } from '../xiaozhi-links.js'
import { createFindingDesk } from './findings.js'
import { createFleetDesk } from './fleet.js'
import { createImportDesk } from './imports.js'
import { createProfileDesk } from './profiles.js'
import { createSettingsDesk } from './settings.js'
import { createSourceDesk } from './sources.js'

export interface AdminSurroundings {
  readonly inForce: FileInForce
  readonly flags: CommonFlags
  readonly env: Readonly<Record<string, string | undefined>>
  readonly keys: Keys
  readonly session: SessionDesk
  readonly people: PeopleDesk
  readonly own: MeDesk
  readonly xiaozhi: Pick<XiaozhiLinks, 'status'>
  readonly ring: LogRing
  readonly clean: (text: string) => string
  readonly telemetry: Telemetry
  readonly callDesk: CallDesk
  readonly others: OtherReplicas | undefined
  /** Where the console's files are. Default: beside the compiled command line. */
  readonly consoleFolder?: string | undefined
}

/** What `serve` offers to its operator: the admin API, and the console in front of it. */
export const openAdmin = (
  board: Board,
  around: AdminSurroundings,
): { readonly routes: readonly Route[]; readonly feed: AdminFace['feed']; close(): void } => {
  const { inForce, flags, env, keys, xiaozhi, ring, clean, telemetry, consoleFolder = builtConsole } = around
  const { session, people, own } = around
  const admin: AdminBoard = {
    gateway: board.gateway,
    version,
    sources: createSourceDesk(board, inForce),
    reading: readingDesk(inForce, env),
    findings: createFindingDesk(board.gateway),
    keys,
    session,
    own,
    people,
    parked: parkedDesk(board, clean),
    signIns: board.signIns,
    approvals: createApprovalDesk(board),
    callDesk: around.callDesk,
    effects: createEffectDesk(board),
    profiles: createProfileDesk(board, inForce),
    rules: {
      rows: async () => (await ruleDesk()).createRuleDesk(board.gateway).rows(),
      explain: async (asked) => (await ruleDesk()).createRuleDesk(board.gateway).explain(asked),
    },
    overrides: overrideDesk(board, inForce, env),
    scripts: scriptDesk(board),
    publish: publishDesk(board, inForce),
    settings: createSettingsDesk({ board, inForce, flags, env }),
    imports: createImportDesk(inForce, board.reviewing.fourEyes),
    registries: registryDesk(board, inForce),
    clients: {
      snippets: async (asked) => (await import('./clients.js')).createClientDesk(board, inForce).snippets(asked),
    },
    profileNames: () => Object.keys(board.config.profiles),
    profile: (name) => reportOf(board, name),
    xiaozhi: xiaozhi.status,
    logs: ring.lines,
    logsAfter: ring.after,
    fleet: createFleetDesk(board),
    audit: auditDesk(around.telemetry),
    history: historyDesk(board, telemetry, clean),
  }
  const { history } = telemetry
  const face = createAdminFace({ board: admin, clock: systemClock, clean, history, ...around.others?.told() })
  return {
    routes: [...face.routes, ...session.routes, ...consoleRoutes(consoleFolder)],
    feed: face.feed,
    close: face.close,
  }
}

// Loaded when somebody looks: a start has no use for them.
const ruleDesk = () => import('../rule-desk.js')

const overrideDesk = (board: Board, inForce: FileInForce, env: AdminSurroundings['env']): OverrideDesk => {
  const desk = async () => (await import('./overrides.js')).createOverrideDesk(board, inForce, env)
  return {
    of: async (...asked) => (await desk()).of(...asked),
    preview: async (...asked) => (await desk()).preview(...asked),
    save: async (...asked) => (await desk()).save(...asked),
    reset: async (...asked) => (await desk()).reset(...asked),
  }
}

const registryDesk = (board: Board, inForce: FileInForce): RegistryDesk => {
  const config = board.current.reading(['registries'], (now) => now)
  const around = { config, inForce, fourEyes: board.reviewing.fourEyes }
  const desk = async () => (await import('./registry.js')).createRegistryDesk(around)
  return {
    search: async (...asked) => (await desk()).search(...asked),
    plan: async (...asked) => (await desk()).plan(...asked),
    install: async (...asked) => (await desk()).install(...asked),
    updates: async (...asked) => (await desk()).updates(...asked),
    update: async (...asked) => (await desk()).update(...asked),
  }
}

const readingDesk = (inForce: FileInForce, env: AdminSurroundings['env']): ReadingDesk => {
  const desk = async () => (await import('./source-reading.js')).createReadingDesk(inForce, env)
  return { read: async (...asked) => (await desk()).read(...asked), keys: async () => (await desk()).keys() }
}

const scriptDesk = (board: Board): ScriptDesk => {
  const desk = async () => (await import('./scripts.js')).createScriptDesk(board)
  return { state: async () => (await desk()).state(), wordsOf: async (tools) => (await desk()).wordsOf(tools) }
}

const publishDesk = (board: Board, inForce: FileInForce): PublishDesk => {
  const desk = async () => (await import('./publish.js')).createPublishDesk(board, inForce)
  return {
    list: async () => (await desk()).list(),
    save: async (...asked) => (await desk()).save(...asked),
    remove: async (...asked) => (await desk()).remove(...asked),
  }
}

const historyDesk = ({ gateway }: Board, { kept }: Telemetry, clean: (text: string) => string): HistoryDesk => ({
  ...kept,
  replay: async (...asked) => (await import('./history.js')).replayOf(gateway, kept, clean)(...asked),
})

const auditDesk = ({ audit, note }: Telemetry): AuditDesk => ({
  kept: audit !== undefined,
  search: async (query) => (await audit?.search(query)) ?? { entries: [], places: [] },
  note,
})

/** `scripts/build.mjs` puts it there. */
const builtConsole = fileURLToPath(new URL('../../console', import.meta.url))

/** The words of a question are as private as arguments are: shown where those are kept, by one switch for both. */
const parkedDesk = ({ gateway, current }: Board, clean: (text: string) => string): ParkedDesk => ({
  list: () =>
    waitingRoomOf(gateway)
      .list()
      .map(({ sinceMs, expiresInMs, ...call }) => ({
        ...call,
        // The client said it under the name that it was shown; operators know it by its id.
        name: (call.method === 'tools/call' && gateway.catalog.find(call.name)?.id) || call.name,
        since: systemClock.wall() - sinceMs,
        expiresAt: expiresInMs === undefined ? undefined : systemClock.wall() + expiresInMs,
        questions: auditWishes(current.atStart.telemetry.audit)?.values
          ? shownQuestions(waitingRoomOf(gateway).questionsOf(call.id), clean)
          : undefined,
      })),
  cancel: (id) => waitingRoomOf(gateway).cancel(id),
  onChange: (listener) => waitingRoomOf(gateway).onChange(listener),
})

const longestQuestion = 4000

/** As text of JSON: a hostile server's question may be anything, and may hold what we know to be secret. */
const shownQuestions = (questions: readonly unknown[], clean: (text: string) => string): readonly string[] =>
  questions.map((question) => clean(JSON.stringify(question, null, 2)).slice(0, longestQuestion))
