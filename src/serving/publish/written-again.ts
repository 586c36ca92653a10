import { type Path, pathKey } from '../../config/problems.js'
import { escapeText } from '../../config/variables.js'

/**
 * A part of the configuration in force as it was written: references instead of what they stand for. Not the file itself,
 * which may have been changed since by somebody whom nobody trusts yet. `literal` says how plain text is written.
 */
export const writtenAgain = (
  value: unknown,
  path: Path,
  references: ReadonlyMap<string, string>,
  literal: (text: string) => string = escapeText,
): unknown => {
  if (typeof value === 'string') return references.get(pathKey(path)) ?? literal(value)
  // A number or a switch that came out of a variable is that variable's affair.
  if (typeof value !== 'object' || value === null) return references.has(pathKey(path)) ? undefined : value
  if (Array.isArray(value)) return value.map((item, at) => writtenAgain(item, [...path, at], references, literal))
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, writtenAgain(item, [...path, key], references, literal)]),
  )
}
