import type { Catalog } from '../catalog/catalog.js'
import type { Call, Found } from '../model/call.js'
import type { Caller } from '../model/caller.js'
import type { Tool } from '../model/tool.js'
import type { Decision, Policy } from '../policy/policy.js'

/** What a name stands for and what the rules say of it: looked up once per request, judged once. */
export class Finding implements Found {
  constructor(
    readonly caller: Caller,
    /** What there is, whether or not this caller may know of it. */
    readonly target: Tool | undefined,
    readonly decision: Decision,
    readonly catalogVersion: number,
    readonly policyVersion: number,
  ) {}

  get tool(): Tool | undefined {
    return this.decision.seen ? this.target : undefined
  }
}

export interface Finder {
  /** `look` is how names are looked up; default: by id, or by the safe name. */
  tool(name: string, caller: Caller, look?: (name: string) => Tool | undefined): Finding
  /** What came with the call, if it is ours and still holds; else what is found now. */
  of(call: Call): Finding
}

const absent: Decision = Object.freeze({ allowed: false, seen: false, reason: 'there is none' })

export const createFinder = (catalog: Pick<Catalog, 'find' | 'version'>, policy: Policy): Finder => {
  const tool: Finder['tool'] = (name, caller, look = catalog.find) => {
    const target = look(name)
    const decision = target ? policy.decide(caller, target, 'call') : absent
    return new Finding(caller, target, decision, catalog.version, policy.version)
  }
  // Anybody may write a `Call`: what it brings counts only where we made it, for this caller, and nothing changed since.
  const holds = (found: Found | undefined, caller: Caller): found is Finding =>
    found instanceof Finding &&
    found.caller === caller &&
    found.catalogVersion === catalog.version &&
    found.policyVersion === policy.version
  return {
    tool,
    of: ({ tool: name, caller, found }) => (holds(found, caller) ? found : tool(name, caller)),
  }
}
