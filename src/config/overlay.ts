import { isRecord } from '../model/json.js'
import type { Layers, Override } from './layers.js'
import type { ConfigNote, Path } from './problems.js'
import { escapeText } from './variables.js'

export interface Overlaid {
  readonly raw: Readonly<Record<string, unknown>>
  readonly notes: readonly ConfigNote[]
  /** The flag or variable that a place of the file was overridden by. */
  overriddenBy(path: Path): string | undefined
}

/** Lays flags and environment over what the file says. Their text is escaped: only the file's own is a template. */
export const overlay = (file: Readonly<Record<string, unknown>>, layers: Layers): Overlaid => {
  const raw: Record<string, unknown> = { ...file }
  const notes: ConfigNote[] = [...layers.notes]
  const applied = new Map<string, string>()
  const put = ({ path, value, from }: Override): void => {
    const written = typeof value === 'string' ? escapeText(value) : value
    if (setAt(raw, path.map(String), written)) applied.set(String(path), from)
  }
  for (const override of layers.overrides) {
    if (String(override.path) !== 'xiaozhi,endpoint' || !listsEndpoints(raw)) put(override)
    else notes.push({ path: override.from, message: 'is not added: the file lists its endpoints' })
  }
  for (const fallback of layers.fallbacks) if (!isWritten(raw, fallback.path)) put(fallback)
  return { raw, notes, overriddenBy: (path) => applied.get(String(path)) }
}

/** What stands at a place; undefined where nothing does. */
export const valueAt = (holder: unknown, path: Path): unknown =>
  path.reduce<unknown>((here, key) => (isRecord(here) ? here[String(key)] : undefined), holder)

/** Sets a place at any depth, copying on the way. A section that is no object is left for the schema to report. */
export const setAt = (holder: Record<string, unknown>, [key, ...rest]: readonly string[], value: unknown): boolean => {
  if (key === undefined) return false
  if (rest.length === 0) {
    holder[key] = value
    return true
  }
  const written = holder[key] ?? {}
  if (!isRecord(written)) return false
  const copy = { ...written }
  holder[key] = copy
  return setAt(copy, rest, value)
}

// Who lists several endpoints refers to the variable where it is meant; adding it again would connect twice.
const listsEndpoints = (raw: Readonly<Record<string, unknown>>): boolean =>
  raw.mcpEndpoint !== undefined || (isRecord(raw.xiaozhi) && Array.isArray(raw.xiaozhi.endpoints))

const isWritten = (raw: Readonly<Record<string, unknown>>, [key, ...rest]: Path): boolean => {
  const written = raw[String(key)]
  return written !== undefined && (rest.length === 0 || !isRecord(written) || isWritten(written, rest))
}
