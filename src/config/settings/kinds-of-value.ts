import type { z } from 'zod'
import type { Kinds } from '../kinds.js'
import type { Environment } from '../variables.js'
import type { Kind } from './setting.js'

/** A whole number. */
export const whole = (least: number, most: number): Kind<number> => ({
  name: 'number',
  schema: ({ z }) => z.int().min(least).max(most),
  read: toNumber,
})

// setTimeout takes anything above this as 1 ms (corpus K24).
const longestMs = 2 ** 31 - 1

/** A span of time in milliseconds. */
export const milliseconds = (least = 1): Kind<number> => whole(least, longestMs)

export const onOff: Kind<boolean> = {
  name: 'switch',
  schema: ({ z }) => z.boolean(),
  read: (text) => switches[fold(text)] ?? text,
}

export const oneOf = <const Choice extends string>(
  choices: readonly Choice[],
  more: Partial<Pick<Kind<Choice>, 'read' | 'schema'>> = {},
): Kind<Choice> => ({ name: 'choice', choices, schema: ({ z }) => z.enum(choices), read: fold, ...more })

/** Text that this schema takes. */
export const words = (
  schema: (kinds: Kinds) => z.ZodType<string>,
  more: Partial<Pick<Kind<string>, 'read'>> = {},
): Kind<string> => ({ name: 'text', schema, read: (text) => text.trim(), ...more })

export const address = (schemes: readonly string[]): Kind<string> => words(({ url }) => url(schemes))

/** The path of a file or a folder. 002 expands `$VAR` and `~` in its data path. */
export const path = (more: Partial<Pick<Kind<string>, 'read'>> = {}): Kind<string> => ({
  ...words(({ filePath }) => filePath(), more),
  isPath: true,
})

export const listOf = (schema: (kinds: Kinds) => z.ZodType<string[]>): Kind<string[]> => ({
  name: 'list',
  schema,
  read: asWritten,
})

/** What has keys of its own, which are no settings: profiles, endpoints. */
export const structure = <Value>(schema: (kinds: Kinds) => z.ZodType<Value>): Kind<Value> => ({
  name: 'structure',
  schema,
  read: asWritten,
})

export const asWritten = (text: string): string => text
export const fold = (text: string): string => text.trim().toLowerCase()

export const toFolder = (text: string, env: Environment): string =>
  text.trim().replace(/\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g, (whole, braced, bare) => env[braced ?? bare] ?? whole)

// Anything else is left for the schema to refuse.
const toNumber = (text: string): unknown => (/^\s*\d{1,11}\s*$/.test(text) ? Number(text) : text)

const switches: Readonly<Record<string, boolean>> = Object.assign(Object.create(null), {
  ...{ true: true, 1: true, yes: true, on: true },
  ...{ false: false, 0: false, no: false, off: false },
})

/** The variable of this name, and document 002's for the same. */
export const pair = (name: string): readonly string[] => [`PEGBOARD_${name}`, `REGISTRYTOOLS_${name}`]

/** A reference to a variable, as an example of a value that does not belong into a file. */
export const variable = (name: string): string => `\${${name}}`
