import type { JsonObject } from './json.js'

/** Canonical id: `namespace` + separator + `name`, or the bare name in the empty namespace. Found by lookup, never by parsing. */
export type ToolId = string

/** Hints by a tool about itself. They come from an untrusted party: fine to show, never a reason to grant anything. */
export interface ToolAnnotations {
  readonly title?: string | undefined
  readonly readOnlyHint?: boolean | undefined
  readonly destructiveHint?: boolean | undefined
  readonly idempotentHint?: boolean | undefined
  readonly openWorldHint?: boolean | undefined
  readonly [key: string]: unknown
}

/** A tool as MCP spells it. Fields we do not know stay where they are and travel on untouched. */
export interface ToolDefinition {
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly inputSchema: JsonObject
  readonly outputSchema?: JsonObject | undefined
  readonly annotations?: ToolAnnotations | undefined
  readonly _meta?: JsonObject | undefined
  readonly [key: string]: unknown
}

/** Where a definition that nobody here runs says it can be called (002-12), in its `_meta`. */
export const mcpServerKey = 'pegboard/mcp_server'

/** By what a stored script is told apart from an edited one, in its `_meta`: a hash of what it does. */
export const scriptHashKey = 'pegboard/script'

/** What a profile can switch on of the board itself. */
export type OwnSwitch = 'scripts' | 'results'

/** What we keep about a tool beside its definition; never sent as part of it. */
export interface ToolTraits {
  readonly tags?: readonly string[] | undefined
  readonly category?: string | undefined
  /** Other words people use for this tool; only search reads them. */
  readonly aliases?: readonly string[] | undefined
  /** Sentences that should find this tool; only search reads them. */
  readonly examples?: readonly string[] | undefined
  /** Calling twice does what calling once does, so a lost answer may be asked for again. Default: false. */
  readonly idempotent?: boolean | undefined
  /** Time for one call, before the gateway's default. */
  readonly timeoutMs?: number | undefined
  /** A part of the board itself, not a tool on it: lists of tools and searches leave it out, and so do allow and deny lists. */
  readonly own?: boolean | undefined
  /** Of a part of the board: what a profile has to switch on for it, else it is not there, neither in lists nor for calls. */
  readonly switch?: OwnSwitch | undefined
  /** Its work is calls of others, each of which is counted and takes a place: itself it holds none, or they could wait for it. */
  readonly callsOthers?: boolean | undefined
  /** Nobody here runs it: found by search, not listed among what can be called. */
  readonly definitionOnly?: boolean | undefined
  /** The profile that registered it: others do not see it. Undefined: whoever the rules let. */
  readonly owner?: string | undefined
  /** A hint for lists: the definition may be loaded on demand. Default: true, as in document 002. */
  readonly deferLoading?: boolean | undefined
}

/** Profiles may register one name each: an owner's is told apart by what stands behind the name. */
export const ownedName = (name: string, owner: string | undefined): string =>
  owner === undefined ? name : `${name}@${owner}`

/** What a source reports: the definition and its traits. */
export interface ToolSpec extends ToolTraits {
  readonly definition: ToolDefinition
}

/** The category a tool is listed in; one without any belongs to its source. */
export const categoryOf = ({ category, namespace }: Pick<Tool, 'category' | 'namespace'>): string =>
  category ?? (namespace || 'general')

/** A tool in the catalog: what was reported, by whom, under which identity. Immutable. */
export interface Tool extends ToolTraits {
  readonly id: ToolId
  readonly namespace: string
  readonly name: string
  /** The name of the source that carries its calls. */
  readonly source: string
  readonly definition: ToolDefinition
  readonly tags: readonly string[]
  /** Where an operator shows it otherwise than its source wrote it: the tool as it is there. Never part of its JSON. */
  readonly upstream?: Tool | undefined
}

/** The tool as its source reports it: what rules, counts, approvals and records are about, whatever it is shown as. */
export const upstreamOf = (tool: Tool): Tool => tool.upstream ?? tool
