import { isRecord, type JsonObject } from '../../model/json.js'
import type { Tool } from '../../model/tool.js'

const mostLength = 1200
const mostChoices = 12
const mostKeys = 24
const mostDepth = 4
const mostNote = 60
const mostWords = 160

/**
 * A tool as a script calls it, on one line under one of words: what must be given first, nested, with choices and defaults. Half
 * the tokens of its JSON Schema, and what a model that writes a script needs of it.
 */
export const declarationOf = (tool: Tool, answers = 'any'): string => {
  const { description, title, inputSchema } = tool.definition
  const words = oneLine(description ?? title ?? '', mostWords)
  const about = words === '' ? '' : `/** ${words} */\n`
  const path = [tool.namespace, tool.name].filter((part) => part !== '').map(accessor)
  const of = (notes: boolean): string => {
    const args = typeText(inputSchema, { root: inputSchema, depth: 0, notes })
    return `${about}tools${path.join('')}(args: ${args}): ${answers}`
  }
  const whole = of(true)
  if (whole.length <= mostLength) return whole
  const short = of(false)
  return short.length <= mostLength ? short : `${short.slice(0, mostLength - 1)}…`
}

/** A call of it to begin with: what must be given, each with nothing in it. */
export const callOf = ({ namespace, name, definition: { inputSchema } }: Tool): string => {
  const path = [namespace, name].filter((part) => part !== '').map(accessor)
  const { properties, required } = inputSchema
  const needed = Array.isArray(required) && isRecord(properties) ? required.map(String).slice(0, mostKeys) : []
  const given = needed.map((key) => `${identifier.test(key) ? key : JSON.stringify(key)}: ${blank(properties, key)}`)
  return `await tools${path.join('')}(${given.length === 0 ? '{}' : `{ ${given.join(', ')} }`})`
}

const blanks: Readonly<Record<string, string>> = {
  string: "''",
  number: '0',
  integer: '0',
  boolean: 'false',
  array: '[]',
  object: '{}',
}

const blank = (properties: unknown, key: string): string => {
  const schema = isRecord(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined
  if (!isRecord(schema)) return 'undefined'
  if (Array.isArray(schema.enum)) return JSON.stringify(schema.enum[0]) ?? 'undefined'
  return (typeof schema.type === 'string' && blanks[schema.type]) || 'undefined'
}

const identifier = /^[A-Za-z_$][\w$]*$/
// What scripts cannot reach as a member: see the first code of the sandbox.
const hidden: ReadonlySet<string> = new Set(['then', 'toJSON', 'constructor', 'prototype', '__proto__'])

const accessor = (part: string): string =>
  identifier.test(part) && !hidden.has(part) ? `.${part}` : `[${JSON.stringify(part)}]`

interface Place {
  readonly root: JsonObject
  readonly depth: number
  readonly notes: boolean
}

const typeText = (schema: unknown, place: Place): string => {
  if (!isRecord(schema)) return 'any'
  if (typeof schema.$ref === 'string') return referred(schema.$ref, place)
  if (Array.isArray(schema.enum)) return choices(schema.enum)
  if ('const' in schema) return JSON.stringify(schema.const)?.slice(0, 40) ?? 'any'
  const either = schema.anyOf ?? schema.oneOf
  if (Array.isArray(either) && schema.properties === undefined) return union(either, place)
  if (Array.isArray(schema.type))
    return union(
      schema.type.map((type) => ({ ...schema, type })),
      place,
    )
  if (schema.type === 'array') return arrayOf(typeText(schema.items, place))
  if (schema.type === 'object' || isRecord(schema.properties)) return objectText(schema, place)
  if (schema.type === 'integer') return 'number'
  return typeof schema.type === 'string' ? schema.type : 'any'
}

const arrayOf = (type: string): string => (/[|&]/.test(type) && !type.startsWith('{') ? `(${type})[]` : `${type}[]`)

const union = (each: readonly unknown[], place: Place): string => {
  const types = [...new Set(each.slice(0, mostChoices).map((one) => typeText(one, place)))]
  return types.includes('any') ? 'any' : types.join('|')
}

const choices = (values: readonly unknown[]): string => {
  const shown = values.slice(0, mostChoices).map((value) => JSON.stringify(value)?.slice(0, 40))
  return values.length > mostChoices ? `${shown.join('|')}|…` : shown.join('|')
}

/** Within the schema alone, and no deeper than anything else. */
const referred = (reference: string, place: Place): string => {
  if (place.depth >= mostDepth || !reference.startsWith('#/')) return 'any'
  const at = reference
    .slice(2)
    .split('/')
    .reduce<unknown>(
      (value, key) => (isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined),
      place.root,
    )
  return typeText(at, { ...place, depth: place.depth + 1 })
}

const objectText = (schema: Readonly<Record<string, unknown>>, place: Place): string => {
  const { properties, required, additionalProperties } = schema
  const known = isRecord(properties) ? Object.entries(properties) : []
  if (known.length === 0)
    return isRecord(additionalProperties) && place.depth < mostDepth
      ? `Record<string, ${typeText(additionalProperties, { ...place, depth: place.depth + 1 })}>`
      : '{}'
  if (place.depth >= mostDepth) return 'object'
  const needed = new Set(Array.isArray(required) ? required.map(String) : [])
  // A long list is cut at its optional end.
  const ordered = [...known.filter(([key]) => needed.has(key)), ...known.filter(([key]) => !needed.has(key))]
  const inner = { ...place, depth: place.depth + 1 }
  const shown = ordered.slice(0, mostKeys).map(([key, value]) => {
    const name = identifier.test(key) ? key : JSON.stringify(key)
    return `${name}${needed.has(key) ? '' : '?'}: ${typeText(value, inner)}${note(value, place.notes)}`
  })
  const rest = ordered.length > mostKeys ? [`/* ${ordered.length - mostKeys} more */`] : []
  return `{ ${[...shown, ...rest].join(', ')} }`
}

const note = (schema: unknown, isWanted: boolean): string => {
  if (!isRecord(schema)) return ''
  const byDefault = schema.default === undefined ? '' : `=${JSON.stringify(schema.default)?.slice(0, 40)}`
  const words = isWanted && typeof schema.description === 'string' ? oneLine(schema.description, mostNote) : ''
  const text = [byDefault.replaceAll('*/', '* /'), words].filter((each) => each !== '').join(' ')
  return text === '' ? '' : ` /*${text}*/`
}

/** No text of a stranger's ends a comment or begins a line. */
const oneLine = (text: string, most: number): string => {
  const flat = text
    .replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ')
    .replaceAll('*/', '* /')
    .trim()
  return flat.length > most ? `${flat.slice(0, most - 1)}…` : flat
}
