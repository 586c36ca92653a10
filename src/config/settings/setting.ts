import type { z } from 'zod'
import type { Kinds } from '../kinds.js'
import type { Environment } from '../variables.js'

export type WordPair = readonly [en: string, zh: string]

/**
 * What a setting may hold. The schema is made when a configuration is read: the table itself must cost nothing, since
 * `--help` is written from it.
 */
export interface Kind<Value = unknown> {
  readonly name: 'number' | 'switch' | 'choice' | 'text' | 'list' | 'structure'
  readonly schema: (kinds: Kinds) => z.ZodType<Value>
  readonly choices?: readonly string[] | undefined
  /** A path: relative ones start where they are written, at the file's folder or at the shell's. */
  readonly isPath?: boolean | undefined
  /** How a variable's or a flag's text is read. */
  readonly read: (text: string, env: Environment) => unknown
}

/** A flag of the command line: `dataPath` is typed `--data-path`. */
export interface Flag<Name extends string = string> {
  readonly name: Name
  /** What its value is called in the help; a switch has none. */
  readonly value?: string | undefined
  readonly help: WordPair
  /**
   * Which commands have it: every one that reads a configuration, those that serve one, those that listen over HTTP, or
   * `stdio`, which may share a gateway.
   */
  readonly on: 'configured' | 'served' | 'listening' | 'shared'
}

/** All there is to know of one setting: the file's schema, variables, flags, the console and the pages are made from it. */
export interface Facts<Value, Name extends string = string> {
  /** What it is, for the pages and for editors. */
  readonly about: string
  /** Where words do not do. */
  readonly example?: unknown
  readonly default?: Value | undefined
  /** Needed wherever its section is written. */
  readonly required?: true | undefined
  /** Its variables. The first that is set and not empty counts. */
  readonly env?: readonly string[] | undefined
  /** Variables behind those that a wrong word in is noted and skipped (002), since others read them too. */
  readonly lenientEnv?: readonly string[] | undefined
  readonly flag?: Flag<Name> | undefined
  /** Whether a change counts at once; else it waits for the next start. A test holds it against who follows it. */
  readonly live: boolean
  /**
   * Whether it can be changed from a browser. Not on purpose: addresses, folders, files and whatever holds a secret,
   * which are decided where the gateway runs.
   */
  readonly editable?: boolean | undefined
  /** What the console calls it. */
  readonly label: WordPair
  readonly help?: WordPair | undefined
  /** Another way to write something: only the file's schema knows it. */
  readonly onlyInFile?: true | undefined
}

export interface Setting<Value = unknown, Name extends string = string> extends Facts<Value, Name> {
  readonly kind: Kind<Value>
}

export interface Section<Entries extends Table = Table, Optional extends boolean = boolean> {
  readonly about: string
  readonly entries: Entries
  /** Absent as a whole unless somebody writes it. */
  readonly isOptional: Optional
  /** What its keys must be to each other. */
  readonly refine?: ((schema: z.ZodObject) => z.ZodObject) | undefined
}

export type Entry = Setting<any, any> | Section<any>
export type Table = { readonly [key: string]: Entry }

type Wanted<Value> = { readonly default: Value } | { readonly required: true }

/** One setting. Without a default its value may be undefined. */
export function setting<Value, const Name extends string = never>(
  kind: Kind<Value>,
  facts: Facts<NoInfer<Value>, Name> & Wanted<NoInfer<Value>>,
): Setting<Value, Name>
export function setting<Value, const Name extends string = never>(
  kind: Kind<Value>,
  facts: Facts<NoInfer<Value>, Name>,
): Setting<Value | undefined, Name>
export function setting(kind: Kind<any>, facts: Facts<any, any>): Setting<any, any> {
  return { ...facts, kind }
}

export const section = <Entries extends Table>(
  about: string,
  entries: Entries,
  refine?: Section['refine'],
): Section<Entries, false> => ({ about, entries, isOptional: false, refine })

export const optionalSection = <Entries extends Table>(about: string, entries: Entries): Section<Entries, true> => ({
  about,
  entries,
  isOptional: true,
})

export const isSection = (entry: Entry): entry is Section<any> => 'entries' in entry

type IsOptional<E> =
  E extends Section<any, infer Optional>
    ? Optional
    : E extends Setting<infer V, any>
      ? undefined extends V
        ? true
        : false
      : never
type ValueOf<E> = E extends Section<infer Entries> ? ValuesOf<Entries> : E extends Setting<infer V, any> ? V : never

/** The values of a table: what a checked configuration holds. */
export type ValuesOf<T> = {
  [Key in keyof T as IsOptional<T[Key]> extends true ? never : Key]: ValueOf<T[Key]>
} & {
  [Key in keyof T as IsOptional<T[Key]> extends true ? Key : never]?: ValueOf<T[Key]> | undefined
}

type FlagsIn<T> = {
  [Key in keyof T]: T[Key] extends Section<infer Entries>
    ? FlagsIn<Entries>
    : T[Key] extends Setting<infer Value, infer Name>
      ? string extends Name
        ? never
        : { readonly name: Name; readonly typed: Typed<NonNullable<Value>> }
      : never
}[keyof T]
type Typed<Value> = Value extends boolean ? boolean : Value extends number ? string | number : string

/** What the flags of a table may be given, by name. */
export type FlagsOf<T> = { readonly [Each in FlagsIn<T> as Each['name']]?: Each['typed'] | undefined }

/** A setting and its place in the file. */
export interface PlacedSetting extends Setting<unknown> {
  readonly path: readonly string[]
  /** `server.port`. */
  readonly place: string
}

const placed = new WeakMap<Table, readonly PlacedSetting[]>()

/** Every setting of a table, in its order. Kept, since every command that reads a configuration asks for its flags. */
export const settingsIn = (table: Table): readonly PlacedSetting[] => {
  const known = placed.get(table) ?? placeAll(table, [])
  placed.set(table, known)
  return known
}

const placeAll = (table: Table, above: readonly string[]): readonly PlacedSetting[] =>
  Object.entries(table).flatMap(([key, entry]): readonly PlacedSetting[] => {
    const path = [...above, key]
    return isSection(entry) ? placeAll(entry.entries, path) : [{ ...entry, path, place: path.join('.') }]
  })

/** The setting that a place of the file belongs to; undefined for a section, a source or what is nothing. */
export const settingAt = (table: Table, [key, ...rest]: readonly (string | number)[]): Setting | undefined => {
  const entry = key === undefined || !Object.hasOwn(table, key) ? undefined : table[key]
  return entry && isSection(entry) ? settingAt(entry.entries, rest) : entry
}
