import { type Path, pathKey } from '../../config/problems.js'
import { redacted } from '../../config/redact.js'
import type { Config } from '../../config/schema.js'

/** Sources as they are written, fit to be shown: references stay readable, values that may be secret do not (T23). */
export const shownSources = (
  sources: Iterable<readonly [string, Readonly<Record<string, unknown>>]>,
): Record<string, unknown> => {
  const written = Object.fromEntries(sources)
  const references = new Map<string, string>()
  const collect = (value: unknown, path: Path): void => {
    if (typeof value === 'string') {
      if (value.includes('${')) references.set(pathKey(path), value)
    } else if (Array.isArray(value)) for (const [index, item] of value.entries()) collect(item, [...path, index])
    else if (typeof value === 'object' && value !== null)
      for (const [key, item] of Object.entries(value)) collect(item, [...path, key])
  }
  collect(written, ['sources'])
  // Only the part of a configuration that is there is looked at.
  const shown = redacted({ sources: written } as unknown as Config, references) as { sources: Record<string, unknown> }
  return shown.sources
}
