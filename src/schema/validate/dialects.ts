import { GatewayError } from '../../errors.js'

/** The three dialects we judge by. */
export type Dialect = '2020-12' | '2019-09' | 'draft-07'

/** How a keyword holds subschemas. */
export type Shape = 'one' | 'list' | 'map' | 'one-or-list' | 'map-or-names'

const everywhere: readonly (readonly [string, Shape])[] = [
  ['properties', 'map'],
  ['patternProperties', 'map'],
  ['additionalProperties', 'one'],
  ['propertyNames', 'one'],
  ['contains', 'one'],
  ['allOf', 'list'],
  ['anyOf', 'list'],
  ['oneOf', 'list'],
  ['not', 'one'],
  ['if', 'one'],
  ['then', 'one'],
  ['else', 'one'],
  // A keyword of draft-07 only, but 2019-09 and 2020-12 schemas still keep their definitions there.
  ['definitions', 'map'],
]

const since2019: readonly (readonly [string, Shape])[] = [
  ['$defs', 'map'],
  ['dependentSchemas', 'map'],
  ['unevaluatedProperties', 'one'],
  ['unevaluatedItems', 'one'],
  ['contentSchema', 'one'],
]

const until2019: readonly (readonly [string, Shape])[] = [
  ['items', 'one-or-list'],
  ['additionalItems', 'one'],
]

/** The keywords that hold subschemas, by dialect. */
export const applicators: Readonly<Record<Dialect, ReadonlyMap<string, Shape>>> = {
  '2020-12': new Map([
    ...everywhere,
    ...since2019,
    ['prefixItems', 'list'],
    ['items', 'one-or-list'],
    ['dependencies', 'map-or-names'],
  ]),
  '2019-09': new Map([...everywhere, ...since2019, ...until2019, ['dependencies', 'map-or-names']]),
  'draft-07': new Map([...everywhere, ...until2019, ['dependencies', 'map-or-names']]),
}

const dialects: Readonly<Record<string, Dialect>> = {
  'json-schema.org/draft/2020-12/schema': '2020-12',
  'json-schema.org/draft/2019-09/schema': '2019-09',
  'json-schema.org/draft-07/schema': 'draft-07',
}

/** The dialect a `$schema` names. Throws SCHEMA_UNSUPPORTED for one we do not know. */
export const dialectOf = (uri: string): Dialect => {
  const bare = uri.replace(/^https?:\/\//, '').replace(/#$/, '')
  const dialect = Object.hasOwn(dialects, bare) ? dialects[bare] : undefined
  if (dialect !== undefined) return dialect
  const named = uri.length > 200 ? `${uri.slice(0, 199)}…` : uri
  throw new GatewayError(
    'SCHEMA_UNSUPPORTED',
    `The schema at '/$schema' names the dialect '${named}'; supported are 2020-12, 2019-09 and draft-07. Remove $schema to be read as 2020-12.`,
    { details: { path: '/$schema', dialect: named } },
  )
}
