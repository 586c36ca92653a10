import { z } from 'zod'
import { defined } from '../model/json.js'
import { kinds } from './kinds.js'
import { type Entry, isSection, type Section, type Setting, type Table } from './settings/setting.js'
import { type Settings, settings } from './settings/table.js'

/** The schema of a table: each key with its meaning, its default and, where words do not do, an example. */
export const schemaOf = (table: Table, place: 'file' | 'checked' = 'checked'): z.ZodObject =>
  z.strictObject(
    Object.fromEntries(
      Object.entries(table)
        .filter(([, entry]) => place === 'file' || isSection(entry) || !entry.onlyInFile)
        .map(([key, entry]) => [key, ofEntry(entry, place)]),
    ),
  )

const ofEntry = (entry: Entry, place: 'file' | 'checked'): z.ZodType =>
  isSection(entry) ? ofSection(entry, place) : ofSetting(entry)

const ofSection = ({ about, entries, isOptional, refine }: Section, place: 'file' | 'checked'): z.ZodType => {
  const schema = refine ? refine(schemaOf(entries, place)) : schemaOf(entries, place)
  return (isOptional ? schema.optional() : schema.prefault({})).meta({ description: about })
}

const ofSetting = ({ kind, about, example, required, ...facts }: Setting): z.ZodType => {
  const schema = kind.schema(kinds)
  const examples = example === undefined ? undefined : [example]
  return withDefault(schema, facts.default, required).meta(defined({ description: about, examples }))
}

const withDefault = (schema: z.ZodType, value: unknown, isRequired = false): z.ZodType => {
  if (value === undefined) return isRequired ? schema : schema.optional()
  // What is read into another form is given before it is: the file's schema shows no other.
  return schema instanceof z.ZodPipe ? schema.prefault(value) : schema.default(value)
}

/** Everything but the sources. */
export const settingsSchema = schemaOf(settings) as unknown as z.ZodType<Settings>
