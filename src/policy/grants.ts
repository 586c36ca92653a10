import { hash } from 'node:crypto'
import { GatewayError } from '../errors.js'
import { isRecord, type JsonObject, type JsonValue } from '../model/json.js'
import { canonicalJson } from '../schema/canonical.js'

/** Who may answer: somebody with the right `approve` who is not the caller, or whoever sits at the caller's client. */
export type ApprovedBy = 'operator' | 'caller'

/** For how long an answer may hold: for one call, for some minutes, or until the rule or the tool changes. */
export type Remembered = 'once' | 'minutes' | 'always'

/** What a rule demands of an answer. */
export interface GrantTerms {
  readonly by: readonly ApprovedBy[]
  /** How long a request stays open, and an answer unused. */
  readonly withinMs: number
  readonly remember: readonly Remembered[]
  /** How long a client that can wait is kept waiting for an answer. */
  readonly waitMs: number
  /** Arguments that may differ between the calls that one answer for some minutes lets pass. */
  readonly except?: readonly string[] | undefined
}

/** One call that a rule asks about, as it will be sent. */
export interface BoundCall {
  readonly caller: string
  readonly profile: string
  readonly tool: string
  /** Hash of the definition as its source gives it. */
  readonly definition: string
  readonly rules: readonly string[]
  readonly terms: GrantTerms
  readonly args: unknown
}

/**
 * SHA-256 over who calls what, how, and by which rules' word. An answer holds for this and nothing else: another caller,
 * profile, definition, rule, demand or argument is another call. Every part stands behind its length, so that no two calls are
 * written alike.
 */
export const bindingOf = (call: BoundCall): string => digest('exact', call, canonicalJson(call.args))

/** The same without the arguments that may differ: what an answer for some minutes holds for. */
export const looseBindingOf = (call: BoundCall): string => {
  const left = new Set(call.terms.except ?? [])
  const kept = isRecord(call.args)
    ? Object.fromEntries(Object.entries(call.args).filter(([name]) => !left.has(name)))
    : call.args
  return digest('loose', call, canonicalJson(kept))
}

const digest = (way: string, { caller, profile, tool, definition, rules, terms }: BoundCall, args: string): string => {
  const parts = [way, caller, profile, tool, definition, canonicalJson([...rules].sort()), canonicalJson(terms), args]
  return hash('sha256', parts.map((part) => `${part.length}:${part}`).join(''), 'hex')
}

/**
 * Rejects what JSON does not hold: a function of this process may be called with anything, and two values that are written
 * alike would be one call to whoever approves it.
 */
export const assertPlain = (args: unknown): void => {
  if (!isPlain(args, 256))
    throw new GatewayError(
      'APPROVAL_DENIED',
      'A rule asks about this call, and its arguments are no plain JSON, so nobody can be shown what they are. Send texts, numbers, booleans, null, arrays and plain objects.',
      { details: { reason: 'arguments are no plain JSON' }, notSent: true },
    )
}

const isPlain = (value: unknown, depth: number): boolean => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || value === undefined) return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || depth === 0) return false
  // An empty place in an array is written as null and is not null.
  if (Array.isArray(value)) return Array.from(value).every((item) => item !== undefined && isPlain(item, depth - 1))
  const prototype = Object.getPrototypeOf(value)
  return (
    (prototype === Object.prototype || prototype === null) &&
    Object.values(value).every((item) => isPlain(item, depth - 1))
  )
}

/** `asked` and `granted` are open; the others are over, and the same call is asked about anew. */
export type GrantState = 'asked' | 'granted' | 'denied' | 'spent' | 'expired'

/** What a person is asked about one call, and what became of it. */
export interface CallGrant {
  /** Of this request alone: the same call asked again has another. */
  readonly id: string
  readonly binding: string
  readonly loose: string
  readonly state: GrantState
  readonly caller: string
  /** Who the caller is where somebody vouches for them: their other keys are theirs as well. */
  readonly person?: string | undefined
  /** For people to read. */
  readonly callerName?: string | undefined
  readonly profile: string
  readonly tool: string
  readonly title?: string | undefined
  readonly definition: string
  readonly rules: readonly string[]
  /** The script that made the call: what one asks for is shown and answered together. Not a part of the binding. */
  readonly run?: string | undefined
  /** What the operator wrote beside the rule, for whoever is asked. */
  readonly reason?: string | undefined
  readonly terms: GrantTerms
  /** Canonical JSON, or how it begins; gone once it was answered, and from the start where it is not to be kept. */
  readonly args?: string | undefined
  readonly argsBytes: number
  /** Arguments that an operator set from a secret: shown to nobody. */
  readonly secretArguments?: readonly string[] | undefined
  /** Which process has the arguments in its memory, where they are not kept. */
  readonly argsAt?: string | undefined
  /** Hash of the link by which whoever holds it may answer, while it is open. */
  readonly link?: string | undefined
  readonly askedAt: number
  /** Until when it can be answered, or its answer be used. */
  readonly expiresAt: number
  readonly answeredAt?: number | undefined
  readonly answeredBy?: string | undefined
  readonly note?: string | undefined
  /** Default `once`. */
  readonly holds?: Remembered | undefined
  readonly spentAt?: number | undefined
  /** How many calls it let pass. */
  readonly uses: number
}

/** What approvers read of a call besides what it is bound to. */
export type AskingFacts = Partial<
  Pick<CallGrant, 'person' | 'callerName' | 'title' | 'run' | 'reason' | 'secretArguments'>
>

/** What a machine's clock may differ from that of another, or be set back by, before nothing it says counts. */
export const clockSlackMs = 60_000

/** How it stands at this time. A clock that was set back before what it is compared with ends it: it would live too long. */
export const stateAt = (grant: CallGrant, now: number): GrantState => {
  if (grant.state !== 'asked' && grant.state !== 'granted') return grant.state
  const since = grant.answeredAt ?? grant.askedAt
  if (now < since - clockSlackMs) return 'expired'
  return grant.holds === 'always' || now < grant.expiresAt ? grant.state : 'expired'
}

/** A no holds as long as a yes would: then the same call may be asked about again. */
export const deniesAt = (grant: CallGrant, now: number): boolean =>
  grant.state === 'denied' && now < grant.expiresAt && now >= (grant.answeredAt ?? 0) - clockSlackMs

/** The grant after one call has passed by it. */
export const spentAt = (grant: CallGrant, now: number): CallGrant => ({
  ...grant,
  uses: grant.uses + 1,
  spentAt: now,
  state: grant.holds === undefined || grant.holds === 'once' ? 'spent' : grant.state,
})

/** What is left of one that was answered: everything but what was sent, and the link, which counts once. */
export const withoutArguments = ({ args: _, argsAt: __, link: ___, ...grant }: CallGrant): CallGrant => grant

/** What is kept of a link: it lies with the request, and whoever reads it there has no link. */
export const linkHash = (token: string): string => hash('sha256', `pegboard approval link ${token}`, 'hex')

export const grantValue = (grant: CallGrant): JsonValue => JSON.parse(JSON.stringify(grant)) as JsonObject

/** A stored grant; what cannot be read is none, and the call is asked about anew. */
export const readGrant = (value: JsonValue | undefined): CallGrant | undefined => {
  if (!isRecord(value) || !isRecord(value.terms)) return undefined
  const { state, askedAt, expiresAt, argsBytes, uses, rules } = value
  const texts = [value.id, value.binding, value.loose, value.caller, value.profile, value.tool, value.definition]
  const whole =
    texts.every((text) => typeof text === 'string') &&
    [askedAt, expiresAt, argsBytes, uses].every((number) => typeof number === 'number') &&
    Array.isArray(rules) &&
    typeof state === 'string' &&
    states.has(state)
  return whole ? (value as unknown as CallGrant) : undefined
}

const states: ReadonlySet<string> = new Set(['asked', 'granted', 'denied', 'spent', 'expired'] satisfies GrantState[])
