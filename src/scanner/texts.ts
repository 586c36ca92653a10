import type { JsonObject, JsonValue } from '../model/json.js'

/** What kind of text it is: a name that others call it by, a member's key, or words. */
export type TextPart = 'name' | 'key' | 'words'

/** One text of a definition and where it stands. */
export interface PlacedText {
  readonly part: TextPart
  readonly text: string
  /** The way to it, the last step first; made a JSON pointer only where something was found. */
  readonly way: Way | undefined
}

interface Way {
  readonly step: string | number
  readonly above: Way | undefined
}

/** All texts of a definition within bounds, and whether something was left out. */
export interface Texts {
  readonly texts: readonly PlacedText[]
  readonly isWhole: boolean
}

/** How deep, how many and how much is read: a definition beyond these is told as not read whole. */
export const bounds = { depth: 64, texts: 20_000, characters: 256_000 } as const

/** Every text that a model may read: values at any depth, and the keys by which a server names things. */
export const textsOf = (words: JsonObject): Texts => {
  const texts: PlacedText[] = []
  let left: number = bounds.characters
  let isWhole = true

  const take = (text: string, part: TextPart, way: Way | undefined): void => {
    if (text === '') return
    if (texts.length >= bounds.texts || left <= 0) {
      isWhole = false
      return
    }
    const read = text.length > left ? text.slice(0, left) : text
    if (read.length < text.length) isWhole = false
    left -= read.length
    texts.push({ part, text: read, way })
  }

  const visit = (value: JsonValue | undefined, way: Way | undefined, depth: number): void => {
    if (typeof value === 'string') return take(value, isName(way) ? 'name' : 'words', way)
    if (typeof value !== 'object' || value === null) return
    if (depth > bounds.depth) {
      isWhole = false
      return
    }
    if (Array.isArray(value)) {
      for (let at = 0; at < value.length && isReading(); at++) visit(value[at], { step: at, above: way }, depth + 1)
      return
    }
    const isBinary = typeof (value as JsonObject).mimeType === 'string'
    for (const key in value as JsonObject) {
      if (!isReading()) return
      if (isBinary && (key === 'data' || key === 'blob')) continue
      const next: Way = { step: key, above: way }
      if (!known.has(key)) take(key, 'key', next)
      visit((value as JsonObject)[key], next, depth + 1)
    }
  }
  const isReading = (): boolean => {
    if (texts.length < bounds.texts && left > 0) return true
    isWhole = false
    return false
  }

  visit(words, undefined, 0)
  return { texts, isWhole }
}

/** A JSON pointer (RFC 6901). */
export const pointerOf = (way: Way | undefined): string => {
  const steps: string[] = []
  for (let at = way; at; at = at.above) steps.push(String(at.step).replaceAll('~', '~0').replaceAll('/', '~1'))
  return steps.length === 0 ? '' : `/${steps.reverse().join('/')}`
}

const isName = (way: Way | undefined): boolean => way !== undefined && way.above === undefined && way.step === 'name'

/** Keys of the protocol and of JSON Schema: not the words of a stranger. */
const known: ReadonlySet<string> = new Set(
  `name title description instructions annotations inputSchema outputSchema icons src sizes mimeType uri uriTemplate arguments required
  readOnlyHint destructiveHint idempotentHint openWorldHint audience priority lastModified _meta execution taskSupport
  $schema $id $ref $anchor $defs $comment $dynamicRef $dynamicAnchor $vocabulary definitions type properties patternProperties
  additionalProperties unevaluatedProperties propertyNames items prefixItems additionalItems unevaluatedItems contains minContains
  maxContains enum const default examples example format pattern minLength maxLength minimum maximum exclusiveMinimum
  exclusiveMaximum multipleOf minItems maxItems uniqueItems minProperties maxProperties dependentRequired dependentSchemas
  dependencies allOf anyOf oneOf not if then else readOnly writeOnly deprecated contentEncoding contentMediaType contentSchema
  content text structuredContent resource isError messages role data blob`.split(/\s+/),
)
