import type { JsonValue as Json, JsonObject } from '../../../src/model/json.js'

/** What is done with one argument. */
export type ArgumentMode = 'leave' | 'set' | 'default' | 'hide'

/** One argument as its form holds it. */
export interface ArgumentDraft {
  readonly mode: ArgumentMode
  /** What is set, or the default. Text is itself; anything else is JSON. */
  readonly value: string
  readonly secret: boolean
  readonly required: boolean
  readonly description: string
  /** The keywords that narrow it, as one JSON object. */
  readonly narrowing: string
}

/** How a tool is shown as its form holds it: texts; what is empty is as its source says. */
export interface OverrideDraft {
  readonly enabled: '' | 'on' | 'off'
  readonly name: string
  readonly title: string
  readonly description: string
  /** One per line. */
  readonly tags: string
  readonly annotations: Readonly<Record<Hint, '' | 'yes' | 'no'>>
  readonly arguments: Readonly<Record<string, ArgumentDraft>>
  readonly pick: string
  readonly drop: string
  readonly redact: string
  readonly maxBytes: string
  readonly cacheMs: string
}

export const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const
export type Hint = (typeof hints)[number]

export const leftArgument: ArgumentDraft = {
  mode: 'leave',
  value: '',
  secret: false,
  required: false,
  description: '',
  narrowing: '',
}

/** The parameters of a tool, and those that only the override still knows. */
export const argumentNames = (upstream: JsonObject, written: JsonObject): readonly string[] => [
  ...new Set([...Object.keys(propertiesOf(upstream)), ...Object.keys(objectOf(written.arguments))]),
]

export const propertiesOf = (definition: JsonObject): JsonObject =>
  objectOf(objectOf(definition.inputSchema as Json).properties)

export const toOverrideDraft = (written: JsonObject, upstream: JsonObject): OverrideDraft => {
  const annotations = objectOf(written.annotations)
  const result = objectOf(written.result)
  const args = objectOf(written.arguments)
  return {
    enabled: written.enabled === undefined ? '' : written.enabled === false ? 'off' : 'on',
    name: text(written.name),
    title: text(written.title),
    description: text(written.description),
    tags: lines(written.tags),
    annotations: Object.fromEntries(
      hints.map((hint) => [hint, yesNo(annotations[hint])]),
    ) as OverrideDraft['annotations'],
    arguments: Object.fromEntries(
      argumentNames(upstream, written).map((name) => [
        name,
        toArgumentDraft(objectOf(ownOf(args, name)), isTextual(upstream, name)),
      ]),
    ),
    pick: lines(result.pick),
    drop: lines(result.drop),
    redact: lines(result.redact),
    maxBytes: text(result.maxBytes),
    cacheMs: text(result.cacheMs),
  }
}

export interface MadeOverride {
  readonly override: JsonObject
  /** The arguments whose conditions are no JSON object: that cannot even be asked. */
  readonly unread: readonly string[]
}

/** The entry of the file. What says nothing is left out; what was not touched, and what the form does not know, stays. */
export const toOverride = (draft: OverrideDraft, written: JsonObject, upstream: JsonObject): MadeOverride => {
  const before = toOverrideDraft(written, upstream)
  const unread: string[] = []
  const value = <Key extends keyof OverrideDraft>(key: Key, make: (field: OverrideDraft[Key]) => Json | undefined) =>
    draft[key] === before[key] ? written[key] : make(draft[key])
  const result = objectOf(written.result)
  const ofResult = <Key extends keyof OverrideDraft>(
    key: Key,
    make: (field: OverrideDraft[Key]) => Json | undefined,
  ) => (draft[key] === before[key] ? result[key] : make(draft[key]))
  const override = defined({
    ...written,
    enabled: value('enabled', (field) => (field === '' ? undefined : field === 'on')),
    name: value('name', (field) => field.trim() || undefined),
    title: value('title', (field) => field.trim() || undefined),
    description: value('description', (field) => field.trim() || undefined),
    tags: value('tags', (field) => some(rowsOf(field))),
    annotations: someOf({
      ...objectOf(written.annotations),
      ...Object.fromEntries(
        hints.map((hint) => {
          const said = draft.annotations[hint]
          return [hint, said === '' ? undefined : said === 'yes']
        }),
      ),
    }),
    arguments: someOf(
      Object.fromEntries(
        Object.entries(draft.arguments).map(([name, argument]) => {
          const old = ownOf(objectOf(written.arguments), name)
          if (same(argument, before.arguments[name])) return [name, old]
          return [name, toArgument(name, argument, objectOf(old), isTextual(upstream, name), unread)]
        }),
      ),
    ),
    result: someOf({
      ...result,
      pick: ofResult('pick', (field) => some(rowsOf(field))),
      drop: ofResult('drop', (field) => some(rowsOf(field))),
      redact: ofResult('redact', (field) => some(rowsOf(field))),
      maxBytes: ofResult('maxBytes', number),
      cacheMs: ofResult('cacheMs', number),
    }),
  })
  return { override, unread }
}

/** Which field tells what is wrong at this place; undefined where none does. */
export const fieldAt = (path: string, names: readonly string[]): string | undefined => {
  const [first = ''] = path.split(/[.[]/)
  if (first !== 'arguments') {
    if (first === 'result') return /^result\.(pick|drop|redact|maxBytes|cacheMs)/.exec(path)?.[1]
    if (first === 'annotations') return hints.find((hint) => path.includes(hint)) ?? 'readOnlyHint'
    return plainFields.has(first) ? first : undefined
  }
  // Names may hold dots: the longest that fits is meant.
  const written = (name: string): readonly string[] => [`arguments.${name}`, `arguments[${JSON.stringify(name)}]`]
  const meant = names
    .flatMap((name) => written(name).map((start) => ({ name, start })))
    .filter(({ start }) => path === start || path.startsWith(`${start}.`) || path.startsWith(`${start}[`))
    .sort((one, other) => other.start.length - one.start.length)[0]
  if (!meant) return undefined
  const key = path.slice(meant.start.length + 1).split(/[.[]/)[0] ?? ''
  return `${meant.name}\0${argumentFields.get(key) ?? (key === '' ? 'mode' : 'narrowing')}`
}

const plainFields: ReadonlySet<string> = new Set(['enabled', 'name', 'title', 'description', 'tags'])
const argumentFields: ReadonlyMap<string, keyof ArgumentDraft> = new Map([
  ['set', 'value'],
  ['default', 'value'],
  ['hide', 'mode'],
  ['required', 'mode'],
  ['secret', 'mode'],
  ['description', 'description'],
])

const ownKeys: ReadonlySet<string> = new Set(['set', 'default', 'hide', 'description', 'required', 'secret'])

const toArgumentDraft = (written: JsonObject, isText: boolean): ArgumentDraft => {
  const narrowing = Object.entries(written).filter(([key]) => !ownKeys.has(key))
  const value = written.set ?? written.default
  return {
    mode: 'set' in written ? 'set' : written.hide === true ? 'hide' : 'default' in written ? 'default' : 'leave',
    value: value === undefined ? '' : shownValue(value, isText),
    secret: written.secret === true,
    required: written.required === true,
    description: text(written.description),
    narrowing: narrowing.length === 0 ? '' : JSON.stringify(Object.fromEntries(narrowing)),
  }
}

const toArgument = (
  name: string,
  draft: ArgumentDraft,
  old: JsonObject,
  isText: boolean,
  unread: string[],
): JsonObject | undefined => {
  const before = toArgumentDraft(old, isText)
  const { mode } = draft
  // What is set or hidden is given by nobody: words and conditions for callers are left out.
  if (mode === 'hide') return { hide: true }
  const unchanged = mode === before.mode && draft.value === before.value
  const value = unchanged ? (old.set ?? old.default) : readValue(draft.value, isText)
  if (mode === 'set') return defined({ set: value ?? '', secret: draft.secret || undefined })
  const read = readObject(draft.narrowing)
  if (read === undefined) unread.push(name)
  return someOf({
    default: mode === 'default' ? value : undefined,
    description: draft.description.trim() || undefined,
    required: mode === 'leave' && draft.required ? true : undefined,
    ...read,
  })
}

/** Whether what is typed for it is text as it is. */
const isTextual = (upstream: JsonObject, name: string): boolean =>
  objectOf(ownOf(propertiesOf(upstream), name)).type === 'string'

const shownValue = (value: Json, isText: boolean): string =>
  typeof value === 'string' && (isText || parsed(value) === undefined) ? value : JSON.stringify(value)

const readValue = (typed: string, isText: boolean): Json => {
  const read = isText ? undefined : parsed(typed)
  return read ? read.value : typed
}

const readObject = (typed: string): JsonObject | undefined => {
  if (typed.trim() === '') return {}
  const read = parsed(typed)?.value
  return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as JsonObject) : undefined
}

const parsed = (typed: string): { readonly value: Json } | undefined => {
  try {
    return { value: JSON.parse(typed) as Json }
  } catch {
    return undefined
  }
}

const number = (typed: string): Json | undefined => {
  if (typed.trim() === '') return undefined
  // What is no number is sent as it is: the gateway says what is wrong with it.
  return Number.isFinite(Number(typed)) ? Number(typed) : typed
}

const same = (one: object, other: object | undefined): boolean => JSON.stringify(one) === JSON.stringify(other)
const rowsOf = (typed: string): readonly string[] =>
  typed
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
const some = (list: readonly string[]): readonly string[] | undefined => (list.length > 0 ? list : undefined)
const lines = (value: Json | undefined): string => (Array.isArray(value) ? value.join('\n') : '')
const text = (value: Json | undefined): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
const yesNo = (value: Json | undefined): '' | 'yes' | 'no' => (value === undefined ? '' : value === true ? 'yes' : 'no')
const objectOf = (value: Json | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
const ownOf = (holder: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(holder, name) ? holder[name] : undefined
const defined = (value: Readonly<Record<string, Json | undefined>>): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as JsonObject
const someOf = (value: Readonly<Record<string, Json | undefined>>): JsonObject | undefined => {
  const kept = defined(value)
  return Object.keys(kept).length > 0 ? kept : undefined
}
