import { kindOf } from '../model/json.js'
import { type EntryDraft, rename, translateClientKeys } from './client-entry.js'
import { didYouMean } from './nearest.js'
import { type SourceType, sourceTypes, toSourceType } from './source-schema.js'

export type ParsedEntry = EntryDraft & {
  /** Set when the entry cannot be read at all: the key it hangs on, and why. */
  readonly problem?: { readonly key: string | undefined; readonly message: string } | undefined
  /** Set when there is nothing to start behind it: why. */
  readonly skipped?: string | undefined
}

/** An entry of any of the four sections as one of ours: its type told or inferred, aliases resolved, nothing checked yet. */
export const toSourceEntry = (entry: Readonly<Record<string, unknown>>, fromClient: boolean): ParsedEntry => {
  const draft: EntryDraft = { value: { ...entry }, renamed: {}, notes: [] }
  for (const alias of ['transport', 'transportType']) if (isText(draft.value[alias])) rename(draft, alias, 'type')
  translateSwitches(draft)
  const written = draft.value.type
  if (fromClient && isText(written) && /^in-?memory$/i.test(written)) {
    return { ...draft, skipped: 'it lives inside the program that wrote it' }
  }
  const verdict = isText(written) ? byName(written) : infer(draft.value)
  if ('message' in verdict) return { ...draft, problem: verdict }
  translateUrl(draft, verdict.type)
  if (fromClient) translateClientKeys(draft, verdict.type)
  // In front, where a reader of the shown configuration looks for it.
  return { ...draft, value: { ...draft.value, type: verdict.type } }
}

type Verdict = { readonly type: SourceType } | { readonly key: string | undefined; readonly message: string }

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

const byName = (word: string): Verdict => {
  const type = toSourceType(word)
  if (type) return { type }
  const shown = /^[\w-]{1,32}$/.test(word) ? ` "${word}"` : ''
  const hint = didYouMean(word, sourceTypes) || `; use one of ${sourceTypes.join(', ')}`
  return { key: 'type', message: `is not a known type${shown}${hint}` }
}

const urlKeys = ['url', 'httpUrl', 'serverUrl', 'baseUrl'] as const

const infer = (value: Readonly<Record<string, unknown>>): Verdict => {
  if (value.type !== undefined && value.type !== null && value.type !== '') {
    return { key: 'type', message: `expected one of ${sourceTypes.join(', ')}, got ${kindOf(value.type)}` }
  }
  if (isText(value.spec)) return { type: 'openapi' }
  const urlKey = urlKeys.find((key) => isText(value[key]))
  const hasCommand = given(value.command)
  if (hasCommand && urlKey) {
    return { key: undefined, message: `has both "command" and "${urlKey}"; keep one, or add "type"` }
  }
  if (hasCommand) return { type: 'stdio' }
  if (urlKey) return { type: byUrl(String(value[urlKey]), urlKey) }
  if (given(value.module)) return { type: 'embedded' }
  if (given(value.path)) return { type: 'catalog' }
  if (given(value.scripts) || given(value.folder)) return { type: 'scripts' }
  return { key: undefined, message: 'says neither "command" nor "url"; add one of them, or a "type"' }
}

const given = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

const byUrl = (text: string, key: string): SourceType => {
  if (/^wss?:/i.test(text)) return 'websocket'
  // Gemini means SSE by a plain `url` and others do not; servers tell by their path.
  return key === 'url' && /\/sse\/?(?:[?#]|$)/i.test(text) ? 'sse' : 'http'
}

const translateUrl = (draft: EntryDraft, type: SourceType): void => {
  if (type !== 'http' && type !== 'sse' && type !== 'websocket') return
  if (!given(draft.value.url)) delete draft.value.url
  for (const key of urlKeys.slice(1)) if (isText(draft.value[key])) rename(draft, key, 'url')
}

/** `disabled` and `isActive` are others' words for `enabled`; whichever says "off" is believed. */
const translateSwitches = (draft: EntryDraft): void => {
  const { value } = draft
  const isOff = value.enabled === false || value.disabled === true || value.isActive === false
  if (typeof value.disabled === 'boolean') value.disabled = !value.disabled
  for (const key of ['disabled', 'isActive']) if (value[key] !== null) rename(draft, key, 'enabled')
  if (isOff) value.enabled = false
}
