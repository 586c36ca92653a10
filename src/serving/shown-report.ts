import type { ShownTool } from '../catalog/override.js'
import type { MisfitOverride, Overrides } from '../gateway.js'
import { tokensOf } from '../model/tokens.js'
import type { Tool, ToolDefinition } from '../model/tool.js'

/** One tool as its source has it, and as the callers of a profile are shown it. */
export interface ShownReport {
  readonly id: string
  readonly source: string
  readonly upstream: ToolDefinition
  readonly upstreamTokens: number
  readonly tags: readonly string[]
  /** Undefined where it is off or held back. */
  readonly shown?: ShownAs | undefined
  /** What of it is not as its source says: `description`, `arguments.owner`. */
  readonly changes: readonly string[]
  /** What does not fit, by its place in the override: `arguments.body.maxLength`. */
  readonly problems: readonly ShownProblem[]
}

export interface ShownAs {
  readonly id: string
  readonly definition: ToolDefinition
  readonly tokens: number
  readonly tags: readonly string[]
}

export interface ShownProblem {
  readonly path: string
  readonly message: string
}

export const reportShown = (overrides: Overrides | undefined, tool: Tool, profile: string): ShownReport => {
  const shelf = overrides?.shelf(profile)
  const shown = shelf ? shelf.shownOf(tool) : tool
  const problems = (overrides?.problems() ?? []).filter(
    (each) => each.tool === tool.id && (each.profile === undefined || each.profile === profile),
  )
  return {
    ...upstreamReport(tool),
    shown: shown && { id: shown.id, definition: shown.definition, tokens: sizeOf(shown), tags: shown.tags },
    changes: shown ? changesOf(tool, shown) : ['enabled'],
    problems: problems.map(toProblem),
  }
}

/** Of one that nobody is shown: held back until somebody approves it. */
export const upstreamReport = (tool: Tool): ShownReport => ({
  id: tool.id,
  source: tool.source,
  upstream: tool.definition,
  upstreamTokens: sizeOf(tool),
  tags: tool.tags,
  changes: [],
  problems: [],
})

export const toProblem = ({ path, message }: Pick<MisfitOverride, 'path' | 'message'>): ShownProblem => ({
  path,
  message,
})

const sizeOf = ({ definition }: Tool): number => tokensOf(Buffer.byteLength(JSON.stringify(definition)))

const changesOf = (tool: Tool, shown: Tool): readonly string[] => {
  const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
  const [was, is] = [tool.definition, shown.definition]
  const plain = (['name', 'title', 'description', 'annotations', 'outputSchema'] as const).filter(
    (key) => !isSame(was[key], is[key]),
  )
  const before = Object(was.inputSchema.properties) as Record<string, unknown>
  const after = Object(is.inputSchema.properties) as Record<string, unknown>
  const required = ({ inputSchema }: ToolDefinition, name: string): boolean =>
    Array.isArray(inputSchema.required) && inputSchema.required.includes(name)
  const args = Object.keys(before).filter(
    (name) => !isSame(before[name], after[name]) || required(was, name) !== required(is, name),
  )
  return [
    ...plain,
    ...(isSame(tool.tags, shown.tags) ? [] : ['tags']),
    ...args.map((name) => `arguments.${name}`),
    ...(isReshaped(shown) ? ['result'] : []),
  ]
}

/** What is done to results stands in no definition. */
const isReshaped = (shown: Tool): boolean => {
  const { applied } = shown as Partial<ShownTool>
  return applied?.picking !== undefined || applied?.maxBytes !== undefined || applied?.cacheMs !== undefined
}
