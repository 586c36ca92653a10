import { type ErrorCode, GatewayError, isGatewayError, messageOf } from '../../errors.js'
import type { Target } from '../../model/call.js'
import type { Clock } from '../../model/clock.js'
import { lookAgainMs, type OpenCircuit } from '../../model/open-circuit.js'
import type { Answer } from '../../model/result.js'
import type { Step } from '../passage.js'
import { type BreakerOptions, Circuit } from './circuit.js'

export interface CircuitsOptions {
  readonly options: () => BreakerOptions
  readonly clock: Clock
  /** Whether the tools of this source can fail together: those of a server can, functions of one process cannot. */
  readonly failsTogether: (source: string) => boolean
  /** Health check of a source; undefined where only a call can tell. */
  readonly look?: ((source: string) => Promise<boolean> | undefined) | undefined
  /** Called when a circuit of this source opened or closed. */
  readonly onChange?: ((source: string) => void) | undefined
}

/** Circuit breakers: one per tool, and one per source for failures that are the source's own. */
export interface Circuits {
  /** Stops asking what does not answer: throws CIRCUIT_OPEN. Outside `deadline`, since most broken things fail by silence. */
  readonly step: Step
  /** The source is reachable again (a new connection, or a health check that passed): its circuits close. */
  cameBack(source: string): void
  /** The source was unmounted: its circuits are dropped. */
  forget(source: string): void
  open(): readonly OpenCircuit[]
  close(): void
}

/** Per source: its own circuit, and which of its tools failed since one of them last answered. */
class SourceHealth {
  outages = 0
  /** Which tools failed since one of them answered. */
  readonly tools = new Set<string>()
  cancelLook = (): void => {}
  /** By the monotonic clock. */
  lookAt = Number.POSITIVE_INFINITY
  constructor(readonly circuit: Circuit) {}

  /** Until a call may try, or our own look makes that needless. */
  waitMs(now: number): number {
    return Math.min(this.circuit.waitMs, Math.max(0, this.lookAt - now))
  }
}

const longestReason = 300
// Tools that failed and were never called again: without a bound, names that come and go would be a leak.
const mostTools = 10_000
// So many tools failing at once are no coincidence: it is their source.
const several = 3

/**
 * Calls are numbered, events too, by one count: whether a call was on its way before something happened is a comparison,
 * and no clock can blur it.
 */
export const createCircuits = (setup: CircuitsOptions): Circuits => new CircuitBoard(setup)

class CircuitBoard implements Circuits {
  readonly #setup: CircuitsOptions
  readonly #tools = new Map<string, { readonly source: string; readonly circuit: Circuit }>()
  readonly #sources = new Map<string, SourceHealth>()
  // Calls from before do not count for what came after.
  readonly #backAt = new Map<string, number>()
  #count = 0

  constructor(setup: CircuitsOptions) {
    this.#setup = setup
  }

  readonly step: Step = {
    enter: (passage) => {
      passage.began = this.#enter(passage.target, passage.kind === 'tool')
    },
    leave: ({ target, kind, began }, answer) => {
      this.#leave(target, kind === 'tool', began, faultOfAnswer(answer), answer.failed)
      return answer
    },
    fail: ({ target, kind, began }, error) => {
      this.#leave(target, kind === 'tool', began, faultOfError(error), error)
    },
  }

  #enter(target: Target, isTool: boolean): number {
    // Nearly always both are empty: nothing fails.
    if (this.#tools.size > 0 || this.#sources.size > 0) this.#admit(target, isTool)
    return ++this.#count
  }

  /** What is no tool has no circuit of its own: it counts for its source. */
  #leave(target: Target, isTool: boolean, began: number, fault: Fault, cause: unknown): void {
    if (fault === 'well') {
      if (this.#tools.size > 0 || this.#sources.size > 0) this.#answered(target, isTool)
      return
    }
    const { failures = 5 } = this.#setup.options()
    if (fault === 'nothing' || failures === 0 || began < (this.#backAt.get(target.source) ?? 0))
      return this.#toldNothing(target, isTool, began)
    const together = this.#setup.failsTogether(target.source)
    const at = ++this.#count
    const words = messageOf(cause).split('\n', 1)[0]!.slice(0, longestReason)
    if (together) this.#sourceFailed(target, began, at, fault, words)
    if (isTool && (!together || fault !== 'unreachable')) this.#toolFailed(target, began, at, fault, words)
  }

  cameBack(source: string): void {
    this.#backAt.set(source, ++this.#count)
    this.#close(source, true)
  }

  forget(source: string): void {
    this.#close(source, true)
    this.#backAt.delete(source)
  }

  open(): readonly OpenCircuit[] {
    const { clock } = this.#setup
    const sources = [...this.#sources].map(([source, health]) => {
      const { circuit } = health
      return { source, tool: undefined, circuit, waitMs: health.waitMs(clock.now()) }
    })
    const tools = [...this.#tools].map(([tool, { source, circuit }]) => {
      return { source, tool, circuit, waitMs: circuit.waitMs }
    })
    return [...sources, ...tools].flatMap(({ source, tool, circuit, waitMs }) => {
      const { reason, since } = circuit
      return circuit.isOpen ? [{ source, tool, reason, since, retryAt: clock.wall() + waitMs }] : []
    })
  }

  close(): void {
    for (const { cancelLook } of this.#sources.values()) cancelLook()
    this.#sources.clear()
    this.#tools.clear()
  }

  #admit(target: Target, isTool: boolean): void {
    const options = this.#setup.options()
    if (options.failures === 0) return
    const health = this.#sources.get(target.source)
    const shared = health?.circuit
    const own = isTool ? this.#tools.get(target.id)?.circuit : undefined
    if (shared?.isOpen && shared.waitMs > 0)
      throw refusal(target, shared, true, health!.waitMs(this.#setup.clock.now()))
    if (own?.isOpen && own.waitMs > 0) throw refusal(target, own, false, own.waitMs)
    shared?.claim(options)
    own?.claim(options)
  }

  #answered({ id, source }: Target, isTool: boolean): void {
    const health = this.#sources.get(source)
    const wasOpen = health?.circuit.isOpen || (isTool && this.#tools.get(id)?.circuit.isOpen)
    health?.cancelLook()
    this.#sources.delete(source)
    if (isTool) this.#tools.delete(id)
    if (wasOpen) this.#setup.onChange?.(source)
  }

  #toldNothing({ id, source }: Target, isTool: boolean, began: number): void {
    for (const circuit of [isTool ? this.#tools.get(id)?.circuit : undefined, this.#sources.get(source)?.circuit])
      if (circuit?.isNews(began)) circuit.unclaim()
  }

  #toolFailed({ id, source }: Target, began: number, at: number, fault: Fault, reason: string): void {
    const { circuit } = this.#tools.get(id) ?? { circuit: new Circuit(this.#setup.clock) }
    if (!counts(circuit, began, fault)) return
    this.#tools.set(id, { source, circuit })
    if (this.#tools.size > mostTools) this.#tools.delete(this.#tools.keys().next().value as string)
    circuit.failed(at, reason)
    const options = this.#setup.options()
    if (circuit.failures < (options.failures ?? 5)) return
    circuit.open(at, options)
    this.#setup.onChange?.(source)
  }

  #sourceFailed({ id, source }: Target, began: number, at: number, fault: Fault, reason: string): void {
    const health = this.#sources.get(source) ?? new SourceHealth(new Circuit(this.#setup.clock))
    const { circuit, tools } = health
    if (!counts(circuit, began, fault)) return
    this.#sources.set(source, health)
    tools.add(id)
    circuit.failed(at, reason)
    if (fault === 'unreachable') health.outages += 1
    const options = this.#setup.options()
    const { failures = 5 } = options
    if (health.outages < failures && (circuit.failures < failures || tools.size < several)) return
    circuit.open(at, options)
    this.#lookLater(source, health)
    this.#setup.onChange?.(source)
  }

  /**
   * Health checks in place of half-open calls: where the source can be checked, no caller has to be the one who tries, and it
   * is asked sooner than callers would be let through. One at a time: the next is planned when the last has told.
   */
  #lookLater(source: string, health: SourceHealth): void {
    const { look, clock } = this.#setup
    if (!look) return
    health.cancelLook()
    const waitMs = lookAgainMs(health.circuit.openForMs)
    health.lookAt = clock.now() + waitMs
    health.cancelLook = clock.after(waitMs, () => {
      const looked = look(source)
      if (!looked) health.lookAt = Number.POSITIVE_INFINITY
      looked?.then(
        (answers) => this.#sources.get(source) === health && this.#looked(source, health, answers),
        () => this.#sources.get(source) === health && this.#looked(source, health, false),
      )
    })
  }

  #looked(source: string, health: SourceHealth, answers: boolean): void {
    // One that could not be reached and now can is back. Where its tools failed it, only they can show that they are.
    if (answers && health.outages > 0) return this.cameBack(source)
    if (answers) return this.#close(source, false)
    if (health.circuit.waitMs === 0) {
      health.circuit.open(++this.#count, this.#setup.options())
      this.#setup.onChange?.(source)
    }
    this.#lookLater(source, health)
  }

  #close(source: string, withTools: boolean): void {
    const health = this.#sources.get(source)
    let wasOpen = health?.circuit.isOpen ?? false
    health?.cancelLook()
    this.#sources.delete(source)
    if (withTools)
      for (const [id, each] of this.#tools) {
        if (each.source !== source) continue
        wasOpen ||= each.circuit.isOpen
        this.#tools.delete(id)
      }
    if (wasOpen) this.#setup.onChange?.(source)
  }
}

/**
 * Calls that were on their way together failed by one event. Silence is each call's own: it took its caller's whole time,
 * and waiting for five rounds of it would not spare anybody.
 */
const counts = (circuit: Circuit, began: number, fault: Fault): boolean =>
  circuit.isNews(began) && (fault === 'silent' || !circuit.isSameEvent(began))

const refusal = (tool: Target, circuit: Circuit, whole: boolean, untilTriedMs: number): GatewayError => {
  const waitMs = Math.max(untilTriedMs, 1)
  const who = whole ? `The source '${tool.source}' of '${tool.id}'` : `'${tool.id}'`
  return new GatewayError(
    'CIRCUIT_OPEN',
    `${who} failed repeatedly and is left alone for ${Math.ceil(waitMs / 1000)} s. It last failed with: ${circuit.reason}`,
    { details: { tool: tool.id, source: tool.source, whole }, retryAfterMs: waitMs, notSent: true },
  )
}

/**
 * What the end of a call says about the health of what was asked.
 *
 *   well         it answered, be it with "no"
 *   unreachable  nobody could be asked: the source's own fault, whichever tool was meant
 *   broken       asked, and the way broke or the far side failed: the tool's, until several tools say so
 *   silent       no answer in the tool's own time: likewise
 *   nothing      the caller left or had less time than the tool, we refused it, or the source guards itself
 */
type Fault = 'well' | 'unreachable' | 'broken' | 'silent' | 'nothing'

/** A tool that throws is a tool that answers. */
const answers: ReadonlySet<ErrorCode> = new Set(['TOOL_FAILED', 'RESULT_INVALID', 'RESULT_TOO_LARGE'])

const faultOfAnswer = ({ failed }: Answer): Fault => (failed === undefined ? 'well' : 'broken')

const faultOfError = (error: unknown): Fault => {
  if (!isGatewayError(error)) return 'nothing'
  if (answers.has(error.code)) return 'well'
  if (error.code === 'DEADLINE_EXCEEDED') return lateFault(error)
  if (error.code === 'SOURCE_START_FAILED') return 'unreachable'
  return error.code === 'SOURCE_UNAVAILABLE' ? lossFault(error) : 'nothing'
}

// The call's own time is given by its caller or by the tool; any other is a handshake that took too long.
const lateFault = ({ details }: GatewayError): Fault => {
  if (details?.givenBy === undefined) return 'unreachable'
  return details.givenBy === 'caller' ? 'nothing' : 'silent'
}

const lossFault = ({ notSent, retryAfterMs, details }: GatewayError): Fault => {
  // A source that refuses unasked and says when to try again, or that waits for a person, is down and knows it. Counting
  // that would keep callers away from a process that is back after a second, and hide what the person has to do.
  if (details?.down === true || (notSent && retryAfterMs !== undefined)) return 'nothing'
  if (typeof details?.status === 'number') return details.status >= 500 ? 'broken' : 'nothing'
  return notSent ? 'unreachable' : 'broken'
}
