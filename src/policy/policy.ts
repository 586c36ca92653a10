import type { Caller, Right } from '../model/caller.js'
import { matchesGlob } from '../model/glob.js'
import type { Tool } from '../model/tool.js'

export type Action = 'see' | 'call'

export type Decision = { readonly allowed: true } | { readonly allowed: false; readonly reason: string }

/** Which tools may be seen and called. Patterns are globs over canonical ids; deny wins. */
export interface Rules {
  /** Undefined allows all; an empty list allows nobody anything. */
  readonly allow?: readonly string[]
  readonly deny?: readonly string[]
}

/** The rules for everybody, and those of each profile on top. */
export interface PolicyRules extends Rules {
  readonly profiles?: Readonly<Record<string, Rules>>
}

/** The one question asked by list, search, describe, call, REST and console alike. */
export interface Policy {
  decide(caller: Caller, tool: Pick<Tool, 'id' | 'own'>, action: Action): Decision
  /** Changes with every `update`, so that whoever remembers decisions knows when to forget them. */
  readonly version: number
  update(rules: PolicyRules): void
  onChange(listener: () => void): () => void
}

export const defaultProfile = 'default'

const allowed: Decision = Object.freeze({ allowed: true })
const neededRight: Readonly<Record<Action, Right>> = { see: 'discover', call: 'call' }

export const createPolicy = (initial: PolicyRules = {}): Policy => {
  let rules = initial
  let version = 1
  const listeners = new Set<() => void>()
  return {
    decide: (caller, tool, action) => {
      const right = neededRight[action]
      if (!caller.rights.includes(right)) return refused(`'${caller.id}' lacks the right '${right}'`)
      // How a board is searched is no tool that a list could forget to allow.
      if (tool.own) return allowed
      return byRules(rules, tool) ?? byProfile(rules, caller.profile, tool) ?? allowed
    },
    get version() {
      return version
    },
    update: (next) => {
      rules = next
      version += 1
      for (const listener of listeners) listener()
    },
    onChange: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** A profile nobody defined shows nothing: a typo must not open the board. */
const byProfile = (
  { profiles = {} }: PolicyRules,
  profile: string | undefined,
  tool: Pick<Tool, 'id'>,
): Decision | undefined => {
  const name = profile ?? defaultProfile
  if (Object.hasOwn(profiles, name)) return byRules(profiles[name]!, tool)
  return profile === undefined || profile === defaultProfile ? undefined : refused(`there is no profile '${profile}'`)
}

const byRules = ({ allow, deny }: Rules, tool: Pick<Tool, 'id'>): Decision | undefined => {
  if (deny?.some((pattern) => matchesGlob(pattern, tool.id))) return refused('on the deny list')
  if (allow && !allow.some((pattern) => matchesGlob(pattern, tool.id))) return refused('not on the allow list')
  return undefined
}

const refused = (reason: string): Decision => ({ allowed: false, reason })
