import { requestKinds } from '../../model/call.js'
import type { Operation } from '../../operations/operation.js'
import { choice, flag, integer, list, number, shape, text, type ValueOf, words } from '../../operations/shape.js'
import { adminOperation } from './admin-operation.js'
import type { CallLog } from './call-log.js'

/** One call as the console shows it: names and numbers, never arguments. */
export const loggedCall = shape(
  {
    /** Counts up; a reader that knows the last one sees what it missed. */
    n: integer(),
    kind: choice(requestKinds),
    tool: text(),
    caller: text(),
    ok: flag(),
    latencyMs: number(),
    attempts: integer(),
    cached: flag(),
    at: integer(),
  },
  {
    source: text(),
    code: text(),
    /** Of a call that failed. */
    message: text(),
    cost: number(),
    /** Where the time went; only of calls that were made while a console was open. */
    steps: list(shape({ name: text(), ms: number() })),
  },
)

/** One minute of calls; `at` is its start, in milliseconds since the epoch. */
export const minute = shape({ at: integer(), calls: integer(), errors: integer(), totalMs: number(), maxMs: number() })

export const logLine = shape(
  { at: integer(), level: choice(['debug', 'info', 'warn', 'error']), message: text() },
  { service: text(), source: text() },
)

const callsAnswer = shape({ calls: list(loggedCall), last: integer(), minutes: list(minute) })

export type LoggedCall = ValueOf<typeof loggedCall>
export type Minute = ValueOf<typeof minute>
export type LogLine = ValueOf<typeof logLine>
export type CallsAnswer = ValueOf<typeof callsAnswer>

export interface LogBoard {
  /** The newest lines, oldest first; of one source where it is named. */
  logs(source?: string): readonly LogLine[]
}

/** What happened lately; the stream beside it has what happens. */
export const callOperations = (board: LogBoard, { log }: { readonly log: CallLog }): readonly Operation[] => [
  adminOperation({
    id: 'listCalls',
    method: 'GET',
    path: '/calls',
    right: 'admin',
    summary: words('The last calls, and their count by the minute', '最近的调用及每分钟的数量'),
    answer: callsAnswer,
    run: () => ({ calls: log.recent({ limit: 1000 }), last: log.last, minutes: log.minutes() }),
  }),
  adminOperation({
    id: 'readLog',
    method: 'GET',
    path: '/logs',
    right: 'admin',
    summary: words('The last lines of the log', '日志的最后若干行'),
    answer: shape({ lines: list(logLine) }),
    run: () => ({ lines: board.logs().slice(-500) }),
  }),
]
