import type { Catalog } from '../catalog/catalog.js'
import type { ValidationMode } from '../model/call.js'
import type { Clock } from '../model/clock.js'
import type { Tool } from '../model/tool.js'
import type { Policy } from '../policy/policy.js'
import type { Schemas } from '../schema/schemas.js'
import type { Source } from '../sources/source.js'
import type { CallListener } from '../telemetry/calls.js'
import type { Logger } from '../telemetry/logger.js'
import { compose, type Step } from './compose.js'
import type { Admission, AdmissionLimits } from './steps/admit.js'
import { authorize } from './steps/authorize.js'
import { type BreakerOptions, breaker } from './steps/breaker.js'
import { deadline } from './steps/deadline.js'
import { dispatch, type SourceWrapper } from './steps/dispatch.js'
import { quota } from './steps/quota.js'
import { record } from './steps/record.js'
import { resolve } from './steps/resolve.js'
import { type RetryOptions, retry } from './steps/retry.js'
import { shape } from './steps/shape.js'
import { validate } from './steps/validate.js'
import { marked, markedLast } from './watched.js'

/** What the steps need of the other rooms. */
export interface Rooms {
  readonly catalog: Pick<Catalog, 'find'>
  readonly policy: Policy
  readonly schemas: Schemas
  readonly findSource: (name: string) => Source | undefined
  readonly outward?: SourceWrapper | undefined
  /** Which tools fail together: those of one remote source do, functions of one process do not. */
  readonly circuitOf: (tool: Tool) => string
  readonly clock: Clock
  readonly logger: Logger
  readonly listener: CallListener
  /** Whether records should tell where the time went. Default: no. */
  readonly isWatched?: () => boolean
  readonly validation: ValidationMode
  readonly timeoutMs: number
  readonly limits: AdmissionLimits
  readonly retry: RetryOptions
  readonly breaker: BreakerOptions
}

/** The order of a call, outermost first. */
export const order = (rooms: Rooms, admit: Step): readonly Step[] => [
  resolve(rooms.catalog, rooms.policy), // name → a tool this caller can see
  authorize(rooms.policy), // may they call it?
  validate(rooms.schemas, rooms.validation, rooms.logger), // do the arguments match its input schema?
  quota(rooms.limits.quotaOf ?? (() => undefined), rooms.clock), // the caller's share
  admit, // loops, rate, concurrency
  breaker(rooms.breaker, rooms.clock, rooms.circuitOf), // is its source worth asking?
  deadline(rooms.clock, rooms.timeoutMs), // one AbortSignal from here inward
  shape(rooms.logger), // on the way out: the limits of the face
  retry(rooms.retry, rooms.clock), // only what surely did not run, or may run twice
]

/** The same order by name, for whoever watches where the time goes. */
const names = ['resolve', 'authorize', 'validate', 'quota', 'admit', 'breaker', 'deadline', 'shape', 'retry'] as const

/** `record` stands outside of all, so that refusals are recorded too; `dispatch` is what all lead to. */
export const path = (rooms: Rooms, admission: Admission) => {
  const steps = order(rooms, admission.step)
  const last = dispatch(rooms.findSource, rooms.outward)
  const now = () => rooms.clock.now()
  return {
    run: record(rooms)(compose(steps, last)),
    // The same steps, so that what they count is counted once; two paths, so that watching costs nothing when nobody does.
    watched: record(rooms)(
      compose(
        steps.map((step, index) => marked(names[index]!, step, now)),
        markedLast(last, now),
      ),
    ),
  }
}
