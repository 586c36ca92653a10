import { isRecord, type JsonValue } from '../../model/json.js'

type Form = (value: JsonValue) => boolean

const typeNames = new Set<unknown>(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'])

const isText: Form = (value) => typeof value === 'string'
const isBoolean: Form = (value) => typeof value === 'boolean'
const isNumber: Form = (value) => typeof value === 'number' && Number.isFinite(value)
const isCount: Form = (value) => Number.isSafeInteger(value) && (value as number) >= 0
const isNames: Form = (value) => Array.isArray(value) && value.every(isText)

const isPattern: Form = (value) => {
  if (typeof value !== 'string') return false
  try {
    return Boolean(new RegExp(value, 'u'))
  } catch {
    return false
  }
}

const isType: Form = (value) => {
  if (!Array.isArray(value)) return typeNames.has(value)
  return value.length > 0 && value.every((name) => typeNames.has(name)) && new Set(value).size === value.length
}

const all = (form: Form, ...keywords: readonly string[]): readonly (readonly [string, Form])[] =>
  keywords.map((keyword) => [keyword, form] as const)

/** What the value of a keyword must be, by the meta-schema; keywords that hold subschemas are not among them. */
export const keywordForms: ReadonlyMap<string, Form> = new Map([
  ...all(isType, 'type'),
  ...all(isText, '$ref', 'title', 'description', 'format', 'contentEncoding', 'contentMediaType'),
  ...all(isPattern, 'pattern'),
  ...all(isNumber, 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'),
  ...all((value) => isNumber(value) && (value as number) > 0, 'multipleOf'),
  ...all(isCount, 'minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'),
  ...all(isCount, 'minContains', 'maxContains'),
  ...all(isBoolean, 'uniqueItems', 'deprecated', 'readOnly', 'writeOnly', 'nullable'),
  ...all((value) => Array.isArray(value) && value.length > 0, 'enum'),
  ...all(Array.isArray, 'examples'),
  ...all(isNames, 'required', 'propertyOrdering'),
  ...all(
    (value) => isRecord(value) && Object.values(value).every((each) => isNames(each as JsonValue)),
    'dependentRequired',
  ),
])
