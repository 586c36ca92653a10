import type { Tool } from '../model/tool.js'
import { createNameIndex, type NameIndex, type Naming, safeNaming } from './names.js'
import type { AppliedOverride, ShownTool } from './override.js'
import type { MisfitOverride, OverrideRules, Overrides, ShownTools, Withheld } from './overriding.js'

/** What becomes of tools towards a profile, by id: undefined hides one, words are its description. */
export type ListSaid = ReadonlyMap<string, { readonly description?: string | undefined } | undefined>

export interface PluggedParts {
  /** What operators say of tools, where they do. */
  readonly under: Overrides | undefined
  /** What is shown where nobody says anything. */
  readonly plain: ShownTools
  /** What plugins say of these tools towards this profile. Asked once for each list. */
  readonly ask: (tools: readonly Tool[], profile: string) => ListSaid
}

const mostProfiles = 1000

/**
 * What plugins leave of the lists, on top of the overrides: one shelf for each profile, made when somebody looks after the
 * catalog changed. Tools are found by the words that their sources or overrides gave them, and shown with those of the plugin.
 */
export class PluggedLists implements Overrides {
  readonly rules: OverrideRules
  readonly #parts: PluggedParts
  readonly #shelves = new Map<string, PluggedShelf>()

  constructor(parts: PluggedParts) {
    this.#parts = parts
    this.rules = parts.under?.rules ?? {}
  }

  shelf(profile = 'default'): PluggedShelf {
    const known = this.#shelves.get(profile)
    if (known) return known
    if (this.#shelves.size >= mostProfiles) this.#shelves.clear()
    const { under, plain } = this.#parts
    const made = new PluggedShelf(this.#parts, under?.shelf(profile) ?? plain, profile)
    this.#shelves.set(profile, made)
    return made
  }

  problems(): readonly MisfitOverride[] {
    return this.#parts.under?.problems() ?? []
  }

  absent(): readonly string[] {
    return this.#parts.under?.absent() ?? []
  }

  documentsOf(tool: Tool): readonly Tool[] {
    return this.#parts.under?.documentsOf(tool) ?? [tool]
  }

  shownBy(document: Tool, profile?: string): Tool | undefined {
    const { under } = this.#parts
    const below = under ? under.shownBy(document, profile) : document
    return below && this.shelf(profile).over(below)
  }
}

class PluggedShelf implements ShownTools {
  readonly #parts: PluggedParts
  readonly #under: ShownTools
  readonly #profile: string
  readonly #indexes = new Map<string, NameIndex>()
  #seen: readonly Tool[] | undefined
  #tools: readonly Tool[] = []
  #said: ListSaid = new Map()
  #changed = new Map<Tool, Tool>()

  constructor(parts: PluggedParts, under: ShownTools, profile: string) {
    this.#parts = parts
    this.#under = under
    this.#profile = profile
  }

  get tools(): readonly Tool[] {
    this.#refresh()
    return this.#tools
  }

  /** What is shown for what is shown below; undefined where it is hidden. */
  over(below: Tool): Tool | undefined {
    this.#refresh()
    if (!this.#said.has(below.id)) return below
    const said = this.#said.get(below.id)
    if (said?.description === undefined) return said && below
    const known = this.#changed.get(below) ?? withDescription(below, said.description)
    this.#changed.set(below, known)
    return known
  }

  find(name: string, naming: Naming = safeNaming): Tool | undefined {
    const below = this.#under.find(name, naming)
    return below && this.over(below)
  }

  names(naming: Naming): NameIndex {
    this.#refresh()
    const key = `${naming.style}/${naming.namespacing}/${naming.collisions}`
    const known = this.#indexes.get(key) ?? createNameIndex(naming, this.#tools)
    this.#indexes.set(key, known)
    return known
  }

  shownOf(upstream: Tool): Tool | undefined {
    const below = this.#under.shownOf(upstream)
    return below && this.over(below)
  }

  withheld(name: string): Withheld | undefined {
    return this.#under.withheld(name)
  }

  #refresh(): void {
    const below = this.#under.tools
    if (below === this.#seen) return
    // First, since whoever is asked may look at a list itself.
    this.#seen = below
    this.#indexes.clear()
    this.#changed = new Map()
    this.#said = new Map()
    this.#tools = below
    this.#said = this.#parts.ask(
      below.filter(({ own }) => !own),
      this.#profile,
    )
    this.#tools = Object.freeze(below.flatMap((tool) => this.over(tool) ?? []))
  }
}

const idle: AppliedOverride = {
  ...{ hidden: new Set<string>(), presets: [], defaults: [], secrets: [] },
  ...{ narrowing: undefined, picking: undefined, maxBytes: undefined, cacheMs: undefined },
}

/** The same tool in other words: policy, counts and records are about its source's own. */
const withDescription = (tool: Tool, description: string): Tool => {
  const { upstream, ruled, applied } = tool as Partial<ShownTool>
  const shown = { ...tool, definition: { ...tool.definition, description } }
  Object.defineProperty(shown, 'upstream', { value: upstream ?? tool })
  Object.defineProperty(shown, 'ruled', { value: ruled ?? tool })
  Object.defineProperty(shown, 'applied', { value: applied ?? idle })
  return Object.freeze(shown)
}
