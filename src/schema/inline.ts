import { GatewayError } from '../errors.js'
import { defined, isRecord, type JsonObject, type JsonValue } from '../model/json.js'
import { inlineAs004 } from './inline-compat.js'
import { type Loss, Losses } from './losses.js'
import { setMember } from './member.js'
import { escapePointer } from './problems.js'
import { byName, byPointer, firstOf, type RefResolver, remembered } from './references.js'
import { shapeOf } from './shapes.js'

export type { Loss } from './losses.js'

/** How references are followed, and how far. */
export interface InlineOptions {
  /** Exactly what document 004's converter does, its gaps included. Default false. */
  readonly compat?: boolean | undefined
  /** References followed one inside the other; deeper ones are pruned. Default 3 as in 004; Infinity prunes cycles only. */
  readonly maxDepth?: number | undefined
  /** Subschemas written; ends the exponential growth of references that fan out. Default 10,000. */
  readonly maxNodes?: number | undefined
  /** Where else references lead: the OpenAPI document a schema was taken from. */
  readonly document?: JsonObject | undefined
}

/** A schema without references, and what it no longer says. */
export interface Inlined {
  readonly schema: JsonObject
  readonly losses: readonly Loss[]
  /** It grew past `maxNodes`. */
  readonly outgrown?: boolean | undefined
}

/**
 * Replaces references by what they name, for readers that know none (004-09). Cycles and depth are pruned to type and
 * description. Never changes its input. Throws SCHEMA_INVALID when the root itself refers to nothing.
 */
export const inlineRefs = (schema: JsonObject | null | undefined, options: InlineOptions = {}): Inlined => {
  if (options.compat) return inlineAs004(schema, options)
  const root = schema ?? { type: 'object' }
  const document = options.document
  const resolve = document
    ? firstOf(byPointer(root), byName(root), byPointer(document), byName(document))
    : firstOf(byPointer(root), byName(root))
  const walk = new Inliner(remembered(resolve), options.maxDepth ?? 3, options.maxNodes ?? 10_000)
  return { schema: walk.root(root), losses: walk.losses.list, outgrown: walk.outgrown }
}

// Names and definitions have no use once nothing refers to them; repeated by inlining, they would even be wrong.
const dropped = new Set(['$ref', '$dynamicRef', '$recursiveRef', '$defs', 'definitions', '$anchor', '$dynamicAnchor'])
const deepestNesting = 200

class Inliner {
  readonly losses = new Losses()
  readonly #resolve: RefResolver
  readonly #maxDepth: number
  readonly #open = new Set<unknown>()
  #nodesLeft: number
  #nesting = 0

  constructor(resolve: RefResolver, maxDepth: number, maxNodes: number) {
    this.#resolve = resolve
    this.#maxDepth = maxDepth
    this.#nodesLeft = maxNodes
  }

  get outgrown(): boolean {
    return this.#nodesLeft < 0
  }

  root(root: JsonObject): JsonObject {
    const reference = referenceOf(root)
    if (reference !== undefined && !isSchema(this.#resolve(reference))) throw notFound(reference)
    this.#open.add(root)
    return this.schema(root, '', 0) as JsonObject
  }

  schema(node: unknown, path: string, depth: number): JsonValue {
    if (!isRecord(node)) return node as JsonValue
    if (this.#nodesLeft <= 0 || this.#nesting >= deepestNesting) return this.#giveUp(node, path)
    this.#nodesLeft -= 1
    this.#nesting += 1
    const reference = referenceOf(node)
    const written =
      reference === undefined ? this.#keywords(node, path, depth) : this.#reference(node, reference, path, depth)
    this.#nesting -= 1
    return written
  }

  #giveUp(node: Record<string, unknown>, path: string): JsonValue {
    if (this.#nodesLeft === 0)
      this.losses.add(path, 'schema', 'the schema grew past its size limit; the rest is pruned')
    // Below zero the loss has been told.
    this.#nodesLeft -= 1
    return prune(node)
  }

  #reference(node: Record<string, unknown>, reference: string, path: string, depth: number): JsonValue {
    const target = this.#resolve(reference)
    const beside = this.#keywords(node, path, depth)
    if (!isSchema(target)) {
      this.losses.add(path, '$ref', `nothing is at '${reference.slice(0, 120)}'; any value is allowed there`)
      return beside
    }
    const expanded = this.#expand(target, path, depth)
    if (!isRecord(expanded)) return expanded === false ? { ...beside, not: {} } : beside
    return mergeBeside(expanded as JsonObject, beside)
  }

  #expand(target: Record<string, unknown> | boolean, path: string, depth: number): JsonValue {
    if (typeof target === 'boolean') return target
    if (this.#open.has(target)) {
      this.losses.add(path, '$ref', 'the schema refers to itself here; the inner copy keeps type and description only')
      return prune(target)
    }
    if (depth >= this.#maxDepth && !isLeaf(target)) {
      this.losses.add(path, '$ref', `references deeper than ${this.#maxDepth} keep type and description only`)
      return prune(target)
    }
    this.#open.add(target)
    const expanded = this.schema(target, path, depth + 1)
    this.#open.delete(target)
    return expanded
  }

  #keywords(node: Record<string, unknown>, path: string, depth: number): JsonObject {
    const written: Record<string, JsonValue> = {}
    for (const keyword of Object.keys(node)) {
      const value = node[keyword]
      if (dropped.has(keyword) || (keyword === '$id' && path !== '') || value === undefined) continue
      setMember(written, keyword, this.#keyword(keyword, value, path, depth))
    }
    return written
  }

  #keyword(keyword: string, value: unknown, around: string, depth: number): JsonValue {
    const shape = shapeOf(keyword)
    if (shape === undefined) return value as JsonValue
    const path = `${around}/${keyword}`
    if (Array.isArray(value)) {
      if (shape !== 'list' && shape !== 'one-or-list') return value as JsonValue
      return value.map((item, index) => this.schema(item, `${path}/${index}`, depth))
    }
    if (!isRecord(value)) return value as JsonValue
    if (shape !== 'map' && shape !== 'map-or-names') return this.schema(value, path, depth)
    const members: Record<string, JsonValue> = {}
    for (const name of Object.keys(value)) {
      setMember(members, name, this.schema(value[name], `${path}/${escapePointer(name)}`, depth))
    }
    return members
  }
}

const referenceOf = (node: Readonly<Record<string, unknown>>): string | undefined => {
  for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef']) {
    if (Object.hasOwn(node, keyword) && typeof node[keyword] === 'string') return node[keyword]
  }
  return undefined
}

const isSchema = (value: unknown): value is Record<string, unknown> | boolean =>
  isRecord(value) || typeof value === 'boolean'

/** A schema without subschemas costs nothing to copy whole, however deep it stands. */
const isLeaf = (schema: Readonly<Record<string, unknown>>): boolean =>
  referenceOf(schema) === undefined && Object.keys(schema).every((keyword) => shapeOf(keyword) === undefined)

/** Type and description, and the items of an array (004-12). Without a type, nothing is claimed. */
const prune = (schema: Readonly<Record<string, unknown>>, levels = 8): JsonObject => {
  const type = schema.type ?? (isRecord(schema.properties) ? 'object' : undefined)
  const kept = type === 'array' && levels > 0 && isRecord(schema.items)
  return defined({
    type: type as JsonValue | undefined,
    description: typeof schema.description === 'string' ? schema.description : undefined,
    items: kept ? prune(schema.items as Record<string, unknown>, levels - 1) : undefined,
  })
}

/** Keys beside a reference apply as well: properties and required names join, otherwise the sibling wins. */
const mergeBeside = (target: JsonObject, beside: JsonObject): JsonObject => {
  const merged: Record<string, JsonValue | undefined> = { ...target, ...beside }
  if (isRecord(target.properties) && isRecord(beside.properties)) {
    merged.properties = { ...(target.properties as JsonObject), ...(beside.properties as JsonObject) }
  }
  if (Array.isArray(target.required) && Array.isArray(beside.required)) {
    merged.required = [...new Set([...target.required, ...beside.required])]
  }
  return merged
}

const notFound = (reference: string): GatewayError =>
  new GatewayError(
    'SCHEMA_INVALID',
    `MCP schema definition not found: ${reference.replace(/^#\/\$defs\//, '').slice(0, 120)}`,
    {
      details: { path: '/$ref' },
    },
  )
