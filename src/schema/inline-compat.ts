import { GatewayError } from '../errors.js'
import { defined, isRecord, type JsonObject, type JsonValue } from '../model/json.js'
import type { Inlined, InlineOptions } from './inline.js'
import { Losses } from './losses.js'
import { escapePointer } from './problems.js'
import { byPrefix, type RefResolver } from './references.js'

/**
 * Document 004's converter as it is: only `properties` and the `items` of arrays are walked, only one form of
 * reference is known, and depth counts references. Its size bound is ours.
 */
export const inlineAs004 = (schema: JsonObject | null | undefined, options: InlineOptions): Inlined => {
  if (schema === null || schema === undefined) return { schema: { type: 'string' }, losses: [] }
  const walk = new Converter(resolverOf(schema, options), options.maxDepth ?? 3, options.maxNodes ?? 10_000)
  const { $defs: _removed, ...converted } = walk.schema(schema, '', 0)
  return { schema: withDefaults(converted), losses: walk.losses.list }
}

const resolverOf = (schema: JsonObject, { document }: InlineOptions): RefResolver => {
  if (document === undefined) return byPrefix('#/$defs/', schema.$defs)
  const components = isRecord(document.components) ? document.components : {}
  return byPrefix('#/components/schemas/', components.schemas)
}

const withDefaults = (schema: JsonObject): JsonObject => {
  const typed: JsonObject = schema.type === undefined ? { type: 'object', ...schema } : schema
  const properties = typed.properties
  if (!isRecord(properties) || !isRecord(properties.body)) return typed
  const { body } = properties
  if (typeof body.description === 'string' && body.description !== '') return typed
  const described = { ...body, description: 'Request Body参数' }
  return { ...typed, properties: { ...properties, body: described } as JsonObject }
}

class Converter {
  readonly losses = new Losses()
  readonly #visited = new Set<string>()
  readonly #resolve: RefResolver
  readonly #maxDepth: number
  #nodesLeft: number

  constructor(resolve: RefResolver, maxDepth: number, maxNodes: number) {
    this.#resolve = resolve
    this.#maxDepth = maxDepth
    this.#nodesLeft = maxNodes
  }

  schema(node: JsonObject, path: string, depth: number): JsonObject {
    this.#nodesLeft -= 1
    if (this.#nodesLeft < 0) return this.#cut(node, path, 'the schema grew past its size limit')
    if (typeof node.$ref === 'string') return this.#reference(node.$ref, path, depth)
    const { properties, items } = node
    return {
      ...node,
      ...defined({
        properties: isRecord(properties) ? this.#properties(properties, path, depth) : undefined,
        items:
          node.type === 'array' && isRecord(items)
            ? this.schema(items as JsonObject, `${path}/items`, depth)
            : undefined,
      }),
    }
  }

  #reference(reference: string, path: string, depth: number): JsonObject {
    const target = this.#resolve(reference)
    if (!isRecord(target)) throw notFound(reference)
    const definition = target as JsonObject
    // The cycle is looked for first, so that a cycle at the depth limit is reported as what it is.
    if (this.#visited.has(reference)) return this.#cut(definition, path, 'the schema refers to itself here')
    if (depth >= this.#maxDepth) return this.#cut(definition, path, `references go deeper than ${this.#maxDepth}`)
    this.#visited.add(reference)
    try {
      return this.schema(definition, path, depth + 1)
    } finally {
      // Marks are per path: the same reference in two siblings expands twice.
      this.#visited.delete(reference)
    }
  }

  #properties(properties: Record<string, unknown>, path: string, depth: number): JsonObject {
    const entries = Object.entries(properties).map(([name, property]) => {
      const at = `${path}/properties/${escapePointer(name)}`
      return [name, isRecord(property) ? this.#property(property as JsonObject, at, depth) : property]
    })
    return Object.fromEntries(entries) as JsonObject
  }

  /** One property failing must not fail the whole (004-21). */
  #property(property: JsonObject, path: string, depth: number): JsonValue {
    try {
      return this.schema(property, path, depth)
    } catch (thrown) {
      this.losses.add(path, '$ref', thrown instanceof Error ? thrown.message : 'could not be resolved')
      return property
    }
  }

  #cut(node: JsonObject, path: string, reason: string): JsonObject {
    this.losses.add(path, '$ref', `${reason}; type and description are kept`)
    return pruneAs004(node)
  }
}

/** Keeps type (an object by default), description and the pruned items of an array. */
export const pruneAs004 = (schema: JsonObject): JsonObject => {
  const { description, items } = schema
  const type = schema.type ?? 'object'
  return defined({
    type,
    description,
    items: type === 'array' && isRecord(items) ? pruneAs004(items as JsonObject) : undefined,
  })
}

const notFound = (reference: string): GatewayError => {
  const name = reference.replace(/^#\/(?:\$defs|components\/schemas)\//, '').slice(0, 120)
  return new GatewayError('SCHEMA_INVALID', `MCP schema definition not found: ${name}`, { details: { path: '/$ref' } })
}
