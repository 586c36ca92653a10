/** A value that a server wants to be given: fixed by its publisher, or asked of whoever installs it. */
export interface ServerInput {
  readonly description?: string | undefined
  readonly isRequired?: boolean | undefined
  readonly isSecret?: boolean | undefined
  readonly format?: InputFormat | undefined
  /** Set by the publisher, with `{name}` for each of `variables`; nobody else changes it. */
  readonly value?: string | undefined
  readonly default?: string | undefined
  readonly placeholder?: string | undefined
  readonly choices?: readonly string[] | undefined
  readonly variables?: Readonly<Record<string, ServerInput>> | undefined
}

export const inputFormats = ['string', 'number', 'boolean', 'filepath'] as const
export type InputFormat = (typeof inputFormats)[number]

/** A header or an environment variable. */
export interface NamedServerInput extends ServerInput {
  readonly name: string
}

/** A word of the command line, or a flag with its value. */
export interface ServerArgument extends ServerInput {
  readonly type: 'positional' | 'named'
  /** Of a named one: the flag with its dashes. */
  readonly name?: string | undefined
  readonly valueHint?: string | undefined
  readonly isRepeated?: boolean | undefined
}

export const transportTypes = ['stdio', 'streamable-http', 'sse'] as const

/** How a package that runs is spoken to. */
export interface PackageTransport {
  readonly type: (typeof transportTypes)[number]
  readonly url?: string | undefined
  readonly headers?: readonly NamedServerInput[] | undefined
}

export interface ServerPackage {
  /** `npm`, `pypi`, `oci`, `nuget`, `mcpb`, or what somebody thinks of next. */
  readonly registryType: string
  readonly registryBaseUrl?: string | undefined
  readonly identifier: string
  readonly version?: string | undefined
  readonly fileSha256?: string | undefined
  readonly runtimeHint?: string | undefined
  readonly transport: PackageTransport
  readonly runtimeArguments?: readonly ServerArgument[] | undefined
  readonly packageArguments?: readonly ServerArgument[] | undefined
  readonly environmentVariables?: readonly NamedServerInput[] | undefined
}

/** A server that runs elsewhere. */
export interface ServerRemote {
  readonly type: 'streamable-http' | 'sse'
  readonly url: string
  readonly headers?: readonly NamedServerInput[] | undefined
  readonly variables?: Readonly<Record<string, ServerInput>> | undefined
}

export interface ServerRepository {
  readonly url: string
  readonly source: string
  readonly id?: string | undefined
  readonly subfolder?: string | undefined
}

export interface ServerIcon {
  readonly src: string
  readonly mimeType?: string | undefined
  readonly sizes?: readonly string[] | undefined
  readonly theme?: string | undefined
}

/** What a publisher says of a server: the file `server.json`. */
export interface ServerJson {
  readonly $schema?: string | undefined
  /** `namespace/name`, the namespace a domain read backwards. */
  readonly name: string
  readonly title?: string | undefined
  readonly description: string
  readonly version: string
  readonly repository?: ServerRepository | undefined
  readonly websiteUrl?: string | undefined
  readonly icons?: readonly ServerIcon[] | undefined
  readonly packages?: readonly ServerPackage[] | undefined
  readonly remotes?: readonly ServerRemote[] | undefined
}

export const serverStatuses = ['active', 'deprecated', 'deleted'] as const
export type ServerStatus = (typeof serverStatuses)[number]

/** What the registry itself says of one version. */
export interface ServerStanding {
  readonly status?: ServerStatus | undefined
  readonly statusMessage?: string | undefined
  readonly statusChangedAt?: string | undefined
  readonly publishedAt?: string | undefined
  readonly updatedAt?: string | undefined
  readonly isLatest?: boolean | undefined
}

/** One version of one server, as the API answers. */
export interface ListedServer {
  readonly server: ServerJson
  readonly standing: ServerStanding
}

export interface ServerPage {
  readonly servers: readonly ListedServer[]
  /** Entries that are no `server.json`: one of them must not hide the others. */
  readonly refused: readonly { readonly name: string | undefined; readonly reason: string }[]
  readonly nextCursor: string | undefined
}

/** Where the registry's own word stands in `_meta`. */
export const officialMeta = 'io.modelcontextprotocol.registry/official'

/** The official registry's own bounds are far below most of these; they are for registries that keep none. */
export const serverJsonLimits = Object.freeze({
  entryBytes: 256 * 1024,
  servers: 1000,
  packages: 32,
  inputs: 128,
  choices: 256,
  textLength: 4096,
  wordLength: 2048,
})

/** The pattern of a server's name. */
export const isServerName = (text: string): boolean =>
  text.length >= 3 && text.length <= 200 && /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/.test(text)

/** What may stand in braces. */
export const isVariableName = (text: string): boolean => /^[A-Za-z_][A-Za-z0-9_.-]{0,127}$/.test(text)
