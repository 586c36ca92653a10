import { GatewayError, isGatewayError } from '../errors.js'
import type { RequestKind } from '../model/call.js'
import type { Caller } from '../model/caller.js'
import { matchesGlob } from '../model/glob.js'
import { isRecord, type JsonObject } from '../model/json.js'
import { compilePredicate, type Predicate } from '../schema/predicate.js'
import type {
  ApprovalTerms,
  AskVerdict,
  CallRule,
  CallRuleSet,
  CallRules,
  EffectFor,
  ExplainedRule,
  PlacedRule,
  RuleClass,
  RuleSubject,
  RuleVerdict,
} from './call-rules.js'
import { ruleKeywords } from './keywords.js'

/** What an `ask` demands that says no more. */
export const usualTerms: ApprovalTerms = Object.freeze<ApprovalTerms>({
  by: ['operator'],
  withinMs: 15 * 60_000,
  remember: ['once'],
  waitMs: 45_000,
})

/** Thrown by `compileRules`: which condition cannot be compiled, and where it stands. */
export interface RulePlace {
  readonly profile: string | undefined
  readonly index: number
  readonly part: 'when' | 'unless'
}

/**
 * Compiles rules, those for everybody and those of profiles. Throws SCHEMA_INVALID or SCHEMA_UNSUPPORTED for a condition that
 * cannot be compiled, with the rule and its place in `details`: a rule that is not understood must stop the start.
 */
export const compileRules = ({ board = [], profiles = {} }: CallRuleSet): CallRules =>
  new CompiledRules(
    compileAll(board, undefined),
    new Map(Object.entries(profiles).map(([name, rules]) => [name, compileAll(rules, name)])),
  )

interface Compiled extends PlacedRule {
  readonly when: Predicate | undefined
  readonly unless: Predicate | undefined
  /** Whatever is sent, whoever calls. */
  readonly always: boolean
}

const compileAll = (rules: readonly CallRule[], profile: string | undefined): readonly Compiled[] =>
  rules.map((rule, index) => {
    const compile = (part: 'when' | 'unless'): Predicate | undefined => {
      const schema = rule[part]
      return schema && compileCondition(schema, rule.id, { profile, index, part })
    }
    const [when, unless] = [compile('when'), compile('unless')]
    return { rule, profile, when, unless, always: !when && !unless && rule.callers === undefined }
  })

const compileCondition = (schema: JsonObject, rule: string, place: RulePlace): Predicate => {
  try {
    return compilePredicate(schema, ruleKeywords)
  } catch (error) {
    if (!isGatewayError(error)) throw error
    throw new GatewayError(error.code, `The rule '${rule}' cannot be used, its '${place.part}': ${error.message}`, {
      details: { ...error.details, rule, ...place },
      cause: error,
    })
  }
}

const none: readonly Compiled[] = []

class CompiledRules implements CallRules {
  readonly all: readonly PlacedRule[]
  readonly #board: readonly Compiled[]
  readonly #profiles: ReadonlyMap<string, readonly Compiled[]>
  /** The rules that may concern a tool, by profile: a definition is one object for as long as it is the same. */
  #kept = new Map<string, WeakMap<RuleSubject, readonly Compiled[]>>()

  constructor(board: readonly Compiled[], profiles: ReadonlyMap<string, readonly Compiled[]>) {
    this.#board = board
    this.#profiles = profiles
    this.all = [...board, ...[...profiles.values()].flat()]
  }

  hides(tool: RuleSubject, profile: string | undefined, effectFor: EffectFor): boolean {
    const isTool = tool.definition !== undefined
    // What is no tool is asked for in more ways than one: what it does is known only then.
    for (const { rule, always } of this.#concerning(tool, profile, isTool ? 'tool' : 'resource', effectFor))
      if (always && rule.effect === 'deny' && (isTool || rule.class === undefined)) return true
    return false
  }

  judge(
    caller: Caller,
    tool: RuleSubject,
    kind: RequestKind,
    args: unknown,
    effectFor: EffectFor,
  ): RuleVerdict | undefined {
    // Completing a word is no use of what it is a word of; what is denied altogether was not found.
    const rules = kind === 'completion' ? none : this.#concerning(tool, caller.profile, kind, effectFor)
    if (rules.length === 0) return undefined
    const sent = sentIn(kind, args)
    let asks: CallRule[] | undefined
    for (const each of rules) {
      const { rule } = each
      if (!isFor(rule, caller) || !holds(each, sent)) continue
      // Those that deny stand first.
      if (rule.effect === 'deny') return { effect: 'deny', rule: rule.id, reason: rule.reason }
      asks = asks ? [...asks, rule] : [rule]
    }
    return asks && joined(asks)
  }

  explain(
    caller: Caller,
    tool: RuleSubject,
    kind: RequestKind,
    args: unknown,
    effectFor: EffectFor,
  ): readonly ExplainedRule[] {
    const classes = classesOf(tool, kind, effectFor(tool, caller.profile))
    const sent = sentIn(kind, args)
    return this.#holding(caller.profile).map((each) => ({
      rule: each.rule,
      profile: each.profile,
      ...explained(each, caller, tool, classes, sent),
    }))
  }

  forget(): void {
    this.#kept = new Map()
  }

  #holding(profile: string | undefined): readonly Compiled[] {
    const own = this.#profiles.get(profile ?? 'default')
    return own ? [...this.#board, ...own] : this.#board
  }

  #concerning(
    tool: RuleSubject,
    profile: string | undefined,
    kind: RequestKind,
    effectFor: EffectFor,
  ): readonly Compiled[] {
    if (tool.definition === undefined) return this.#find(tool, profile, kind, effectFor)
    const name = profile ?? 'default'
    let kept = this.#kept.get(name)
    if (!kept) {
      // Profiles are few; whoever asks for ones that are not there gets no room of their own.
      if (this.#kept.size > 1000) this.#kept.clear()
      kept = new WeakMap()
      this.#kept.set(name, kept)
    }
    const known = kept.get(tool)
    if (known) return known
    const found = this.#find(tool, profile, kind, effectFor)
    kept.set(tool, found)
    return found
  }

  #find(tool: RuleSubject, profile: string | undefined, kind: RequestKind, effectFor: EffectFor): readonly Compiled[] {
    const classes = classesOf(tool, kind, effectFor(tool, profile))
    const found = this.#holding(profile).filter(({ rule }) => names(rule, tool) && isOf(rule, classes))
    return found.length === 0 ? none : found.sort((a, b) => rankOf(a) - rankOf(b))
  }
}

const rankOf = ({ rule }: Compiled): number => (rule.effect === 'deny' ? 0 : 1)

/** The board's own tools are no tools that a pattern means: a rule for one of them names it. */
const names = ({ tools }: CallRule, tool: RuleSubject): boolean => {
  if (tool.own) return tools?.some((pattern) => pattern === tool.id || pattern === tool.name) ?? false
  return tools === undefined || tools.some((pattern) => spells(pattern, tool))
}

const spells = (pattern: string, { id, also, written }: RuleSubject): boolean =>
  matchesGlob(pattern, id) ||
  (also?.some((each) => matchesGlob(pattern, each)) ?? false) ||
  (written !== undefined && matchesGlob(pattern, written))

const isOf = ({ class: wanted }: CallRule, classes: ReadonlySet<RuleClass>): boolean =>
  wanted === undefined || wanted.some((each) => classes.has(each))

const isFor = ({ callers }: CallRule, { id, name, identity }: Caller): boolean =>
  callers === undefined ||
  callers.some(
    (pattern) =>
      matchesGlob(pattern, id) ||
      (name !== undefined && matchesGlob(pattern, name)) ||
      (identity !== undefined && matchesGlob(pattern, identity.id)),
  )

/**
 * What a tool does. Its own words count with MCP's defaults: who says nothing may write, destroy and reach out. Two hints that
 * contradict each other are no word for it, and the operator's word stands before all of them.
 */
export const classesOf = (
  { definition }: RuleSubject,
  kind: RequestKind,
  effect: ReturnType<EffectFor>,
): ReadonlySet<RuleClass> => {
  if (kind === 'prompt' || kind === 'resource' || kind === 'completion') return readsOnly
  const { readOnlyHint, destructiveHint, openWorldHint } = definition?.annotations ?? {}
  const reads = effect.readonly || (readOnlyHint === true && destructiveHint !== true)
  const classes = new Set<RuleClass>(reads ? ['readOnly'] : ['writes'])
  if (!reads && destructiveHint !== false) classes.add('destructive')
  if (openWorldHint !== false) classes.add('openWorld')
  return classes
}

const readsOnly: ReadonlySet<RuleClass> = new Set(['readOnly', 'openWorld'])

/** What conditions look at: of a prompt its arguments, of a resource its address. */
const sentIn = (kind: RequestKind, args: unknown): unknown => {
  if (kind === 'tool' || kind === 'other' || !isRecord(args)) return args
  return kind === 'prompt' ? (args.arguments ?? {}) : { uri: args.uri }
}

/** What cannot be judged counts against the call: it matches every `when`, and no `unless`. */
const holds = ({ when, unless }: Compiled, args: unknown): boolean => {
  const isObject = isRecord(args)
  if (when && isObject && when.test(args) === false) return false
  return !(unless && isObject && unless.test(args) === true)
}

const explained = (
  { rule, when, unless }: Compiled,
  caller: Caller,
  tool: RuleSubject,
  classes: ReadonlySet<RuleClass>,
  args: unknown,
): Pick<ExplainedRule, 'matches' | 'because' | 'problems'> => {
  const not = (because: ExplainedRule['because'], problems: ExplainedRule['problems'] = []) => ({
    ...{ matches: false, because, problems },
  })
  if (!names(rule, tool)) return not('tools')
  if (!isOf(rule, classes)) return not('class')
  if (!isFor(rule, caller)) return not('callers')
  if (!isRecord(args)) return { matches: true, because: when || unless ? 'unclear' : 'all', problems: [] }
  const [wanted, excepted] = [when ? when.test(args) : true, unless ? unless.test(args) : false]
  if (wanted === false) return not('when', when?.explain(args))
  if (excepted === true) return not('unless')
  const unclear = wanted === undefined ? when : excepted === undefined ? unless : undefined
  if (unclear) return { matches: true, because: 'unclear', problems: unclear.explain(args) }
  return { matches: true, because: 'all', problems: unless?.explain(args) ?? [] }
}

/** Several that ask are one question, with the strictest of what each demands. */
const joined = (asks: readonly CallRule[]): AskVerdict => ({
  effect: 'ask',
  rules: asks.map(({ id }) => id),
  reason: asks.find(({ reason }) => reason !== undefined)?.reason,
  terms: asks.map(({ approval }) => ({ ...usualTerms, ...withoutGaps(approval) })).reduce(stricter),
})

const withoutGaps = (approval: CallRule['approval'] = {}): Partial<ApprovalTerms> =>
  Object.fromEntries(Object.entries(approval).filter(([, value]) => value !== undefined))

const stricter = (a: ApprovalTerms, b: ApprovalTerms): ApprovalTerms => {
  const by = a.by.filter((each) => b.by.includes(each))
  return {
    // Where no one may say yes to both, the one who is not the caller may.
    by: by.length > 0 ? by : ['operator'],
    withinMs: Math.min(a.withinMs, b.withinMs),
    remember: a.remember.filter((each) => b.remember.includes(each)),
    waitMs: Math.min(a.waitMs, b.waitMs),
    except: a.except?.filter((each) => b.except?.includes(each)),
  }
}
