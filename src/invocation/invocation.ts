import { GatewayError } from '../errors.js'
import type { Call } from '../model/call.js'
import type { Outcome } from '../model/outcome.js'
import { isPromise } from './compose.js'
import { path, type Rooms } from './order.js'
import { Passage } from './passage.js'

/** How a call happens. Never throws: every end is an outcome. */
export interface Invocation {
  call(call: Call): Promise<Outcome>
  /** Without a promise anywhere on the way: for tools that are synchronous themselves. */
  callSync(call: Call): Outcome
}

export const createInvocation = (rooms: Rooms): Invocation => {
  const { run: plain, watched } = path(rooms)
  const run = (passage: Passage) => (rooms.isWatched?.() ? watched(passage) : plain(passage))
  const now = () => rooms.clock.now()
  return {
    call: async (call) => run(new Passage(call, false, now)),
    callSync: (call) => {
      const outcome = run(new Passage(call, true, now))
      // `dispatch` refuses promises in synchronous calls, so this is a step that broke its word.
      if (isPromise(outcome)) throw new GatewayError('INTERNAL', 'A step answered a synchronous call with a promise.')
      return outcome
    },
  }
}
