import { hardCodedSecrets } from '../../config/hard-coded.js'
import type { Config } from '../../config/schema.js'
import { isLoopbackHost } from '../../http/admit.js'
import { type BothWords, both } from '../../model/both-words.js'
import { defined, isRecord } from '../../model/json.js'
import { parseServerJson } from '../../registries/parse-server-json.js'
import { isSteering } from '../../registries/runtime-words.js'
import type { NamedServerInput, ServerJson, ServerPackage, ServerRemote } from '../../registries/server-json.js'
import { packageOf } from './packaged.js'
import { openText, orNothing } from './written-words.js'

export type PublishWish = Config['publish']['servers'][string]

/** What a source is made public by. */
export interface PublishPlace {
  readonly namespace: string
  /** Where others reach an MCP endpoint of this gateway; undefined where nobody said how they do. */
  readonly endpoint: (profile: string | undefined) => ServerRemote | undefined
}

export type Made = { readonly server: ServerJson } | { readonly problem: BothWords }

type Fields = Readonly<Record<string, unknown>>

const schema = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'

/** The `server.json` of a source, out of its entry as it is written: what it refers to is asked of others, and no value is told. */
export const serverJsonOf = (key: string, wish: PublishWish, entry: Fields | undefined, place: PublishPlace): Made => {
  if (wish.server) return pinned(wish.server)
  if (!entry) return { problem: both(`There is no source named '${key}'.`, `没有名为“${key}”的来源。`) }
  if (entry.type === 'misconfigured')
    return { problem: both(`'${key}' cannot be used as it is written.`, `“${key}”目前的写法无法使用。`) }
  const own = wish.as === 'gateway' ? undefined : ownWay(entry)
  const remote = wish.as === 'own' || (wish.as !== 'both' && isWay(own)) ? undefined : place.endpoint(wish.profile)
  if (!isWay(own) && !remote) return { problem: noWay(own) }
  const [packages, remotes] = [waysOf(own, 'package'), [...waysOf(own, 'remote'), ...(remote ? [remote] : [])]]
  return {
    server: defined({
      $schema: schema,
      name: wish.name ?? `${place.namespace}/${slugOf(key)}`,
      title: wish.title,
      description: (wish.description ?? describedIn(entry) ?? `Tools of ${slugOf(key)}`).slice(0, 100),
      version: wish.version ?? (isWay(own) ? own.package?.version : undefined) ?? '1.0.0',
      packages: orNothing(packages),
      remotes: orNothing(remotes),
    }),
  }
}

const pinned = (server: Fields): Made => {
  try {
    // What we cannot read ourselves, others could not either; what we do not know of it goes along.
    const { name, version, description } = parseServerJson(server)
    return { server: { ...(server as unknown as ServerJson), name, version, description } }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { problem: both(`Its server.json cannot be used: ${why}`, `其 server.json 无法使用：${why}`) }
  }
}

type Way = { readonly package?: ServerPackage | undefined; readonly remote?: ServerRemote | undefined }

const isWay = (way: Way | BothWords | undefined): way is Way =>
  way !== undefined && ('package' in way || 'remote' in way)

const waysOf = <Kind extends 'package' | 'remote'>(
  way: Way | BothWords | undefined,
  kind: Kind,
): readonly NonNullable<Way[Kind]>[] => {
  const found = isWay(way) ? way[kind] : undefined
  return found === undefined ? [] : [found as NonNullable<Way[Kind]>]
}

const noWay = (own: BothWords | undefined): BothWords => {
  const why = own ?? both('It shall be had by this gateway.', '它应通过本网关提供。')
  return both(
    `${why.en} It can be published as this gateway once server.publicUrl is set.`,
    `${why.zh}设置 server.publicUrl 后，可以作为本网关发布。`,
  )
}

/** How others can have it without us, or why they cannot. */
const ownWay = (entry: Fields): Way | BothWords => {
  if (hardCodedSecrets({ args: entry.args, url: entry.url }, () => '').length > 0)
    return both('A secret stands in its arguments or its address.', '其参数或地址中含有机密。')
  if (typeof entry.command === 'string') return commandWay(entry)
  if (typeof entry.url === 'string') return addressWay(entry, entry.url)
  return both('It is a part of this gateway.', '它是本网关的一部分。')
}

const commandWay = (entry: Fields): Way | BothWords => {
  const env = textsOf(entry.env)
  const steering = Object.keys(env).find(isSteering)
  if (steering !== undefined)
    return both(`It sets ${steering}, which decides what runs.`, `它设置了 ${steering}，这会决定运行什么。`)
  const args = Array.isArray(entry.args) ? entry.args.filter((word) => typeof word === 'string') : []
  const found = packageOf({ command: entry.command as string, args, env })
  return found
    ? { package: found }
    : both(
        'It runs a program of this machine, or a package without one exact version.',
        '它运行本机上的程序，或没有确切版本的软件包。',
      )
}

const addressWay = (entry: Fields, url: string): Way | BothWords => {
  const type = entry.type === 'sse' ? 'sse' : 'streamable-http'
  if (entry.type === 'websocket' || url.includes('${') || !URL.canParse(url))
    return both('Its address cannot be told to others.', '其地址无法告知他人。')
  const { hostname, username, password, search } = new URL(url)
  if (isLoopbackHost(hostname)) return both('It is reached on this machine alone.', '它只能在本机访问。')
  if (username !== '' || password !== '' || search !== '')
    return both('Its address may hold a secret.', '其地址可能含有机密。')
  if (entry.assert === true || JSON.stringify(entry.headers ?? {}).includes('${caller.'))
    return both('It is told who calls by this gateway.', '它由本网关告知调用者身份。')
  const headers = Object.entries(textsOf(entry.headers)).map(([name, value]) => headerInput(name, value))
  return { remote: defined({ type, url, headers: orNothing(headers) } as const) }
}

/** Of a header others learn its name, and the scheme before what it refers to. */
const headerInput = (name: string, written: string): NamedServerInput => {
  const { value, variables } = openText(written)
  return /^(?:Bearer|Basic|Token) \{\w+\}$/.test(value)
    ? { name, value, variables: secretOnes(variables) }
    : { name, isRequired: true, isSecret: true }
}

const secretOnes = (
  variables: NonNullable<NamedServerInput['variables']>,
): NonNullable<NamedServerInput['variables']> =>
  Object.fromEntries(Object.entries(variables).map(([name, input]) => [name, { ...input, isSecret: true }]))

const textsOf = (value: unknown): Readonly<Record<string, string>> =>
  isRecord(value)
    ? Object.fromEntries(Object.entries(value).filter((each): each is [string, string] => typeof each[1] === 'string'))
    : {}

const describedIn = ({ description }: Fields): string | undefined =>
  typeof description === 'string' && description !== '' && !/\$\{/.test(description.replaceAll('$$', ''))
    ? description.replaceAll('$$', '$')
    : undefined

const slugOf = (key: string): string =>
  key
    .normalize('NFKD')
    .replace(/[^a-zA-Z0-9._-]+/g, '-')
    .replace(/^-+|-+$/g, '') || 'server'
