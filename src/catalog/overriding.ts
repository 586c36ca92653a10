import type { Tool, ToolId } from '../model/tool.js'
import type { Schemas } from '../schema/schemas.js'
import type { Catalog } from './catalog.js'
import type { NameIndex, Naming } from './names.js'
import type { OverrideProblem } from './narrow.js'
import type { ToolOverride } from './override.js'

/** How operators show tools: by upstream id for everybody, by source and the source's own name, and by profile and id on top. */
export interface OverrideRules {
  readonly tools?: Readonly<Record<ToolId, ToolOverride>> | undefined
  readonly sources?: Readonly<Record<string, Readonly<Record<string, ToolOverride>>>> | undefined
  readonly profiles?: Readonly<Record<string, Readonly<Record<ToolId, ToolOverride>>>> | undefined
}

/** What one profile sees of the catalog. */
export interface ShownTools {
  /** Sorted by id. */
  readonly tools: readonly Tool[]
  /** By the id it is shown under, or else by the name advertised under `naming` (default: the safe one). */
  find(name: string, naming?: Naming): Tool | undefined
  names(naming: Naming): NameIndex
  /** A tool as it is shown here; undefined where it is not. */
  shownOf(upstream: Tool): Tool | undefined
  /** One that is not shown because its override does not fit it any more, by any of its names. */
  withheld(name: string): Withheld | undefined
}

export interface Withheld {
  readonly tool: Tool
  readonly problems: readonly OverrideProblem[]
}

/** What is wrong with one override, where it stands. */
export interface MisfitOverride extends OverrideProblem {
  readonly tool: ToolId
  /** Undefined where it is so for everybody. */
  readonly profile?: string | undefined
}

/** The overrides of a gateway at work. */
export interface Overrides {
  readonly rules: OverrideRules
  shelf(profile?: string): ShownTools
  /** What does not fit the tools that are here now, names that two tools would have among it. */
  problems(): readonly MisfitOverride[]
  /** Ids that overrides speak of and no source reports. */
  absent(): readonly ToolId[]
  /** What is searched: every tool once as it is shown to all, and once more for each profile that shows it otherwise. */
  documentsOf(tool: Tool): readonly Tool[]
  /** Whether this document is what the profile is shown; the tool to answer with. */
  shownBy(document: Tool, profile: string | undefined): Tool | undefined
}

export interface OverridesRooms {
  readonly catalog: Catalog
  readonly schemas: Pick<Schemas, 'validator'>
  readonly separator: string
}
