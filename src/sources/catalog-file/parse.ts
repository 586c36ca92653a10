import { GatewayError } from '../../errors.js'
import { isRecord, kindOf } from '../../model/json.js'
import type { ToolSpec } from '../../model/tool.js'
import { parseToolDefinition } from '../../schema/tool-definition.js'
import type { SourceUpdate, ToolProblem } from '../source.js'

/**
 * Definitions from a JSON catalog: a list, `{"tools": […]}` (MCP's and our own export), or RegistryTools' object by name.
 * One that cannot be read is named beside the others, not instead of them.
 */
export const parseCatalog = (value: unknown, where: string): SourceUpdate & { readonly type: 'all' } => {
  const tools: ToolSpec[] = []
  const problems: ToolProblem[] = []
  for (const [name, entry] of entriesOf(value, where)) {
    try {
      tools.push(toSpec(entry, `${where} ${name}`))
    } catch (error) {
      problems.push({ tool: name, error: error as GatewayError })
    }
  }
  return { type: 'all', tools, problems }
}

const entriesOf = (value: unknown, where: string): readonly (readonly [string, unknown])[] => {
  const list = isRecord(value) && Array.isArray(value.tools) ? value.tools : value
  if (Array.isArray(list)) return list.map((entry, index) => [nameOf(entry) ?? `#${index}`, entry])
  const byName = isRecord(value) && isRecord(value.tools) ? value.tools : value
  if (isRecord(byName) && Object.values(byName).every(isRecord))
    return Object.entries(byName).map(([name, entry]) => [name, { name, ...(entry as object) }])
  throw new GatewayError(
    'SOURCE_INVALID',
    `${where} holds no tools: expected a list, {"tools": […]} or an object by name, got ${kindOf(value)}.`,
  )
}

const nameOf = (entry: unknown): string | undefined =>
  isRecord(entry) && typeof entry.name === 'string' ? entry.name : undefined

// What the two registries keep beside a definition; it never becomes a part of one.
const traitKeys = [
  'tags',
  'category',
  'aliases',
  'examples',
  'defer_loading',
  'deferLoading',
  'use_frequency',
  'last_used',
  'temperature',
  'mcp_server',
  'idempotent',
  'timeoutMs',
] as const

const toSpec = (entry: unknown, where: string): ToolSpec => {
  if (!isRecord(entry)) return { definition: parseToolDefinition(entry, where) }
  const definition = Object.fromEntries(
    Object.entries(entry).filter(([key]) => !(traitKeys as readonly string[]).includes(key)),
  )
  const deferLoading = entry.deferLoading ?? entry.defer_loading
  return {
    definition: parseToolDefinition(definition, where),
    ...texts('tags', entry.tags),
    ...texts('aliases', entry.aliases),
    ...texts('examples', entry.examples),
    category: typeof entry.category === 'string' ? entry.category : undefined,
    deferLoading: typeof deferLoading === 'boolean' ? deferLoading : undefined,
    idempotent: entry.idempotent === true ? true : undefined,
  }
}

const texts = (
  key: 'tags' | 'aliases' | 'examples',
  value: unknown,
): Pick<ToolSpec, 'tags' | 'aliases' | 'examples'> =>
  Array.isArray(value) ? { [key]: value.filter((each) => typeof each === 'string') } : {}
