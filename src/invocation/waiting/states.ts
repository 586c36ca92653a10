import type { Clock } from '../../model/clock.js'
import { stableHash } from '../../schema/canonical.js'
import type { Flow, Visit } from './flow.js'
import { notOurs, type Seal } from './seal.js'

/** What a `requestState` of ours says, once it is sure that it is ours, this caller's, in time, and for this request. */
export interface OpenedState {
  readonly flow: string | undefined
  readonly round: number
  /** The source's own state. */
  readonly upstream: string | undefined
}

/** The states that modern clients carry between the rounds of a request (T34). */
export interface States {
  ofFlow(visit: Visit, flow: Flow): string
  ofSource(visit: Visit, state: string): string
  /** Undefined when the request brings none; throws -32602 for one that may not be used here. */
  open(visit: Visit): OpenedState | undefined
}

// By the wall clock: a monotonic one begins anew with each process and stands still while a machine sleeps.
const validMs = 10 * 60_000

export const createStates = (clock: Clock, seal: Seal): States => {
  const close = (visit: Visit, content: Readonly<Record<string, unknown>>): string =>
    seal.close({ ...content, owner: ownerOf(visit), digest: digestOf(visit), until: clock.wall() + validMs })
  return {
    ofFlow: (visit, flow) => close(visit, { flow: flow.id, round: flow.round }),
    ofSource: (visit, state) => close(visit, { upstream: state }),
    open: (visit) => {
      const state = visit.request.params?.requestState
      if (state === undefined) return undefined
      const { owner, digest, until, flow, round, upstream } = seal.open(state)
      if (owner !== ownerOf(visit) || digest !== digestOf(visit)) throw notOurs()
      if (typeof until !== 'number' || clock.wall() > until) throw notOurs()
      return {
        flow: typeof flow === 'string' ? flow : undefined,
        round: typeof round === 'number' ? round : -1,
        upstream: typeof upstream === 'string' ? upstream : undefined,
      }
    },
  }
}

const ownerOf = ({ caller }: Visit): string => JSON.stringify([caller.id, caller.profile ?? null])

/** The same request, whatever the order of its keys: only what the rounds themselves add may differ. */
const digestOf = ({ request: { method, params } }: Visit): string => {
  const { _meta: _, inputResponses: __, requestState: ___, ...rest } = params ?? {}
  return stableHash([method, rest])
}
