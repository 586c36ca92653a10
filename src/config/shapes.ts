import { isRecord, kindOf } from '../model/json.js'
import { ignoredTopKeys } from './client-keys.js'
import { lookAlikeKey, nameProblem } from './namespaces.js'
import { didYouMean } from './nearest.js'
import { createOrigins, type Origins } from './origins.js'
import { type ConfigNote, formatPath, type Path } from './problems.js'
import { settings } from './settings/table.js'
import { toSourceEntry } from './source-entry.js'

/** A problem at a place of the operator's file. */
export interface ShapeProblem {
  readonly path: Path
  readonly message: string
}

/** Every accepted shape as one: sources by name, settings by our keys; values neither expanded nor checked. */
export interface Shaped {
  readonly settings: Readonly<Record<string, unknown>>
  readonly sources: ReadonlyMap<string, Readonly<Record<string, unknown>>>
  readonly origins: Origins
  readonly notes: readonly ConfigNote[]
  readonly problems: readonly ShapeProblem[]
  /** Entries that cannot be one of `sources`, each under a name that no other has. */
  readonly unreadable: readonly UnreadableEntry[]
}

/** A source of which nothing is known but its place and what is wrong with it. */
export interface UnreadableEntry extends ShapeProblem {
  readonly name: string
  readonly type: string
  readonly enabled: boolean
}

/** Ours, document 001's, and the two that clients use. */
const sections = ['sources', 'services', 'mcpServers', 'servers'] as const
const settingKeys = Object.keys(settings)

/** No board of this many sources is meant; a generated file with a mistake in it is. */
const maxSources = 2000

/** Reads our `sources`, 001's `services` and clients' `mcpServers` or `servers` alike, also side by side. */
export const shapeConfig = (raw: Readonly<Record<string, unknown>>): Shaped => {
  const draft: Draft = {
    settings: {},
    sources: new Map(),
    origins: createOrigins(),
    notes: [],
    problems: [],
    unreadable: [],
    seen: new Map(),
  }
  for (const [key, value] of Object.entries(raw)) readTopKey(key, value, draft)
  shapeXiaozhi(raw, draft)
  if (draft.sources.size > maxSources) {
    draft.problems.push({ path: [], message: `has ${draft.sources.size} sources; ${maxSources} are the limit` })
    draft.sources.clear()
  }
  return draft
}

interface Draft extends Shaped {
  readonly settings: Record<string, unknown>
  readonly sources: Map<string, Record<string, unknown>>
  readonly notes: ConfigNote[]
  readonly problems: ShapeProblem[]
  readonly unreadable: UnreadableEntry[]
  /** Look-alike key → the path that took it. */
  readonly seen: Map<string, Path>
}

const readTopKey = (key: string, value: unknown, draft: Draft): void => {
  if (key === '$schema' || key === 'mcpEndpoint') return
  if (sections.some((section) => section === key)) readSection(key, value, draft)
  else if (settingKeys.includes(key)) {
    // `null` is what YAML makes of a key with nothing under it.
    if (value !== null) draft.settings[key] = value
  } else if (ignoredTopKeys.includes(key)) {
    draft.notes.push({ path: formatPath([key]), message: 'is ignored: it only matters in the program that wrote it' })
  } else {
    const known = [...settingKeys, ...sections]
    const hint = didYouMean(key, known) || `; the keys here are ${known.join(', ')}`
    draft.problems.push({ path: [key], message: `is not a known key${hint}` })
  }
}

const readSection = (section: string, value: unknown, draft: Draft): void => {
  if (value === null) return
  if (!isRecord(value)) {
    const message = `expected an object of sources by name, got ${kindOf(value)}; write { "name": { … } }`
    draft.problems.push({ path: [section], message })
    return
  }
  for (const [name, entry] of Object.entries(value)) readEntry([section, name], name, entry, draft)
}

const readEntry = (path: Path, name: string, entry: unknown, draft: Draft): void => {
  const problem = entryProblem(path, name, entry, draft)
  // Its name may be another's or none at all; its place is its own.
  if (problem) return void setAside({ path, message: problem }, formatPath(path), entry, draft)
  const source = toSourceEntry(entry as Record<string, unknown>, path[0] === 'mcpServers' || path[0] === 'servers')
  for (const [key, message] of source.notes) draft.notes.push({ path: formatPath([...path, key]), message })
  if (source.skipped)
    return void draft.notes.push({ path: formatPath(path), message: `is left out: ${source.skipped}` })
  if (source.problem) {
    const { key, message } = source.problem
    return void setAside({ path: key === undefined ? path : [...path, key], message }, name, entry, draft)
  }
  draft.origins.set(['sources', name], path)
  for (const [ours, theirs] of Object.entries(source.renamed)) {
    draft.origins.set(['sources', name, ours], [...path, theirs])
  }
  draft.sources.set(name, source.value)
}

const setAside = (problem: ShapeProblem, name: string, entry: unknown, draft: Draft): void => {
  const { type, enabled, disabled, isActive } = isRecord(entry) ? entry : {}
  const isOff = enabled === false || disabled === true || isActive === false
  const shown = typeof type === 'string' && /^[\w-]{1,32}$/.test(type) ? type : 'unknown'
  draft.unreadable.push({ ...problem, name, type: shown, enabled: !isOff })
}

const entryProblem = (path: Path, name: string, entry: unknown, draft: Draft): string | undefined => {
  const bad = nameProblem(name)
  if (bad) return bad
  if (!isRecord(entry)) return `expected an object, got ${kindOf(entry)}`
  const taken = draft.seen.get(lookAlikeKey(name))
  if (taken) return `has the name of ${formatPath(taken)}, or one that differs only in case or spelling; rename one`
  draft.seen.set(lookAlikeKey(name), path)
  return undefined
}

/** 001 has one `endpoint`, we have several, and xiaozhi-client writes `mcpEndpoint` at the top, one or a list. */
const shapeXiaozhi = (raw: Readonly<Record<string, unknown>>, draft: Draft): void => {
  const written = draft.settings.xiaozhi
  if (written !== undefined && !isRecord(written)) return
  const { endpoint, ...rest } = written ?? {}
  const endpoints: unknown[] = []
  const add = (url: unknown, path: Path): void => {
    draft.origins.set(['xiaozhi', 'endpoints', endpoints.length, 'url'], path)
    endpoints.push({ url })
  }
  if (endpoint !== undefined) add(endpoint, ['xiaozhi', 'endpoint'])
  const { mcpEndpoint } = raw
  if (Array.isArray(mcpEndpoint)) for (const [index, url] of mcpEndpoint.entries()) add(url, ['mcpEndpoint', index])
  else if (mcpEndpoint !== undefined) add(mcpEndpoint, ['mcpEndpoint'])
  if (endpoints.length === 0) return
  const listed = rest.endpoints
  if (Array.isArray(listed)) for (const item of listed) addListed(item, listed.indexOf(item), endpoints, draft)
  draft.settings.xiaozhi = { ...rest, endpoints: listed === undefined || Array.isArray(listed) ? endpoints : listed }
}

const addListed = (item: unknown, index: number, endpoints: unknown[], draft: Draft): void => {
  draft.origins.set(['xiaozhi', 'endpoints', endpoints.length], ['xiaozhi', 'endpoints', index])
  endpoints.push(item)
}
