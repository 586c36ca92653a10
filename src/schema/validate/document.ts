import { GatewayError } from '../../errors.js'
import { kindOf } from '../../model/json.js'
import type { Limits } from '../limits.js'
import { escapePointer } from '../problems.js'
import { applicators, type Dialect, dialectOf, type Shape } from './dialects.js'
import { isObject } from './run.js'

/** A schema that is not a boolean. */
export type SchemaObject = Readonly<Record<string, unknown>>

/** A schema with an identity of its own: the document's root, or a subschema with `$id`. */
export interface Resource {
  readonly uri: string
  readonly root: SchemaLocation
  readonly anchors: Map<string, SchemaLocation>
  readonly dynamicAnchors: Map<string, SchemaLocation>
  readonly recursiveAnchor: boolean
}

/** A subschema and where it stands: pointer from the document's root, and the resource its references start from. */
export interface SchemaLocation {
  readonly schema: SchemaObject | boolean
  readonly path: string
  readonly resource: Resource
}

/** One schema with everything its references can name. Never shared between tools, so equal `$id`s cannot mix. */
export interface SchemaDocument {
  readonly root: SchemaLocation
  readonly dialect: Dialect
  /** No `$schema` was given: forms of older drafts are read as what their authors meant. */
  readonly lenient: boolean
  readonly resources: ReadonlyMap<string, Resource>
  /** True when a reference depends on the path taken to it. */
  readonly dynamic: boolean
  /** True when a value may be judged twice, on several ways: then references can multiply. */
  readonly branches: boolean
  /** The resource that this schema is the root of. */
  resourceAt(schema: object): Resource | undefined
  /** True when some subschema has a `default`. */
  readonly defaults: boolean
  /** The place below `place` at the given keys. Throws SCHEMA_INVALID when no schema stands there. */
  at(place: SchemaLocation, ...keys: readonly (string | number)[]): SchemaLocation
  /** Makes the place of a schema that stands where the dialect knows no schema. */
  adopt(schema: unknown, path: string, resource: Resource): SchemaLocation
}

/** Refuses a schema, naming the place inside it. */
export const invalid = (path: string, problem: string): GatewayError =>
  new GatewayError('SCHEMA_INVALID', `The schema is invalid at '${path}': ${problem}.`, { details: { path } })

// Relative identifiers need some base; this scheme exists nowhere else.
const noBase = 'schema:///'

/** Walks a schema once, finding identifiers, anchors and the bounds it breaks. */
export const readDocument = (schema: SchemaObject, limits: Limits): SchemaDocument => {
  const declared = schema.$schema
  if (declared !== undefined && typeof declared !== 'string') {
    throw invalid('/$schema', `must be a string, got ${kindOf(declared)}`)
  }
  return new Reader(schema, declared === undefined ? undefined : dialectOf(declared), limits)
}

class Reader implements SchemaDocument {
  readonly root: SchemaLocation
  readonly dialect: Dialect
  readonly lenient: boolean
  readonly resources = new Map<string, Resource>()
  readonly #places = new Map<object, SchemaLocation>()
  readonly #limits: Limits
  dynamic = false
  defaults = false
  branches = false
  readonly #roots = new Map<object, Resource>()

  constructor(schema: SchemaObject, declared: Dialect | undefined, limits: Limits) {
    this.dialect = declared ?? '2020-12'
    this.lenient = declared === undefined
    this.#limits = limits
    this.root = this.#enter(schema, '', undefined, 0)
  }

  at(place: SchemaLocation, ...keys: readonly (string | number)[]): SchemaLocation {
    let node: unknown = place.schema
    let path = place.path
    for (const key of keys) {
      node = (node as Record<string | number, unknown>)[key]
      path += `/${escapePointer(key)}`
    }
    return this.adopt(node, path, place.resource)
  }

  resourceAt(schema: object): Resource | undefined {
    return this.#roots.get(schema)
  }

  adopt(schema: unknown, path: string, resource: Resource): SchemaLocation {
    if (typeof schema === 'boolean') return { schema, path, resource }
    if (!isObject(schema)) throw invalid(path, `must be a schema (an object or a boolean), got ${kindOf(schema)}`)
    return this.#places.get(schema) ?? this.#enter(schema, path, resource, 0)
  }

  #enter(schema: SchemaObject, path: string, outer: Resource | undefined, depth: number): SchemaLocation {
    if (depth > this.#limits.maxDepth) {
      throw invalid(path, `is nested deeper than ${this.#limits.maxDepth} subschemas or contains itself; flatten it`)
    }
    if (this.#places.size >= this.#limits.maxSubschemas) {
      throw invalid(path, `has more than ${this.#limits.maxSubschemas} subschemas; split the tool`)
    }
    const place = this.#identify(schema, path, outer)
    this.#places.set(schema, place)
    this.#note(place)
    this.#enterChildren(place, depth)
    return place
  }

  /** Gives the place its resource: a new one under `$id`, otherwise the one around it. */
  #identify(schema: SchemaObject, path: string, outer: Resource | undefined): SchemaLocation {
    const id = this.#idOf(schema)
    if (outer !== undefined && id === undefined) return { schema, path, resource: outer }
    const uri = resolveUri(id ?? '', outer?.uri ?? noBase, path)
    // The two point at each other, so one of them is completed after the fact.
    const place: { schema: SchemaObject; path: string; resource: Resource | undefined } = {
      schema,
      path,
      resource: undefined,
    }
    const resource: Resource = {
      uri,
      root: place as SchemaLocation,
      anchors: new Map(),
      dynamicAnchors: new Map(),
      recursiveAnchor: this.dialect === '2019-09' && schema.$recursiveAnchor === true,
    }
    place.resource = resource
    if (this.resources.has(uri)) throw invalid(`${path}/$id`, 'is used twice; identifiers must be unique in a schema')
    this.resources.set(uri, resource)
    this.#roots.set(schema, resource)
    return place as SchemaLocation
  }

  #idOf(schema: SchemaObject): string | undefined {
    const id = schema.$id
    if (typeof id !== 'string') return undefined
    if (this.dialect !== 'draft-07') return withoutFragment(id)
    // Draft-07 ignores everything beside $ref, and a fragment alone names an anchor.
    return schema.$ref !== undefined || id.startsWith('#') ? undefined : withoutFragment(id)
  }

  #note(place: SchemaLocation): void {
    const schema = place.schema as SchemaObject
    const { anchors, dynamicAnchors } = place.resource
    if (schema.default !== undefined) this.defaults = true
    if (!this.branches && waysIn(schema) > 1) this.branches = true
    if (this.dialect === 'draft-07') {
      if (typeof schema.$id === 'string' && schema.$id.startsWith('#') && schema.$ref === undefined) {
        anchors.set(schema.$id.slice(1), place)
      }
      return
    }
    if (typeof schema.$anchor === 'string') anchors.set(schema.$anchor, place)
    if (this.dialect === '2019-09') {
      if (schema.$recursiveRef !== undefined) this.dynamic = true
      return
    }
    if (typeof schema.$dynamicAnchor === 'string') {
      anchors.set(schema.$dynamicAnchor, place)
      dynamicAnchors.set(schema.$dynamicAnchor, place)
    }
    if (schema.$dynamicRef !== undefined) this.dynamic = true
  }

  #enterChildren(place: SchemaLocation, depth: number): void {
    const schema = place.schema as SchemaObject
    const shapes = applicators[this.dialect]
    // Beside a draft-07 `$ref` only definitions are still of use: as targets.
    const bare = this.dialect === 'draft-07' && schema.$ref !== undefined
    for (const keyword of bare ? ['definitions'] : Object.keys(schema)) {
      const shape = shapes.get(keyword)
      if (shape !== undefined) this.#enterKeyword(place, keyword, shape, depth)
    }
  }

  // Shapes that do not fit are left to the compiler, which knows what to say about them.
  #enterKeyword(place: SchemaLocation, keyword: string, shape: Shape, depth: number): void {
    const value = (place.schema as SchemaObject)[keyword]
    const path = `${place.path}/${keyword}`
    if (Array.isArray(value)) {
      if (shape !== 'list' && shape !== 'one-or-list') return
      for (let i = 0; i < value.length; i++) this.#enterChild(value[i], `${path}/${i}`, place, depth)
      return
    }
    if (!isObject(value) || shape === 'list') return
    if (shape === 'map' || shape === 'map-or-names') {
      for (const key of Object.keys(value)) this.#enterChild(value[key], `${path}/${escapePointer(key)}`, place, depth)
    } else this.#enterChild(value, path, place, depth)
  }

  #enterChild(schema: unknown, path: string, parent: SchemaLocation, depth: number): void {
    if (!isObject(schema)) return
    // One object at two places is fine: a program built it. Cycles were refused when the schema was made canonical.
    if (this.#places.has(schema)) return
    this.#enter(schema, path, parent.resource, depth + 1)
  }
}

// Each of these judges the value at hand, or a member of it, besides whatever else does.
const besides = [
  '$ref',
  '$dynamicRef',
  '$recursiveRef',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'unevaluatedProperties',
  'unevaluatedItems',
]
const manyBesides = ['allOf', 'anyOf', 'oneOf', 'dependentSchemas', 'dependencies', 'patternProperties']
const members = ['properties', 'additionalProperties', 'items', 'prefixItems', 'additionalItems']

/** On how many ways a subschema may come to judge the same part of a value. */
const waysIn = (schema: SchemaObject): number => {
  let ways = members.some((keyword) => schema[keyword] !== undefined) ? 1 : 0
  for (const keyword of besides) if (schema[keyword] !== undefined) ways += 1
  for (const keyword of manyBesides) {
    const value = schema[keyword]
    if (typeof value === 'object' && value !== null) ways += Object.keys(value).length
  }
  return ways
}

/** An identifier resolved against its base, or SCHEMA_INVALID. */
export const resolveUri = (reference: string, base: string, path: string): string => {
  if (reference === '') return base
  try {
    return new URL(reference, base).href
  } catch {
    throw invalid(path, 'holds an identifier that is not a URI reference')
  }
}

const withoutFragment = (uri: string): string | undefined => {
  const hash = uri.indexOf('#')
  const bare = hash < 0 ? uri : uri.slice(0, hash)
  return bare === '' ? undefined : bare
}
