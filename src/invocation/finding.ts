import type { Catalog } from '../catalog/catalog.js'
import { exactNaming, type Naming } from '../catalog/names.js'
import type { Located, Offers } from '../catalog/offers/offers.js'
import type { Surfaces } from '../catalog/offers/surfaces.js'
import type { Call, Found, RequestKind, Wanted } from '../model/call.js'
import type { Caller } from '../model/caller.js'
import { isRecord } from '../model/json.js'
import type { Tool } from '../model/tool.js'
import type { Action, Decision, Policy } from '../policy/policy.js'

/** What a name stands for and what the rules say of it: looked up once per request, judged once. */
export class Finding implements Found {
  constructor(
    readonly kind: RequestKind,
    readonly caller: Caller,
    /** What there is, whether or not this caller may know of it. */
    readonly target: Tool | Located | undefined,
    readonly decision: Decision,
    /** Of the lists it was found in. */
    readonly listVersion: number,
    readonly policyVersion: number,
  ) {}

  /** Undefined where the caller may not know of it. */
  get seen(): Tool | Located | undefined {
    return this.decision.seen ? this.target : undefined
  }

  get tool(): Tool | undefined {
    return this.kind === 'tool' ? (this.seen as Tool | undefined) : undefined
  }

  get offer(): Located | undefined {
    return this.kind === 'tool' ? undefined : (this.seen as Located | undefined)
  }
}

/** Finds what a request is for, by its kind, and asks the policy: the one place that does. */
export interface Finder {
  /** `look` is how names are looked up; default: by id, or by the safe name. */
  tool(name: string, caller: Caller, look?: (name: string) => Tool | undefined): Finding
  /** Names of prompts are those of this naming; default: canonical ids. */
  offer(wanted: Wanted, caller: Caller, naming?: Naming): Finding
  /** What came with the call, if it is ours and still holds; else what is found now. */
  of(call: Call): Finding
}

export interface FinderRooms {
  readonly catalog: Pick<Catalog, 'find' | 'version'>
  readonly surfaces: Pick<Surfaces, 'version'>
  readonly offers: (caller: Caller, naming: Naming) => Offers
  readonly policy: Policy
}

const absent: Decision = Object.freeze({ allowed: false, seen: false, reason: 'there is none' })

/** What is read may be had by whoever may see it; what may act needs the right to call. */
const actions: Readonly<Record<RequestKind, Action>> = {
  tool: 'call',
  prompt: 'see',
  resource: 'see',
  completion: 'see',
  other: 'call',
}

export const createFinder = ({ catalog, surfaces, offers, policy }: FinderRooms): Finder => {
  const tool: Finder['tool'] = (name, caller, look = catalog.find) => {
    const target = look(name)
    const decision = target ? policy.decide(caller, target, 'call') : absent
    return new Finding('tool', caller, target, decision, catalog.version, policy.version)
  }
  const offer: Finder['offer'] = (wanted, caller, naming = exactNaming) => {
    const target = locate(offers(caller, naming), wanted)
    const decision = target ? policy.decide(caller, target, actions[wanted.kind]) : absent
    return new Finding(wanted.kind, caller, target, decision, surfaces.version, policy.version)
  }
  // Anybody may write a `Call`: what it brings counts only where we made it, for this caller, and nothing changed since.
  const holds = (found: Found | undefined, { kind = 'tool', caller }: Call): found is Finding =>
    found instanceof Finding &&
    found.kind === kind &&
    found.caller === caller &&
    found.listVersion === (kind === 'tool' ? catalog : surfaces).version &&
    found.policyVersion === policy.version
  return {
    tool,
    offer,
    of: (call) => {
      if (holds(call.found, call)) return call.found
      if (call.kind === undefined || call.kind === 'tool') return tool(call.tool, call.caller)
      return offer({ kind: call.kind, name: call.tool, source: call.source, of: refOf(call.args) }, call.caller)
    },
  }
}

const locate = (offers: Offers, { kind, name, of, source, era }: Wanted): Located | undefined => {
  if (kind === 'other') return source === undefined ? offers.answerer(name, era) : offers.at(source, name)
  return kind === 'prompt' || (kind === 'completion' && of === 'prompt') ? offers.prompt(name) : offers.resource(name)
}

const refOf = (params: unknown): Wanted['of'] =>
  isRecord(params) && isRecord(params.ref) && params.ref.type === 'ref/prompt' ? 'prompt' : 'resource'
