import { GatewayError } from '../../errors.js'
import type { CallLink } from '../../model/call.js'
import type { Clock } from '../../model/clock.js'
import { Gate, type GateOptions, type GateRefusal } from '../../model/shares.js'
import type { CallLoad, SourceLoad } from '../../telemetry/calls.js'
import { createRateLimiter, type RateLimit, type RateLimiter, type SharedLimiter } from '../limits/rate.js'
import type { Passage, Step } from '../passage.js'
import { leftWaiting, type QuotaOf } from './quota.js'

export interface AdmissionLimits {
  /** Calls running at once, over all tools. Default 1,024. */
  readonly concurrency?: number | undefined
  /** Calls of one tool running at once. Default 256. */
  readonly concurrencyPerTool?: number | undefined
  /** Calls of one caller running at once, over all tools; more wait in the caller's own line. Default 128. */
  readonly concurrencyPerCaller?: number | undefined
  /** Calls of one caller that wait for its own to end; more are refused. Default 512. */
  readonly queuePerCaller?: number | undefined
  /** Calls waiting for a place, over all tools and again per tool; more are refused at once. Default 1,024. */
  readonly queue?: number | undefined
  /** How long a call waits for a place. It does not count against the call's own time. Default 30,000. */
  readonly queueWaitMs?: number | undefined
  /** Calls per caller and window. Default: no limit. */
  readonly rate?: RateLimit | undefined
  /** What each caller may use up, by their profile. Default: no limit. */
  readonly quotaOf?: QuotaOf | undefined
  /** Counts `callsPerMinute` for several processes together. Default: each counts for itself. */
  readonly limiterOf?: ((limit: RateLimit) => SharedLimiter) | undefined
  /** How deep tools may call tools. Default 16. */
  readonly maxDepth?: number | undefined
}

export interface Admission {
  readonly step: Step
  /** Who is inside and who waits, read off the gates when somebody asks. */
  load(): CallLoad
  /** From now on these bounds. Calls that are inside stay, whatever the bounds are. */
  update(limits: AdmissionLimits): void
}

const mostIdle = 64

/** Lets in what the machine can carry: loop guard, rate, then places for this tool and for all. */
export const createAdmission = (
  limits: AdmissionLimits,
  clock: Clock,
  /** Whether others than this caller have called of late: then nobody gets more than half of a tool's places. */
  othersThan: (caller: string) => boolean,
): Admission => {
  const perToolOptions: GateOptions = { places: 0, queue: 0, waitMs: 0, perCaller: 0, clock }
  const wholeOptions: GateOptions = { ...perToolOptions }
  let maxDepth = 0
  let rateLimit: RateLimit | undefined
  let rate: RateLimiter | undefined
  const whole = new Gate(wholeOptions, '', '', othersThan)
  // One gate per tool in use, and of a few that were: without a bound, tools that come and go would be a leak.
  const perTool = new Map<string, Gate>()

  // Calls that have their tool's place and wait for the gateway's; kept only while there are such.
  const outside = createTally()

  const gateOf = (lane: string, source: string): Gate => {
    const known = perTool.get(lane)
    if (known) return known
    const made = new Gate(perToolOptions, source, lane, othersThan)
    perTool.set(lane, made)
    return made
  }
  const leaveTool = (own: Gate, { call }: Passage): void => {
    own.leave(call.caller.id)
    if (own.idle && perTool.size > mostIdle) perTool.delete(own.lane)
  }
  const leave = (passage: Passage): void => {
    if (!passage.gate) return
    whole.leave(passage.call.caller.id)
    leaveTool(passage.gate, passage)
  }

  /** With its tool's place, for one of the gateway's. */
  const waitOutside = async (own: Gate, passage: Passage): Promise<void> => {
    outside.add(own.source, 1)
    const refusal = await whole
      .enter(passage.call.caller.id, passage.call.signal)
      .finally(() => outside.add(own.source, -1))
    if (!refusal) return
    leaveTool(own, passage)
    throw refused(passage, refusal)
  }
  const waitInLine = async (own: Gate, passage: Passage): Promise<void> => {
    const refusal = await own.enter(passage.call.caller.id, passage.call.signal)
    if (refusal) throw refused(passage, refusal)
    if (!whole.tryEnter(passage.call.caller.id)) await waitOutside(own, passage)
  }

  const enter = (passage: Passage): Promise<void> | undefined => {
    refuseLoops(passage, maxDepth)
    const { id: caller } = passage.call.caller
    const waitMs = rate?.take(caller) ?? 0
    if (waitMs > 0) throw tooFast(passage, waitMs)
    // Its calls come here one by one, and wait for what it runs on before that.
    if (passage.callsOthers) return
    const { id, source } = passage.target
    // Addresses are endless, so all resources of a source share the places of one tool; prompts and the rest likewise.
    const own = gateOf(passage.kind === 'tool' ? id : `${source}\0${passage.kind}`, source)
    passage.gate = own
    if (own.tryEnter(caller)) {
      if (whole.tryEnter(caller)) return
      if (!passage.sync) return waitOutside(own, passage)
      leaveTool(own, passage)
    }
    // A synchronous caller holds the thread: nobody could leave while it waited.
    if (passage.sync) throw refused(passage, 'full')
    return waitInLine(own, passage)
  }
  const step: Step = {
    enter,
    leave: (passage, answer) => {
      leave(passage)
      return answer
    },
    fail: leave,
  }
  const update = (next: AdmissionLimits): void => {
    const { concurrency = 1024, concurrencyPerTool = 256, queue = 1024, queueWaitMs: waitMs = 30_000 } = next
    const { concurrencyPerCaller: perCaller = 128 } = next
    Object.assign(perToolOptions, { places: concurrencyPerTool, queue, waitMs, perCaller })
    Object.assign(wholeOptions, { places: concurrency, queue, waitMs, perCaller })
    maxDepth = next.maxDepth ?? 16
    // The same rate keeps its counts: a reload must not be a way to a fresh share.
    if (JSON.stringify(next.rate) !== JSON.stringify(rateLimit)) {
      rateLimit = next.rate
      rate = rateLimit && createRateLimiter(rateLimit, clock)
    }
    for (const gate of [...perTool.values(), whole]) gate.admit()
  }
  update(limits)
  const bounds = () => ({
    running: wholeOptions.places,
    runningPerTool: perToolOptions.places,
    waiting: perToolOptions.queue,
  })
  return { step, update, load: () => ({ sources: loadOf(perTool.values(), outside), limits: bounds() }) }
}

interface Tally {
  add(name: string, by: number): void
  of(name: string): number
}

const createTally = (): Tally => {
  const counts = new Map<string, number>()
  const of = (name: string): number => counts.get(name) ?? 0
  return {
    of,
    add: (name, by) => {
      if (of(name) + by === 0) counts.delete(name)
      else counts.set(name, of(name) + by)
    },
  }
}

const loadOf = (gates: Iterable<Gate>, outside: Tally): readonly SourceLoad[] => {
  const active = createTally()
  const waiting = createTally()
  const names = new Set<string>()
  for (const gate of gates) {
    if (gate.idle) continue
    names.add(gate.source)
    active.add(gate.source, gate.active)
    waiting.add(gate.source, gate.waiting)
  }
  return [...names].map((source) => ({
    source,
    running: active.of(source) - outside.of(source),
    waiting: waiting.of(source) + outside.of(source),
  }))
}

const tooFast = ({ target, call }: Passage, waitMs: number): GatewayError =>
  new GatewayError('RATE_LIMITED', `'${call.caller.id}' calls too often; try again in ${waitMs} ms.`, {
    details: { tool: target.id, retryAfterMs: waitMs },
    retryAfterMs: waitMs,
    notSent: true,
  })

const whyRefused: Readonly<Record<Exclude<GateRefusal, 'left'>, string>> = {
  full: 'as many calls as allowed are running and waiting',
  waited: 'no place became free in time',
}

const refused = ({ target }: Passage, refusal: GateRefusal): GatewayError =>
  refusal === 'left'
    ? leftWaiting(target.id)
    : new GatewayError('OVERLOADED', `'${target.id}' is busy: ${whyRefused[refusal]}. Try again shortly.`, {
        details: { tool: target.id },
        retryAfterMs: 1000,
        notSent: true,
      })

/** One repetition can be a sound second try; a third of the same call inside itself is a loop. */
const sameCallsAllowed = 2

/** Ends tools that call tools without end (001-22): too deep a chain, or the same call again within itself. */
const refuseLoops = ({ parent, target, args }: Passage, maxDepth: number): void => {
  if (!parent) return
  if (parent.depth >= maxDepth)
    throw looped(target.id, `calls are nested ${parent.depth + 1} deep, the limit is ${maxDepth}`)
  let same = 0
  for (let link: CallLink | undefined = parent; link; link = link.parent)
    if (link.tool === target.id && sameArgs(link.args, args)) same += 1
  if (same >= sameCallsAllowed)
    throw looped(target.id, 'it was called with the same arguments by itself again and again')
}

const sameArgs = (a: unknown, b: unknown): boolean => {
  if (a === b) return true
  try {
    return JSON.stringify(a) === JSON.stringify(b)
  } catch {
    return false
  }
}

const looped = (tool: string, why: string): GatewayError =>
  new GatewayError('LOOP_DETECTED', `'${tool}' was refused to stop a loop of tool calls: ${why}.`, {
    details: { tool },
    notSent: true,
  })
