import { createHash } from 'node:crypto'
import type { Caller } from '../model/caller.js'
import type { Tool } from '../model/tool.js'

export type NameStyle = 'exact' | 'safe'
export type CollisionPolicy = 'refuse' | 'hash'

/** How tools are called towards a client. A pure function of configuration: no other tool's presence changes a name. */
export interface Naming {
  /** `exact` keeps `calc.add`; `safe` uses only `[A-Za-z0-9_-]`, at most 64, as every model provider accepts. */
  readonly style: NameStyle
  /** Off: bare names, and two tools of one name are a configuration error. Default on. */
  readonly namespacing: boolean
  /**
   * `hash` gives each name that had to be altered a short hash of its exact form, so that no two can meet;
   * `refuse` alters it plainly and reports names that meet. Only the safe style alters anything.
   */
  readonly collisions: CollisionPolicy
}

export const exactNaming: Naming = Object.freeze({ style: 'exact', namespacing: true, collisions: 'refuse' })
export const safeNaming: Naming = Object.freeze({ style: 'safe', namespacing: true, collisions: 'hash' })

/** The name under which a tool is advertised. */
export const advertisedName = (
  tool: Pick<Tool, 'id' | 'namespace' | 'name' | 'own' | 'owner'>,
  naming: Naming,
): string => {
  if (tool.own) return tool.name
  // Whose it is is no part of its name.
  if (naming.style === 'exact') return naming.namespacing && tool.owner === undefined ? tool.id : tool.name
  return naming.namespacing && tool.namespace !== ''
    ? safeJoined(tool.namespace, tool.name, naming.collisions)
    : safeBare(tool.name, naming.collisions)
}

const safeLength = 64
const hashLength = 8
const joiner = '__'
const legal = /^[A-Za-z_][A-Za-z0-9_-]*$/
// What the hash branch produces. A clean name of this form is hashed too, or it could be mistaken for another's.
const looksHashed = /_[0-9a-f]{8}$/

/**
 * `ns` and `name` joined by `__`. The pair can be read back from the joined form only if the first `__` is the joiner:
 * that holds when `ns` neither contains `__` nor ends in `_`, and `name` does not start with `_`.
 */
const safeJoined = (namespace: string, name: string, collisions: CollisionPolicy): string => {
  const joined = namespace + joiner + name
  const splitsBack = !namespace.includes(joiner) && !namespace.endsWith('_') && !name.startsWith('_')
  if (splitsBack && isPlain(joined)) return joined
  return altered(joined, `${namespace}\u0000${name}`, collisions)
}

// A bare name may look like a joined one; the empty namespace and a namespace are then kept apart by the hash.
const safeBare = (name: string, collisions: CollisionPolicy): string =>
  isPlain(name) && !name.includes(joiner) ? name : altered(name, `\u0000${name}`, collisions)

const isPlain = (name: string): boolean => name.length <= safeLength && legal.test(name) && !looksHashed.test(name)

const altered = (name: string, exact: string, collisions: CollisionPolicy): string => {
  const cleaned = name.normalize('NFC').replace(/[^A-Za-z0-9_-]/gu, '_')
  const started = /^[A-Za-z_]/.test(cleaned) ? cleaned : `_${cleaned}`
  if (collisions === 'refuse') return started.slice(0, safeLength)
  return `${started.slice(0, safeLength - hashLength - 1)}_${shortHash(exact)}`
}

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, hashLength)

/** What tools are called towards each caller, where callers have namings of their own. */
export const namesTowards = (
  shown: (profile: string | undefined) => { names(naming: Naming): { find(name: string): Tool | undefined } },
  namingOf: (caller: Caller) => Naming,
) => ({
  nameOf: (tool: Tool, caller: Caller): string => advertisedName(tool, namingOf(caller)),
  toolNamed: (name: string, caller: Caller): Tool | undefined =>
    shown(caller.profile).names(namingOf(caller)).find(name),
})

export interface NameCollision {
  readonly name: string
  readonly tools: readonly string[]
}

/** From advertised names back to tools, for one naming. Follows the catalog's changes tool by tool. */
export interface NameIndex {
  /** The tool of this name; undefined for unknown names and for names that two tools claim. */
  find(name: string): Tool | undefined
  nameOf(tool: Tool): string
  collisions(): readonly NameCollision[]
  add(tool: Tool): void
  remove(tool: Tool): void
}

export const createNameIndex = (naming: Naming, tools: Iterable<Tool>): NameIndex => {
  const single = new Map<string, Tool>()
  // The board's own names are reserved: a source cannot put a tool in their place.
  const own = new Map<string, Tool>()
  // Ambiguous names answer nobody: whichever tool won would inherit what was granted to the other.
  const contested = new Map<string, Map<string, Tool>>()

  const add = (tool: Tool): void => {
    const name = advertisedName(tool, naming)
    if (tool.own) return void own.set(name, tool)
    const rivals = contested.get(name)
    if (rivals) return void rivals.set(tool.id, tool)
    const holder = single.get(name)
    if (!holder || holder.id === tool.id) return void single.set(name, tool)
    single.delete(name)
    contested.set(name, new Map([holder, tool].map((each) => [each.id, each])))
  }

  const remove = (tool: Tool): void => {
    const name = advertisedName(tool, naming)
    if (tool.own) return void own.delete(name)
    const rivals = contested.get(name)
    if (!rivals) return void (single.get(name)?.id === tool.id && single.delete(name))
    rivals.delete(tool.id)
    if (rivals.size > 1) return
    contested.delete(name)
    for (const last of rivals.values()) single.set(name, last)
  }

  for (const tool of tools) add(tool)
  return {
    find: (name) => own.get(name) ?? single.get(name),
    nameOf: (tool) => advertisedName(tool, naming),
    collisions: () => [...contested].map(([name, rivals]) => ({ name, tools: [...rivals.keys()].sort() })),
    add,
    remove,
  }
}

/** Every name that some naming gives it; asked only when a name was not found. */
export const namesOf = (tool: Parameters<typeof advertisedName>[0]): readonly string[] =>
  [exactNaming, safeNaming]
    .flatMap((naming) => [naming, { ...naming, namespacing: false }])
    .map((naming) => advertisedName(tool, naming))
