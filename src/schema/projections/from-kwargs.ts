import { defined, isRecord, type JsonObject, type JsonValue } from '../../model/json.js'
import type { Inlined } from '../inline.js'
import { Losses } from '../losses.js'
import { escapePointer } from '../problems.js'
import { anyKwarg, otherKwargs } from './kwargs.js'
import { parseTypeName } from './type-names.js'

/** What to read into kwargs beyond names and types. */
export interface FromKwargsOptions {
  /** `without-default` requires every argument whose description names no `Default:`. Default `none`. */
  readonly required?: 'none' | 'without-default' | undefined
}

/**
 * The JSON Schema of arguments given as document 003 gives them: `[type, description]`, or a type alone. A type is a
 * name (`str`, `list[int]`, `string`), a list of names, a JSON Schema, or a constructor such as `Number`.
 */
export const fromKwargs = (
  kwargs: Readonly<Record<string, unknown>> | null | undefined,
  options: FromKwargsOptions = {},
): Inlined => {
  const losses = new Losses()
  const pairs = Object.entries(kwargs ?? {}).map(([name, kwarg]) => [name, pairOf(kwarg)] as const)
  const declared = pairs.filter(([name]) => name !== otherKwargs)
  const members = declared.map(([name, pair]) => [name, schemaOf(pair, `/${escapePointer(name)}`, losses)])
  const others = pairs.find(([name]) => name === otherKwargs)?.[1]
  const required = options.required === 'without-default' ? declared.filter(([, pair]) => !hasDefault(pair)) : []
  const schema: JsonObject = defined({
    type: 'object',
    properties: Object.fromEntries(members) as JsonObject,
    required: required.length > 0 ? required.map(([name]) => name) : undefined,
    additionalProperties: others === undefined ? undefined : openOr(schemaOf(others, `/${otherKwargs}`, losses)),
  })
  return { schema, losses: losses.list }
}

interface Pair {
  readonly type: unknown
  readonly description: string
}

const pairOf = (kwarg: unknown): Pair => {
  if (!Array.isArray(kwarg)) return { type: kwarg, description: '' }
  const [type, description] = kwarg as readonly unknown[]
  return { type, description: typeof description === 'string' ? description : '' }
}

const hasDefault = ({ description }: Pair): boolean => /(?:^|;)\s*default:/i.test(description)

const openOr = (schema: JsonObject): JsonObject | boolean => (Object.keys(schema).length === 0 ? true : schema)

const constructors: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [String, 'string'],
  [Number, 'number'],
  [Boolean, 'boolean'],
  [Array, 'array'],
  [Object, 'object'],
])

const schemaOf = ({ type, description }: Pair, path: string, losses: Losses): JsonObject => {
  const about = description === '' ? {} : { description: description.replace(/^description: (?=[^;]*$)/, '') }
  return { ...typeSchema(type, path, losses), ...about }
}

const typeSchema = (type: unknown, path: string, losses: Losses): JsonObject => {
  if (type === undefined || type === null || type === anyKwarg) return {}
  if (isRecord(type)) return type as JsonObject
  if (Array.isArray(type)) return { type: type as readonly JsonValue[] }
  const named = typeof type === 'string' ? parseTypeName(type) : undefined
  if (named !== undefined) return named
  const built = constructors.get(type)
  if (built !== undefined) return { type: built }
  losses.add(path, 'type', 'this type has no name in JSON Schema; any value is allowed')
  return {}
}
