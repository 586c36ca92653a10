import { isRecord } from '../model/json.js'
import { translateClientAuth } from './client-auth.js'
import { ignoredClientKeys } from './client-keys.js'
import { type SourceType, sourceSchemas } from './source-schema.js'

export interface EntryDraft {
  readonly value: Record<string, unknown>
  /** Our key → the key it was written as. */
  readonly renamed: Record<string, string>
  /** What was left out or read in a special way: key and sentence. */
  readonly notes: [key: string, message: string][]
}

/** Turns what clients write into our keys, and drops what does not concern us. */
export const translateClientKeys = (draft: EntryDraft, type: SourceType | undefined): void => {
  for (const [key, value] of Object.entries(draft.value)) if (value === null) delete draft.value[key]
  for (const [theirs, ours] of renames) rename(draft, theirs, ours)
  for (const [key, ours, toMs] of times) translateTime(draft, key, ours, toMs)
  translateVariables(draft)
  if (type === 'http' || type === 'sse' || type === 'websocket') translateClientAuth(draft)
  dropForeign(draft, type)
}

/** Moves a value to our key, unless that is taken. */
export const rename = (draft: EntryDraft, theirs: string, ours: string): void => {
  if (theirs === ours || !Object.hasOwn(draft.value, theirs)) return
  const { [theirs]: value } = draft.value
  delete draft.value[theirs]
  if (Object.hasOwn(draft.value, ours)) return
  draft.value[ours] = value
  draft.renamed[ours] = theirs
}

const renames: readonly (readonly [string, string])[] = [
  ['enabled_tools', 'includeTools'],
  ['disabled_tools', 'excludeTools'],
  ['disabledTools', 'excludeTools'],
  ['http_headers', 'headers'],
]

// Gemini counts `timeout` in milliseconds, Cline and Cherry Studio in seconds; nobody waits 1000 seconds or half a one.
const guessMs = (value: number): number => (value < 1000 ? value * 1000 : value)
const secondsToMs = (value: number): number => Math.round(value * 1000)

const times: readonly (readonly [string, string, (value: number) => number])[] = [
  ['timeout', 'timeoutMs', guessMs],
  ['tool_timeout_sec', 'timeoutMs', secondsToMs],
  ['startup_timeout_sec', 'startTimeoutMs', secondsToMs],
  ['startup_timeout_ms', 'startTimeoutMs', (value) => value],
]

const translateTime = (draft: EntryDraft, key: string, ours: string, toMs: (value: number) => number): void => {
  const value = draft.value[key]
  if (typeof value === 'number') {
    const ms = toMs(value)
    draft.value[key] = ms
    draft.notes.push([key, `is read as ${ms} ms; write "${ours}" to be exact`])
  }
  rename(draft, key, ours)
}

/** Codex names variables instead of writing placeholders; a placeholder says the same to the rest of us. */
const translateVariables = (draft: EntryDraft): void => {
  const { bearer_token_env_var: bearer, env_http_headers: named, env_vars: passed, ...rest } = draft.value
  const headers: Record<string, unknown> = {}
  if (isRecord(named)) for (const [name, variable] of Object.entries(named)) headers[name] = placeholder(variable)
  if (typeof bearer === 'string') headers.Authorization = `Bearer ${placeholder(bearer)}`
  const env = Array.isArray(passed) ? Object.fromEntries(passed.map((name) => [String(name), placeholder(name)])) : {}
  for (const key of Object.keys(draft.value)) if (!Object.hasOwn(rest, key)) delete draft.value[key]
  mergeInto(draft, 'headers', headers)
  mergeInto(draft, 'env', env)
}

const placeholder = (variable: unknown): string => `\${${String(variable)}}`

const mergeInto = (draft: EntryDraft, key: 'headers' | 'env', additions: Record<string, unknown>): void => {
  if (Object.keys(additions).length === 0) return
  const written = isRecord(draft.value[key]) ? (draft.value[key] as Record<string, unknown>) : {}
  draft.value[key] = { ...additions, ...written }
}

const dropForeign = (draft: EntryDraft, type: SourceType | undefined): void => {
  const known = type ? sourceSchemas[type].shape : {}
  for (const [key, value] of Object.entries(draft.value)) {
    if (Object.hasOwn(known, key) && !(key === 'sandbox' && isTheirSandbox(value))) continue
    const reason = Object.hasOwn(ignoredClientKeys, key) ? ignoredClientKeys[key] : undefined
    // Cherry Studio writes every key it knows, the unused ones empty.
    if (reason === undefined && !isEmpty(value)) continue
    delete draft.value[key]
    if (reason !== undefined) draft.notes.push([key, `is ignored: ${reason}`])
  }
}

/** Other programs have a switch or an object of their own under this name; ours is a word, or has a `kind`. */
const isTheirSandbox = (value: unknown): boolean => !(typeof value === 'string' || (isRecord(value) && 'kind' in value))

const isEmpty = (value: unknown): boolean =>
  value === '' || (Array.isArray(value) && value.length === 0) || (isRecord(value) && Object.keys(value).length === 0)
