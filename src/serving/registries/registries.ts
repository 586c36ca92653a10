import { nearest } from '../../config/nearest.js'
import type { Config } from '../../config/schema.js'
import { GatewayError } from '../../errors.js'
import { systemClock } from '../../model/clock.js'
import { type RegistryAddress, RegistryClient, type SearchedServers } from '../../registries/client.js'
import type { ListedServer } from '../../registries/server-json.js'
import { createGuardedFetch } from '../../sources/guarded-fetch.js'
import { toldHere } from '../error-words.js'
import { say } from '../locale.js'
import { keptAnswersIn, noKeptAnswers } from './kept-answers.js'

/** What was found for some words, and which registries could not be asked. */
export interface SearchReport {
  readonly found: readonly (SearchedServers & { readonly registry: string })[]
  readonly away: readonly { readonly registry: string; readonly reason: string }[]
}

/** A version of a server, and the registry that has it. */
export interface FoundServer {
  readonly registry: RegistryAddress
  readonly listed: ListedServer
}

/** The registries of a configuration. */
export interface Registries {
  readonly addresses: readonly RegistryAddress[]
  /** All registries at once; one that is away is said. */
  search(
    words: readonly string[],
    options: {
      readonly limit: number
      readonly cursor?: string | undefined
      readonly signal?: AbortSignal | undefined
    },
  ): Promise<SearchReport>
  /** The first registry that has it counts. Throws where none has, or where one before could not be asked. */
  find(name: string, version?: string, signal?: AbortSignal): Promise<FoundServer>
  versions(name: string, signal?: AbortSignal): Promise<readonly ListedServer[]>
  close(): Promise<void>
}

/** `only` is a registry by its name or address, also one that no setting names: somebody typed it. */
export const openRegistries = (config: Pick<Config, 'registries' | 'storage'>, only?: string): Registries => {
  const addresses = chosen(addressesOf(config.registries), only)
  const hosts = new Set(addresses.map(({ url }) => new URL(url).host))
  const fetch = createGuardedFetch({
    isTrusted: ({ host }) => hosts.has(host),
    timeoutMs: 15_000,
    hint: say('Name the registry by its own address.', '请写出注册表自己的地址。'),
  })
  const cache = config.storage.backend === 'memory' ? noKeptAnswers : keptAnswersIn(config.storage.path)
  const clients = addresses.map((registry) => new RegistryClient({ registry, fetch, cache, clock: systemClock }))
  return {
    addresses,
    search: async (words, options) => {
      const answers = await Promise.allSettled(
        clients.map((client) => client.search(longestOf(words), { ...options, limit: options.limit })),
      )
      options.signal?.throwIfAborted()
      const found = answers.flatMap((answer, at) =>
        answer.status === 'fulfilled'
          ? [{ registry: addresses[at]!.name, ...ranked(answer.value, words, options.limit) }]
          : [],
      )
      const away = answers.flatMap((answer, at) =>
        answer.status === 'rejected' ? [{ registry: addresses[at]!.name, reason: toldHere(answer.reason) }] : [],
      )
      if (found.length === 0 && answers[0]?.status === 'rejected') throw answers[0].reason
      return { found, away }
    },
    find: async (name, version, signal) => {
      for (const client of clients) {
        const listed = await client.server(name, version, signal)
        if (listed?.keptSince !== undefined)
          throw new GatewayError(
            'SOURCE_UNAVAILABLE',
            say(
              `The registry '${client.registry.name}' is away; what it said before is not enough to add a server.`,
              `注册表“${client.registry.name}”无法访问；它以前的内容不足以添加服务器。`,
            ),
          )
        if (listed) return { registry: client.registry, listed }
      }
      throw notFound(name, version, addresses, only)
    },
    versions: async (name, signal) => {
      for (const client of clients) {
        const found = await client.versions(name, signal)
        if (found && found.length > 0) return found
      }
      throw notFound(name, undefined, addresses, only)
    },
    close: fetch.close,
  }
}

const addressesOf = (settings: Config['registries']): readonly RegistryAddress[] =>
  settings.map((each) => (typeof each === 'string' ? { name: new URL(each).host, url: each } : each))

const chosen = (known: readonly RegistryAddress[], only: string | undefined): readonly RegistryAddress[] => {
  if (only === undefined) {
    if (known.length > 0) return known
    throw new GatewayError(
      'CONFIG_INVALID',
      say(
        'No registry is named in "registries"; give one with --registry URL.',
        '“registries”中没有注册表；请用 --registry URL 指定。',
      ),
    )
  }
  const found = known.find(({ name, url }) => name === only || url === only)
  if (found) return [found]
  if (/^https?:\/\//i.test(only) && URL.canParse(only)) return [{ name: new URL(only).host, url: only }]
  const guess = nearest(
    only,
    known.map(({ name }) => name),
  )
  const hint = guess === undefined ? '' : say(` Did you mean '${guess}'?`, `是不是“${guess}”？`)
  const names = known.map(({ name }) => name)
  throw new GatewayError(
    'CONFIG_INVALID',
    say(
      `There is no registry '${only}'.${hint} Known: ${names.join(', ')}; or give a URL.`,
      `没有注册表“${only}”。${hint}已知：${names.join('、')}；也可以给出 URL。`,
    ),
  )
}

/** Registries look for one text in names: the longest word finds the fewest. */
const longestOf = (words: readonly string[]): string =>
  words.reduce((longest, word) => (word.length > longest.length ? word : longest), '')

/** Those first in which most of the words stand. */
const ranked = (found: SearchedServers, words: readonly string[], limit: number): SearchedServers => {
  const folded = words.map((word) => word.toLowerCase())
  const score = ({ server: { name, title = '', description }, standing }: ListedServer): number => {
    const text = `${name} ${title} ${description}`.toLowerCase()
    return folded.filter((word) => text.includes(word)).length - (standing.status === 'deprecated' ? 0.5 : 0)
  }
  const shown = found.servers.filter(({ standing }) => standing.status !== 'deleted')
  const sorted = shown
    .map((each, at) => ({ each, at, score: score(each) }))
    .sort((a, b) => b.score - a.score || a.at - b.at)
  return { ...found, servers: sorted.slice(0, limit).map(({ each }) => each) }
}

const notFound = (
  name: string,
  version: string | undefined,
  asked: readonly RegistryAddress[],
  only: string | undefined,
): GatewayError => {
  const shown = version === undefined ? name : `${name}@${version}`
  const where = asked.map((each) => each.name).join(', ')
  const search = `pegboard registry search ${name.split('/').at(-1)!}${only === undefined ? '' : ` --registry ${only}`}`
  return new GatewayError(
    'SOURCE_NOT_FOUND',
    say(
      `There is no server '${shown}' at ${where}. Search for it: ${search}`,
      `${where} 中没有服务器“${shown}”。查找：${search}`,
    ),
  )
}
