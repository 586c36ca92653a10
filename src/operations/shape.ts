import type { JsonObject, JsonValue } from '../model/json.js'

declare const value: unique symbol
declare const filled: unique symbol

/** A JSON Schema whose values are known to the compiler too, so that no type is written a second time beside it. */
export type Schema<T> = JsonObject & { readonly [value]: T }
/** One that is there even where nobody sent it. */
export type WithDefaults<T> = Schema<T> & { readonly [filled]: true }

/** The values of a schema; `unknown` of one that was written by hand. */
export type ValueOf<S> = S extends { readonly [value]: infer T } ? T : unknown

type Fields = Readonly<Record<string, JsonObject>>
type Flat<T> = { readonly [K in keyof T]: T[K] }
type Needed<P> = { readonly [K in keyof P]: ValueOf<P[K]> }
type Perhaps<P> = { readonly [K in keyof P]?: ValueOf<P[K]> | undefined }
type FilledIn<P> = { [K in keyof P]: P[K] extends { readonly [filled]: true } ? K : never }[keyof P]

/** A schema by hand, with the type of its values. */
export const of = <T>(schema: JsonObject): Schema<T> => schema as Schema<T>

export const text = (bounds?: JsonObject): Schema<string> => of({ type: 'string', ...bounds })
export const integer = (bounds?: JsonObject): Schema<number> => of({ type: 'integer', ...bounds })
export const number = (bounds?: JsonObject): Schema<number> => of({ type: 'number', ...bounds })
export const flag = (more?: JsonObject): Schema<boolean> => of({ type: 'boolean', ...more })
export const choice = <const T extends readonly string[]>(choices: T): Schema<T[number]> =>
  of({ type: 'string', enum: [...choices] })
export const list = <S extends JsonObject>(items: S, bounds?: JsonObject): Schema<readonly ValueOf<S>[]> =>
  of({ type: 'array', items, ...bounds })
/** Any object at all. */
export const anyObject = (bounds?: JsonObject): Schema<JsonObject> => of({ type: 'object', ...bounds })
/** An object by names that nobody knows beforehand. */
export const byName = <S extends JsonObject>(
  each: S,
  bounds?: JsonObject,
): Schema<Readonly<Record<string, ValueOf<S>>>> => of({ type: 'object', additionalProperties: each, ...bounds })
export const orNull = <T>(schema: Schema<T>): Schema<T | null> => of({ anyOf: [schema, { type: 'null' }] })

/** The same with a value for whoever leaves it out. */
export const otherwise = <T>(schema: Schema<T>, byDefault: T & JsonValue): WithDefaults<T> =>
  of({ ...schema, default: byDefault }) as WithDefaults<T>

/** An object of these fields and no others: what a request may hold. */
export const closed = <P extends Fields, const R extends readonly (keyof P & string)[] = readonly []>(
  properties: P,
  required: R = [] as unknown as R,
): Schema<Flat<Needed<Pick<P, R[number] | FilledIn<P>>> & Perhaps<Omit<P, R[number] | FilledIn<P>>>>> =>
  of({ type: 'object', properties, ...requiring(required), additionalProperties: false })

/** An object with these fields, and perhaps those: what an answer holds. */
export const shape = <P extends Fields, O extends Fields = Readonly<Record<never, never>>>(
  properties: P,
  optional?: O,
): Schema<Flat<Needed<P> & Perhaps<O>>> =>
  of({ type: 'object', properties: { ...properties, ...optional }, ...requiring(Object.keys(properties)) })

const requiring = (names: readonly string[]): JsonObject => (names.length > 0 ? { required: names } : {})

/** A text of the documentation, in both languages. */
export interface Words {
  readonly en: string
  readonly zh: string
}

export const words = (en: string, zh: string): Words => ({ en, zh })

/** Where a schema keeps its words in Chinese; each language's document shows one of the two. */
export const chineseKey = 'x-zh'

/** A schema with words for people. */
export const described = <S extends JsonObject>(schema: S, en: string, zh: string): S => ({
  ...schema,
  description: en,
  [chineseKey]: zh,
})
