import { isRecord, type JsonObject, type JsonValue } from '../../model/json.js'
import { Losses } from '../../schema/losses.js'
import { mergeAllOf } from '../../schema/projections/merge-all-of.js'
import type { BodyPlan, OpenApiDocument, ParameterLocation, ParameterPlan } from './operation.js'
import { toJsonSchema } from './to-json-schema.js'

export interface Inputs {
  readonly inputSchema: JsonObject
  readonly parameters: readonly ParameterPlan[]
  readonly body: BodyPlan | undefined
}

const places: readonly ParameterLocation[] = ['path', 'query', 'header', 'cookie']
// OpenAPI says to ignore these (3.1 §4.8.12.1), and the rest belong to the connection or to the operator.
const ourHeaders = new Set([
  ...['accept', 'content-type', 'authorization', 'host', 'content-length', 'connection', 'transfer-encoding'],
  ...['cookie', 'proxy-authorization', 'te', 'trailer', 'upgrade', 'expect', 'accept-encoding'],
])

/** Parameters and body as one set of arguments. Names that meet are told apart by where they go. */
export const mergeInputs = (
  parameters: readonly JsonObject[],
  body: JsonObject | undefined,
  document: OpenApiDocument,
): Inputs => {
  const properties: [string, JsonValue][] = []
  const required: string[] = []
  const taken = new Set<string>()
  const plans: ParameterPlan[] = []
  for (const parameter of parameters) {
    const plan = planOf(parameter, taken)
    if (!plan) continue
    plans.push(plan)
    taken.add(plan.argument)
    properties.push([plan.argument, describe(parameter, document)])
    if (parameter.required === true || plan.place === 'path') required.push(plan.argument)
  }
  const carried = bodyOf(body, taken, document)
  return {
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries([...properties, ...(carried?.properties ?? [])]) as JsonObject,
      ...withRequired([...required, ...(carried?.required ?? [])]),
      additionalProperties: carried?.open ?? false,
    },
    parameters: plans,
    body: carried?.plan,
  }
}

const withRequired = (required: readonly string[]): JsonObject => (required.length > 0 ? { required } : {})

const planOf = (parameter: JsonObject, taken: ReadonlySet<string>): ParameterPlan | undefined => {
  const { name, in: place, style, explode, content } = parameter
  if (typeof name !== 'string' || name === '' || !(places as readonly unknown[]).includes(place)) return undefined
  if (place === 'header' && ourHeaders.has(name.toLowerCase())) return undefined
  const written = typeof style === 'string' ? style : place === 'query' || place === 'cookie' ? 'form' : 'simple'
  return {
    argument: free(name, String(place), taken),
    name,
    place: place as ParameterLocation,
    style: written,
    explode: typeof explode === 'boolean' ? explode : written === 'form' || written === 'deepObject',
    asJson: isRecord(content),
  }
}

const free = (name: string, suffix: string, taken: ReadonlySet<string>): string => {
  if (!taken.has(name)) return name
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? `${name}_${suffix}` : `${name}_${suffix}${count}`
    if (!taken.has(candidate)) return candidate
  }
}

const describe = (parameter: JsonObject, document: OpenApiDocument): JsonObject => {
  const { schema, content, description } = parameter
  const [described] = isRecord(content) ? Object.values(content) : []
  const converted = toJsonSchema(schema ?? (isRecord(described) ? described.schema : undefined), document)
  return typeof description === 'string' && description !== '' ? { ...converted, description } : converted
}

interface CarriedBody {
  readonly properties: readonly (readonly [string, JsonValue])[]
  readonly required: readonly string[]
  readonly open: JsonValue
  readonly plan: BodyPlan
}

const bodyOf = (
  body: JsonObject | undefined,
  taken: ReadonlySet<string>,
  document: OpenApiDocument,
): CarriedBody | undefined => {
  const media = mediaOf(body?.content)
  if (!body || !media) return undefined
  const [mediaType, described] = media
  const schema = mergeAllOf(toJsonSchema(described.schema, document), '', new Losses())
  const needed = body.required === true
  const plan = { mediaType, required: needed, files: filesOf(schema) }
  if (canFlatten(schema, mediaType, taken)) {
    const properties = Object.entries(isRecord(schema.properties) ? schema.properties : {}) as [string, JsonValue][]
    const required = Array.isArray(schema.required) ? schema.required.filter((name) => typeof name === 'string') : []
    return {
      properties,
      required: needed ? required : [],
      open: schema.additionalProperties ?? true,
      plan: { ...plan, argument: undefined },
    }
  }
  const argument = free('body', 'content', taken)
  const described2 = typeof body.description === 'string' ? { description: body.description, ...schema } : schema
  return {
    properties: [[argument, described2]],
    required: needed ? [argument] : [],
    open: false,
    plan: { ...plan, argument },
  }
}

/** Of what the operation takes, what we write best. */
const mediaOf = (content: unknown): [string, JsonObject] | undefined => {
  if (!isRecord(content)) return undefined
  const entries = Object.entries(content).filter((entry): entry is [string, Record<string, unknown>] =>
    isRecord(entry[1]),
  )
  const rank = (type: string): number => ranks.findIndex((pattern) => pattern.test(type))
  const known = entries.filter(([type]) => rank(type) >= 0).sort(([a], [b]) => rank(a) - rank(b))
  return known[0] as [string, JsonObject] | undefined
}

const ranks = [
  /^application\/json\b/i,
  /^application\/(?:[\w.-]+\+)?json\b/i,
  /^(?:\*|application)\/\*/i,
  /^application\/x-www-form-urlencoded\b/i,
  /^multipart\/form-data\b/i,
  /^text\//i,
  /^application\/octet-stream\b/i,
]

/** An object whose properties meet no parameter can lie flat beside them; alternatives and lists cannot. */
const canFlatten = (schema: JsonObject, mediaType: string, taken: ReadonlySet<string>): boolean => {
  if (/^(?:text\/|application\/octet-stream)/i.test(mediaType)) return false
  if (['anyOf', 'oneOf', 'not', 'if', 'patternProperties'].some((keyword) => schema[keyword] !== undefined))
    return false
  if (schema.type !== 'object' && !(schema.type === undefined && isRecord(schema.properties))) return false
  return !Object.keys(isRecord(schema.properties) ? schema.properties : {}).some((name) => taken.has(name))
}

const filesOf = (schema: JsonObject): readonly string[] =>
  Object.entries(isRecord(schema.properties) ? schema.properties : {})
    .filter(
      ([, property]) => isRecord(property) && (property.format === 'binary' || property.contentEncoding === 'base64'),
    )
    .map(([name]) => name)
