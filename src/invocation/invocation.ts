import { GatewayError } from '../errors.js'
import { type Call, HandedOver } from '../model/call.js'
import type { OpenCircuit } from '../model/open-circuit.js'
import type { Outcome } from '../model/outcome.js'
import type { Answer } from '../model/result.js'
import type { CallLoad } from '../telemetry/calls.js'
import { CallTimes } from './call-times.js'
import { createCircuits } from './circuits/circuits.js'
import { type CallSettings, type OverrideSteps, order, type PluginSteps, type Rooms } from './order.js'
import { type Eventually, isPromise, Known, Passage, type PassageHost, type Step } from './passage.js'
import { createAdmission } from './steps/admit.js'
import { type Dispatch, dispatch } from './steps/dispatch.js'
import type { SourceHooks } from './steps/hooks.js'
import { Callers } from './steps/quota.js'
import { type Recorder, record } from './steps/record.js'
import { mark } from './watched.js'

/** How a call happens. Never throws: every end is an outcome. */
export interface Invocation {
  call(call: Call): Promise<Outcome>
  /** Without a promise anywhere on the way: for tools that are synchronous themselves. */
  callSync(call: Call): Outcome
  /** What runs and waits now. */
  load(): CallLoad
  /** From now on calls are carried so; those on their way keep the time they were given. */
  tune(settings: CallSettings): void
  /** From now on calls take these steps besides; those on their way go on as they began. Undefined: nothing is overridden. */
  override(steps: OverrideSteps | undefined): void
  /** The same for what plugins take part in. Undefined: there are none. */
  plug(steps: PluginSteps | undefined): void
  /** The circuits that are open now. */
  circuits(): readonly OpenCircuit[]
  /** The source is reachable again: its circuits close. */
  cameBack(source: string): void
  /** The source was unmounted: its circuits are dropped. */
  forget(source: string): void
  close(): void
}

export const createInvocation = (rooms: Rooms, atFirst: CallSettings): Invocation => {
  let settings = atFirst
  const callers = new Callers(rooms.clock, rooms.shares.of('calls'))
  callers.limit(settings.limits ?? {})
  const admission = createAdmission(settings.limits ?? {}, rooms.clock, callers.othersThan)
  const circuits = createCircuits({
    options: () => settings.breaker ?? {},
    clock: rooms.clock,
    failsTogether: rooms.failsTogether,
    look: rooms.look,
    onChange: rooms.onCircuit,
  })
  const means = { admission, callers, circuits, settings: () => settings }
  const steps = order(rooms, means)
  let path = new Path(rooms, steps)
  let overrides: OverrideSteps | undefined
  let plugins: PluginSteps | undefined
  const lay = (): void => {
    // What a step remembers stays with it: only the path that leads through them is another.
    const { unwrap: _, ...kept } = steps
    const all = overrides || plugins ? { ...order(rooms, means, overrides, plugins), ...kept } : steps
    path = new Path(rooms, all, plugins?.around)
  }
  const handedOver = new Path(rooms, onlyThose(steps, afterHandOver))
  return {
    // Not async: returning a promise from an async function costs three more microtasks.
    call: (call) => {
      const outcome = (call.found instanceof HandedOver ? handedOver : path).carry(call, false)
      return isPromise(outcome) ? outcome : Promise.resolve(outcome)
    },
    callSync: (call) => {
      const outcome = path.carry(call, true)
      // `dispatch` refuses promises in synchronous calls, so this is a step that broke its word.
      if (isPromise(outcome)) throw new GatewayError('INTERNAL', 'A step answered a synchronous call with a promise.')
      return outcome
    },
    load: admission.load,
    tune: (next) => {
      settings = next
      callers.limit(next.limits ?? {})
      admission.update(next.limits ?? {})
    },
    override: (more) => {
      overrides = more
      lay()
    },
    plug: (more) => {
      plugins = more
      lay()
    },
    circuits: () => circuits.open(),
    cameBack: (source) => circuits.cameBack(source),
    forget: (source) => circuits.forget(source),
    close: () => circuits.close(),
  }
}

/**
 * What a call passes here that another replica handed over. Who it comes from has decided, checked and counted, and does for
 * its caller what is done on the way back: limits of its face, masked credentials, second tries.
 */
const afterHandOver = ['admit', 'breaker', 'deadline'] as const

const onlyThose = (steps: Readonly<Record<string, Step>>, names: readonly string[]): Readonly<Record<string, Step>> =>
  Object.fromEntries(names.map((name) => [name, steps[name]!]))

type NamedStep = Step & { readonly name: string }

/**
 * Runs calls through the steps: in by `enter`, on to the source, and back through those entered by `leave` or `fail`. An
 * answer that is there at once goes back on the stack; for one that is not, a call has one promise and one pair of
 * reactions for all of its steps together. What is undefined here is an outcome that comes later.
 */
class Path implements PassageHost {
  readonly #rooms: Rooms
  readonly #steps: readonly NamedStep[]
  readonly #waiting: readonly NamedStep[]
  readonly #source: Dispatch
  readonly #record: Recorder

  constructor(rooms: Rooms, steps: Readonly<Record<string, Step>>, hooks?: SourceHooks) {
    this.#rooms = rooms
    // All of one shape, since every call reads every one of them.
    this.#steps = Object.entries(steps).map(([name, { enter, wait, leave, fail, again }]) => {
      return { name, enter, wait, leave, fail, again }
    })
    this.#waiting = this.#steps.filter(({ wait }) => wait !== undefined)
    this.#source = dispatch(rooms.findSource, rooms.outward, hooks)
    this.#record = record(rooms)
  }

  carry(call: Call, sync: boolean): Eventually<Outcome> {
    const passage = new Passage(call, sync, this)
    if (call.found instanceof HandedOver) passage.target = call.found.target
    if (this.#rooms.isWatched?.()) passage.marks = []
    if (this.#rooms.isTimed?.()) passage.times = new CallTimes()
    return this.#goIn(passage) ?? outcomeOf(passage)
  }

  now(): number {
    return this.#rooms.clock.now()
  }

  giveUp(passage: Passage, error: GatewayError): void {
    if (passage.ended) return
    try {
      passage.abort(error)
    } finally {
      // Whatever its source makes of the news, the call is over.
      this.#tell(passage, this.#goBack(passage, true, error))
    }
  }

  #goIn(passage: Passage): Outcome | undefined {
    try {
      for (; passage.depth < this.#steps.length; passage.depth++) {
        const { name, enter } = this.#steps[passage.depth]!
        if (passage.marks) mark(passage.marks, name, this.now())
        const turn = enter?.(passage)
        if (turn instanceof Known) return this.#goBack(passage, false, turn.answer)
        if (turn) return this.#goOnAfter(turn, passage, 1)
      }
      return this.#ask(passage)
    } catch (thrown) {
      return this.#goBack(passage, true, thrown)
    }
  }

  #ask(passage: Passage): Outcome | undefined {
    if (passage.marks) mark(passage.marks, 'source', this.now())
    passage.times?.begin('source', this.now())
    let answer: Eventually<Answer>
    try {
      answer = this.#source.ask(passage)
    } catch (thrown) {
      return this.#failed(passage, thrown)
    }
    if (!isPromise(answer)) return this.#answered(passage, answer)
    answer.then(
      (value) => passage.ended || this.#tell(passage, this.#answered(passage, value)),
      (thrown) => passage.ended || this.#tell(passage, this.#failed(passage, thrown)),
    )
    this.#beginToWait(passage)
    return undefined
  }

  #answered(passage: Passage, answer: Answer): Outcome | undefined {
    if (passage.marks) mark(passage.marks, 'answer', this.now())
    passage.times?.end(this.now())
    return this.#goBack(passage, false, this.#source.leave(passage, answer))
  }

  #failed(passage: Passage, thrown: unknown): Outcome | undefined {
    if (passage.marks) mark(passage.marks, 'answer', this.now())
    passage.times?.end(this.now())
    return this.#goBack(passage, true, this.#source.fail(passage, thrown))
  }

  /** Through the steps that were entered, the last one first. `result` is an answer, or what went wrong. */
  #goBack(passage: Passage, hasFailed: boolean, result: unknown): Outcome | undefined {
    let failed = hasFailed
    let out = result
    for (; passage.depth > 0; passage.depth--) {
      const { leave, fail, again } = this.#steps[passage.depth - 1]!
      try {
        if (!failed) out = leave ? leave(passage, out as Answer) : out
        else {
          const pause = again?.(passage, out)
          if (pause) {
            this.#beginToWait(passage)
            return this.#goOnAfter(pause, passage, 0)
          }
          fail?.(passage, out)
        }
      } catch (thrown) {
        failed = true
        out = thrown
      }
    }
    try {
      if (!failed) return this.#record.answered(passage, out as Answer)
    } catch (thrown) {
      out = thrown
    }
    return this.#record.failed(passage, out)
  }

  /** Further in when the promise resolves, past so many steps. */
  #goOnAfter(promise: Promise<void>, passage: Passage, past: number): undefined {
    passage.times?.begin('waiting', this.now())
    promise.then(
      () => {
        passage.times?.end(this.now())
        passage.depth += past
        this.#tell(passage, this.#goIn(passage))
      },
      (thrown) => this.#tell(passage, this.#goBack(passage, true, thrown)),
    )
  }

  #beginToWait(passage: Passage): void {
    if (passage.waits) return
    passage.waits = true
    for (const { wait } of this.#waiting) wait?.(passage)
  }

  #tell(passage: Passage, outcome: Outcome | undefined): void {
    if (outcome) passage.settle?.(outcome)
  }
}

type Settle = (outcome: Outcome) => void

// What `new Promise` calls is called at once, so one function serves all calls.
let settle: Settle
const keep = (resolve: Settle): void => {
  settle = resolve
}

const outcomeOf = (passage: Passage): Promise<Outcome> => {
  const outcome = new Promise<Outcome>(keep)
  passage.settle = settle
  return outcome
}
