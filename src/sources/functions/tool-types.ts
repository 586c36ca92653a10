import type { JsonObject } from '../../model/json.js'
import type { StandardSchema } from './standard-schema.js'

/** What the compiler remembers of a tool: its name, what callers pass and what they get. */
export interface ToolTypes {
  readonly name: string
  readonly args: unknown
  readonly result: unknown
}

/** The arguments a handler gets: what the schema puts out; under a plain JSON Schema what its own parameter says, or anything. */
export type ArgsOf<Input> = Input extends StandardSchema<infer Output> ? Output : any

/**
 * The arguments a caller passes: what the schema takes in, so that what has a default may be left out. Without a schema that
 * says it, the handler's own parameter does.
 */
export type PassedArgs<Input, Handler> = Input extends StandardSchema
  ? NonNullable<Input['~standard']['types']>['input']
  : Input extends { readonly properties: object }
    ? FromSchema<Input>
    : Handler extends (args: infer Args, ...rest: any[]) => unknown
      ? Args
      : Record<string, any>

/** What a caller gets: what the output schema promises, else what the handler returns. */
export type ToolResultOf<Output, Returned> =
  Output extends StandardSchema<infer Promised> ? Promised : Awaited<Returned>

/** The type that a JSON Schema written in place describes, as far as its plain keywords go; beyond them anything. */
export type FromSchema<Schema> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { readonly type: 'string' }
      ? string
      : Schema extends { readonly type: 'number' | 'integer' }
        ? number
        : Schema extends { readonly type: 'boolean' }
          ? boolean
          : Schema extends { readonly type: 'null' }
            ? null
            : Schema extends { readonly type: 'array'; readonly items: infer Item }
              ? readonly FromSchema<Item>[]
              : Schema extends { readonly properties: infer Properties }
                ? FromProperties<Properties, Schema extends { readonly required: readonly (infer Key)[] } ? Key : never>
                : any

type FromProperties<Properties, Required> = {
  [Key in keyof Properties as Key extends Required ? Key : never]: FromSchema<Properties[Key]>
} & {
  [Key in keyof Properties as Key extends Required ? never : Key]?: FromSchema<Properties[Key]> | undefined
}

/** The tools of a list by their names; those whose names are known only when the program runs are left out. */
export type ToolsByName<Tools extends readonly { readonly '~types'?: ToolTypes | undefined }[]> = {
  [Types in NonNullable<Tools[number]['~types']> as string extends Types['name'] ? never : Types['name']]: Types
}

export type AnySchema = StandardSchema | JsonObject
