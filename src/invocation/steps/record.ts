import { GatewayError, isGatewayError, messageOf } from '../../errors.js'
import { costOf, toToolResult } from '../../model/answer.js'
import { type Call, HandedOver } from '../../model/call.js'
import type { Clock } from '../../model/clock.js'
import type { Outcome, OutcomeMeta } from '../../model/outcome.js'
import { type Answer, resultAnswer } from '../../model/result.js'
import type { CallListener, CallRecord } from '../../telemetry/calls.js'
import type { Carrier, Passage } from '../passage.js'
import { toStepTimes } from '../watched.js'

export interface Recording {
  readonly clock: Clock
  /** Called once per call, refusals included. A listener that throws is its own problem, not the caller's. */
  readonly listener: CallListener
}

/** Outermost: turns whatever happened inside into one outcome and tells it once. Nothing thrown passes it. */
export interface Recorder {
  answered(passage: Passage, answer: Answer): Outcome
  failed(passage: Passage, thrown: unknown): Outcome
}

export const record = ({ clock, listener }: Recording): Recorder => {
  const finish = (passage: Passage, outcome: Outcome): Outcome => {
    passage.end()
    endTimes(passage, clock)
    const ended = toRecord(passage, outcome, clock)
    if (passage.carrier) return tellBoth(listener, ended, passage, passage.carrier, outcome)
    tell(listener, ended, passage.call, outcome)
    return outcome
  }
  return {
    answered: (passage, answer) => finish(passage, { ok: true, answer, meta: metaOf(passage, clock) }),
    failed: (passage, thrown) =>
      finish(passage, { ok: false, error: toGatewayError(thrown), meta: metaOf(passage, clock) }),
  }
}

/** One that was given up was at something until now. */
const endTimes = (passage: Passage, clock: Clock): void => {
  const { times } = passage
  if (!times) return
  times.end(clock.now())
  times.pausedFor(passage.pausedMs)
}

const tell = (listener: CallListener, ended: CallRecord, call: Call, outcome: Outcome): void => {
  try {
    listener(ended, call, outcome)
  } catch {
    // Telemetry must not turn an answer into a failure.
  }
}

/** One passage, two calls: first the one that was carried, then the one that carried it. What it cost is told once. */
const tellBoth = (
  listener: CallListener,
  ended: CallRecord,
  { call, target }: Passage,
  carrier: Carrier,
  outcome: Outcome,
): Outcome => {
  tell(listener, ended, { ...call, tool: target.id, args: carrier.args }, outcome)
  const answered = inWords(outcome)
  tell(listener, carrierRecord(ended, carrier, answered), call, answered)
  return answered
}

// Property by property and in the order of `toRecord`: a record of another shape would slow whoever reads both.
const carrierRecord = (ended: CallRecord, { target }: Carrier, answered: Outcome): CallRecord => {
  const { kind, caller, at, latencyMs, cached, steps, waitingMs, sourceMs } = ended
  const record = {
    kind,
    tool: target.id,
    caller,
    ok: answered.ok,
    code: answered.ok ? undefined : answered.error.code,
    at,
    latencyMs,
    attempts: 1,
    source: target.source,
    cached,
    waitingMs,
    sourceMs,
  }
  return steps ? { ...record, steps } : record
}

/** `call_tool` answers in MCP's words, whatever the function it called gave back. */
const inWords = (outcome: Outcome): Outcome => {
  if (!outcome.ok || outcome.answer.type === 'result') return outcome
  try {
    return { ok: true, answer: resultAnswer(toToolResult(outcome.answer)), meta: outcome.meta }
  } catch (thrown) {
    return { ok: false, error: toGatewayError(thrown), meta: outcome.meta }
  }
}

const metaOf = (passage: Passage, clock: Clock): OutcomeMeta => {
  const meta = {
    latencyMs: clock.now() - passage.startedAt,
    attempts: passage.attempts,
    source: passage.found?.source,
    cached: passage.cached,
  }
  return passage.script ? { ...meta, run: passage.script.run } : meta
}

const toRecord = (passage: Passage, outcome: Outcome, clock: Clock): CallRecord => {
  const { latencyMs, attempts, source, cached } = outcome.meta
  const record = {
    kind: passage.kind,
    tool: passage.found?.id ?? passage.call.tool,
    caller: passage.call.caller.id,
    ok: outcome.ok,
    code: outcome.ok ? undefined : outcome.error.code,
    at: clock.wall(),
    latencyMs,
    attempts,
    source,
    cached,
    waitingMs: passage.times?.waitingMs,
    sourceMs: passage.times?.sourceMs,
  }
  const cost = outcome.ok ? costOf(outcome.answer) : undefined
  const priced = cost === undefined ? record : { ...record, cost }
  const ruled = passage.rule === undefined ? priced : { ...priced, rule: passage.rule }
  const granted = passage.grant === undefined ? ruled : { ...ruled, grant: passage.grant }
  const found = passage.secrets === undefined ? granted : { ...granted, secrets: passage.secrets }
  const routed = passage.routedFrom === undefined ? found : { ...found, routedFrom: passage.routedFrom }
  const script = scriptOf(passage)
  const told = script ? { ...routed, ...script } : routed
  if (passage.call.found instanceof HandedOver) return { ...told, handedOver: true }
  return passage.marks ? { ...told, steps: toStepTimes(passage.marks, clock.now()) } : told
}

/** By which a script and its calls find each other: the script has a hash of its text there, its calls their numbers. */
const scriptOf = ({
  script,
  call: { run, step },
}: Passage): Pick<CallRecord, 'run' | 'step' | 'script'> | undefined => {
  const text = script && { sha256: script.sha256, bytes: script.bytes }
  // One that a script called has its place there; its own calls name it by that.
  if (text)
    return run === undefined || step === undefined ? { run: script.run, script: text } : { run, step, script: text }
  if (run === undefined) return undefined
  return step === undefined ? { run } : { run, step }
}

// What reaches this and is not ours is a bug of ours: `dispatch` already wrapped what tools throw.
const toGatewayError = (thrown: unknown): GatewayError =>
  isGatewayError(thrown)
    ? thrown
    : new GatewayError('INTERNAL', `The gateway failed: ${messageOf(thrown)}. Please report this.`, { cause: thrown })
