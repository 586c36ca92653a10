import type { RequestKind, Target } from '../model/call.js'
import type { Caller, Right } from '../model/caller.js'
import { matchesGlob } from '../model/glob.js'
import type { OwnSwitch, Tool, ToolDefinition } from '../model/tool.js'
import type { CallRules, RuleVerdict } from './call-rules.js'
import { type Effect, type EffectWords, effectOf, noWords, whyNotReadonly } from './effects.js'
import { type FlowRules, Flows } from './flows.js'

export type Action = 'see' | 'call'

/** One answer to both questions: what may not be called may still be seen, and what is not seen is as good as absent. */
export type Decision =
  | { readonly allowed: true; readonly seen: true }
  | { readonly allowed: false; readonly seen: boolean; readonly reason: string }

/** Which tools may be seen and called. Patterns are globs over canonical ids; deny wins. */
export interface Rules {
  /** Undefined allows all; an empty list allows nobody anything. */
  readonly allow?: readonly string[] | undefined
  readonly deny?: readonly string[] | undefined
}

export interface ProfileRules extends Rules {
  /** Whether tools of a source that is down are hidden. Default: false, they say so when they are called. */
  readonly hideDown?: boolean | undefined
  /** What its readers may call: tools that change nothing, by the operator's word. Default: none. */
  readonly readonly?: readonly string[] | undefined
  /** Which parts of the board are there that have to be switched on. Default: none. */
  readonly switches?: readonly OwnSwitch[] | undefined
  /** What may not be asked for after something else was. Default: nothing. */
  readonly flow?: FlowRules | undefined
}

/** The rules for everybody, and those of each profile on top. */
export interface PolicyRules extends Rules {
  /** Rules over what calls send, of everybody and of profiles, by `compileRules`. Default: none. */
  readonly calls?: CallRules | undefined
  readonly profiles?: Readonly<Record<string, ProfileRules>> | undefined
}

/** What is decided about: a tool, or whatever else has an id and a source. */
export interface Subject extends Pick<Tool, 'id' | 'own' | 'owner' | 'switch'> {
  readonly name?: string | undefined
  readonly source?: string | undefined
  /** Of tools. */
  readonly definition?: ToolDefinition | undefined
  /** Other spellings of the id that say the same: an address may be written in many ways. */
  readonly also?: readonly string[] | undefined
  /** As the caller spelt it: enough to deny it, not to allow it. */
  readonly written?: string | undefined
  /** Of a tool that is shown otherwise: as its source has it, which is what rules speak of. */
  readonly upstream?: Subject | undefined
  /** The same with the operator's own word about what it does. */
  readonly ruled?: Subject | undefined
}

/** The one question asked by list, search, describe, call, REST and console alike. */
export interface Policy {
  /** Lists ask `see`; a request asks `call` once, and learns with it whether the caller may know of the thing at all. */
  decide(caller: Caller, tool: Subject, action: Action): Decision
  /** What the rules say of this very call; undefined where they say nothing. */
  judge(caller: Caller, target: Target, kind: RequestKind, args: unknown): RuleVerdict | undefined
  /** The rules over what calls send; undefined where there are none. */
  readonly calls: CallRules | undefined
  /** Whether a tool changes nothing, in the eyes of a profile. */
  effectOf(tool: Subject, profile?: string): Effect
  /** Somebody said something else about what a tool does. */
  recheck(): void
  /** Tools are shown otherwise than before: what was remembered of them is forgotten, and listeners are told. */
  renew(): void
  /** Changes with every `update`, so that whoever remembers decisions knows when to forget them. */
  readonly version: number
  /** What may not follow what; undefined where no profile says so, which costs nothing. */
  readonly flows: Flows | undefined
  update(rules: PolicyRules): void
  /** A source went down or came back; undefined changes nothing. Only profiles that hide what is down notice. */
  noteDown(source: string, isDown: boolean | undefined): void
  onChange(listener: () => void): () => void
}

export const defaultProfile = 'default'

const allowed: Decision = Object.freeze({ allowed: true, seen: true })

export interface PolicyAround {
  /** Default: since some start. */
  readonly now?: (() => number) | undefined
  /** Who says what tools do. Default: nobody. */
  readonly effects?: EffectWords | undefined
}

export const createPolicy = (initial: PolicyRules = {}, around: PolicyAround = {}): Policy => {
  const { now = () => performance.now(), effects = noWords } = around
  let rules = initial
  // What callers have read is remembered past a change of the rules.
  const flows = new Flows((profile = defaultProfile) => profileOf(rules, profile)?.flow, now)
  let flowing = hasFlow(initial)
  let version = 1
  const listeners = new Set<() => void>()
  const down = new Set<string>()
  const changed = (): void => {
    version += 1
    for (const listener of listeners) listener()
  }
  const isHidden = ({ profile = defaultProfile }: Caller, { source }: Subject): boolean =>
    down.size > 0 && source !== undefined && down.has(source) && profileOf(rules, profile)?.hideDown === true
  const hiddenBy = (caller: Caller, tool: Subject): Decision | undefined => {
    if (tool.own) return byBoard(rules, caller, tool)
    if (isHidden(caller, tool)) return refused('its source is down')
    if (tool.owner !== undefined) return byOwner(rules, caller, tool)
    return byRules(rules, tool) ?? byProfile(rules, caller.profile, tool)
  }
  const effectIn = (tool: Subject, profile: string = defaultProfile): Effect =>
    effectOf(tool, profileOf(rules, profile)?.readonly, effects)
  /** For whoever may not call everything: see and call are two things here, so that a refusal can say what is missing. */
  const byEffect = (caller: Caller, tool: Subject): Decision => {
    if (!caller.rights.includes('call:readonly')) return lacks(caller, 'call')
    const effect = effectIn(tool, caller.profile)
    return effect.readonly ? allowed : { allowed: false, seen: true, reason: whyNotReadonly(tool, effect.why) }
  }
  return {
    decide: (caller, shown, action) => {
      const tool = shown.upstream ?? shown
      if (!caller.rights.includes('discover')) return lacks(caller, 'discover')
      const hidden = hiddenBy(caller, tool)
      if (hidden) return hidden
      if (rules.calls?.hides(shown.ruled ?? tool, caller.profile, effectIn)) return refused('a rule denies it')
      return action === 'see' || caller.rights.includes('call') ? allowed : byEffect(caller, tool)
    },
    judge: (caller, target, kind, args) => rules.calls?.judge(caller, target as Subject, kind, args, effectIn),
    get calls() {
      return rules.calls
    },
    effectOf: (tool, profile) => effectIn(tool.upstream ?? tool, profile),
    recheck: () => {
      rules.calls?.forget()
      version += 1
    },
    renew: changed,
    get version() {
      return version
    },
    get flows() {
      return flowing ? flows : undefined
    },
    update: (next) => {
      rules = next
      flowing = hasFlow(next)
      changed()
    },
    noteDown: (source, isDown) => {
      if (isDown === undefined || down.has(source) === isDown) return
      if (isDown) down.add(source)
      else down.delete(source)
      if (Object.values(rules.profiles ?? {}).some(({ hideDown }) => hideDown)) changed()
    },
    onChange: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

const hasFlow = ({ profiles = {} }: PolicyRules): boolean =>
  Object.values(profiles).some(({ flow }) => flow !== undefined)

const profileOf = ({ profiles = {} }: PolicyRules, name: string): ProfileRules | undefined =>
  Object.hasOwn(profiles, name) ? profiles[name] : undefined

/** A profile nobody defined shows nothing: a typo must not open the board. */
const byProfile = (rules: PolicyRules, profile: string | undefined, tool: Subject): Decision | undefined => {
  const found = profileOf(rules, profile ?? defaultProfile)
  if (found) return byRules(found, tool)
  return profile === undefined || profile === defaultProfile ? undefined : refused(`there is no profile '${profile}'`)
}

/**
 * What a profile registered is its own: no allow list had to know of it, and nobody else sees it, the administrator of the
 * whole board aside.
 */
const byOwner = (
  { deny = [], profiles = {} }: PolicyRules,
  { profile = defaultProfile, rights }: Caller,
  tool: Subject,
): Decision | undefined => {
  if (profile !== tool.owner && !(profile === defaultProfile && rights.includes('admin')))
    return refused(`it belongs to the profile '${tool.owner}'`)
  const own = Object.hasOwn(profiles, profile) ? profiles[profile]?.deny : []
  return byRules({ deny: [...deny, ...(own ?? [])] }, tool)
}

/**
 * How a board is searched is no tool that a list could forget to allow, or hide with all the others; a list that names one of
 * these tools means it. What has to be switched on is not there before.
 */
const byBoard = (rules: PolicyRules, { profile = defaultProfile }: Caller, tool: Subject): Decision | undefined => {
  const own = profileOf(rules, profile)
  if (tool.switch !== undefined && !own?.switches?.includes(tool.switch))
    return refused(`the profile '${profile}' does not switch it on`)
  const isNamed = (pattern: string): boolean => pattern === tool.name || pattern === tool.id
  return rules.deny?.some(isNamed) || own?.deny?.some(isNamed) ? refused('on the deny list') : undefined
}

const byRules = ({ allow, deny }: Rules, tool: Subject): Decision | undefined => {
  if (deny?.some((pattern) => matches(pattern, tool) || matchesWritten(pattern, tool)))
    return refused('on the deny list')
  if (allow && !allow.some((pattern) => matches(pattern, tool))) return refused('not on the allow list')
  return undefined
}

const matches = (pattern: string, { id, also }: Subject): boolean =>
  matchesGlob(pattern, id) || (also?.some((each) => matchesGlob(pattern, each)) ?? false)

const matchesWritten = (pattern: string, { written }: Subject): boolean =>
  written !== undefined && matchesGlob(pattern, written)

const refused = (reason: string): Decision => ({ allowed: false, seen: false, reason })

const lacks = ({ id }: Caller, right: Right): Decision => ({
  allowed: false,
  seen: right !== 'discover',
  reason: `'${id}' lacks the right '${right}'`,
})
