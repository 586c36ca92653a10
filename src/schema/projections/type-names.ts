import type { JsonObject, JsonValue } from '../../model/json.js'

const simple: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
  ['any', {}],
  ['unknown', {}],
  ...pairs('string', ['str', 'string']),
  ...pairs('integer', ['int', 'integer']),
  ...pairs('number', ['float', 'number']),
  ...pairs('boolean', ['bool', 'boolean']),
  ...pairs('array', ['list', 'array', 'tuple', 'set']),
  ...pairs('object', ['dict', 'object']),
  ...pairs('null', ['none', 'null', 'nonetype']),
])

function pairs(type: string, names: readonly string[]): readonly (readonly [string, JsonObject])[] {
  return names.map((name) => [name, { type }] as const)
}

const longestName = 200

/** The schema a type's name stands for (`str`, `list[int]`, `dict[str, float]`, `int | None`, `Literal['a', 'b']`). */
export const parseTypeName = (name: string): JsonObject | undefined => {
  const text = name.trim()
  if (text.length > longestName) return undefined
  const plain = simple.get(text.toLowerCase())
  if (plain !== undefined) return plain
  const options = splitOutside(text, '|')
  if (options.length > 1) return union(options)
  const generic = /^(?:typing\.)?([A-Za-z]+)\[(.*)\]$/s.exec(text)
  return generic === null ? undefined : parseGeneric(generic[1]!.toLowerCase(), splitOutside(generic[2]!, ','))
}

const parseGeneric = (name: string, inner: readonly string[]): JsonObject | undefined => {
  if (name === 'literal') return literal(inner)
  if (name === 'union') return union(inner)
  if (name === 'optional') return union([...inner, 'None'])
  if (name === 'list' || name === 'set') return within({ type: 'array' }, 'items', inner[0])
  if (name === 'dict') return within({ type: 'object' }, 'additionalProperties', inner[1])
  return name === 'tuple' ? { type: 'array' } : undefined
}

const within = (outer: JsonObject, keyword: string, inner: string | undefined): JsonObject | undefined => {
  const schema = inner === undefined ? {} : parseTypeName(inner)
  if (schema === undefined) return undefined
  return Object.keys(schema).length === 0 ? outer : { ...outer, [keyword]: schema }
}

const union = (names: readonly string[]): JsonObject | undefined => {
  const forms = names.map(parseTypeName)
  if (forms.some((form) => form === undefined)) return undefined
  const schemas = forms as readonly JsonObject[]
  if (schemas.some((schema) => Object.keys(schema).length === 0)) return {}
  const bare = schemas.every((schema) => Object.keys(schema).length === 1 && typeof schema.type === 'string')
  return bare ? { type: schemas.map((schema) => schema.type as JsonValue) } : { anyOf: schemas }
}

const literal = (texts: readonly string[]): JsonObject => ({ enum: texts.map((text) => literalValue(text.trim())) })

const literalValue = (text: string): JsonValue => {
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  const named: Readonly<Record<string, JsonValue>> = { True: true, False: false, None: null }
  if (Object.hasOwn(named, text)) return named[text]!
  return text.replace(/^(['"])(.*)\1$/s, '$2')
}

/** Splits at a separator that stands outside brackets and quotes. */
const splitOutside = (text: string, separator: string): readonly string[] => {
  const parts: string[] = []
  let depth = 0
  let quote = ''
  let current = ''
  for (const character of text) {
    if (quote !== '') quote = character === quote ? '' : quote
    else if (character === "'" || character === '"') quote = character
    else if (character === '[') depth += 1
    else if (character === ']') depth -= 1
    if (character === separator && depth === 0 && quote === '') {
      parts.push(current)
      current = ''
    } else current += character
  }
  return [...parts, current]
}
