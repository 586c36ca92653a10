import { isDeepStrictEqual } from 'node:util'
import { maskTemplate } from '../../config/redact.js'
import { refuseReferences } from '../../config/referenced.js'
import { isSecretKey, mask } from '../../config/secrets.js'
import { GatewayError, messageOf } from '../../errors.js'
import { isRecord, type JsonObject, type JsonValue } from '../../model/json.js'

/** An override of the file as somebody may look at it: what it sets reads `***`, or by the name of what it refers to. */
export const shownOverride = (written: JsonObject): JsonObject =>
  withArguments(written, (name, argument) =>
    'set' in argument ? { ...argument, set: shownSet(name, argument) } : argument,
  )

/** What comes back as it was shown stays what it was. Anything else that would read a file or start a program is refused. */
export const restoredOverride = (id: string, asked: JsonObject, before: JsonObject): JsonObject => {
  const old = argumentsOf(before)
  const isKept = (name: string, { set }: JsonObject): boolean =>
    isRecord(old[name]) && 'set' in old[name] && isDeepStrictEqual(set, shownSet(name, old[name] as JsonObject))
  const { arguments: _, ...rest } = asked
  refuseReferences(rest)
  return withArguments(asked, (name, argument) => {
    const kept = isKept(name, argument)
    refuseAt(id, `arguments.${name}.set`, kept ? withoutSet(argument) : argument)
    return kept ? { ...argument, set: (old[name] as JsonObject).set } : argument
  })
}

const refuseAt = (tool: string, path: string, value: JsonObject): void => {
  try {
    refuseReferences(value)
  } catch (error) {
    const message = messageOf(error)
    throw new GatewayError('CONFIG_INVALID', message, {
      details: { problems: [{ tool, path, message }] },
      cause: error,
    })
  }
}

/** The arguments whose value stands as it stood: what they stand for need not be read again. */
export const keptSets = (next: JsonObject, before: JsonObject): readonly string[] => {
  const old = argumentsOf(before)
  return Object.entries(argumentsOf(next)).flatMap(([name, argument]) =>
    isRecord(argument) && isRecord(old[name]) && 'set' in argument && isDeepStrictEqual(argument.set, old[name].set)
      ? [name]
      : [],
  )
}

export const withArguments = (
  override: JsonObject,
  edit: (name: string, argument: JsonObject) => JsonObject,
): JsonObject => {
  if (!isRecord(override.arguments)) return override
  const args = Object.entries(override.arguments as JsonObject).map(([name, argument]) => [
    name,
    isRecord(argument) ? edit(name, argument as JsonObject) : argument,
  ])
  return { ...override, arguments: Object.fromEntries(args) as JsonObject }
}

export const withoutSet = ({ set: _, ...argument }: JsonObject): JsonObject => argument

const argumentsOf = ({ arguments: args }: JsonObject): Readonly<Record<string, unknown>> => (isRecord(args) ? args : {})

/** Filled in by each call, and nobody's secret. */
const ofCalls: ReadonlySet<unknown> = new Set(['$caller.id', '$caller.profile', '$run', '$now', '$uuid'])

const shownSet = (name: string, { set, secret }: JsonObject): JsonValue | undefined => {
  if (set === undefined || ofCalls.has(set)) return set
  if (typeof set === 'string' && set.includes('${')) return maskTemplate(set)
  return secret === true || isSecretKey(name) ? mask : templatesMasked(set)
}

const templatesMasked = (value: JsonValue): JsonValue => {
  if (typeof value === 'string') return value.includes('${') ? maskTemplate(value) : value
  if (Array.isArray(value)) return value.map((item: JsonValue) => templatesMasked(item))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, isSecretKey(key) ? mask : templatesMasked(item as JsonValue)]),
  ) as JsonObject
}
