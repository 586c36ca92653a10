import { GatewayError, isGatewayError, messageOf } from '../errors.js'
import { ownedName, type Tool, type ToolId, type ToolSpec } from '../model/tool.js'
import { checkNamespace, checkToolName, defaultSeparator, toToolId } from '../model/tool-id.js'
import type { SourceUpdate, ToolProblem } from '../sources/source.js'
import { createNameIndex, type NameIndex, type Naming, namesOf, safeNaming } from './names.js'
import { emptySnapshot, mergeSnapshot, type Snapshot } from './snapshot.js'
import { createUsageCounters, type UsageCounters } from './usage.js'

export interface CatalogOptions {
  /** One character between namespace and name. Default `.`. */
  readonly separator?: string | undefined
  /** False holds a reported tool back: not listed, not found, not called, until `reconsider`. Default: all pass. */
  readonly review?: ((tool: Tool) => boolean) | undefined
}

/** What one update did. Listeners get differences, so that an index can follow tool by tool. */
export interface CatalogChange {
  readonly version: number
  readonly added: readonly Tool[]
  readonly changed: readonly Tool[]
  readonly removed: readonly Tool[]
}

export interface Mount {
  readonly source: string
  readonly namespace: string
  /** Added to the tags of each of the source's tools. */
  readonly tags?: readonly string[] | undefined
  /** For its tools that name no time of their own. */
  readonly timeoutMs?: number | undefined
}

/** What exists right now, merged from all sources. */
export interface Catalog {
  readonly version: number
  readonly size: number
  readonly usage: UsageCounters
  snapshot(): Snapshot
  /** By canonical id, or else by the name advertised under `naming` (default: the safe one). */
  find(name: string, naming?: Naming): Tool | undefined
  names(naming: Naming): NameIndex
  /** Reserves a source's namespace. Two sources never share one: `ns.tool` must have one owner. */
  mount(mount: Mount): void
  /** Takes a source's report; tools that cannot be listed are left out and returned as problems. */
  apply(source: string, update: SourceUpdate): readonly ToolProblem[]
  /** The tools that `review` holds back, sorted by id. */
  held(): readonly Tool[]
  /** One that is held back, by its id or any name under which it would be advertised. */
  findHeld(name: string): Tool | undefined
  /** Asks `review` again about a tool that is held back; true if it is listed now. */
  reconsider(id: ToolId): boolean
  /** Asks `review` again, about what is held back or about every tool, and tells what came of it as one change. */
  recheck(which: 'held' | 'all'): void
  /** How many tools of this source are listed. */
  countOf(source: string): number
  /** Removes the source with all its tools. */
  unmount(source: string): void
  onChange(listener: (change: CatalogChange) => void): () => void
  /**
   * Before something is said to be absent: takes up what others have just written. Undefined where there is nobody else to
   * look at, which is so until `askElsewhere`.
   */
  lookAround(): Promise<void> | undefined
  askElsewhere(look: () => Promise<void> | undefined): void
}

export const createCatalog = ({ separator = defaultSeparator, review = () => true }: CatalogOptions = {}): Catalog => {
  if ([...separator].length !== 1)
    throw new GatewayError(
      'CONFIG_INVALID',
      `The namespace separator must be exactly one character, got '${separator}'.`,
    )

  const mounts = new Map<string, { readonly mount: Mount; readonly tools: Map<string, Tool> }>()
  const byId = new Map<ToolId, Tool>()
  const held = new Map<ToolId, Tool>()
  const indexes = new Map<string, NameIndex>()
  const listeners = new Set<(change: CatalogChange) => void>()
  const pending = new Map<ToolId, Tool | undefined>()
  let current = emptySnapshot
  let version = 0
  let lookAround: Catalog['lookAround'] = () => undefined

  // Snapshots are merged when somebody looks, so that registering n tools one by one costs n, not n².
  const snapshot = (): Snapshot => {
    if (current.version === version) return current
    current = mergeSnapshot(current, pending, version)
    pending.clear()
    return current
  }

  const names = (naming: Naming): NameIndex => {
    const key = `${naming.style}/${naming.namespacing}/${naming.collisions}`
    const known = indexes.get(key)
    if (known) return known
    const index = createNameIndex(naming, byId.values())
    indexes.set(key, index)
    return index
  }

  const commit = (added: Tool[], changed: [Tool, Tool][], removed: Tool[]): void => {
    if (added.length + changed.length + removed.length === 0) return
    version += 1
    for (const index of indexes.values()) {
      for (const tool of removed) index.remove(tool)
      for (const [before] of changed) index.remove(before)
      for (const tool of added) index.add(tool)
      for (const [, after] of changed) index.add(after)
    }
    for (const tool of removed) pending.set(tool.id, undefined)
    for (const tool of added) pending.set(tool.id, tool)
    for (const [, after] of changed) pending.set(after.id, after)
    const change = { version, added, changed: changed.map(([, after]) => after), removed }
    for (const listener of listeners) listener(change)
  }

  const apply = (source: string, update: SourceUpdate): readonly ToolProblem[] => {
    const mounted = mounts.get(source)
    if (!mounted) throw new GatewayError('SOURCE_NOT_FOUND', `No source named '${source}' is mounted.`)
    const { mount, tools } = mounted
    const problems: ToolProblem[] = update.type === 'all' ? [...(update.problems ?? [])] : []
    const added: Tool[] = []
    const changed: [Tool, Tool][] = []
    const removed: Tool[] = []
    const seen = new Set<string>()
    const heldBack = new Set<string>()
    // Only what this report speaks of: the rest of a partial one stays as it was.
    const forget = (name: string): void => void held.delete(toToolId(mount.namespace, name, separator))
    if (update.type === 'all') for (const tool of held.values()) if (tool.source === source) held.delete(tool.id)

    for (const spec of update.type === 'all' ? update.tools : update.changed) {
      try {
        const tool = toTool(spec, mount, separator)
        const key = keyOf(tool)
        if (seen.has(key) || heldBack.has(key)) throw twice(tool)
        forget(key)
        if (!review(tool)) {
          held.set(tool.id, tool)
          heldBack.add(key)
          continue
        }
        seen.add(key)
        const before = tools.get(key)
        if (before && sameTool(before, tool)) continue
        const holder = byId.get(tool.id)
        if (holder && holder.source !== source) removed.push(giveWay(holder, tool))
        tools.set(key, tool)
        byId.set(tool.id, tool)
        if (before) changed.push([before, tool])
        else added.push(tool)
      } catch (error) {
        problems.push(toProblem(spec, error))
      }
    }
    const gone =
      update.type === 'all' ? [...tools.keys()].filter((name) => !seen.has(name)) : [...update.removed, ...heldBack]
    if (update.type === 'change') for (const name of update.removed) if (!heldBack.has(name)) forget(name)
    for (const name of gone) {
      const tool = tools.get(name)
      if (!tool || seen.has(name)) continue
      tools.delete(name)
      byId.delete(tool.id)
      removed.push(tool)
    }
    commit(added, changed, removed)
    return problems
  }

  /** Lists a tool that was held back; false where its id is another's by now. */
  const letIn = (tool: Tool): boolean => {
    const tools = mounts.get(tool.source)?.tools
    if (!tools || byId.has(tool.id)) return false
    held.delete(tool.id)
    tools.set(keyOf(tool), tool)
    byId.set(tool.id, tool)
    return true
  }

  /** What can be run wins over a mere definition, whichever came first; between equals the first keeps its id. */
  const giveWay = (holder: Tool, tool: Tool): Tool => {
    if (!holder.definitionOnly || tool.definitionOnly) throw idTaken(tool, holder)
    mounts.get(holder.source)?.tools.delete(keyOf(holder))
    return holder
  }

  return {
    get version() {
      return version
    },
    get size() {
      return byId.size
    },
    usage: createUsageCounters(),
    snapshot,
    find: (name, naming = safeNaming) => byId.get(name) ?? names(naming).find(name),
    names,
    mount: (mount) => {
      if (mounts.has(mount.source))
        throw new GatewayError(
          'SOURCE_CONFLICT',
          `A source named '${mount.source}' is already mounted; choose another name.`,
        )
      checkNamespace(mount.namespace, separator)
      // Without a namespace there is nothing to own: equal ids are refused tool by tool.
      for (const { mount: other } of mounts.values())
        if (other.namespace === mount.namespace && mount.namespace !== '')
          throw new GatewayError(
            'SOURCE_CONFLICT',
            `The namespace '${mount.namespace}' belongs to source '${other.source}'; give '${mount.source}' another one.`,
          )
      mounts.set(mount.source, { mount, tools: new Map() })
    },
    apply,
    held: () => [...held.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
    findHeld: (name) => held.get(name) ?? [...held.values()].find((tool) => namesOf(tool).includes(name)),
    reconsider: (id) => {
      const tool = held.get(id)
      if (!tool || !review(tool) || !letIn(tool)) return false
      commit([tool], [], [])
      return true
    },
    recheck: (which) => {
      const removed = which === 'all' ? [...byId.values()].filter((tool) => !review(tool)) : []
      const added = [...held.values()].filter((tool) => review(tool) && letIn(tool))
      for (const tool of removed) {
        mounts.get(tool.source)?.tools.delete(keyOf(tool))
        byId.delete(tool.id)
        held.set(tool.id, tool)
      }
      commit(added, [], removed)
    },
    countOf: (source) => mounts.get(source)?.tools.size ?? 0,
    unmount: (source) => {
      if (!mounts.has(source)) return
      apply(source, { type: 'all', tools: [] })
      mounts.delete(source)
    },
    onChange: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    lookAround: () => lookAround(),
    askElsewhere: (look) => {
      lookAround = look
    },
  }
}

const toTool = (spec: ToolSpec, mount: Mount, separator: string): Tool => {
  const { definition, tags = [], ...traits } = spec
  const name = checkToolName(definition.name)
  return Object.freeze({
    ...traits,
    timeoutMs: traits.timeoutMs ?? mount.timeoutMs,
    id: toToolId(mount.namespace, ownedName(name, traits.owner), separator),
    namespace: mount.namespace,
    name,
    source: mount.source,
    definition,
    tags: mount.tags ? [...new Set([...tags, ...mount.tags])] : tags,
  })
}

/** What a source's tools are kept by: profiles may have registered one name each. */
const keyOf = ({ name, owner }: Tool): string => ownedName(name, owner)

/** A source that re-reads its list reports equal tools again; those are no change. */
const sameTool = (before: Tool, after: Tool): boolean =>
  before.definition === after.definition
    ? JSON.stringify(traitsOf(before)) === JSON.stringify(traitsOf(after))
    : JSON.stringify(before) === JSON.stringify(after)

// Most of a tool is its definition; where that is the same object, only the rest is looked at.
const traitsOf = ({ definition: _, ...traits }: Tool) => traits

const toProblem = (spec: ToolSpec, error: unknown): ToolProblem => ({
  tool: String(spec.definition?.name ?? ''),
  error: isGatewayError(error) ? error : new GatewayError('TOOL_INVALID', messageOf(error), { cause: error }),
})

const twice = (tool: Tool) =>
  new GatewayError(
    'TOOL_CONFLICT',
    `Source '${tool.source}' reports two tools named '${tool.name}'; the first is kept.`,
  )

const idTaken = (tool: Tool, holder: Tool) =>
  new GatewayError(
    'NAME_COLLISION',
    `'${tool.id}' from source '${tool.source}' is already the id of a tool of source '${holder.source}'; rename one or change a namespace.`,
    { details: { id: tool.id, sources: [holder.source, tool.source] } },
  )
