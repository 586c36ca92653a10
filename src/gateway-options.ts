import type { OfferReview, Reviewed } from './catalog/offers/review-offer.js'
import type { CallSettings } from './invocation/order.js'
import type { Overriding } from './invocation/overriding.js'
import type { Plugging } from './invocation/plugging.js'
import type { SourceWrapper } from './invocation/steps/dispatch.js'
import type { SecretSearch } from './invocation/steps/secrets.js'
import type { ParkingLimits } from './invocation/waiting/parking.js'
import type { StateOptions } from './invocation/waiting/waiting-room.js'
import type { Call, ValidationMode } from './model/call.js'
import type { Clock } from './model/clock.js'
import type { ResultKeeper } from './model/kept-result.js'
import type { Outcome } from './model/outcome.js'
import type { Tool } from './model/tool.js'
import type { CallApprovals } from './policy/call-rules.js'
import type { EffectWords } from './policy/effects.js'
import type { PolicyRules } from './policy/policy.js'
import type { SchemaOptions } from './schema/schemas.js'
import type { LiveSearchOptions } from './search/live-search.js'
import type { FunctionTool } from './sources/functions/define-tool.js'
import type { Store } from './storage/store.js'
import type { Logger } from './telemetry/logger.js'

export interface GatewayOptions extends CallSettings {
  /** Functions to start with; more by `register`. */
  readonly tools?: readonly FunctionTool[] | undefined
  /** Which tools may be seen and called. Default: all. */
  readonly rules?: PolicyRules | undefined
  /** Who says which tools change nothing, beside the rules: what readers may call. Default: nobody. */
  readonly effects?: EffectWords | undefined
  /** Who says yes where a rule of `rules.calls` asks. Default: whoever listens to `approvals`; while nobody does, they are refused. */
  readonly approvals?: CallApprovals | undefined
  /** What happens to arguments that do not match the schema. Default `strict`. */
  readonly validation?: ValidationMode | undefined
  readonly schemas?: SchemaOptions | undefined
  readonly search?: Omit<LiveSearchOptions, 'clock' | 'logger'> | undefined
  /** Middleware around every asynchronous call; tracing begins the span towards the caller here. */
  readonly around?: CallWrapper | undefined
  /** Middleware around every request to a source. It may hand on another call: tracing puts its own context into it. */
  readonly outward?: SourceWrapper | undefined
  /** Between namespace and name; one character. Default `.`. */
  readonly separator?: string | undefined
  /** False holds a reported tool back until `catalog.reconsider`. Default: all pass. */
  readonly review?: ((tool: Tool) => boolean) | undefined
  /** Of what sources offer besides tools, what may be shown. Default: all of it. */
  readonly reviewOffer?: OfferReview | undefined
  /** Why something is held back and what its operator can do, for callers who could see it. */
  readonly tellHeld?: ((item: Reviewed) => string) | undefined
  /** Who is searched for credentials, in arguments and results, and what is done about them. Default: nobody is. */
  readonly secrets?: SecretSearch | undefined
  /** Where results that do not fit are kept, for their callers to read on. Default: nowhere. */
  readonly results?: ResultKeeper | undefined
  /** How tools are shown otherwise than their sources do: `overridingBy(rules)`. Handed over, so that a program without it carries none of it along. Default: as they are. */
  readonly overrides?: Overriding | undefined
  /** Code that takes part in calls and lists: `usingPlugins([…])`. Handed over for the same reason. Default: none. */
  readonly plugins?: Plugging | undefined
  /** Where tools and their use survive a restart. Default: nowhere. */
  readonly store?: Store | undefined
  /** Whether a tool that left the catalog leaves the store too. Default: no, its source may come back. */
  readonly forget?: ((tool: Tool) => boolean) | undefined
  /** False for tools whose definitions somebody else writes into the store. Default: all are written here. */
  readonly keeps?: ((tool: Tool) => boolean) | undefined
  /** How many calls may wait for their callers' answers, and for how long; asked for at each question. */
  readonly waiting?: (() => ParkingLimits) | undefined
  /** How states and task ids go out that clients carry for us. Default: sealed under what ends with this process. */
  readonly states?: StateOptions | undefined
  readonly clock?: Clock | undefined
  readonly logger?: Logger | undefined
}

export type CallWrapper = (call: Call, next: (call: Call) => Promise<Outcome>) => Promise<Outcome>
