import { defined, isRecord, type JsonObject, type JsonValue } from '../../model/json.js'
import { inlineRefs } from '../../schema/inline.js'
import type { Conversion } from './dynamic-tool.js'

type Place = 'header' | 'path' | 'query' | 'body'

const places: readonly Place[] = ['header', 'path', 'query', 'body']
const descriptions: Readonly<Record<Place, string>> = {
  header: 'HTTP Header 参数',
  path: 'URL Path 参数',
  query: 'URL Query 参数',
  body: 'Request Body 参数',
}

interface Group {
  readonly properties: [string, JsonObject][]
  readonly required: string[]
}

/** The parameters of an OpenAPI operation for a model, grouped by where they go. Empty groups are left out; one stays. */
export const parametersByPlace = (apiSpec: JsonObject, conversion: Conversion): JsonObject => {
  const groups: Record<Place, Group> = {
    header: { properties: [], required: [] },
    path: { properties: [], required: [] },
    query: { properties: [], required: [] },
    body: { properties: [], required: [] },
  }
  for (const parameter of listed(apiSpec.parameters)) addParameter(groups, parameter, apiSpec, conversion)
  addBody(groups.body, apiSpec, conversion)
  const filled = places.filter((place) => groups[place].properties.length > 0)
  const shown = filled.length > 0 ? filled : (['body'] as const)
  return {
    type: 'object',
    properties: Object.fromEntries(shown.map((place) => [place, groupSchema(place, groups[place])])),
  }
}

const groupSchema = (place: Place, { properties, required }: Group): JsonObject =>
  defined({
    type: 'object',
    description: descriptions[place],
    properties: Object.fromEntries(properties),
    required: required.length > 0 ? required : undefined,
  })

const listed = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isRecord) : [])

const addParameter = (
  groups: Record<Place, Group>,
  parameter: Record<string, unknown>,
  apiSpec: JsonObject,
  conversion: Conversion,
): void => {
  const { name, in: place, required, schema, description } = parameter
  if (typeof name !== 'string' || name === '' || !isPlace(place)) return
  const resolved = resolve(schema, apiSpec, conversion)
  // One parameter that cannot be resolved must not fail the whole (004-21).
  if (!resolved) return
  groups[place].properties.push([name, describe(resolved, description, conversion)])
  if (required === true) groups[place].required.push(name)
}

const isPlace = (value: unknown): value is Place => (places as readonly unknown[]).includes(value)

const addBody = (group: Group, apiSpec: JsonObject, conversion: Conversion): void => {
  const schema = member(apiSpec, 'request_body', 'content', 'application/json', 'schema')
  if (!isRecord(schema)) return
  const resolved = resolve(schema, apiSpec, conversion)
  if (!resolved)
    return void group.properties.push([
      'request_body',
      { type: 'object', description: '请求体参数，详见 original_schema' },
    ])
  for (const [name, property] of Object.entries(isRecord(resolved.properties) ? resolved.properties : {}))
    if (isRecord(property)) group.properties.push([name, describe(property as JsonObject, undefined, conversion)])
  if (Array.isArray(resolved.required))
    group.required.push(...resolved.required.filter((name): name is string => typeof name === 'string'))
}

const member = (node: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((at, key) => (isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined), node)

/** Through the same resolver as MCP schemas (004-11); undefined when the reference leads nowhere. */
const resolve = (schema: unknown, apiSpec: JsonObject, { schemas, depth }: Conversion): JsonObject | undefined => {
  if (!isRecord(schema)) return { type: 'string' }
  const options = { compat: schemas === 'original', maxDepth: depth, document: apiSpec }
  try {
    return inlineRefs(schema as JsonObject, options).schema
  } catch {
    return undefined
  }
}

const describe = (schema: JsonObject, given: unknown, { schemas }: Conversion): JsonObject =>
  schemas === 'original' ? describeAs004(schema, given) : describeWhole(schema, given)

const alternatives = ['anyOf', 'oneOf', 'allOf', 'enum', 'const']

/** All that the schema says; a type is guessed only where nothing else tells it. */
const describeWhole = (schema: JsonObject, given: unknown): JsonObject => {
  const description = textOf(given) ?? textOf(schema.description)
  const isTold = schema.type !== undefined || alternatives.some((keyword) => schema[keyword] !== undefined)
  return {
    ...defined({ type: isTold ? undefined : isRecord(schema.properties) ? 'object' : 'string' }),
    ...schema,
    ...defined({ description }),
  }
}

const describeAs004 = (schema: JsonObject, given: unknown): JsonObject => {
  const description = textOf(given) ?? textOf(schema.description)
  const isObject = isRecord(schema.properties)
  return defined({
    type: isObject ? 'object' : (textOf(schema.type) ?? 'string'),
    description,
    enum: Array.isArray(schema.enum) ? schema.enum : undefined,
    properties: isObject ? (schema.properties as JsonObject) : undefined,
    items: schema.type === 'array' && isRecord(schema.items) ? (schema.items as JsonObject) : undefined,
  })
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** Fixed values grouped by where the operation wants them; unknown names by how they look, else the body. */
export const fixedByPlace = (fixed: JsonObject, apiSpec: JsonObject): JsonObject => {
  const placeOf = new Map(listed(apiSpec.parameters).map(({ name, in: place }) => [name, place]))
  const groups: Record<Place, [string, JsonValue | undefined][]> = { header: [], path: [], query: [], body: [] }
  for (const [name, value] of Object.entries(fixed)) {
    const known = placeOf.get(name)
    groups[isPlace(known) ? known : isHeaderParam(name) ? 'header' : 'body'].push([name, value])
  }
  return Object.fromEntries(places.map((place) => [place, Object.fromEntries(groups[place]) as JsonObject]))
}

/** Names that look like headers (004 compat 8). */
export const isHeaderParam = (name: string): boolean => /^(?:[xX]-|[aA]uthorization|[cC]ontent-[tT]ype)/.test(name)
