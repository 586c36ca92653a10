import type { JsonValue as Json, JsonObject } from '../../../src/model/json.js'

/** How one value is asked for. What a schema says beyond this is checked by the gateway, not here. */
export interface FormNode {
  readonly kind: 'text' | 'number' | 'boolean' | 'enum' | 'const' | 'object' | 'list' | 'map' | 'choice' | 'json'
  /** With references followed. */
  readonly schema: JsonObject
  readonly title: string | undefined
  readonly hint: string | undefined
  readonly nullable: boolean
}

/** One member of an object, in the order of its schema. */
export interface FormMember {
  readonly name: string
  readonly node: FormNode
  readonly required: boolean
}

const mostHops = 16
const mostMembers = 300

/** The node of a schema inside `root`, which its references speak of. One level only: a schema may contain itself. */
export const nodeOf = (given: Json | undefined, root: JsonObject): FormNode => {
  const { schema, nullable } = resolved(isObject(given) ? given : {}, root)
  return {
    kind: kindOf(schema),
    schema,
    title: text(schema.title),
    hint: text(schema.description),
    nullable,
  }
}

/** The members that the schema of an object names. */
export const membersOf = ({ schema }: FormNode, root: JsonObject): readonly FormMember[] => {
  const required = Array.isArray(schema.required) ? schema.required : []
  return Object.entries(objectOf(schema.properties))
    .slice(0, mostMembers)
    .map(([name, each]) => ({ name, node: nodeOf(each, root), required: required.includes(name) }))
}

/** What an item of a list is; the first ones may each have a schema of their own. */
export const itemOf = ({ schema: { items, prefixItems } }: FormNode, index: number, root: JsonObject): FormNode => {
  const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : []
  return nodeOf(first[index] ?? (Array.isArray(items) ? {} : items), root)
}

/** What stands under a name of its caller's choice; undefined where the schema allows none. */
export const entryOf = ({ schema: { additionalProperties, patternProperties } }: FormNode, root: JsonObject) => {
  const [pattern] = Object.values(objectOf(patternProperties))
  if (isObject(additionalProperties)) return nodeOf(additionalProperties, root)
  return pattern === undefined ? undefined : nodeOf(pattern, root)
}

export interface FormBranch {
  readonly label: string
  readonly node: FormNode
}

/** The alternatives of a choice. What stands beside them holds for each. */
export const branchesOf = ({ schema }: FormNode, root: JsonObject): readonly FormBranch[] => {
  const { oneOf, anyOf, ...shared } = schema
  const all = alternatives(schema)
  const same = Object.keys(shared).some((key) => structural.has(key)) ? shared : {}
  return all.map((each, index) => {
    const node = nodeOf(merged(same, isObject(each) ? each : {}), root)
    return { label: labelOf(isObject(each) ? each : {}, node, root) ?? String(index + 1), node }
  })
}

/** Which alternative a value is of; the first where none or several fit. */
export const branchFor = (branches: readonly FormBranch[], value: Json | undefined, root: JsonObject): number => {
  if (value === undefined) return 0
  return Math.max(
    0,
    branches.findIndex(({ node }) => fits(node, value, root, 0)),
  )
}

/** Whether the form of this node can hold the value; where not, it is written as JSON. */
export const carries = ({ kind, schema, nullable }: FormNode, value: Json | undefined): boolean => {
  if (value === undefined) return true
  if (value === null) return nullable
  switch (kind) {
    case 'text':
      return typeof value === 'string'
    case 'number':
      return typeof value === 'number'
    case 'boolean':
      return typeof value === 'boolean'
    case 'enum':
      return choicesOf(schema).some((each) => same(each, value))
    case 'const':
      return same(schema.const as Json, value)
    case 'object':
    case 'map':
      return isObject(value)
    case 'list':
      return Array.isArray(value)
    default:
      return true
  }
}

export const choicesOf = (schema: JsonObject): readonly Json[] =>
  Array.isArray(schema.enum) ? schema.enum : titled(schema)

/** What the schema calls its choices: `enumNames`, or `oneOf` of constants with titles. */
export const choiceTitle = (schema: JsonObject, index: number): string | undefined => {
  if (Array.isArray(schema.enumNames)) return text(schema.enumNames[index])
  const each = alternatives(schema)[index]
  return Array.isArray(schema.enum) || !isObject(each) ? undefined : text(each.title)
}

/** What a new one begins with: defaults, constants, and what has to be there. */
export const blankOf = (node: FormNode, root: JsonObject, depth = 0): Json | undefined => {
  const { schema } = node
  if (schema.default !== undefined) return schema.default
  if (node.kind === 'const') return schema.const
  if (node.kind === 'object') {
    if (depth > 6) return {}
    const filled = membersOf(node, root).flatMap(({ name, node: each, required }) => {
      const value = required || each.schema.default !== undefined ? blankOf(each, root, depth + 1) : undefined
      return value === undefined ? [] : [[name, value] as const]
    })
    return Object.fromEntries(filled)
  }
  if (node.kind === 'map') return {}
  if (node.kind === 'list') {
    const least = Math.min(typeof schema.minItems === 'number' ? schema.minItems : 0, 20)
    return Array.from({ length: depth > 6 ? 0 : least }, (_, at) => itemBlank(itemOf(node, at, root), root, depth + 1))
  }
  if (node.kind === 'choice') {
    const [first] = branchesOf(node, root)
    return first && depth <= 6 ? blankOf(first.node, root, depth + 1) : undefined
  }
  return undefined
}

/** An item has to be something: a list cannot have a hole. */
export const itemBlank = (node: FormNode, root: JsonObject, depth = 0): Json =>
  blankOf(node, root, depth) ?? emptyOf[node.kind] ?? choicesOf(node.schema)[0] ?? null

const emptyOf: Partial<Record<FormNode['kind'], Json>> = {
  text: '',
  number: 0,
  boolean: false,
  object: {},
  map: {},
  list: [],
}

const kindOf = (schema: JsonObject): FormNode['kind'] => {
  if ('const' in schema) return 'const'
  if (Array.isArray(schema.enum) || titled(schema).length > 0) return 'enum'
  if (alternatives(schema).length > 1) return 'choice'
  const type = typeOf(schema)
  if (type === 'string') return 'text'
  if (type === 'number' || type === 'integer') return 'number'
  if (type === 'boolean') return 'boolean'
  if (type === 'array') return 'list'
  if (type !== 'object') return 'json'
  if (Object.keys(objectOf(schema.properties)).length > 0) return 'object'
  return isObject(schema.additionalProperties) || schema.patternProperties !== undefined ? 'map' : 'json'
}

/** The one type, `null` beside it not counted. */
const typeOf = ({ type, properties, items, prefixItems, additionalProperties }: JsonObject): Json | undefined => {
  if (Array.isArray(type)) {
    const real = type.filter((each) => each !== 'null')
    return real.length === 1 ? real[0] : undefined
  }
  if (type !== undefined) return type
  if (isObject(properties) || isObject(additionalProperties)) return 'object'
  return items !== undefined || prefixItems !== undefined ? 'array' : undefined
}

const alternatives = ({ oneOf, anyOf }: JsonObject): readonly Json[] =>
  Array.isArray(oneOf) ? oneOf : Array.isArray(anyOf) ? anyOf : []

/** The constants of `oneOf: [{ const, title }]`, which is an enum with titles. */
const titled = (schema: JsonObject): readonly Json[] => {
  const all = alternatives(schema)
  const constants = all.flatMap((each) => (isObject(each) && 'const' in each ? [each.const as Json] : []))
  return all.length > 0 && constants.length === all.length ? constants : []
}

/** References followed and `allOf` taken together; `null` beside one real type is told apart. */
const resolved = (given: JsonObject, root: JsonObject): { readonly schema: JsonObject; readonly nullable: boolean } => {
  let schema = given
  let nullable = false
  for (let hop = 0; hop < mostHops; hop++) {
    if (Array.isArray(schema.type) && schema.type.includes('null')) nullable = true
    const next = oneStep(schema, root)
    if (!next) return { schema, nullable }
    if (next.nullable) nullable = true
    schema = next.schema
  }
  // It refers to itself without end.
  return { schema: {}, nullable: false }
}

const oneStep = (schema: JsonObject, root: JsonObject) => {
  const { $ref, allOf, ...rest } = schema
  if (typeof $ref === 'string') {
    const found = target($ref, root)
    return { schema: merged(found ?? {}, allOf === undefined ? rest : { ...rest, allOf }), nullable: false }
  }
  if (Array.isArray(allOf)) return { schema: allOf.filter(isObject).reduce(merged, rest), nullable: false }
  const all = alternatives(schema)
  const real = all.filter((each) => !(isObject(each) && each.type === 'null'))
  if (all.length === 0 || real.length === all.length) return undefined
  const { oneOf: _, anyOf: __, ...beside } = schema
  // `anyOf: [X, null]`, as many generators write what may be left out.
  const only = real.length === 1 && isObject(real[0]) ? merged(real[0], beside) : { ...beside, anyOf: real }
  return { schema: only, nullable: true }
}

const target = (reference: string, root: JsonObject): JsonObject | undefined => {
  if (reference === '#') return root
  if (!reference.startsWith('#/')) return undefined
  let at: Json | undefined = root
  for (const part of reference.slice(2).split('/')) {
    const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~')
    const holder: unknown = at
    at =
      typeof holder === 'object' && holder !== null && Object.hasOwn(holder, key)
        ? (holder as JsonObject)[key]
        : undefined
  }
  return isObject(at) ? at : undefined
}

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

const structural: ReadonlySet<string> = new Set(['properties', 'required', 'type', 'items', 'additionalProperties'])

const merged = (one: JsonObject, other: JsonObject): JsonObject => ({
  ...one,
  ...other,
  ...(isObject(one.properties) && isObject(other.properties)
    ? { properties: { ...one.properties, ...other.properties } }
    : {}),
  ...(Array.isArray(one.required) && Array.isArray(other.required)
    ? { required: [...new Set([...one.required, ...other.required])] }
    : {}),
})

/** What an alternative is called: its title, what it refers to, the constant that tells it apart, or its type. */
const labelOf = (given: JsonObject, { schema, kind }: FormNode, root: JsonObject): string | undefined => {
  const named = text(given.title) ?? text(schema.title)
  if (named !== undefined) return named
  const [constant] = Object.values(objectOf(schema.properties)).flatMap((each) => {
    const { schema: own } = nodeOf(each, root)
    return 'const' in own ? [String(own.const)] : []
  })
  if (constant !== undefined) return constant
  if (typeof given.$ref === 'string') return given.$ref.split('/').at(-1)
  if (kind === 'const') return JSON.stringify(schema.const)
  return typeof schema.type === 'string' ? schema.type : undefined
}

/** Roughly: kinds, constants and required members; enough to tell alternatives apart. */
const fits = (node: FormNode, value: Json, root: JsonObject, depth: number): boolean => {
  if (node.kind === 'json') return true
  if (node.kind === 'choice')
    return depth > 4 || branchesOf(node, root).some((branch) => fits(branch.node, value, root, depth + 1))
  if (!carries(node, value)) return false
  if (node.schema.type === 'integer' && !Number.isInteger(value)) return false
  if (node.kind === 'list' && Array.isArray(value))
    return depth > 4 || value.every((each, at) => fits(itemOf(node, at, root), each, root, depth + 1))
  if (node.kind !== 'object' || !isObject(value)) return true
  const members = membersOf(node, root)
  const isClosed = node.schema.additionalProperties === false
  if (isClosed && Object.keys(value).some((key) => !members.some(({ name }) => name === key))) return false
  return members.every(({ name, node: each, required }) => {
    const own = Object.hasOwn(value, name) ? value[name] : undefined
    if (own === undefined) return !required
    return depth > 4 || fits(each, own, root, depth + 1)
  })
}

export const same = (one: Json | undefined, other: Json | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {})
const text = (value: Json | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined
