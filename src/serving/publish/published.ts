import type { Config } from '../../config/schema.js'
import type { PublishedServers, ServedServer } from '../../faces/registry/served.js'
import { type BothWords, both } from '../../model/both-words.js'
import { defined, isRecord } from '../../model/json.js'
import type { ServerRemote } from '../../registries/server-json.js'
import { isForOthers } from '../public-address.js'
import type { Ledger, Publication } from './ledger.js'
import { type PublishPlace, type PublishWish, serverJsonOf } from './server-json-of.js'
import { writtenAgain } from './written-again.js'

/** What is in force, and how it was written. */
export interface PublishedFrom {
  readonly config: Config
  readonly references: ReadonlyMap<string, string>
}

/** One of what an operator wants published, and what became of it. */
export interface PublishedRow {
  /** Its key in `publish.servers`. */
  readonly key: string
  readonly wish: PublishWish
  readonly publication?: Publication | undefined
  readonly problem?: BothWords | undefined
}

/** Everything under `publish.servers`, made from the entries as they are written. */
export const publishedRows = ({ config, references }: PublishedFrom): readonly PublishedRow[] => {
  const place: PublishPlace = {
    namespace: config.publish.namespace,
    endpoint: (profile) => endpointOf(config, profile),
  }
  const taken = new Set<string>()
  return Object.keys(config.publish.servers).map((key): PublishedRow => {
    const wish = wishOf(config, key, references)
    const source = Object.hasOwn(config.sources, key) ? config.sources[key] : undefined
    const entry = source && writtenAgain(source, ['sources', key], references)
    const made = serverJsonOf(key, wish, isRecord(entry) ? entry : undefined, place)
    if ('problem' in made) return { key, wish, problem: made.problem }
    const id = `${made.server.name}@${made.server.version}`
    if (taken.has(id)) return { key, wish, problem: twice(id) }
    taken.add(id)
    const { status = 'active', statusMessage } = wish
    return { key, wish, publication: { server: made.server, status, statusMessage } }
  })
}

/** What is said there is told as it is, and what it refers to is not. */
const wishOf = ({ publish }: Config, key: string, references: ReadonlyMap<string, string>): PublishWish =>
  writtenAgain(publish.servers[key], ['publish', 'servers', key], references, (text) => text) as PublishWish

const twice = (id: string): BothWords =>
  both(`${id} is published already, under another key.`, `${id} 已在另一个键下发布。`)

/** This gateway as a remote server, where it was said how others reach it. */
const endpointOf = ({ server, auth, profiles }: Config, profile = 'default'): ServerRemote | undefined => {
  const { publicUrl, path } = server
  if (publicUrl === undefined || !Object.hasOwn(profiles, profile)) return undefined
  const url = `${publicUrl.replace(/\/+$/, '')}${path}${profile === 'default' ? '' : `/${encodeURIComponent(profile)}`}`
  const key = {
    name: 'Authorization',
    value: 'Bearer {key}',
    variables: { key: { description: 'Gateway key', isRequired: true, isSecret: true } },
  }
  // People who can sign in need no key: their client asks them.
  const asksForKey = auth.people === undefined && (auth.required || isForOthers(server))
  return defined({ type: 'streamable-http' as const, url, headers: asksForKey ? [key] : undefined })
}

/** What this gateway's own registry answers from: made anew when the configuration is another. */
export const createPublishedServers = (from: () => PublishedFrom, ledger: Pick<Ledger, 'note'>): PublishedServers => {
  let last: { readonly of: Config; readonly servers: Promise<readonly ServedServer[]> } | undefined
  return {
    servers: () => {
      const now = from()
      if (last?.of === now.config) return last.servers
      const before = last?.servers.catch(() => []) ?? Promise.resolve([])
      const publications = publishedRows(now).flatMap(({ publication }) => publication ?? [])
      last = { of: now.config, servers: before.then(() => ledger.note(publications)) }
      return last.servers
    },
  }
}
