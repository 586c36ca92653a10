import type { Caller, Right } from '../model/caller.js'
import type { Tool } from '../model/tool.js'
import { matchesGlob } from './glob.js'

export type Action = 'see' | 'call'

export type Decision = { readonly allowed: true } | { readonly allowed: false; readonly reason: string }

/** Which tools may be seen and called. Patterns are globs over canonical ids; deny wins. */
export interface Rules {
  /** Undefined allows all; an empty list allows nobody anything. */
  readonly allow?: readonly string[]
  readonly deny?: readonly string[]
}

/** The one question asked by list, search, describe, call, REST and console alike. */
export interface Policy {
  decide(caller: Caller, tool: Tool, action: Action): Decision
}

const allowed: Decision = Object.freeze({ allowed: true })
const neededRight: Readonly<Record<Action, Right>> = { see: 'discover', call: 'call' }

export const createPolicy = ({ allow, deny = [] }: Rules = {}): Policy => ({
  decide: (caller, tool, action) => {
    const right = neededRight[action]
    if (!caller.rights.includes(right)) return refused(`'${caller.id}' lacks the right '${right}'`)
    if (deny.length > 0 && deny.some((pattern) => matchesGlob(pattern, tool.id))) return refused('on the deny list')
    if (allow && !allow.some((pattern) => matchesGlob(pattern, tool.id))) return refused('not on the allow list')
    return allowed
  },
})

const refused = (reason: string): Decision => ({ allowed: false, reason })
