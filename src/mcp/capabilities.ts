import { isRecord, type JsonObject } from '../model/json.js'
import { RpcError, rpcCodes } from './rpc-error.js'

// What real clients declare has a few hundred bytes.
const mostBytes = 16 * 1024
const [mostOfOne, mostNames, longestName] = [512, 16, 96]

const known = ['elicitation', 'sampling', 'roots', 'tasks', 'extensions', 'experimental'] as const

/** What a client declares with its handshake, in our own words. Throws where it declares more than any client has to say (S5). */
export const declaredCapabilities = (declared: unknown): JsonObject => {
  if (!isRecord(declared)) return nothing
  if (Buffer.byteLength(JSON.stringify(declared)) > mostBytes)
    throw new RpcError(
      rpcCodes.invalidParams,
      `\`capabilities\` may have at most ${mostBytes} bytes: declare what the client can do, and nothing else.`,
    )
  return asBefore(keptCapabilities(declared as JsonObject))
}

/** Of what a client says that it can do, what we or a source would act on, cut to a size that may be kept for long. */
export const keptCapabilities = (declared: JsonObject): JsonObject =>
  Object.fromEntries(
    known.flatMap((key) => {
      const value = declared[key]
      if (!isRecord(value)) return []
      return [[key, key === 'extensions' ? extensionsOf(value as JsonObject) : short(value as JsonObject)]]
    }),
  )

/** The same in at most so many bytes: the least missed goes first, and that something can be done at all goes last. */
export const shortenedCapabilities = (capabilities: JsonObject, most: number): JsonObject => {
  if (bytesOf(capabilities) <= most) return capabilities
  const { experimental: _, extensions, ...rest } = capabilities
  const bare = Object.fromEntries(Object.keys(rest).map((key) => [key, {}] as const))
  const kept = bytesOf(rest) <= most ? rest : bare
  if (!isRecord(extensions)) return asBefore(kept)
  if (bytesOf({ ...kept, extensions }) <= most) return asBefore({ ...kept, extensions })
  const named: Record<string, JsonObject> = {}
  for (const name of Object.keys(extensions)) {
    if (bytesOf({ ...kept, extensions: { ...named, [name]: {} } }) > most) break
    named[name] = {}
  }
  return asBefore(Object.keys(named).length > 0 ? { ...kept, extensions: named } : kept)
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

const extensionsOf = (extensions: JsonObject): JsonObject => {
  const named = namesOf(extensions)
  const told = Object.fromEntries(named.map((name) => [name, short(extensions[name])] as const))
  // Many long ones: that they are there is what others ask about.
  return sizeOf(told) <= 4 * mostOfOne ? told : Object.fromEntries(named.map((name) => [name, {}] as const))
}

/** As it is where it is short; else only what it names. */
const short = (value: unknown): JsonObject => {
  if (!isRecord(value)) return {}
  if (sizeOf(value) <= mostOfOne) return value as JsonObject
  return Object.fromEntries(namesOf(value).map((name) => [name, {}] as const))
}

const namesOf = (value: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(value)
    .filter((name) => name.length <= longestName && name !== '__proto__')
    .slice(0, mostNames)

const sizeOf = (value: unknown): number => JSON.stringify(value).length

const nothing: JsonObject = Object.freeze({})

// Thousands of clients are few programs: what each of these declares is kept once. The oldest make room.
const declarations = new Map<string, JsonObject>()
const mostDeclarations = 256

const asBefore = (capabilities: JsonObject): JsonObject => {
  const text = JSON.stringify(capabilities)
  const same = declarations.get(text)
  if (same) return same
  // A copy made of the short text alone: a part of the message that came would keep the whole of it.
  const kept = JSON.parse(text) as JsonObject
  declarations.set(text, kept)
  if (declarations.size > mostDeclarations) declarations.delete(declarations.keys().next().value as string)
  return kept
}
