import { isRecord } from '../../model/json.js'

/** A JSON value as Python's `str` writes it, since document 003 builds its descriptions with that. */
export const pythonText = (value: unknown): string => (typeof value === 'string' ? value : repr(value))

const repr = (value: unknown): string => {
  if (value === null || value === undefined) return 'None'
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) return `[${value.map(repr).join(', ')}]`
  if (!isRecord(value)) return String(value)
  return `{${Object.entries(value)
    .map(([key, item]) => `${quoted(key)}: ${repr(item)}`)
    .join(', ')}}`
}

/** Single quotes, unless the text has them and no double ones. */
const quoted = (text: string): string => {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')
  if (text.includes("'") && !text.includes('"')) return `"${escaped}"`
  return `'${escaped.replaceAll("'", "\\'")}'`
}
