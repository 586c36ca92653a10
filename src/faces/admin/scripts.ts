import type { ServerResponse } from 'node:http'
import type { Gateway } from '../../gateway.js'
import { toToolResult } from '../../model/answer.js'
import { profileFor } from '../../model/caller.js'
import type { JsonObject } from '../../model/json.js'
import type { Outcome } from '../../model/outcome.js'
import type { Tool } from '../../model/tool.js'
import { type Operation, operation } from '../../operations/operation.js'
import {
  anyObject,
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
import { plainErrors } from '../../operations/told-error.js'
import { adminOperation, adminPath } from './admin-operation.js'
import { callerThrough } from './through-profile.js'

/** A profile whose callers may write scripts, and what holds for one. */
const scriptProfile = shape({ name: text(), timeoutMs: integer(), maxCalls: integer(), parallel: integer() })

const scriptsAnswer = shape({ enabled: flag(), profiles: list(scriptProfile) })

const order = closed({
  script: text({ maxLength: 262_144 }),
  input: of<unknown>({}),
  timeoutMs: integer({ minimum: 1, maximum: 600_000 }),
  /** A paused run, instead of a script. */
  resume: text({ maxLength: 64 }),
  profile: text({ maxLength: 64 }),
})

const tally = shape({ made: integer(), failed: integer() }, { waiting: integer() })

const report = shape(
  { run: text(), calls: tally, ms: number() },
  {
    result: of<unknown>({}),
    logs: list(text()),
    logsDropped: integer(),
    paused: flag(),
    approvals: list(shape({}, { id: text(), tool: text() })),
  },
)

const scriptAnswer = shape(
  { ok: flag(), latencyMs: number() },
  {
    report,
    error: shape(
      { code: text(), message: text() },
      { line: integer(), limit: text(), run: text(), calls: tally, logs: list(text()) },
    ),
  },
)

export type ScriptsAnswer = ValueOf<typeof scriptsAnswer>
export type TriedScript = ValueOf<typeof scriptAnswer>
export type TriedReport = ValueOf<typeof report>

/** A tool in the words of a script. */
export interface ScriptWords {
  readonly declaration: string
  /** A call of it to begin with. */
  readonly call: string
}

export interface ScriptDesk {
  /** Whether scripts are on, and in which profiles. */
  state(): Promise<ScriptsAnswer>
  wordsOf(tools: readonly Tool[]): Promise<readonly ScriptWords[]>
}

/** Where an answer says which script it will be of, before it is there. */
export const runHeader = 'X-Pegboard-Run'

/** Scripts by hand: `run_script` as everybody calls it, in the name of whoever is signed in. */
export const scriptOperations = ({
  gateway,
  scripts,
}: {
  readonly gateway: Gateway
  readonly scripts: ScriptDesk
}): readonly Operation[] => [
  adminOperation({
    id: 'readScripts',
    method: 'GET',
    path: '/scripts',
    right: 'look',
    summary: words('Whether scripts are on, and in which profiles', '脚本是否开启，以及在哪些配置档中'),
    answer: scriptsAnswer,
    run: async ({ caller }) => {
      const { enabled, profiles } = await scripts.state()
      return { enabled, profiles: profiles.filter(({ name }) => profileFor(caller, name) === name) }
    },
  }),
  operation({
    id: 'tryScript',
    method: 'POST',
    path: `${adminPath}/scripts`,
    right: 'operate',
    tag: 'scripts',
    deed: false,
    summary: words('Run a script by hand, or go on with a paused one', '手动运行脚本，或继续已暂停的脚本'),
    query: anyObject(),
    body: order,
    answers: {
      200: {
        description: words(
          `What the script returned, or why not; the header \`${runHeader}\` comes when it begins`,
          `脚本的返回值或失败原因；脚本开始时即返回响应头 \`${runHeader}\``,
        ),
        schema: scriptAnswer,
      },
    },
    errors: plainErrors,
    run: async ({ body, caller, exchange: { response, cancel } }) => {
      const { script, input, timeoutMs: timeout_ms, resume, profile } = body
      const outcome = await gateway.call({
        tool: 'run_script',
        args: JSON.parse(JSON.stringify({ script, input, timeout_ms, resume })) as JsonObject,
        caller: callerThrough(caller, profile),
        from: { face: 'console' },
        signal: cancel,
        onScript: ({ run }) => begin(response, run),
      })
      const json = toAnswer(outcome)
      if (!response.headersSent) return { json, headers: { 'Cache-Control': 'no-store' } }
      if (!response.destroyed) response.end(JSON.stringify(json))
      return undefined
    },
  }),
]

/** The head goes first: whoever waits knows by it which calls are the script's, and can show them as they end. */
const begin = (response: ServerResponse, run: string): void => {
  if (response.headersSent || response.destroyed) return
  response.writeHead(200, {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    // nginx would keep the head until there is more.
    'X-Accel-Buffering': 'no',
    [runHeader]: run,
  })
  response.flushHeaders()
}

// A script that failed is an answer here: the page shows its line beside what was done.
const toAnswer = (outcome: Outcome): TriedScript => {
  const { latencyMs } = outcome.meta
  if (outcome.ok)
    return { ok: true, latencyMs, report: toToolResult(outcome.answer).structuredContent as unknown as TriedReport }
  const { code, message, details = {} } = outcome.error
  const { line, limit, run, calls, logs } = details as Partial<NonNullable<TriedScript['error']>>
  return { ok: false, latencyMs, error: { code, message, line, limit, run, calls, logs } }
}
