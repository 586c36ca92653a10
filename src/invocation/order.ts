import type { Catalog } from '../catalog/catalog.js'
import type { Withheld } from '../catalog/overriding.js'
import type { Reviewed } from '../catalog/reviewed.js'
import type { ValidationMode } from '../model/call.js'
import type { Clock } from '../model/clock.js'
import type { ResultKeeper } from '../model/kept-result.js'
import type { Shares } from '../model/shares.js'
import type { CallApprovals } from '../policy/call-rules.js'
import type { Policy } from '../policy/policy.js'
import type { Schemas } from '../schema/schemas.js'
import type { Source } from '../sources/source.js'
import type { CallListener } from '../telemetry/calls.js'
import type { Logger } from '../telemetry/logger.js'
import type { BreakerOptions } from './circuits/circuit.js'
import type { Circuits } from './circuits/circuits.js'
import type { Step } from './passage.js'
import type { Admission, AdmissionLimits } from './steps/admit.js'
import { deadline } from './steps/deadline.js'
import type { SourceWrapper } from './steps/dispatch.js'
import type { SourceHooks } from './steps/hooks.js'
import { type Callers, quota } from './steps/quota.js'
import type { Finder } from './steps/resolve.js'
import { authorize, resolve, unwrap } from './steps/resolve.js'
import { type RetryOptions, retry } from './steps/retry.js'
import { rules } from './steps/rules.js'
import type { SecretSearch } from './steps/secrets.js'
import { shape } from './steps/shape.js'
import { validate } from './steps/validate.js'

/** What the steps need of the other rooms. */
export interface Rooms {
  readonly catalog: Pick<Catalog, 'findHeld' | 'lookAround'>
  readonly finder: Finder
  /** What a profile is not shown because its override does not fit. */
  readonly withheld: (name: string, profile: string | undefined) => Withheld | undefined
  /** What is said of what is held back. */
  readonly tellHeld?: ((item: Reviewed) => string) | undefined
  readonly policy: Policy
  /** Who says yes where a rule asks. Default: nobody, and such a call is refused. */
  readonly approvals?: CallApprovals | undefined
  readonly schemas: Schemas
  readonly findSource: (name: string) => Source | undefined
  readonly outward?: SourceWrapper | undefined
  /** Whether the tools of this source can fail together: those of a server can, functions of one process cannot. */
  readonly failsTogether: (source: string) => boolean
  /** Health check of a source; undefined where only a call can tell. */
  readonly look?: ((source: string) => Promise<boolean> | undefined) | undefined
  /** Called when a circuit of this source opened or closed. */
  readonly onCircuit?: ((source: string) => void) | undefined
  /** What callers hold; the refusals of their lines are counted there. */
  readonly shares: Shares
  readonly clock: Clock
  readonly logger: Logger
  readonly listener: CallListener
  /** Whether records should tell where the time went. Default: no. */
  readonly isWatched?: (() => boolean) | undefined
  /** Whether records should tell how long a call waited and was at its source. Default: no. */
  readonly isTimed?: (() => boolean) | undefined
  readonly validation: ValidationMode
  /** Where what is cut is kept for whoever was given a part. Default: nowhere. */
  readonly results?: ResultKeeper | undefined
  /** Who is searched for credentials, and what is done about them. Default: nobody is. */
  readonly secrets?: SecretSearch | undefined
}

/** How calls are carried; may be changed while they are. */
export interface CallSettings {
  /** Time for one call of a tool that names none. Default 30,000. */
  readonly timeoutMs?: number | undefined
  readonly limits?: AdmissionLimits | undefined
  readonly retry?: RetryOptions | undefined
  readonly breaker?: BreakerOptions | undefined
}

/** What a call passes, made once per gateway. */
export interface Means {
  readonly admission: Admission
  readonly callers: Callers
  readonly circuits: Circuits
  /** Asked by each call: what it says may change. */
  readonly settings: () => CallSettings
}

/** What calls pass where plugins take part in them. */
export interface PluginSteps {
  readonly before: Step
  readonly around: SourceHooks
}

/** What calls pass where an operator shows tools otherwise than their sources do. */
export interface OverrideSteps {
  readonly preset: Step
  readonly kept: Step
  readonly results: Step
}

/**
 * The order of a call, outermost first, each step by its name. `record` stands outside of all, so that refusals are recorded
 * too; `dispatch` is what all lead to.
 */
export const order = (
  rooms: Rooms,
  { admission, callers, circuits, settings }: Means,
  overrides?: OverrideSteps,
  plugins?: PluginSteps,
): Readonly<Record<string, Step>> => ({
  resolve: resolve(rooms.finder, { ...rooms, tell: rooms.tellHeld ?? changed }), // name → a tool this caller can see
  authorize: authorize(rooms.policy), // may they call it, and now?
  ...only('hooks', plugins?.before), // what plugins make of it, before anybody judges it
  ...only('preset', overrides?.preset), // what an operator sets, hides and narrows
  validate: validate(rooms), // do the arguments match its input schema?
  rules: rules(rooms.policy, rooms.approvals), // may they call it so, with these arguments?
  quota: quota(settings, rooms.clock, callers), // the caller's share
  unwrap: unwrap(rooms, [
    authorize(rooms.policy),
    ...(plugins ? [plugins.before] : []),
    ...(overrides ? [overrides.preset] : []),
    validate(rooms),
    rules(rooms.policy, rooms.approvals),
  ]), // call_tool → the tool it calls
  ...only('kept', overrides?.kept), // an answer that is still good
  admit: admission.step, // loops, rate, concurrency
  breaker: circuits.step, // is it worth asking?
  deadline: deadline(settings, rooms.clock), // one AbortSignal from here inward
  shape: shape(rooms.logger, rooms.results), // on the way out: the limits of the face
  ...only('results', overrides?.results), // on the way out: what an operator picks, drops and redacts
  ...only('secrets', rooms.secrets as Step | undefined), // credentials, both ways
  retry: retry(settings, rooms.clock), // only what surely did not run, or may run twice
})

/** A step that is not wanted is not on the path: nobody pays for passing it. */
const only = (name: string, step: Step | undefined): Readonly<Record<string, Step>> => (step ? { [name]: step } : {})

const changed = () => 'it changed since it was approved.'
