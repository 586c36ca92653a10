import type { JsonValue as Json, JsonObject } from '../../../src/model/json.js'
import type { PickRules } from './profile-picks.js'

/** A profile as its form holds it: texts, one pattern per line. */
export interface ProfileDraft {
  readonly description: string
  readonly expose: string
  /** `all` shows every tool, `some` those of `allow`. */
  readonly shows: 'all' | 'some'
  readonly allow: string
  readonly deny: string
  readonly pin: string
  /** Empty: as the gateway has it. */
  readonly namespacing: '' | 'yes' | 'no'
  readonly names: string
  /** Whether the history keeps what its calls say; `own` where the file says how much. */
  readonly keeps: 'no' | 'yes' | 'own'
}

export const toProfileDraft = (written: JsonObject): ProfileDraft => ({
  description: text(written.description),
  expose: text(written.expose) || 'auto',
  shows: Array.isArray(written.allow) ? 'some' : 'all',
  allow: lines(written.allow),
  deny: lines(written.deny),
  pin: lines(written.pin),
  namespacing: written.namespacing === undefined ? '' : written.namespacing === true ? 'yes' : 'no',
  names: text(written.names),
  keeps: written.keepValues === true ? 'yes' : written.keepValues ? 'own' : 'no',
})

const formFields: ReadonlySet<string> = new Set([
  'description',
  'expose',
  'allow',
  'deny',
  'pin',
  'namespacing',
  'names',
  'keepValues',
])

/** The entry of the file. What says nothing is left out; what the form does not know stays. */
export const toProfile = (draft: ProfileDraft, written: JsonObject): JsonObject => {
  const kept = Object.entries(written).filter(([key]) => !formFields.has(key))
  const own: readonly (readonly [string, Json | undefined])[] = [
    ['description', draft.description.trim() || undefined],
    ['expose', draft.expose === 'auto' ? undefined : draft.expose],
    ['allow', draft.shows === 'some' ? patterns(draft.allow) : undefined],
    ['deny', some(patterns(draft.deny))],
    ['pin', some(patterns(draft.pin))],
    ['namespacing', draft.namespacing === '' ? undefined : draft.namespacing === 'yes'],
    ['names', draft.names || undefined],
    ['keepValues', draft.keeps === 'own' ? written.keepValues : draft.keeps === 'yes' || undefined],
  ]
  const said = own.filter((entry): entry is readonly [string, Json] => entry[1] !== undefined)
  return Object.fromEntries([...said, ...kept]) as JsonObject
}

/** The lists that its tree ticks. */
export const toRules = ({ shows, allow, deny }: ProfileDraft): PickRules => ({
  allow: shows === 'some' ? patterns(allow) : undefined,
  deny: patterns(deny),
})

export const withRules = (draft: ProfileDraft, { allow, deny }: PickRules): ProfileDraft => ({
  ...draft,
  allow: allow ? allow.join('\n') : draft.allow,
  deny: deny.join('\n'),
})

const patterns = (value: string): readonly string[] =>
  value
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

const some = (list: readonly string[]): readonly string[] | undefined => (list.length > 0 ? list : undefined)
const lines = (value: Json | undefined): string => (Array.isArray(value) ? value.join('\n') : '')
const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
