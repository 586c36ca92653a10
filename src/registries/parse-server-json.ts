import { GatewayError } from '../errors.js'
import { isRecord, kindOf } from '../model/json.js'
import {
  type Fields,
  listAt,
  oneOf,
  optional,
  optionalFlag,
  optionalText,
  optionalWord,
  recordAt,
  wordAt,
  words,
  wrong,
} from './json-fields.js'
import {
  inputFormats,
  isServerName,
  isVariableName,
  type ListedServer,
  type NamedServerInput,
  officialMeta,
  type PackageTransport,
  type ServerArgument,
  type ServerIcon,
  type ServerInput,
  type ServerJson,
  type ServerPackage,
  type ServerPage,
  type ServerRemote,
  type ServerRepository,
  type ServerStanding,
  serverJsonLimits,
  serverStatuses,
  transportTypes,
} from './server-json.js'

/** A `server.json` out of a stranger's JSON. Keys that are not known are left out; a known one of another type is refused. */
export const parseServerJson = (value: unknown): ServerJson => {
  assertSmall(value)
  const record = recordAt(value, 'server.json')
  const name = wordAt(record, 'name', '')
  if (!isServerName(name)) throw wrong('name', 'must be namespace/name, as in io.github.someone/server')
  return {
    $schema: optionalWord(record, '$schema', ''),
    name,
    title: optionalText(record, 'title', ''),
    description: optionalText(record, 'description', '') ?? '',
    version: wordAt(record, 'version', ''),
    repository: optional(record, 'repository', (found) => parseRepository(found)),
    websiteUrl: optionalWord(record, 'websiteUrl', ''),
    icons: optional(record, 'icons', (found) => listAt(found, 'icons', 64).map(parseIcon)),
    packages: optional(record, 'packages', (found) =>
      listAt(found, 'packages', serverJsonLimits.packages).map((each, at) => parsePackage(each, `packages[${at}]`)),
    ),
    remotes: optional(record, 'remotes', (found) =>
      listAt(found, 'remotes', serverJsonLimits.packages).map((each, at) => parseRemote(each, `remotes[${at}]`)),
    ),
  }
}

/** One entry of the API: `{ server, _meta }`. */
export const parseListedServer = (value: unknown): ListedServer => {
  const record = recordAt(value, 'the entry')
  return { server: parseServerJson(record.server), standing: parseStanding(record._meta) }
}

/** A page of the API: `{ servers, metadata }`. */
export const parseServerPage = (value: unknown): ServerPage => {
  const record = recordAt(value, 'the answer')
  const refused: { name: string | undefined; reason: string }[] = []
  const servers = listAt(record.servers, 'servers', serverJsonLimits.servers).flatMap((each) => {
    try {
      return [parseListedServer(each)]
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      refused.push({ name: nameIn(each), reason: error.message })
      return []
    }
  })
  const metadata = isRecord(record.metadata) ? record.metadata : {}
  const { nextCursor } = metadata
  if (nextCursor !== undefined && nextCursor !== null && typeof nextCursor !== 'string')
    throw wrong('metadata.nextCursor', `expected text, got ${kindOf(nextCursor)}`)
  if (nextCursor && nextCursor.length > serverJsonLimits.wordLength) throw wrong('metadata.nextCursor', 'is too long')
  return { servers, refused, nextCursor: nextCursor || undefined }
}

const nameIn = (entry: unknown): string | undefined => {
  const server = isRecord(entry) ? entry.server : undefined
  const name = isRecord(server) ? server.name : undefined
  return typeof name === 'string' && isServerName(name) ? name : undefined
}

const parseStanding = (meta: unknown): ServerStanding => {
  const record = isRecord(meta) ? meta : {}
  const official = isRecord(record[officialMeta]) ? record[officialMeta] : {}
  const place = `_meta.${officialMeta}.`
  return {
    status: optional(official, 'status', (found) => oneOf(found, serverStatuses, `${place}status`)),
    statusMessage: optionalText(official, 'statusMessage', place),
    statusChangedAt: optionalWord(official, 'statusChangedAt', place),
    publishedAt: optionalWord(official, 'publishedAt', place),
    updatedAt: optionalWord(official, 'updatedAt', place),
    isLatest: optionalFlag(official, 'isLatest', place),
  }
}

const parseRepository = (value: unknown): ServerRepository | undefined => {
  const record = recordAt(value, 'repository')
  // Older entries hold an empty one where there is none.
  if (!record.url) return undefined
  return {
    url: wordAt(record, 'url', 'repository.'),
    source: optionalWord(record, 'source', 'repository.') ?? '',
    id: optionalWord(record, 'id', 'repository.'),
    subfolder: optionalWord(record, 'subfolder', 'repository.'),
  }
}

const parseIcon = (value: unknown, at: number): ServerIcon => {
  const place = `icons[${at}].`
  const record = recordAt(value, `icons[${at}]`)
  return {
    src: wordAt(record, 'src', place),
    mimeType: optionalWord(record, 'mimeType', place),
    sizes: optional(record, 'sizes', (found) => words(found, `${place}sizes`)),
    theme: optionalWord(record, 'theme', place),
  }
}

const parsePackage = (value: unknown, place: string): ServerPackage => {
  const record = recordAt(value, place)
  const at = `${place}.`
  return {
    registryType: wordAt(record, 'registryType', at),
    registryBaseUrl: optionalWord(record, 'registryBaseUrl', at),
    identifier: wordAt(record, 'identifier', at),
    version: optionalWord(record, 'version', at),
    fileSha256: optionalWord(record, 'fileSha256', at),
    runtimeHint: optionalWord(record, 'runtimeHint', at),
    transport: parseTransport(record.transport, `${at}transport`),
    runtimeArguments: parseArguments(record, 'runtimeArguments', at),
    packageArguments: parseArguments(record, 'packageArguments', at),
    environmentVariables: parseNamed(record, 'environmentVariables', at),
  }
}

const parseTransport = (value: unknown, place: string): PackageTransport => {
  const record = recordAt(value, place)
  const type = oneOf(record.type, transportTypes, `${place}.type`)
  return { type, url: optionalWord(record, 'url', `${place}.`), headers: parseNamed(record, 'headers', `${place}.`) }
}

const parseRemote = (value: unknown, place: string): ServerRemote => {
  const record = recordAt(value, place)
  return {
    type: oneOf(record.type, ['streamable-http', 'sse'] as const, `${place}.type`),
    url: wordAt(record, 'url', `${place}.`),
    headers: parseNamed(record, 'headers', `${place}.`),
    variables: parseVariables(record, `${place}.`),
  }
}

const parseArguments = (record: Fields, key: string, place: string): readonly ServerArgument[] | undefined =>
  optional(record, key, (found) =>
    listAt(found, `${place}${key}`, serverJsonLimits.inputs).map((each, index) => {
      const at = `${place}${key}[${index}]`
      const argument = recordAt(each, at)
      const type = oneOf(argument.type, ['positional', 'named'] as const, `${at}.type`)
      return {
        type,
        name: type === 'named' ? wordAt(argument, 'name', `${at}.`) : undefined,
        valueHint: optionalWord(argument, 'valueHint', `${at}.`),
        isRepeated: optionalFlag(argument, 'isRepeated', `${at}.`),
        ...parseInput(argument, `${at}.`),
      }
    }),
  )

const parseNamed = (record: Fields, key: string, place: string): readonly NamedServerInput[] | undefined =>
  optional(record, key, (found) =>
    listAt(found, `${place}${key}`, serverJsonLimits.inputs).map((each, index) => {
      const at = `${place}${key}[${index}]`
      const input = recordAt(each, at)
      return { name: wordAt(input, 'name', `${at}.`), ...parseInput(input, `${at}.`) }
    }),
  )

const parseInput = (record: Fields, place: string, depth = 0): ServerInput => ({
  description: optionalText(record, 'description', place),
  isRequired: optionalFlag(record, 'isRequired', place),
  isSecret: optionalFlag(record, 'isSecret', place),
  // A format of tomorrow is asked for as text.
  format: inputFormats.find((known) => known === record.format),
  value: optionalText(record, 'value', place),
  default: optionalText(record, 'default', place),
  placeholder: optionalText(record, 'placeholder', place),
  choices: optional(record, 'choices', (found) => words(found, `${place}choices`)),
  // A variable of a variable means nothing.
  variables: depth === 0 ? parseVariables(record, place) : undefined,
})

const parseVariables = (record: Fields, place: string): Readonly<Record<string, ServerInput>> | undefined =>
  optional(record, 'variables', (found) => {
    const entries = Object.entries(recordAt(found, `${place}variables`))
    if (entries.length > serverJsonLimits.inputs) throw wrong(`${place}variables`, 'has too many entries')
    const parsed = entries.map(([name, each]): [string, ServerInput] => {
      const at = `${place}variables.${name.slice(0, 64)}`
      if (!isVariableName(name)) throw wrong(at, 'is not the name of a variable')
      return [name, parseInput(recordAt(each, at), `${at}.`, 1)]
    })
    return Object.fromEntries(parsed)
  })

const assertSmall = (value: unknown): void => {
  const bytes = Buffer.byteLength(JSON.stringify(value) ?? '')
  if (bytes > serverJsonLimits.entryBytes)
    throw new GatewayError(
      'RESULT_TOO_LARGE',
      `The entry has ${bytes} bytes; at most ${serverJsonLimits.entryBytes} are read.`,
      { details: { bytes, maxBytes: serverJsonLimits.entryBytes } },
    )
}
