import type { Catalog } from '../../catalog/catalog.js'
import { exactNaming, type Naming } from '../../catalog/names.js'
import type { Located, Offers } from '../../catalog/offers/offers.js'
import type { Surfaces } from '../../catalog/offers/surfaces.js'
import type { ShownTools, Withheld } from '../../catalog/overriding.js'
import type { Reviewed } from '../../catalog/reviewed.js'
import { GatewayError } from '../../errors.js'
import type { Call, Found, RequestKind, Wanted } from '../../model/call.js'
import type { Caller } from '../../model/caller.js'
import { isRecord, type JsonObject } from '../../model/json.js'
import type { Tool } from '../../model/tool.js'
import type { Action, Decision, Policy } from '../../policy/policy.js'
import type { CarriedCall, Source } from '../../sources/source.js'
import type { Passage, Step } from '../passage.js'

/** What is done about a tool that is held back. */
export interface Held {
  readonly catalog: Pick<Catalog, 'findHeld' | 'lookAround'>
  readonly policy: Policy
  /** What an operator does about it. */
  readonly tell: (item: Reviewed) => string
  /** What this profile is not shown because its override does not fit. */
  readonly withheld: (name: string, profile: string | undefined) => Withheld | undefined
}

/** A name or address → something this caller can see, of the kind that is asked for. */
export const resolve = (finder: Finder, held: Held): Step => {
  const settle = (passage: Passage, found: Resolution): void => {
    const { seen } = found
    // Hidden and absent answer alike, or the refusal itself would tell the caller that there is something.
    if (!seen) throw notFound(passage, found, finder, held)
    passage.target = seen
    passage.decision = found.decision
  }
  return {
    enter: (passage) => {
      const found = finder.of(passage.call)
      // Only what is about to be refused waits: it may be there since a moment, at another replica.
      const looking = found.seen || passage.sync ? undefined : held.catalog.lookAround()
      if (!looking) return settle(passage, found)
      return looking.then(() => settle(passage, finder.again(found, passage.call)))
    },
  }
}

/**
 * May they call what they can see? The policy was asked when it was found: one question, both answers. What must not follow
 * what this caller has read is known only now (T22).
 */
export const authorize = (policy: Policy): Step => ({
  enter: ({ decision, target, shown, call: { caller } }) => {
    const reason = decision.allowed ? policy.flows?.refusal(caller, target) : decision.reason
    if (reason === undefined) return
    const { id } = shown ?? target
    throw new GatewayError('ACCESS_DENIED', `'${id}' may not be called: ${reason}.`, {
      details: { tool: id },
      notSent: true,
    })
  },
})

export interface Unwrapping {
  readonly finder: Finder
  readonly findSource: (name: string) => Source | undefined
}

/**
 * A tool that only calls another (`call_tool`) is that other from here on: its limits, circuit, time and source. `checks` are
 * the steps that the other has not passed yet.
 */
export const unwrap = ({ finder, findSource }: Unwrapping, checks: readonly Step[]): Step => ({
  enter: (passage) => {
    const carried = passage.kind === 'tool' && passage.tool.own ? carriedBy(passage, findSource) : undefined
    if (!carried) return
    const { seen, decision } = finder.tool(carried.tool.id, passage.call.caller, () => carried.tool)
    // Its source says in its own words that there is none.
    if (!seen) return
    passage.goOnAs(seen, decision, carried.args)
    let turn: Promise<void> | undefined
    for (const { enter } of checks) {
      // Those that check answer nothing themselves.
      const check = enter as ((passage: Passage) => Promise<void> | undefined) | undefined
      turn = turn ? turn.then(() => check?.(passage)) : check?.(passage)
    }
    return turn
  },
})

const carriedBy = ({ target, args, call }: Passage, findSource: Unwrapping['findSource']): CarriedCall | undefined => {
  const source = findSource(target.source)
  return source?.carried && isRecord(args) ? source.carried(target.name, args as JsonObject, call.caller) : undefined
}

const notFound = ({ kind, call }: Passage, { target }: Resolution, finder: Finder, held: Held): GatewayError => {
  const waiting = target ? undefined : kind === 'tool' ? heldTool(call.tool, call.caller, held) : finder.held(call)
  if (waiting) return heldBack(waiting.id, held.tell(waiting))
  const misfit = target || kind !== 'tool' ? undefined : held.withheld(call.tool, call.caller.profile)
  if (misfit && held.policy.decide(call.caller, misfit.tool, 'see').allowed)
    return heldBack(misfit.tool.id, whyMisfit(misfit))
  return kind === 'tool' ? toolNotFound(call.tool) : notOffered(kind, call.tool)
}

/** Who could see it may know why it is gone (U3). */
const heldTool = (name: string, caller: Caller, { catalog, policy }: Held): Tool | undefined => {
  const tool = catalog.findHeld(name)
  return tool && policy.decide(caller, tool, 'see').allowed ? tool : undefined
}

const heldBack = (id: string, why: string): GatewayError =>
  new GatewayError('TOOL_HELD', `'${shown(id)}' is held back: ${why}`, { details: { tool: shown(id) }, notSent: true })

/** Of values nothing is said: a caller may read it. */
const whyMisfit = ({ tool, problems }: Withheld): string => {
  const [first] = problems
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
  return `its override does not fit it: ${first!.path} ${first!.message}${more}. An operator mends it: pegboard tool show ${shown(tool.id)}`
}

export const toolNotFound = (name: string): GatewayError =>
  new GatewayError('TOOL_NOT_FOUND', `Tool not found: ${shown(name)}. List or search the tools to see their names.`, {
    details: { tool: shown(name) },
    notSent: true,
  })

export const notOffered = (kind: RequestKind, name: string): GatewayError =>
  new GatewayError(
    'NOT_OFFERED',
    `No source offers the ${whatIs[kind]} ${shown(name)}. List them to see what there is.`,
    {
      details: { kind, tool: shown(name) },
      notSent: true,
    },
  )

const whatIs: Readonly<Record<RequestKind, string>> = {
  tool: 'tool',
  prompt: 'prompt',
  resource: 'resource',
  completion: 'prompt or resource',
  other: 'method',
}

// The name comes from the caller and may be anything: shown short and on one line.
const shown = (name: unknown): string => {
  const text = String(name)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal.
  return (text.length > 120 ? `${text.slice(0, 120)}…` : text).replace(/[\u0000-\u001f\u007f-\u009f]/g, '�')
}

/** What a name stands for and what the rules say of it: looked up once per request, judged once. */
export class Resolution implements Found {
  constructor(
    readonly kind: RequestKind,
    /** As it was asked for. */
    readonly name: string,
    readonly caller: Caller,
    /** What there is, whether or not this caller may know of it. */
    readonly target: Tool | Located | undefined,
    readonly decision: Decision,
    /** Of the lists it was found in. */
    readonly listVersion: number,
    readonly policyVersion: number,
    /** How its name was looked up, for tools. */
    readonly look?: ((name: string) => Tool | undefined) | undefined,
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
  tool(name: string, caller: Caller, look?: (name: string) => Tool | undefined): Resolution
  /** Names of prompts are those of this naming; default: canonical ids. */
  offer(wanted: Wanted, caller: Caller, naming?: Naming): Resolution
  /** What came with the call, if it is ours and still holds; else what is found now. */
  of(call: Call): Resolution
  /** The same as things are now, by the names that it was looked up by. */
  again(found: Resolution, call: Call): Resolution
  /** What a request of another kind than `tool` is for, if it waits for somebody to approve it and this caller could see it. */
  held(call: Call): Reviewed | undefined
}

export interface FinderRooms {
  readonly catalog: Pick<Catalog, 'version'>
  /** What the callers of a profile are shown. */
  readonly shelf: (profile: string | undefined) => ShownTools
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

export const createFinder = ({ catalog, shelf, surfaces, offers, policy }: FinderRooms): Finder => {
  const tool: Finder['tool'] = (name, caller, look) => {
    const target = look ? look(name) : shelf(caller.profile).find(name)
    const decision = target ? policy.decide(caller, target, 'call') : absent
    return new Resolution('tool', name, caller, target, decision, catalog.version, policy.version, look)
  }
  const offer: Finder['offer'] = (wanted, caller, naming = exactNaming) => {
    const target = locate(offers(caller, naming), wanted)
    const decision = target ? policy.decide(caller, target, actions[wanted.kind]) : absent
    return new Resolution(wanted.kind, wanted.name, caller, target, decision, surfaces.version, policy.version)
  }
  // Anybody may write a `Call`: what it brings counts only where we made it, for this name and caller, and nothing changed since.
  const holds = (found: Found | undefined, { kind = 'tool', tool: name, caller }: Call): found is Resolution =>
    found instanceof Resolution &&
    found.kind === kind &&
    found.name === name &&
    found.caller === caller &&
    found.listVersion === (kind === 'tool' ? catalog : surfaces).version &&
    found.policyVersion === policy.version
  const of: Finder['of'] = (call) => {
    if (holds(call.found, call)) return call.found
    if (call.kind === undefined || call.kind === 'tool') return tool(call.tool, call.caller)
    return offer({ kind: call.kind, name: call.tool, source: call.source, of: refOf(call.args) }, call.caller)
  }
  return {
    tool,
    offer,
    of,
    again: (found, call) => (found.kind === 'tool' ? tool(found.name, found.caller, found.look) : of(call)),
    held: ({ kind, tool: name, caller, args }) => {
      if (kind === undefined || kind === 'tool' || kind === 'other') return undefined
      const isPrompt = kind === 'prompt' || (kind === 'completion' && refOf(args) === 'prompt')
      return offers(caller, exactNaming).held(isPrompt ? 'prompt' : 'resource', name)
    },
  }
}

const locate = (offers: Offers, { kind, name, of, source, era }: Wanted): Located | undefined => {
  if (kind === 'other') return source === undefined ? offers.answerer(name, era) : offers.at(source, name)
  return kind === 'prompt' || (kind === 'completion' && of === 'prompt') ? offers.prompt(name) : offers.resource(name)
}

const refOf = (params: unknown): Wanted['of'] =>
  isRecord(params) && isRecord(params.ref) && params.ref.type === 'ref/prompt' ? 'prompt' : 'resource'
