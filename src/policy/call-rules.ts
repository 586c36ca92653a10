import type { Call, RequestKind, Target } from '../model/call.js'
import type { Caller } from '../model/caller.js'
import type { JsonObject } from '../model/json.js'
import type { Tool } from '../model/tool.js'
import type { Problem } from '../schema/problems.js'
import type { Effect, EffectSubject } from './effects.js'

/** What a tool does, as rules speak of it: what it says of itself with MCP's defaults, and the operator's word before that. */
export const ruleClasses = ['readOnly', 'writes', 'destructive', 'openWorld'] as const
export type RuleClass = (typeof ruleClasses)[number]

/** Who may say yes: somebody with the right `approve` who is not the caller, or whoever sits at the caller's client. */
export const ruleApprovers = ['operator', 'caller'] as const
/** How long a yes may hold: for one call, for some minutes, or until the rule or the tool changes. */
export const ruleMemories = ['once', 'minutes', 'always'] as const

/** What a rule demands of whoever approves. */
export interface ApprovalTerms {
  readonly by: readonly (typeof ruleApprovers)[number][]
  /** How long a request stays open, and an answer unused. */
  readonly withinMs: number
  readonly remember: readonly (typeof ruleMemories)[number][]
  /** How long a client that can wait is kept waiting for the answer. */
  readonly waitMs: number
  /** Arguments that may differ between the calls that one answer for some minutes lets pass. */
  readonly except?: readonly string[] | undefined
}

/**
 * A rule over calls. It matches where tools, class, callers and `when` match and `unless` does not. Among those that match deny
 * wins over ask; there is no order, and nothing allows what another forbids.
 */
export interface CallRule {
  /** In errors, records and the console. */
  readonly id: string
  /** Globs over ids. Default: every tool. The board's own tools only by their plain names. */
  readonly tools?: readonly string[] | undefined
  /** Any of them. Default: whatever it does. */
  readonly class?: readonly RuleClass[] | undefined
  /** JSON Schema, with `pathUnder`, `hostIn` and `maxBytes`, that the arguments match. */
  readonly when?: JsonObject | undefined
  /** The same, that they do not match. */
  readonly unless?: JsonObject | undefined
  /** Globs over the names of keys and the ids of callers. Default: everybody. */
  readonly callers?: readonly string[] | undefined
  readonly effect: 'deny' | 'ask'
  /** For whoever is refused, or asked. */
  readonly reason?: string | undefined
  /** Of `ask`. Default: an operator, within 15 minutes, for one call. */
  readonly approval?: Partial<ApprovalTerms> | undefined
}

/** The rules for everybody, and those that profiles add. */
export interface CallRuleSet {
  readonly board?: readonly CallRule[] | undefined
  readonly profiles?: Readonly<Record<string, readonly CallRule[]>> | undefined
}

/** What rules are asked about: a tool, or whatever else has an id. */
export type RuleSubject = EffectSubject & {
  readonly also?: readonly string[] | undefined
  readonly written?: string | undefined
}

/** Whether a tool changes nothing, by the operator's word. */
export type EffectFor = (tool: RuleSubject, profile: string | undefined) => Effect

/** What the rules say of one call. */
export type RuleVerdict =
  | { readonly effect: 'deny'; readonly rule: string; readonly reason: string | undefined }
  | AskVerdict

/** Somebody has to say yes first: all of these rules ask, and their demands are the strictest of each. */
export interface AskVerdict {
  readonly effect: 'ask'
  readonly rules: readonly string[]
  readonly reason: string | undefined
  readonly terms: ApprovalTerms
}

/** Rules that were compiled: what `compileRules` gives, and a policy asks. */
export interface CallRules {
  /** As they were written, those of the board first. */
  readonly all: readonly PlacedRule[]
  /** Whether a rule denies it whatever is sent and whoever calls: then it is not shown either. */
  hides(tool: RuleSubject, profile: string | undefined, effectFor: EffectFor): boolean
  /** Undefined where no rule has anything to say. */
  judge(
    caller: Caller,
    tool: RuleSubject,
    kind: RequestKind,
    args: unknown,
    effectFor: EffectFor,
  ): RuleVerdict | undefined
  /** Every rule that holds for this caller, and why it matches or does not. */
  explain(
    caller: Caller,
    tool: RuleSubject,
    kind: RequestKind,
    args: unknown,
    effectFor: EffectFor,
  ): readonly ExplainedRule[]
  /** Somebody said something else about what tools do. */
  forget(): void
}

export interface PlacedRule {
  readonly rule: CallRule
  /** Undefined: it holds for all. */
  readonly profile: string | undefined
}

/** Why a rule matches, or the first reason why it does not. */
export interface ExplainedRule extends PlacedRule {
  readonly matches: boolean
  readonly because: 'tools' | 'class' | 'callers' | 'when' | 'unless' | 'all' | 'unclear'
  /** What of the arguments does not fit, or cannot be judged. */
  readonly problems: readonly Problem[]
}

/** One call that rules ask about, as it will be sent. */
export interface CallToApprove {
  readonly kind: RequestKind
  readonly caller: Caller
  readonly profile: string
  /** The tool, or what else is asked for. */
  readonly target: Tool | Target
  readonly args: unknown
  /** Arguments that an operator set from a secret: their values are shown to nobody, approvers included. */
  readonly secretArguments?: readonly string[] | undefined
  /** As its face decoded it: how the caller can be asked back, its progress, its cancel. */
  readonly call: Call
  /** Nobody can be waited for. */
  readonly sync: boolean
}

/**
 * Who says yes to a call. Returns where that has been said of exactly this one, and is now spent, with the id of what was
 * said; throws `APPROVAL_REQUIRED` or `APPROVAL_DENIED` else. Without one, a rule that asks refuses.
 */
export interface CallApprovals {
  admit(call: CallToApprove, verdict: AskVerdict): Promise<string | undefined> | string | undefined
}
