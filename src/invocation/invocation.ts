import { GatewayError } from '../errors.js'
import type { Call } from '../model/call.js'
import type { Outcome } from '../model/outcome.js'
import type { CallLoad } from '../telemetry/calls.js'
import { isPromise } from './compose.js'
import { path, type Rooms } from './order.js'
import { Passage } from './passage.js'
import { createAdmission } from './steps/admit.js'

/** How a call happens. Never throws: every end is an outcome. */
export interface Invocation {
  call(call: Call): Promise<Outcome>
  /** Without a promise anywhere on the way: for tools that are synchronous themselves. */
  callSync(call: Call): Outcome
  /** What runs and waits now. */
  load(): CallLoad
}

export const createInvocation = (rooms: Rooms): Invocation => {
  const admission = createAdmission(rooms.limits, rooms.clock)
  const { run: plain, watched } = path(rooms, admission)
  const run = (passage: Passage) => (rooms.isWatched?.() ? watched(passage) : plain(passage))
  const now = () => rooms.clock.now()
  return {
    // Not async: returning a promise from an async function costs three more turns of the queue.
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
  }
}
