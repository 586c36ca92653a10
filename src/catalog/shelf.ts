import type { Tool } from '../model/tool.js'
import { createNameIndex, type NameIndex, type Naming, namesOf, safeNaming } from './names.js'
import type { ToolOverride } from './override.js'
import type { OverridesInForce } from './overrides.js'
import type { MisfitOverride, ShownTools, Withheld } from './overriding.js'

/** What one profile is shown, made when somebody looks after the catalog changed: only what is overridden costs anything. */
export class OverriddenShelf implements ShownTools {
  readonly #overrides: OverridesInForce
  readonly #profile: string | undefined
  #version = -1
  /** By upstream id; undefined is not shown. */
  #changes = new Map<string, Tool | undefined>()
  /** By the id under which it is shown. */
  #renamed = new Map<string, Tool>()
  #withheld: readonly Withheld[] = []
  #problems: readonly MisfitOverride[] = []
  #tools: readonly Tool[] | undefined
  readonly #indexes = new Map<string, NameIndex>()

  constructor(overrides: OverridesInForce, profile: string | undefined) {
    this.#overrides = overrides
    this.#profile = profile
  }

  get tools(): readonly Tool[] {
    this.#refresh()
    this.#tools ??= this.#merge()
    return this.#tools
  }

  get problems(): readonly MisfitOverride[] {
    this.#refresh()
    return this.#problems
  }

  find(name: string, naming: Naming = safeNaming): Tool | undefined {
    this.#refresh()
    const renamed = this.#renamed.get(name)
    if (renamed) return renamed
    const found = this.#overrides.rooms.catalog.find(name, naming)
    if (found?.id === name) {
      const shown = this.shownOf(found)
      if (shown?.id === name) return shown
    }
    return this.names(naming).find(name)
  }

  names(naming: Naming): NameIndex {
    this.#refresh()
    const key = `${naming.style}/${naming.namespacing}/${naming.collisions}`
    const known = this.#indexes.get(key)
    if (known) return known
    const index = createNameIndex(naming, this.tools)
    this.#indexes.set(key, index)
    return index
  }

  shownOf(upstream: Tool): Tool | undefined {
    this.#refresh()
    return this.#changes.has(upstream.id) ? this.#changes.get(upstream.id) : upstream
  }

  withheld(name: string): Withheld | undefined {
    this.#refresh()
    return this.#withheld.find(({ tool }) => tool.id === name || namesOf(tool).includes(name))
  }

  #merge(): readonly Tool[] {
    const all = this.#overrides.rooms.catalog.snapshot().tools
    const shown = all.flatMap((tool) => this.shownOf(tool) ?? [])
    return Object.freeze(this.#renamed.size === 0 ? shown : shown.sort((one, other) => (one.id < other.id ? -1 : 1)))
  }

  #refresh(): void {
    const { catalog } = this.#overrides.rooms
    if (this.#version === catalog.version) return
    this.#version = catalog.version
    this.#tools = undefined
    this.#indexes.clear()
    this.#changes = new Map()
    this.#renamed = new Map()
    const withheld: Withheld[] = []
    const problems: MisfitOverride[] = []
    for (const { tool, override } of this.#overridden()) {
      const made = override.enabled === false ? undefined : this.#overrides.show(tool, override)
      this.#changes.set(tool.id, made && 'shown' in made ? made.shown : undefined)
      if (!made || 'shown' in made) continue
      withheld.push({ tool, problems: made.problems })
      problems.push(...made.problems.map((problem) => ({ tool: tool.id, ...problem })))
    }
    problems.push(...this.#settleNames())
    this.#withheld = withheld
    this.#problems = problems
  }

  /** Among the tools that are here, those that somebody says something about. */
  #overridden(): readonly { readonly tool: Tool; readonly override: ToolOverride }[] {
    const { tools } = this.#overrides.rooms.catalog.snapshot()
    return tools.flatMap((tool) => {
      const override = this.#overrides.overrideOf(tool, this.#profile)
      return override ? [{ tool, override }] : []
    })
  }

  /** Who had a name keeps it: one that another tool has already is not given, and that is told. */
  #settleNames(): readonly MisfitOverride[] {
    const { catalog } = this.#overrides.rooms
    const snapshot = catalog.snapshot()
    const renamed = [...this.#changes].filter(([id, shown]) => shown && shown.id !== id) as [string, Tool][]
    return renamed.flatMap(([id, shown]): readonly MisfitOverride[] => {
      const holder = snapshot.get(shown.id)
      const stays = holder && (this.#changes.has(holder.id) ? this.#changes.get(holder.id)?.id === holder.id : true)
      const rival = stays ? holder : this.#renamed.get(shown.id)
      if (!rival) {
        this.#renamed.set(shown.id, shown)
        return []
      }
      this.#changes.set(id, this.#unnamed(shown))
      const of = rival.upstream?.id ?? rival.id
      return [{ tool: id, path: 'name', message: `'${shown.id}' is the name of '${of}'; '${id}' keeps its own` }]
    })
  }

  /** The same under its own name. */
  #unnamed(shown: Tool): Tool | undefined {
    const tool = shown.upstream!
    const override = this.#overrides.overrideOf(tool, this.#profile)!
    const made = this.#overrides.show(tool, this.#overrides.withoutName(override))
    return 'shown' in made ? made.shown : undefined
  }
}
