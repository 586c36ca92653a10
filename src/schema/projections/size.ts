import { isRecord, type JsonValue } from '../../model/json.js'

/** What providers count when they refuse a schema for its size. */
export interface SchemaSize {
  readonly properties: number
  readonly optional: number
  readonly unions: number
  readonly enumValues: number
  /** Characters of property names, enum and const values. */
  readonly characters: number
  /** Objects within objects. */
  readonly depth: number
  /** One list of more than 250 values is longer than 15,000 characters. */
  readonly longEnum: boolean
}

/** Counts a schema that holds no references. */
export const sizeOf = (schema: JsonValue): SchemaSize => {
  const size = { properties: 0, optional: 0, unions: 0, enumValues: 0, characters: 0, depth: 0, longEnum: false }
  const visit = (node: unknown, depth: number): void => {
    if (Array.isArray(node)) for (const item of node) visit(item, depth)
    if (!isRecord(node)) return
    const here = node.properties === undefined ? depth : depth + 1
    size.depth = Math.max(size.depth, here)
    countProperties(node, size)
    if (Array.isArray(node.anyOf) || Array.isArray(node.type)) size.unions += 1
    if (Array.isArray(node.enum)) {
      size.enumValues += node.enum.length
      size.longEnum ||= node.enum.length > 250 && lengthOf(node.enum) > 15_000
    }
    size.characters += lengthOf(node.enum) + lengthOf(node.const)
    for (const keyword of ['items', 'prefixItems', 'anyOf', 'allOf', 'additionalProperties']) visit(node[keyword], here)
    for (const keyword of ['properties', '$defs']) {
      if (isRecord(node[keyword])) for (const child of Object.values(node[keyword])) visit(child, here)
    }
  }
  visit(schema, 0)
  return size
}

const countProperties = (
  node: Record<string, unknown>,
  size: { properties: number; optional: number; characters: number },
): void => {
  if (!isRecord(node.properties)) return
  const names = Object.keys(node.properties)
  const required = Array.isArray(node.required) ? node.required : []
  size.properties += names.length
  size.optional += names.filter((name) => !required.includes(name)).length
  size.characters += names.join('').length
}

const lengthOf = (value: unknown): number => (value === undefined ? 0 : JSON.stringify(value).length)
