import { z } from 'zod'
import { defined } from '../model/json.js'
import type { Table } from './settings/setting.js'
import { settings } from './settings/table.js'
import { schemaOf, type settingsSchema } from './settings-schema.js'
import { sourceSchemas } from './source-schema.js'

type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T

type Settings = z.output<typeof settingsSchema>
type Sources = { [Type in keyof typeof sourceSchemas]: z.output<(typeof sourceSchemas)[Type]> }

/** A source that can be started, its namespace filled in. */
export type UsableSource = {
  [Type in keyof Sources]: Frozen<Sources[Type]> & { readonly namespace: string }
}[keyof Sources]

/**
 * A source whose entry cannot be used as it is: a variable is not set, a key is wrong (F28, U2). It keeps its place and its
 * namespace, so that others stay untouched and the reason can be shown; everything else about it is unknown until the entry
 * is mended.
 */
export interface MisconfiguredSource {
  readonly type: 'misconfigured'
  readonly declaredType: string
  /** Empty where what is written cannot be one, or belongs to another source. */
  readonly namespace: string
  /** False where the operator switched it off: nobody needs to hear of its variables. */
  readonly enabled: boolean
  readonly tags: readonly string[]
  /** What is wrong and what to do, each as a sentence. */
  readonly problems: readonly string[]
  /** Nothing is wrong with it: nobody has said yes to what it would start (T16). */
  readonly isPending?: boolean | undefined
}

export type SourceConfig = UsableSource | MisconfiguredSource

export type ProfileConfig = Frozen<Settings['profiles'][string]> & {
  readonly namespacing: boolean
  readonly names: 'exact' | 'safe'
}
type Endpoint = Settings['xiaozhi']['endpoints'][number]
export type XiaozhiEndpointConfig = Readonly<Endpoint> & {
  readonly maxResultSize: number
  readonly maxToolListSize: number
}

/** What the operator asked for, whole: every default filled, every path absolute, deeply frozen. */
export interface Config extends Frozen<Omit<Settings, 'profiles' | 'xiaozhi' | 'storage'>> {
  /** By name. A usable one is also what a file may hold under `sources`. */
  readonly sources: Readonly<Record<string, SourceConfig>>
  /** By name; `default` is always there. */
  readonly profiles: Readonly<Record<string, ProfileConfig>> & { readonly default: ProfileConfig }
  readonly xiaozhi: {
    readonly endpoints: readonly XiaozhiEndpointConfig[]
    readonly reconnect: Frozen<Settings['xiaozhi']['reconnect']>
  }
  readonly storage: Frozen<Settings['storage']> & { readonly path: string }
}

const anySource = z.union(
  // A type that its other keys betray may be left out.
  Object.values(sourceSchemas).map((schema) => schema.extend({ type: schema.shape.type.optional() })),
)

// The keys of client configurations are many and change; an editor must not mark them, the loader says what it skips.
const clientServer = z.looseObject({
  command: z.string().optional(),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  url: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
})

const fileKeys = {
  $schema: z
    .string()
    .optional()
    .meta({ description: 'Where an editor finds the schema of this file (`pegboard config schema` prints it)' }),
  sources: z.record(z.string(), anySource).optional().meta({ description: 'Where tools come from, by name' }),
  services: z
    .record(z.string(), anySource)
    .optional()
    .meta({ description: 'The same, as the xiaozhi MCP Agent calls them; names are then shown `exact`' }),
  mcpServers: z
    .record(z.string(), clientServer)
    .optional()
    .meta({ description: 'The same, as in the configuration of a client' }),
  servers: z
    .record(z.string(), clientServer)
    .optional()
    .meta({ description: 'The same, as in the configuration of VS Code' }),
}

/** The JSON Schema (2020-12) of the file, for editors. Numbers and booleans may also be given by a `${VARIABLE}`. */
export const configJsonSchema = (table: Table = settings): Record<string, unknown> => {
  const schema = z.toJSONSchema(schemaOf(table, 'file').extend(fileKeys), {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (!['integer', 'number', 'boolean'].includes(String(jsonSchema.type))) return
      const { type, minimum, maximum } = jsonSchema
      for (const key of ['type', 'minimum', 'maximum'] as const) delete jsonSchema[key]
      const plain = defined({
        type: type!,
        minimum,
        maximum,
      })
      jsonSchema.anyOf = [plain, { type: 'string', pattern: '\\$\\{.+\\}' }]
    },
  })
  return { title: 'Pegboard configuration', ...schema }
}
