import { type ErrorCode, GatewayError } from '../errors.js'
import { failingLine } from './failing-line.js'
import type { ScriptLimitName, ScriptLimits } from './limits.js'
import type { GuestEnd } from './protocol.js'

/** A call that a script made, and how it ended. */
export interface MadeCall {
  readonly n: number
  readonly tool: string
  /** `ok`, the code of its error, or undefined while it runs. */
  readonly ended: string | undefined
}

/** How a script failed, with what it did until then: a model that only reads "timed out" would repeat a write. */
export const scriptError = (
  code: ErrorCode,
  what: string,
  calls: readonly MadeCall[],
  details: Readonly<Record<string, unknown>> = {},
): GatewayError =>
  new GatewayError(code, [what, ...toldCalls(calls)].join('\n'), {
    details: { ...details, calls: tally(calls) },
    notSent: calls.length === 0,
  })

export const guestError = (
  end: Exclude<GuestEnd, { kind: 'value' }>,
  calls: readonly MadeCall[],
  limits: ScriptLimits,
  script: string,
): GatewayError => {
  const line = failingLine(script, end.message, end.line)
  const at = line === undefined ? '' : ` at line ${line}`
  if (end.kind === 'limit') return limitError(end.limit, calls, limits, end.message, line)
  if (end.syntax)
    return scriptError('SCRIPT_INVALID', `The script does not parse${at}: ${end.message}`, calls, { line })
  const what = end.code === '' ? end.message : `${end.code}: ${end.message}`
  return scriptError('SCRIPT_FAILED', `The script failed${at}: ${what}`, calls, {
    line,
    code: end.code || undefined,
  })
}

export const limitError = (
  limit: ScriptLimitName,
  calls: readonly MadeCall[],
  limits: ScriptLimits,
  message = '',
  line?: number | undefined,
): GatewayError =>
  scriptError('SCRIPT_LIMIT', message || limitTexts[limit](limits), calls, {
    limit,
    line,
  })

const mb = (bytes: number): string => `${Math.round(bytes / 1024 ** 2)} MB`

const limitTexts: Readonly<Record<ScriptLimitName, (limits: ScriptLimits) => string>> = {
  cpu: ({ cpuMs }) =>
    `The script computed for longer than ${cpuMs} ms and was ended; let tools filter, or do less at once.`,
  memory: ({ memoryBytes }) =>
    `The script needed more than ${mb(memoryBytes)} of memory and was ended; keep less of the answers.`,
  stack: () => 'The script went deeper than the stack allows and was ended; use a loop instead of recursion.',
  jobs: ({ jobs }) => `The script settled more than ${jobs} promises and was ended; it seems to run in circles.`,
  answers: ({ answerBytes }) =>
    `The answers of the tools are larger than ${mb(answerBytes)} together; ask for fewer or smaller ones.`,
  result: ({ resultBytes }) => `The result is larger than ${resultBytes} bytes; return less.`,
}

export interface CallTally {
  readonly made: number
  readonly failed: number
  /** Not made yet: a person has to be asked first. */
  readonly waiting?: number | undefined
}

export const tally = (calls: readonly MadeCall[]): CallTally => {
  const made = calls.filter(({ ended }) => ended !== 'APPROVAL_REQUIRED')
  const counted = { made: made.length, failed: made.filter(({ ended }) => ended !== 'ok').length }
  return made.length === calls.length ? counted : { ...counted, waiting: calls.length - made.length }
}

// Of a script that called many tools, the first ones; the record of calls has all of them.
const mostTold = 12

/** "github.list_issues ×3 ok, github.update_issue ×2 ok, 1 failed (RATE_LIMITED)". */
export const toldCalls = (calls: readonly MadeCall[]): readonly string[] => {
  if (calls.length === 0) return []
  const byTool = new Map<string, MadeCall[]>()
  for (const call of calls) {
    const made = byTool.get(call.tool)
    if (made) made.push(call)
    else byTool.set(call.tool, [call])
  }
  const tools = [...byTool].map(([tool, made]) => `${tool} ${endings(made)}`)
  const more = tools.length > mostTold ? ` and of ${tools.length - mostTold} further tools` : ''
  const told = tools.slice(0, mostTold).join('; ')
  return [`Calls made before: ${told}${more}. What they did stays done; do not repeat it blindly.`]
}

const endings = (made: readonly MadeCall[]): string => {
  const ok = made.filter(({ ended }) => ended === 'ok').length
  const running = made.filter(({ ended }) => ended === undefined).length
  const failed = made.filter(({ ended }) => ended !== 'ok' && ended !== undefined)
  const codes = [...new Set(failed.map(({ ended }) => ended))].join(', ')
  return [
    ...(ok > 0 ? [`×${ok} ok`] : []),
    ...(failed.length > 0 ? [`${failed.length} failed (${codes})`] : []),
    ...(running > 0 ? [`${running} not ended when the script was`] : []),
  ].join(', ')
}
