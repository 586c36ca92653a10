import { isDeepStrictEqual } from 'node:util'
import { GatewayError } from '../errors.js'
import { isRecord } from '../model/json.js'
import type { Edit } from './edit.js'
import { setAt, valueAt } from './overlay.js'

/** One thing that differs from the file: a value at a place, or that there is none. Sources stand below `sources`. */
export interface ConfigChange {
  readonly path: readonly string[]
  /** Undefined: what the file has there is taken out. */
  readonly value?: unknown
}

type Fields = Readonly<Record<string, unknown>>

const sections: readonly string[] = ['sources', 'mcpServers', 'servers', 'services']
// Where the changes themselves are kept, and under which secret, is known before they are.
const ofTheFile: readonly string[] = ['storage', 'fleet']
const mostChanges = 2000
const mostBytes = 128 * 1024

/** Edits of a file as changes over it; refused where they cannot be. */
export const toChanges = (edits: readonly Edit[]): readonly ConfigChange[] => {
  const changes = edits.map(({ path, value }) => ({ path: toOwnSection(path), value }))
  for (const { path } of changes) refuseOfFile(path)
  return changes
}

/** What was changed before, and what is asked for over it. Of that, whatever says no more than the file is left out. */
export const withAsked = (
  before: readonly ConfigChange[],
  asked: readonly ConfigChange[],
  file: Fields,
): readonly ConfigChange[] => {
  const next = asked
    .reduce(withOne, before)
    .filter(({ path, value }) => !asked.some((each) => isBelow(path, each.path)) || !isAsIn(file, path, value))
  if (next.length > mostChanges || JSON.stringify(next).length > mostBytes)
    throw new GatewayError(
      'CONFIG_INVALID',
      `More than ${mostBytes / 1024} KiB of changes cannot be kept over the file; write them into the file.`,
    )
  return next
}

const withOne = (before: readonly ConfigChange[], { path, value }: ConfigChange): readonly ConfigChange[] => {
  const around = before.find((each) => each.path.length < path.length && isBelow(path, each.path))
  if (!around) return [...before.filter((each) => !isBelow(each.path, path)), { path, value }]
  const inside = path.slice(around.path.length)
  const whole = isRecord(around.value) ? changedAt(around.value, inside, value) : changedAt({}, inside, value)
  return before.map((each) => (each === around ? { path: around.path, value: whole } : each))
}

/** The file with what was changed over it. */
export const withChanges = (file: Fields, changes: readonly ConfigChange[]): Fields =>
  changes.reduce((value, { path, value: changed }) => changedAt(value, placeIn(value, path), changed), file)

/**
 * The file as far as somebody has to say yes to it: entries that were written whole from afar are not of the file, and were
 * answered by who wrote them; one that was only switched on is of the file, and counts as it is now.
 */
export const withoutOwn = (file: Fields, changes: readonly ConfigChange[]): Fields =>
  changes
    .filter(({ path: [section] }) => section === 'sources')
    .reduce(
      (value, { path, value: changed }) =>
        changedAt(value, placeIn(value, path), path.length > 2 ? changed : undefined),
      file,
    )

/** Whether two sets of places have one in common, or one that holds another. */
export const overlap = (some: readonly ConfigChange[], others: readonly ConfigChange[]): boolean =>
  some.some(({ path }) => others.some((other) => isBelow(path, other.path) || isBelow(other.path, path)))

/** Those that one set has and the other has not, or has otherwise. */
export const changedBetween = (
  before: readonly ConfigChange[],
  now: readonly ConfigChange[],
): readonly ConfigChange[] => {
  const lacks = (all: readonly ConfigChange[], one: ConfigChange): boolean =>
    !all.some(({ path, value }) => isSame(path, one.path) && isDeepStrictEqual(value, one.value))
  return [...now.filter((each) => lacks(before, each)), ...before.filter((each) => lacks(now, each))]
}

/** Those at a place and below it, as somebody types it: `sources.docs`; with nothing typed all of them. */
export const changesAt = (changes: readonly ConfigChange[], typed: string | undefined): readonly ConfigChange[] =>
  typed === undefined
    ? changes
    : changes.filter(({ path }) => `${path.join('.')}.`.startsWith(`${toOwnSection(typed.split('.')).join('.')}.`))

/** What was kept, checked: it may be of a later version, or no longer what we wrote. Undefined where it is none. */
export const parseChanges = (value: unknown): readonly ConfigChange[] | undefined => {
  if (!Array.isArray(value) || value.length > mostChanges) return undefined
  const changes = value.filter(
    (each): each is ConfigChange =>
      isRecord(each) &&
      Array.isArray(each.path) &&
      each.path.length > 0 &&
      each.path.every(isKey) &&
      !isOfFile(each.path),
  )
  return changes.length === value.length ? changes : undefined
}

const isKey = (key: unknown): key is string => typeof key === 'string' && key !== '__proto__' && key.length <= 512

const isOfFile = (path: readonly string[]): boolean => ofTheFile.includes(path[0]!)

const refuseOfFile = (path: readonly string[]): void => {
  if (path.length > 0 && path.every(isKey) && !isOfFile(path)) return
  throw new GatewayError(
    'CONFIG_INVALID',
    `'${path.join('.').slice(0, 100)}' is read before what is changed from here; edit the configuration file where the gateway runs.`,
  )
}

/** Files name their sections as they like; what was changed is kept under one name. */
const toOwnSection = ([section, ...rest]: readonly string[]): readonly string[] =>
  section === undefined ? [] : [sections.includes(section) ? 'sources' : section, ...rest]

/** The section of this file that holds a source, else the one that new ones go to. */
const placeIn = (file: Fields, [section, ...rest]: readonly string[]): readonly string[] => {
  if (section !== 'sources') return [section!, ...rest]
  const present = sections.filter((each) => isRecord(file[each]))
  const holding = present.find((each) => Object.hasOwn(file[each] as object, rest[0] ?? ''))
  return [holding ?? present[0] ?? 'sources', ...rest]
}

const changedAt = (fields: Fields, path: readonly string[], value: unknown): Fields => {
  const copy: Record<string, unknown> = { ...fields }
  if (value === undefined) takeOut(copy, path)
  else setAt(copy, path, value)
  return copy
}

const takeOut = (holder: Record<string, unknown>, [key, ...rest]: readonly string[]): void => {
  if (key === undefined || !Object.hasOwn(holder, key)) return
  const inner = holder[key]
  if (rest.length === 0) delete holder[key]
  else if (isRecord(inner)) {
    const copy = { ...inner }
    holder[key] = copy
    takeOut(copy, rest)
  }
}

const isAsIn = (file: Fields, path: readonly string[], value: unknown): boolean =>
  isDeepStrictEqual(valueAt(file, placeIn(file, path)), value)

const isBelow = (path: readonly string[], above: readonly string[]): boolean =>
  above.length <= path.length && above.every((key, index) => path[index] === key)

const isSame = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && isBelow(a, b)
