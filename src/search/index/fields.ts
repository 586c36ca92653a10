import { isRecord } from '../../model/json.js'
import type { Tool } from '../../model/tool.js'

/** What a tool is searched by, in the order of their bits in a posting. */
export const fieldNames = [
  'name',
  'title',
  'alias',
  'source',
  'description',
  'parameter',
  'parameter text',
  'tag',
  'category',
  'example',
  'translation',
] as const

export type FieldName = (typeof fieldNames)[number]

/** The bits of these fields in a posting. */
export const fieldBits = (...fields: readonly FieldName[]): number =>
  fields.reduce((bits, field) => bits | (1 << fieldNames.indexOf(field)), 0)

export interface FieldTexts {
  readonly field: FieldName
  readonly texts: readonly string[]
}

// Bounds on what one tool may put into the index. A longer text is cut, the tool stays findable by its beginning.
const longestName = 512
const longestText = 4_000
const mostItems = 64
const mostParameters = 128
const deepestParameters = 3

/** The tool's texts by field, each bounded. Values of the wrong type are passed over: sources are not trusted. */
export const fieldTexts = (tool: Tool): readonly FieldTexts[] => [
  { field: 'name', texts: texts([tool.name], longestName) },
  ...headTexts(tool),
  ...parameterTexts(tool),
]

/** All but the name and the parameters, which take most of the time. */
export const headTexts = (tool: Tool): readonly FieldTexts[] => {
  const { definition } = tool
  const title = definition.title ?? definition.annotations?.title
  return [
    { field: 'title', texts: title === tool.name ? [] : texts([title], longestName) },
    { field: 'alias', texts: texts(tool.aliases, longestName) },
    { field: 'source', texts: texts(sourceNames(tool), longestName) },
    { field: 'description', texts: texts([definition.description], longestText) },
    { field: 'tag', texts: texts(tool.tags, longestName) },
    { field: 'category', texts: texts([tool.category], longestName) },
    { field: 'example', texts: texts(tool.examples, longestText) },
  ]
}

/** Names, descriptions and choices of the parameters. */
export const parameterTexts = (tool: Tool): readonly FieldTexts[] => {
  const { names, texts: described } = collectParameters(tool.definition.inputSchema)
  return [
    { field: 'parameter', texts: texts(names, longestName) },
    { field: 'parameter text', texts: texts(described, longestText) },
  ]
}

const sourceNames = ({ namespace, source }: Tool): readonly string[] =>
  namespace === source || namespace === '' ? [source] : [namespace, source]

const texts = (values: readonly unknown[] | undefined, longest: number): readonly string[] => {
  const kept: string[] = []
  let left = longest
  for (const value of (values ?? []).slice(0, mostItems + mostParameters)) {
    if (typeof value !== 'string' || value === '' || left <= 0) continue
    kept.push(value.slice(0, left))
    left -= value.length
  }
  return kept
}

interface Parameters {
  readonly names: string[]
  readonly texts: string[]
}

const collectParameters = (schema: unknown): Parameters => {
  const found: Parameters = { names: [], texts: [] }
  visit(schema, found, deepestParameters)
  return found
}

const visit = (schema: unknown, found: Parameters, depth: number): void => {
  if (!isRecord(schema) || depth === 0) return
  if (isRecord(schema.properties)) {
    for (const [name, property] of Object.entries(schema.properties)) {
      if (found.names.length >= mostParameters) return
      found.names.push(name)
      visitProperty(property, found, depth)
    }
  }
  for (const branch of [schema.anyOf, schema.oneOf, schema.allOf]) {
    if (Array.isArray(branch)) for (const option of branch.slice(0, mostItems)) visit(option, found, depth - 1)
  }
}

const visitProperty = (property: unknown, found: Parameters, depth: number): void => {
  if (!isRecord(property)) return
  if (typeof property.description === 'string') found.texts.push(property.description)
  if (Array.isArray(property.enum)) {
    for (const value of property.enum.slice(0, mostItems)) if (typeof value === 'string') found.texts.push(value)
  }
  visit(property, found, depth - 1)
  visit(property.items, found, depth - 1)
}
