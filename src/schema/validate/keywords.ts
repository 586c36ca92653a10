import type { Keyword } from './compiler.js'
import type { Dialect } from './dialects.js'
import type { SchemaDocument } from './document.js'
import * as arrays from './keywords/arrays.js'
import { dependencies, dependentRequired, dependentSchemas } from './keywords/dependencies.js'
import { allOf, anyOf, ifThenElse, not, oneOf } from './keywords/logic.js'
import * as numbers from './keywords/numbers.js'
import * as objects from './keywords/objects.js'
import { dynamicRef, recursiveRef, ref } from './keywords/references.js'
import * as strings from './keywords/strings.js'
import { unevaluatedItems, unevaluatedProperties } from './keywords/unevaluated.js'
import { constant, enumeration, type } from './keywords/values.js'

const everywhere: Readonly<Record<string, Keyword>> = {
  $ref: ref,
  type,
  enum: enumeration,
  const: constant,
  minimum: numbers.minimum,
  maximum: numbers.maximum,
  exclusiveMinimum: numbers.exclusiveMinimum,
  exclusiveMaximum: numbers.exclusiveMaximum,
  multipleOf: numbers.multipleOf,
  minLength: strings.minLength,
  maxLength: strings.maxLength,
  pattern: strings.pattern,
  format: strings.format,
  minItems: arrays.minItems,
  maxItems: arrays.maxItems,
  uniqueItems: arrays.uniqueItems,
  items: arrays.items,
  contains: arrays.contains,
  required: objects.required,
  minProperties: objects.minProperties,
  maxProperties: objects.maxProperties,
  properties: objects.properties,
  patternProperties: objects.patternProperties,
  additionalProperties: objects.additionalProperties,
  propertyNames: objects.propertyNames,
  dependencies,
  allOf,
  anyOf,
  oneOf,
  not,
  if: ifThenElse,
}

const since2019: Readonly<Record<string, Keyword>> = {
  dependentRequired,
  dependentSchemas,
  unevaluatedProperties,
  unevaluatedItems,
}

const tables: Readonly<Record<Dialect, ReadonlyMap<string, Keyword>>> = {
  '2020-12': toMap({ ...everywhere, ...since2019, $dynamicRef: dynamicRef, prefixItems: arrays.prefixItems }),
  '2019-09': toMap({
    ...everywhere,
    ...since2019,
    $recursiveRef: recursiveRef,
    additionalItems: arrays.additionalItems,
  }),
  'draft-07': toMap({ ...everywhere, additionalItems: arrays.additionalItems }),
}

// Schemas without a dialect are read as 2020-12, with the draft-07 tuple form still understood.
const undeclared: ReadonlyMap<string, Keyword> = new Map([
  ...tables['2020-12'],
  ['additionalItems', arrays.additionalItems],
])

/** The keywords that assert something in this document's dialect. Names not in the table are annotations. */
export const keywordsOf = (document: SchemaDocument): ReadonlyMap<string, Keyword> =>
  document.lenient ? undeclared : tables[document.dialect]

function toMap(table: Readonly<Record<string, Keyword>>): ReadonlyMap<string, Keyword> {
  return new Map(Object.entries(table))
}
