import { messageOf } from '../errors.js'
import { isRecord, type JsonObject, type JsonValue } from '../model/json.js'
import { narrowed, narrowingOf, type OverrideProblem } from './narrow.js'
import type { AppliedOverride, ArgumentOverride, OverrideRooms, Preset } from './override.js'

/** What a call fills in. */
export const callValues = ['$caller.id', '$caller.profile', '$run', '$now', '$uuid'] as const
export type CallValue = (typeof callValues)[number]

export interface ShownArguments {
  readonly inputSchema: JsonObject
  readonly applied: Omit<AppliedOverride, 'picking' | 'maxBytes' | 'cacheMs'>
}

/** A tool's input schema as callers see it, and what is done to their arguments. Problems are added to the list. */
export const showArguments = (
  schema: JsonObject,
  written: Readonly<Record<string, ArgumentOverride>>,
  { schemas }: OverrideRooms,
  problems: OverrideProblem[],
): ShownArguments => {
  const upstream: JsonObject = isRecord(schema.properties) ? (schema.properties as JsonObject) : {}
  const properties = new Map(Object.entries(upstream))
  const required = new Set(Array.isArray(schema.required) ? schema.required.map(String) : [])
  const hidden = new Set<string>()
  const presets: Preset[] = []
  const defaults: (readonly [string, JsonValue])[] = []
  const secrets: string[] = []
  const tighter: Record<string, JsonObject> = {}
  const wanted: string[] = []
  const takes = takesOf(schema, schemas)
  for (const [name, argument] of Object.entries(written)) {
    const path = `arguments.${name}`
    const refuse = (message: string, at = ''): void => void problems.push({ path: path + at, message })
    const narrowing = narrowingOf(argument)
    if (!Object.hasOwn(upstream, name) || name === '__proto__') {
      // Words about what is not there do no harm.
      if (isOnlyWords(argument)) continue
      refuse(`upstream has no parameter '${name}'`)
      continue
    }
    if (argument.secret && argument.set !== undefined) secrets.push(name)
    if (argument.secret && argument.default !== undefined)
      refuse('is shown to everybody, so it cannot be a secret; use set', '.default')
    if (argument.set !== undefined) {
      const others = Object.keys(argument).filter((key) => !['set', 'secret', 'hide'].includes(key))
      if (others.length > 0) refuse(`is set, so nobody gives it: leave out ${others.join(', ')}`)
      const preset = presetOf(name, argument.set, upstream[name])
      if (preset.from ? !takesText(upstream[name], preset) : !takes(name, argument.set))
        refuse('is not what upstream takes', '.set')
      presets.push(preset)
    } else if (argument.hide && required.has(name)) refuse('is required upstream: set it to something', '.hide')
    if (argument.set !== undefined || argument.hide) {
      hidden.add(name)
      properties.delete(name)
      required.delete(name)
      continue
    }
    const { schema: narrow, problems: wider } = narrowed(upstream[name], narrowing, path)
    problems.push(...wider)
    for (const value of choicesOf(narrowing))
      if (!takes(name, value)) refuse('names a value that upstream refuses', 'const' in narrowing ? '.const' : '.enum')
    let shown = narrow
    if (Object.keys(narrowing).length > 0) tighter[name] = narrowing
    const unreadable = whyUnreadable(schemas, narrowing)
    if (unreadable !== undefined) refuse(unreadable)
    if (argument.description !== undefined) shown = { ...shown, description: argument.description }
    if (argument.default !== undefined) {
      const fits = takes(name, argument.default) && fitsIn(schemas, narrowing, argument.default)
      if (!fits) refuse('is not what the parameter takes', '.default')
      shown = { ...shown, default: argument.default }
      defaults.push([name, argument.default])
      required.delete(name)
    }
    if (argument.required && argument.default === undefined) {
      required.add(name)
      wanted.push(name)
    }
    properties.set(name, shown)
  }
  const narrowing =
    Object.keys(tighter).length + wanted.length > 0
      ? { type: 'object', properties: tighter, required: wanted }
      : undefined
  const edited = { ...schema, properties: Object.fromEntries(properties), required: [...required] }
  const inputSchema = Object.keys(written).length === 0 ? schema : withoutHidden(edited, schema, hidden)
  return { inputSchema, applied: { hidden, presets, defaults, narrowing, secrets } }
}

const isOnlyWords = (argument: ArgumentOverride): boolean =>
  Object.keys(argument).every((key) => key === 'description' || argument[key] === undefined)

const choicesOf = (narrowing: JsonObject): readonly JsonValue[] => [
  ...(Array.isArray(narrowing.enum) ? (narrowing.enum as readonly JsonValue[]) : []),
  ...(narrowing.const === undefined ? [] : [narrowing.const]),
]

const presetOf = (name: string, value: JsonValue, schema: unknown): Preset => {
  const from = callValues.find((each) => each === value)
  const type = isRecord(schema) ? schema.type : undefined
  return { name, value, from, asNumber: from === '$now' && (type === 'number' || type === 'integer') }
}

/** Of what each call fills in only the type is known now. */
const takesText = (schema: unknown, { asNumber }: Preset): boolean => {
  const type = isRecord(schema) ? schema.type : undefined
  return asNumber || type === undefined || type === 'string' || (Array.isArray(type) && type.includes('string'))
}

/** What is required in a branch and is never asked of a caller is taken out there as well: a model would try to give it. */
const withoutHidden = (edited: JsonObject, schema: JsonObject, hidden: ReadonlySet<string>): JsonObject => {
  const branches = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map((branch) =>
          isRecord(branch) && Array.isArray(branch.required)
            ? { ...branch, required: branch.required.filter((name) => !hidden.has(String(name))) }
            : branch,
        )
      : value
  const kept = edited.required !== undefined && (edited.required as unknown[]).length + Number('required' in schema) > 0
  const { required, ...rest } = edited
  return {
    ...rest,
    ...given('anyOf', branches(schema.anyOf)),
    ...given('allOf', branches(schema.allOf)),
    ...given('required', kept ? required : undefined),
  } as JsonObject
}

/** What says something about several arguments at once, and so nothing about one. */
const aboutAll = [
  ...['required', 'anyOf', 'oneOf', 'allOf', 'not', 'if', 'then', 'else', 'minProperties'],
  ...['dependentRequired', 'dependentSchemas', 'dependencies', 'unevaluatedProperties'],
]

/** Whether upstream takes this value for one argument. A schema that cannot be read is told of when the tool is called. */
const takesOf = (schema: JsonObject, schemas: OverrideRooms['schemas']) => {
  const alone = Object.fromEntries(Object.entries(schema).filter(([key]) => !aboutAll.includes(key))) as JsonObject
  return (name: string, value: JsonValue): boolean => {
    try {
      return schemas.validator(alone).check({ [name]: value }).ok
    } catch {
      return true
    }
  }
}

const whyUnreadable = (schemas: OverrideRooms['schemas'], narrowing: JsonObject): string | undefined => {
  try {
    schemas.validator(narrowing)
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

const fitsIn = (schemas: OverrideRooms['schemas'], narrowing: JsonObject, value: JsonValue): boolean => {
  try {
    return schemas.validator(narrowing).check(value).ok
  } catch {
    return false
  }
}

const given = (key: string, value: unknown): object => (value === undefined ? {} : { [key]: value })
