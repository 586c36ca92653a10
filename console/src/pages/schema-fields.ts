import type { JsonValue as Json, JsonObject } from '../../../src/model/json.js'

/** How one argument is asked for. */
export interface FormField {
  readonly name: string
  readonly kind: 'text' | 'number' | 'boolean' | 'choice' | 'object' | 'list' | 'json'
  readonly hint: string | undefined
  readonly required: boolean
  readonly choices: readonly Json[]
  /** Of an object. */
  readonly schema: JsonObject
  /** Of a list. */
  readonly item: FormField | undefined
}

const mostFields = 200
const mostHops = 8
const deepest = 4

/** The fields of an object schema. References are followed a few steps: whatever is odder is written as JSON. */
export const fieldsOf = (schema: JsonObject, root: JsonObject = schema, depth = 0): readonly FormField[] => {
  const { properties, required } = resolved(schema, root)
  if (!isObject(properties)) return []
  const needed = Array.isArray(required) ? required : []
  return Object.entries(properties)
    .slice(0, mostFields)
    .map(([name, each]) => fieldOf(name, isObject(each) ? each : {}, needed.includes(name), root, depth))
}

const fieldOf = (name: string, schema: JsonObject, required: boolean, root: JsonObject, depth: number): FormField => {
  const whole = resolved(schema, root)
  const made = { name, required, hint: hintOf(whole), choices: [], schema: {}, item: undefined }
  const choices = Array.isArray(whole.enum) ? whole.enum : undefined
  if (choices) return { ...made, kind: 'choice', choices }
  const type = typeOf(whole)
  if (type === 'string') return { ...made, kind: 'text' }
  if (type === 'number' || type === 'integer') return { ...made, kind: 'number' }
  if (type === 'boolean') return { ...made, kind: 'boolean' }
  if (type === 'object' && isObject(whole.properties) && depth < deepest)
    return {
      ...made,
      kind: 'object',
      schema: { ...whole, $defs: root.$defs ?? {}, definitions: root.definitions ?? {} },
    }
  const item =
    type === 'array' && isObject(whole.items) ? fieldOf(name, whole.items, false, root, depth + 1) : undefined
  if (item && ['text', 'number', 'choice'].includes(item.kind)) return { ...made, kind: 'list', item }
  return { ...made, kind: 'json' }
}

/** The one type, `null` beside it not counted. */
const typeOf = ({ type, properties }: JsonObject): Json | undefined => {
  if (Array.isArray(type)) {
    const real = type.filter((each) => each !== 'null')
    return real.length === 1 ? real[0] : undefined
  }
  return type ?? (properties === undefined ? undefined : 'object')
}

const hintOf = ({ description, default: fallback }: JsonObject): string | undefined => {
  const parts = [
    ...(typeof description === 'string' ? [description] : []),
    ...(fallback === undefined ? [] : [`(= ${JSON.stringify(fallback)})`]),
  ]
  return parts.length === 0 ? undefined : parts.join(' ')
}

const resolved = (schema: JsonObject, root: JsonObject): JsonObject => {
  let current = schema
  for (let hop = 0; hop < mostHops; hop++) {
    const next = target(current, root) ?? onlyOne(current)
    if (!next) return current
    const { $ref: _, anyOf: __, oneOf: ___, ...rest } = current
    current = { ...next, ...rest }
  }
  return current
}

const target = ({ $ref }: JsonObject, root: JsonObject): JsonObject | undefined => {
  if (typeof $ref !== 'string' || !$ref.startsWith('#/')) return undefined
  let at: Json | undefined = root
  for (const part of $ref.slice(2).split('/')) at = isObject(at) && Object.hasOwn(at, part) ? at[part] : undefined
  return isObject(at) ? at : undefined
}

/** `anyOf: [X, null]`, as many generators write what may be left out. */
const onlyOne = ({ anyOf, oneOf }: JsonObject): JsonObject | undefined => {
  const choices = anyOf ?? oneOf
  if (!Array.isArray(choices)) return undefined
  const real = choices.filter((each) => isObject(each) && each.type !== 'null')
  return real.length === 1 && isObject(real[0]) ? real[0] : undefined
}

/** A copy with this key set, or without it. `__proto__` is a key like any other. */
export const withKey = (value: JsonObject, key: string, next: Json | undefined): JsonObject => {
  const entries = Object.entries(value).filter(([each]) => each !== key)
  return Object.fromEntries(next === undefined ? entries : [...entries, [key, next]])
}

export const withItem = (items: readonly Json[], index: number, next: Json): readonly Json[] =>
  items.map((each, at) => (at === index ? next : each))

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
