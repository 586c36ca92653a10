import { z } from 'zod'
import { isRecord } from '../model/json.js'
import { type SourceType, sourceSchemas, sourceTypes } from './source-schema.js'

/** One key of a source as a form asks for it. */
export interface SourceField {
  readonly key: string
  /** `pairs` are names with texts, `json` whatever has no simpler form. */
  readonly kind: 'text' | 'number' | 'switch' | 'choice' | 'list' | 'pairs' | 'json'
  readonly required: boolean
  readonly help: string
  readonly choices?: readonly string[] | undefined
  /** What counts where nothing is written. */
  readonly byDefault?: unknown
  readonly example?: unknown
}

/** The keys of each kind of source, read off the schemas that check them: a key that is added there is asked for. */
export const sourceFields = (): Readonly<Record<SourceType, readonly SourceField[]>> =>
  Object.fromEntries(sourceTypes.map((type) => [type, fieldsOf(type)])) as Record<SourceType, readonly SourceField[]>

/** Said by the form itself: which kind, on or off. */
const elsewhere = new Set(['type', 'enabled'])

const fieldsOf = (type: SourceType): readonly SourceField[] => {
  const schema = z.toJSONSchema(sourceSchemas[type], { io: 'input', unrepresentable: 'any', reused: 'inline' })
  const needed = schema.required ?? []
  return Object.entries(schema.properties ?? {})
    .filter(([key]) => !elsewhere.has(key))
    .map(([key, value]) => toField(key, isRecord(value) ? value : {}, needed.includes(key)))
}

const toField = (key: string, schema: Readonly<Record<string, unknown>>, required: boolean): SourceField => {
  const { description, examples, default: byDefault, enum: choices } = schema
  return {
    key,
    kind: kindOf(schema),
    required,
    help: typeof description === 'string' ? description : '',
    choices: Array.isArray(choices) ? choices.filter((each) => typeof each === 'string') : undefined,
    byDefault,
    example: Array.isArray(examples) ? examples[0] : undefined,
  }
}

const kindOf = ({ type, enum: choices, items, additionalProperties }: Readonly<Record<string, unknown>>) => {
  if (Array.isArray(choices)) return 'choice'
  if (type === 'string') return 'text'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'boolean') return 'switch'
  if (type === 'array' && isRecord(items) && items.type === 'string') return 'list'
  const isPairs = type === 'object' && isRecord(additionalProperties) && additionalProperties.type === 'string'
  return isPairs ? 'pairs' : 'json'
}
