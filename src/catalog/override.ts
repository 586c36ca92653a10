import { type Picking, parsePlace, type ResultPlace } from '../model/fit/picking.js'
import type { JsonObject, JsonValue } from '../model/json.js'
import { ownedName, type Tool, type ToolAnnotations, type ToolDefinition } from '../model/tool.js'
import { checkToolName, toToolId } from '../model/tool-id.js'
import type { Schemas } from '../schema/schemas.js'
import type { OverrideProblem } from './narrow.js'
import { type CallValue, showArguments } from './shown-arguments.js'

/** What an operator says about one argument; the keywords of JSON Schema beside these may only narrow it. */
export interface ArgumentOverride {
  /** Always sent, hidden from callers. `$caller.id`, `$caller.profile`, `$run`, `$now` and `$uuid` are filled in by each call. */
  readonly set?: JsonValue | undefined
  /** Sent where the caller says nothing. */
  readonly default?: JsonValue | undefined
  /** Hidden and never sent. */
  readonly hide?: boolean | undefined
  readonly description?: string | undefined
  /** Callers must give it. */
  readonly required?: boolean | undefined
  /** What is set is nobody's to see: not in lists, records or requests for approval. */
  readonly secret?: boolean | undefined
  readonly [narrowing: string]: JsonValue | undefined
}

/** What becomes of a tool's results. Places are JSON Pointers, `*` for every element. */
export interface ResultOverride {
  /** Only these places are handed on. */
  readonly pick?: readonly string[] | undefined
  readonly drop?: readonly string[] | undefined
  /** What stands there is blotted out; text in which it cannot be found goes as a whole. */
  readonly redact?: readonly string[] | undefined
  readonly maxBytes?: number | undefined
  /** How long an answer is good for the same caller, profile and arguments. Only of tools that change nothing. */
  readonly cacheMs?: number | undefined
}

/** How an operator shows a tool: whatever is left out is as its source says. */
export interface ToolOverride {
  /** False: nobody sees or calls it. */
  readonly enabled?: boolean | undefined
  readonly name?: string | undefined
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly annotations?: ToolAnnotations | undefined
  readonly tags?: readonly string[] | undefined
  readonly arguments?: Readonly<Record<string, ArgumentOverride>> | undefined
  readonly result?: ResultOverride | undefined
}

/** What is sent for an argument that callers do not see. */
export interface Preset {
  readonly name: string
  readonly value: JsonValue
  /** Filled in by each call. */
  readonly from?: CallValue | undefined
  /** Of `$now`: milliseconds instead of text. */
  readonly asNumber?: boolean | undefined
}

/** What a call of a shown tool pays for: everything else of an override is in the definition. */
export interface AppliedOverride {
  /** Parameters that no caller may send. */
  readonly hidden: ReadonlySet<string>
  readonly presets: readonly Preset[]
  readonly defaults: readonly (readonly [string, JsonValue])[]
  /** What is asked of arguments beyond what upstream asks. */
  readonly narrowing: JsonObject | undefined
  /** Arguments whose values nobody is shown. */
  readonly secrets: readonly string[]
  readonly picking: Picking | undefined
  readonly maxBytes: number | undefined
  readonly cacheMs: number | undefined
}

export interface ShownTool extends Tool {
  readonly upstream: Tool
  /** As its source has it, with the operator's word about what it does where there is one: what rules by class look at. */
  readonly ruled: Tool
  readonly applied: AppliedOverride
}

export interface OverrideRooms {
  readonly schemas: Pick<Schemas, 'validator'>
  readonly separator: string
}

/** The tool as an override shows it, or why it cannot. Pure: one definition and one override make one shown tool. */
export const showAs = (
  tool: Tool,
  override: ToolOverride,
  rooms: OverrideRooms,
): { readonly shown: ShownTool } | { readonly problems: readonly OverrideProblem[] } => {
  const problems: OverrideProblem[] = []
  const name = shownName(tool, override, problems)
  const args = showArguments(tool.definition.inputSchema, override.arguments ?? {}, rooms, problems)
  const { result } = override
  const picking = result && pickingOf(result, problems)
  const annotations = override.annotations && { ...tool.definition.annotations, ...override.annotations }
  if (result?.cacheMs && !isReadonly(annotations ?? tool.definition.annotations))
    problems.push({
      path: 'result.cacheMs',
      message: 'is for tools that change nothing; where this one does not, say so: annotations.readOnlyHint: true',
    })
  if (problems.length > 0) return { problems }
  const { outputSchema, ...definition } = tool.definition
  const isReshaped = picking !== undefined || result?.maxBytes !== undefined
  const shown = {
    ...tool,
    id: toToolId(tool.namespace, ownedName(name, tool.owner), rooms.separator),
    name,
    tags: override.tags ?? tool.tags,
    definition: {
      ...definition,
      name,
      ...given('title', override.title),
      ...given('description', override.description),
      ...given('annotations', annotations),
      inputSchema: args.inputSchema,
      // What is picked from, or cut, need not be what upstream promised.
      ...given('outputSchema', isReshaped ? undefined : outputSchema),
    } as ToolDefinition,
  }
  const applied: AppliedOverride = { ...args.applied, picking, maxBytes: result?.maxBytes, cacheMs: result?.cacheMs }
  // None of it is for anybody's eyes: a tool is written out in many places.
  Object.defineProperty(shown, 'upstream', { value: tool })
  const ruled = annotations ? { ...tool, definition: { ...tool.definition, annotations } } : tool
  Object.defineProperty(shown, 'ruled', { value: ruled })
  Object.defineProperty(shown, 'applied', { value: applied })
  return { shown: Object.freeze(shown) as unknown as ShownTool }
}

/** By its own word, or by the operator's. */
const isReadonly = (hints: ToolAnnotations | undefined): boolean =>
  hints?.readOnlyHint === true && hints.destructiveHint !== true

const given = (key: string, value: unknown): object => (value === undefined ? {} : { [key]: value })

const shownName = (tool: Tool, { name }: ToolOverride, problems: OverrideProblem[]): string => {
  if (name === undefined) return tool.name
  try {
    return checkToolName(name)
  } catch (error) {
    problems.push({ path: 'name', message: (error as Error).message })
    return tool.name
  }
}

const pickingOf = (result: ResultOverride, problems: OverrideProblem[]): Picking | undefined => {
  const placesOf = (key: 'pick' | 'drop' | 'redact'): readonly ResultPlace[] =>
    (result[key] ?? []).flatMap((pointer, index) => {
      const place = parsePlace(pointer)
      if (!place) problems.push({ path: `result.${key}.${index}`, message: 'is no JSON Pointer: it begins with /' })
      return place ? [place] : []
    })
  const [pick, drop, redact] = [placesOf('pick'), placesOf('drop'), placesOf('redact')]
  return pick.length + drop.length + redact.length > 0 ? { pick, drop, redact } : undefined
}
