import type { Others } from '../../fleet/others.js'
import { requestKinds } from '../../model/call.js'
import type { Operation } from '../../operations/operation.js'
import { choice, flag, integer, list, number, shape, text, type ValueOf, words } from '../../operations/shape.js'
import { adminOperation } from './admin-operation.js'
import type { CallLog } from './call-log.js'
import { covered, gather, inOrder, labelled, together } from './whole-fleet.js'

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
    /** The script that made it, or that it was. */
    run: text(),
    /** Of a call that a script made: which of them, from 1 on. */
    step: integer(),
    /** Of a call that was a script. */
    script: shape({ sha256: text(), bytes: integer() }),
    /** Where it was made; only in a fleet. */
    replica: text(),
    /** Where the time went; only of calls that were made while a console was open. */
    steps: list(shape({ name: text(), ms: number() })),
  },
)

/** One minute of calls; `at` is its start, in milliseconds since the epoch. */
export const minute = shape({ at: integer(), calls: integer(), errors: integer(), totalMs: number(), maxMs: number() })

export const logLine = shape(
  {
    /** Counts up, as in calls. */ n: integer(),
    at: integer(),
    level: choice(['debug', 'info', 'warn', 'error']),
    message: text(),
  },
  { service: text(), source: text(), replica: text() },
)

const callsAnswer = shape({ calls: list(loggedCall), last: integer(), minutes: list(minute) }, { covers: covered })

export type LoggedCall = ValueOf<typeof loggedCall>
export type Minute = ValueOf<typeof minute>
export type LogLine = ValueOf<typeof logLine>
export type CallsAnswer = ValueOf<typeof callsAnswer>

const logAnswer = shape({ lines: list(logLine) }, { covers: covered })

export type LogAnswer = ValueOf<typeof logAnswer>

/** What was logged since somebody looked last. */
export interface LoggedAfter {
  readonly lines: readonly LogLine[]
  /** How many more there were. */
  readonly missed: number
  readonly last: number
}

export interface LogBoard {
  /** The newest lines, oldest first; of one source where it is named. */
  logs(source?: string): readonly LogLine[]
  logsAfter(number: number, most: number): LoggedAfter
}

interface CallsAround {
  readonly log: CallLog
  readonly others?: Others | undefined
}

const mostCalls = 1000
const mostLines = 500

/** What happened lately; the stream beside it has what happens. */
export const callOperations = (board: LogBoard, { log, others }: CallsAround): readonly Operation[] => [
  adminOperation({
    id: 'listCalls',
    method: 'GET',
    path: '/calls',
    right: 'look',
    summary: words(
      'The last calls, and their count by the minute; with `run` those of one script',
      '最近的调用及每分钟的数量；`run` 只列出一个脚本的调用',
    ),
    answer: callsAnswer,
    run: async (request) => {
      const run = request.exchange.query.get('run')?.slice(0, 64) || undefined
      const own: CallsAnswer = { calls: log.recent({ run, limit: mostCalls }), last: log.last, minutes: log.minutes() }
      const { said, covers } = await gather(others, request, own)
      return {
        calls: inOrder(labelled(said, ({ calls }) => calls)).slice(-mostCalls),
        last: log.last,
        minutes: together(said.map(({ answer }) => answer.minutes)).slice(-60),
        covers,
      }
    },
  }),
  adminOperation({
    id: 'readLog',
    method: 'GET',
    path: '/logs',
    right: 'look',
    summary: words('The last lines of the log', '日志的最后若干行'),
    answer: logAnswer,
    run: async (request) => {
      const { said, covers } = await gather(others, request, { lines: board.logs().slice(-mostLines) })
      return { lines: inOrder(labelled(said, ({ lines }) => lines)).slice(-mostLines), covers }
    },
  }),
]
