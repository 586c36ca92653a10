import { isRecord, type JsonObject, type JsonValue } from '../../model/json.js'

/** A map with names of its own choosing, or an object nobody described. */
export const isFreeForm = (schema: JsonObject): boolean => {
  const { additionalProperties: extra, properties, patternProperties } = schema
  if (patternProperties !== undefined || isRecord(extra) || extra === true) return true
  return extra === undefined && properties === undefined
}

/** A pattern that the grammars of strict modes have: no look-around, no back-references, no word boundaries. */
export const isPlainPattern = (value: JsonValue): boolean =>
  typeof value === 'string' && !/\(\?[=!<]|\\[bB1-9k]/.test(value)

/** The type or types of listed values; undefined when there are none, or some that have parts. */
export const typeOfValues = (values: readonly JsonValue[]): JsonValue | undefined => {
  const types = [...new Set(values.map((value) => (value === null ? 'null' : typeof value)))]
  if (types.length === 0 || types.includes('object')) return undefined
  return types.length === 1 ? types[0] : types
}
