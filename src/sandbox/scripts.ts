import { hash, randomBytes, randomInt } from 'node:crypto'
import { GatewayError, isGatewayError } from '../errors.js'
import { isErrorAnswer, toText, toValue } from '../model/answer.js'
import type { Call, CallLink, CallSession, Progress, RunId, ScriptMark } from '../model/call.js'
import type { Caller } from '../model/caller.js'
import type { CancelSignal } from '../model/cancel.js'
import type { Clock } from '../model/clock.js'
import { matchesGlob } from '../model/glob.js'
import type { JsonObject, JsonValue } from '../model/json.js'
import type { Outcome } from '../model/outcome.js'
import { runWithin } from '../model/run-id.js'
import type { Tool } from '../model/tool.js'
import { type CallTally, scriptError, tally } from './ending.js'
import { type ScriptLimits, scriptLimits } from './limits.js'
import { type PausedRun, PausedRuns, type RunBeginning } from './paused-runs.js'
import { createProgress } from './progress.js'
import type { ScriptAnswer, ScriptCall } from './protocol.js'
import type { ScriptSandbox } from './sandbox.js'
import type { HeldCall, ScriptEnd } from './script-run.js'
import { toScriptBody } from './script-text.js'
import { inShort, openIn, resumeHint } from './waiting.js'

/** What scripts ask of the board they run on. */
export interface ScriptBoard {
  call(call: Call): Promise<Outcome>
  /** By whatever a caller may call it. */
  find(name: string, caller: Caller): Tool | undefined
}

/** What one profile lets scripts do. */
export interface ScriptTerms {
  readonly limits?: Partial<ScriptLimits> | undefined
  /** Which tools may be called from scripts, by id; narrows what the caller may call anyway. Undefined: all of that. */
  readonly tools?: readonly string[] | undefined
}

export interface ScriptsOptions {
  readonly clock: Clock
  /** Undefined: no scripts for this caller. */
  readonly termsOf: (caller: Caller) => ScriptTerms | undefined
  readonly maxRunning?: (() => number) | undefined
}

/** A script to run, or one to go on with. */
export interface ScriptOrder {
  readonly script?: string | undefined
  readonly input?: JsonValue | undefined
  readonly timeoutMs?: number | undefined
  /** The id of a paused run, instead of a script. */
  readonly resume?: string | undefined
  /** What it may do, whoever calls it: of a script that an operator wrote. Default: what the caller's profile says. */
  readonly terms?: ScriptTerms | undefined
  /** It has no id to be resumed by: where it is paused, the same order of the same caller goes on with it. */
  readonly again?: string | undefined
}

export interface ScriptSurroundings extends Pick<Call, 'from'> {
  readonly caller: Caller
  /** The client session of the call that it is: its calls meet the state that this meets. */
  readonly session?: CallSession | undefined
  readonly signal?: CancelSignal | undefined
  /** The call that the script is. */
  readonly parent?: CallLink | undefined
  /** The script that called it, and as which of its calls. */
  readonly within?: RunId | undefined
  readonly step?: number | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** Told before the script begins: its record is found by its run. */
  readonly onBegin?: ((script: ScriptMark) => void) | undefined
  /** The script's place in a trace, which is its calls' too. */
  readonly meta?: JsonObject | undefined
}

/** What is told of a script that has ended, or waits. */
export interface ScriptReport {
  readonly result?: JsonValue | undefined
  /** It waits for a person: `approvals` says for what, `hint` what to do. */
  readonly paused?: true | undefined
  readonly approvals?: readonly Readonly<Record<string, unknown>>[] | undefined
  readonly hint?: string | undefined
  /** Of one that goes on by the same call: what the first call that waits was told. */
  readonly asked?: Readonly<Record<string, unknown>> | undefined
  readonly logs?: readonly string[] | undefined
  readonly logsDropped?: number | undefined
  readonly calls: CallTally
  readonly ms: number
  readonly run: string
}

/** Scripts over the tools of a board: each call of theirs is a call of their caller's, through all steps. */
export interface Scripts {
  /** Throws SCRIPT_INVALID, SCRIPT_FAILED, SCRIPT_LIMIT, DEADLINE_EXCEEDED and what a caller may meet anywhere. */
  run(order: ScriptOrder, around: ScriptSurroundings): Promise<ScriptReport>
  /** What a paused run of this caller's waits for. */
  look(run: string, caller: Caller): Pick<ScriptReport, 'paused' | 'approvals' | 'run'>
  close(): Promise<void>
}

/** The board's own tools that a script may call: those that change nothing. */
const ownForScripts: ReadonlySet<string> = new Set([
  'search_tools',
  'search_hot_tools',
  'get_tool_definition',
  'list_tools_by_category',
  'read_result',
])

export const createScripts = (board: ScriptBoard, options: ScriptsOptions): Scripts => new BoardScripts(board, options)

/** One that begins, or that goes on after what is in its journal. */
type RunFacts = RunBeginning & Partial<Pick<PausedRun, 'journal'>>

class BoardScripts implements Scripts {
  readonly #board: ScriptBoard
  readonly #options: ScriptsOptions
  readonly #paused: PausedRuns
  #sandbox: Promise<ScriptSandbox> | undefined

  constructor(board: ScriptBoard, options: ScriptsOptions) {
    this.#board = board
    this.#options = options
    this.#paused = new PausedRuns(options.clock)
  }

  async run(order: ScriptOrder, around: ScriptSurroundings): Promise<ScriptReport> {
    const terms = order.terms ?? this.#termsFor(around.caller)
    const limits = scriptLimits(terms.limits)
    const facts = this.#factsOf(order, around, limits)
    around.onBegin?.(facts.mark)
    const wanted = order.timeoutMs ?? facts.timeoutMs ?? limits.timeoutMs
    const timeoutMs = Math.max(1, Math.min(wanted, limits.timeoutMs))
    const endsAt = this.#options.clock.now() + timeoutMs
    const progress = createProgress(this.#options.clock, around.onProgress)
    const parent = linkOf(facts.script, around.parent)
    const sandbox = await this.#opened()
    const end = await sandbox.run({
      ...facts,
      within: around.within,
      limits: { ...limits, timeoutMs },
      signal: around.signal,
      onCall: async (call, signal) => {
        const remaining = Math.max(1, Math.ceil(endsAt - this.#options.clock.now()))
        const asked = { ...around, parent, signal, run: facts.id, step: call.n, timeoutMs: remaining }
        // Whoever may write no scripts any more calls nothing by those that run.
        const answer = await this.#call(call, asked, () => order.terms ?? this.#termsFor(around.caller))
        progress(call.tool)
        return answer
      },
    })
    return this.#told(end, facts, around.caller)
  }

  look(run: string, caller: Caller): Pick<ScriptReport, 'paused' | 'approvals' | 'run'> {
    this.#termsFor(caller)
    const { approvals } = this.#paused.look(run, caller)
    return { paused: true, run, approvals }
  }

  async close(): Promise<void> {
    const sandbox = await this.#sandbox
    await sandbox?.close()
  }

  #termsFor(caller: Caller): ScriptTerms {
    const terms = this.#options.termsOf(caller)
    if (terms) return terms
    throw new GatewayError(
      'ACCESS_DENIED',
      `Scripts are not switched on for the profile '${caller.profile ?? 'default'}'; an operator can, with scripts.enabled and the profile's scripts.`,
      { notSent: true },
    )
  }

  // The engine is loaded with the first script, not with the gateway.
  #opened(): Promise<ScriptSandbox> {
    const { clock, maxRunning } = this.#options
    return (this.#sandbox ??= import('./sandbox.js').then(({ createSandbox }) => createSandbox(clock, { maxRunning })))
  }

  #factsOf(
    { script, input, timeoutMs, resume, again }: ScriptOrder,
    { caller, within, step }: ScriptSurroundings,
    limits: ScriptLimits,
  ): RunFacts {
    if (resume !== undefined) return this.#paused.take(resume, caller)
    const paused = again === undefined ? undefined : this.#paused.takeAgain(again, caller)
    if (paused) return paused
    if (typeof script !== 'string')
      throw new GatewayError('SCRIPT_INVALID', 'Give a script, or the id of a paused run as resume.', { notSent: true })
    const body = toScriptBody(script, limits.scriptBytes)
    const text = JSON.stringify(input ?? null)
    if (Buffer.byteLength(text) > limits.argumentBytes)
      throw new GatewayError('ARGUMENTS_INVALID', `The input is larger than ${limits.argumentBytes} bytes.`, {
        notSent: true,
      })
    const id = within === undefined || step === undefined ? newRun() : runWithin(within, step)
    const mark = { run: id, sha256: hash('sha256', script), bytes: Buffer.byteLength(script) }
    const now = this.#options.clock.wall()
    return { id, mark, script: body, input: text, seed: randomInt(2 ** 31), now, timeoutMs, again }
  }

  async #call(
    { tool: name, args }: ScriptCall,
    around: Omit<Call, 'tool' | 'args' | 'onProgress'>,
    terms: () => ScriptTerms,
  ): Promise<ScriptAnswer | HeldCall> {
    try {
      const { caller, from, session, signal, parent, run, step, timeoutMs, meta } = around
      const tool = this.#board.find(name, caller)
      const refusal = tool && whyNot(tool, terms().tools)
      if (refusal) return failed(refusal)
      const called = { tool: tool?.id ?? name, args: JSON.parse(args) as unknown }
      const outcome = await this.#board.call({
        ...{ ...called, caller, from, session, signal, parent, run, step, timeoutMs, meta },
      })
      if (!outcome.ok) return refusedBy(outcome.error, called.tool)
      if (isErrorAnswer(outcome.answer))
        return failed(new GatewayError('TOOL_FAILED', toText(outcome.answer) || 'The tool answered with an error.'))
      return { ok: true, json: JSON.stringify(toValue(outcome.answer) ?? null) ?? 'null' }
    } catch (error) {
      if (isGatewayError(error)) return failed(error)
      return failed(
        new GatewayError('RESULT_INVALID', 'The tool answered with something that JSON cannot hold.', { cause: error }),
      )
    }
  }

  #told(end: ScriptEnd, facts: RunFacts, caller: Caller): ScriptReport {
    const told = {
      calls: tally(end.calls),
      ms: end.ms,
      run: facts.id,
      logs: end.logs.length > 0 ? end.logs : undefined,
      logsDropped: end.logsDropped > 0 ? end.logsDropped : undefined,
    }
    if (end.state === 'failed') throw withLogs(end.error, facts.id, end.logs)
    if (end.state === 'done') return { result: JSON.parse(end.json) as JsonValue, ...told }
    const open = end.held.flatMap(({ held }) => openIn(held))
    const approvals = open.map(inShort)
    try {
      this.#paused.keep({ ...facts, journal: end.journal, bytes: end.journalBytes, approvals }, caller)
    } catch (error) {
      const { code, message } = error as GatewayError
      throw scriptError(code, message, end.calls)
    }
    // One without an id to resume it by is told to its caller as the call that waits.
    const how = facts.again === undefined ? { hint: resumeHint(facts.id, approvals.length) } : { asked: open[0] }
    return { paused: true, approvals, ...how, ...told }
  }
}

const newRun = (): RunId => `r_${randomBytes(8).toString('hex')}`

const whyNot = (tool: Tool, tools: readonly string[] | undefined): GatewayError | undefined => {
  if (tool.callsOthers && tool.own)
    return new GatewayError('LOOP_DETECTED', `A script cannot call '${tool.name}'.`, { notSent: true })
  if (tool.own)
    return ownForScripts.has(tool.name)
      ? undefined
      : new GatewayError('ACCESS_DENIED', `'${tool.name}' is not there for scripts; call tools by their own names.`, {
          notSent: true,
        })
  if (!tools || tools.some((pattern) => matchesGlob(pattern, tool.id))) return undefined
  return new GatewayError('ACCESS_DENIED', `'${tool.id}' may not be called from scripts in this profile.`, {
    notSent: true,
  })
}

const refusedBy = (error: GatewayError, tool: string): ScriptAnswer | HeldCall =>
  error.code === 'APPROVAL_REQUIRED' ? { held: { tool, ...error.details } } : failed(error)

const failed = ({ code, message, details, retryAfterMs }: GatewayError): ScriptAnswer => {
  const more = retryAfterMs === undefined ? details : { ...details, retryAfterMs }
  return { ok: false, code, message, details: more && JSON.stringify(more) }
}

/** What the loop guard compares: the script's hash in the place of its text. */
const linkOf = (script: string, parent: CallLink | undefined): CallLink => ({
  tool: parent?.tool ?? 'run_script',
  args: { script: hash('sha256', script) },
  depth: parent?.depth ?? 1,
  parent: parent?.parent,
})

const withLogs = (error: GatewayError, run: string, logs: readonly string[]): GatewayError =>
  new GatewayError(error.code, logs.length === 0 ? error.message : `${error.message}\nLogs: ${logs.join('\n')}`, {
    details: logs.length === 0 ? { ...error.details, run } : { ...error.details, run, logs },
    notSent: error.notSent,
    retryAfterMs: error.retryAfterMs,
    cause: error.cause,
  })
