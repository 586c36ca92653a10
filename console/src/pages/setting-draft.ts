import type { SettingField } from '../../../src/faces/admin/settings.js'
import type { JsonValue as Json } from '../../../src/model/json.js'

/** A setting as its control holds it. */
export const toText = ({ kind, value }: Pick<SettingField, 'kind' | 'value'>): string => {
  if (value === null || value === undefined) return ''
  if (kind === 'list') return Array.isArray(value) ? value.join('\n') : ''
  return String(value)
}

/** What is written into the file; null for the default. A number that is none goes as typed, and is refused with the reason. */
export const fromText = (kind: SettingField['kind'], text: string): Json => {
  if (kind === 'list')
    return text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
  if (text.trim() === '') return null
  if (kind === 'switch') return text === 'true'
  if (kind === 'number') return Number.isFinite(Number(text)) ? Number(text) : text
  return text
}

/** Those that differ from what is in force. */
export const changesIn = (
  fields: readonly SettingField[],
  texts: Readonly<Record<string, string>>,
): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    fields
      .filter((field) => texts[field.path] !== undefined && texts[field.path] !== toText(field))
      .map(({ path, kind }) => [path, fromText(kind, texts[path]!)]),
  )
