import { GatewayError } from '../errors.js'
import type { Call } from '../model/call.js'
import type { OpenCircuit } from '../model/open-circuit.js'
import type { Outcome } from '../model/outcome.js'
import type { CallLoad } from '../telemetry/calls.js'
import { createCircuits } from './circuits/circuits.js'
import { type CallSettings, path, type Rooms } from './order.js'
import { isPromise, Passage } from './passage.js'
import { createAdmission } from './steps/admit.js'

/** How a call happens. Never throws: every end is an outcome. */
export interface Invocation {
  call(call: Call): Promise<Outcome>
  /** Without a promise anywhere on the way: for tools that are synchronous themselves. */
  callSync(call: Call): Outcome
  /** What runs and waits now. */
  load(): CallLoad
  /** From now on calls are carried so; those on their way keep the time they were given. */
  tune(settings: CallSettings): void
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
  const admission = createAdmission(settings.limits ?? {}, rooms.clock)
  const circuits = createCircuits({
    options: () => settings.breaker ?? {},
    clock: rooms.clock,
    failsTogether: rooms.failsTogether,
    look: rooms.look,
    onChange: rooms.onCircuit,
  })
  const { run: plain, watched } = path(rooms, { admission, circuits, settings: () => settings })
  const run = (passage: Passage) => (rooms.isWatched?.() ? watched(passage) : plain(passage))
  const now = () => rooms.clock.now()
  return {
    // Not async: returning a promise from an async function costs three more microtasks.
    call: (call) => {
      const outcome = run(new Passage(call, false, now))
      return isPromise(outcome) ? outcome : Promise.resolve(outcome)
    },
    callSync: (call) => {
      const outcome = run(new Passage(call, true, now))
      // `dispatch` refuses promises in synchronous calls, so this is a step that broke its word.
      if (isPromise(outcome)) throw new GatewayError('INTERNAL', 'A step answered a synchronous call with a promise.')
      return outcome
    },
    load: admission.load,
    tune: (next) => {
      settings = next
      admission.update(next.limits ?? {})
    },
    circuits: () => circuits.open(),
    cameBack: (source) => circuits.cameBack(source),
    forget: (source) => circuits.forget(source),
    close: () => circuits.close(),
  }
}
