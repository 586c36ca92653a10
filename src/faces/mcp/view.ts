import { type Gateway, type Offers, withAppUri } from '../../gateway.js'
import type { Era } from '../../mcp/eras.js'
import { legacyTool, modernResult } from '../../mcp/eras.js'
import { headerParams } from '../../mcp/headers.js'
import type { Implementation } from '../../mcp/message.js'
import type { Caller } from '../../model/caller.js'
import type { JsonObject } from '../../model/json.js'
import type { Tool } from '../../model/tool.js'
import type { Client } from './exchange.js'
import {
  type Exposure,
  exposedTools,
  exposureOf,
  type HotSet,
  isPinned,
  ownTools,
  searchDescription,
} from './exposure.js'
import { type ListPage, pageAfter, toPages } from './list-pages.js'
import type { ProfileSettings } from './profile.js'

/** The tools one kind of client sees, as bytes. Made once per catalog version, policy and profile; read by everybody. */
export interface View {
  /** The whole result of `tools/list` for this page, in the shape that `exposure` says. Default: as it is decided now. */
  listResult(era: Era, cursor: unknown, exposure?: Exposure): Buffer
  /** The same as definitions for a legacy client, unpaged: the same list for as long as this view is. */
  readonly definitions: readonly JsonObject[]
  /** The tool of this bare name among those this client sees; nothing where names have namespaces. */
  findBare(name: string): Tool | undefined
  /** The shape for a client that lists for the first time. */
  readonly exposure: Exposure
  /** How many tools can be called, listed or not. */
  readonly size: number
  readonly bytes: number
}

export type ViewOf = (client: Client) => View

/** Clients without listening streams ask again after this; with them a change reaches them at once. */
export const listTtlMs = 10_000
const mostViews = 64

export const createViews = (gateway: Gateway, serverInfo: Implementation, hot?: HotSet): ViewOf => {
  const known = new Map<string, { readonly stamp: string; readonly view: View }>()
  return (client) => {
    const { caller, profile } = client
    const key = keyOf(caller, profile)
    const stamp = `${gateway.catalog.version}/${gateway.policy.version}/${gateway.surfaces.version}/${hot?.version ?? 0}`
    const found = known.get(key)
    if (found?.stamp === stamp) return found.view
    const view = createView(gateway, client, serverInfo, hot)
    known.delete(key)
    known.set(key, { stamp, view })
    if (known.size > mostViews) known.delete(known.keys().next().value as string)
    return view
  }
}

/** Callers of one profile and the same rights see the same: that is all the policy looks at. */
const keyOf = (
  { rights, profile: name }: Caller,
  { naming, maxListBytes, expose, pin, registry }: ProfileSettings,
): string =>
  JSON.stringify([
    name,
    [...rights].sort(),
    naming.style,
    naming.namespacing,
    naming.collisions,
    maxListBytes,
    expose,
    pin,
    registry,
  ])

const createView = (
  gateway: Gateway,
  { caller, profile }: Client,
  serverInfo: Implementation,
  hot: HotSet | undefined,
): View => {
  const names = gateway.catalog.names(profile.naming)
  const offers = gateway.offers(caller, profile.naming)
  const found = gateway.list(caller)
  // What nobody here runs is found by search, and no client could call it (B4).
  const seen = found.filter((tool) => !tool.definitionOnly)
  // Without namespaces, what this client cannot see must not stand in the way of what it can.
  const bare = profile.naming.namespacing ? undefined : singles(seen, names.nameOf)
  const find = bare ? (name: string) => bare.get(name) : names.find
  // A contested name answers nobody, so it is not shown either.
  const tools = seen.filter((tool) => find(names.nameOf(tool)) === tool)
  const own = ownTools(gateway, caller, profile, tools.length > 0)
  // Without a way to search there is nothing to show but the tools.
  const decided = own.length > 0 ? exposureOf(profile, tools.length) : 'flat'
  const stays = (tool: Tool): boolean => isPinned(tool, profile) || (hot?.has(tool) ?? false)
  // With definitions around, also a short list says how they are found.
  const isSearched = profile.expose !== 'flat' && found.length > seen.length
  const shownAs = (exposure: Exposure): readonly Tool[] =>
    exposure === 'flat' && isSearched ? [...own, ...tools] : exposedTools(exposure, tools, own, stays)
  const definitionOf = (tool: Tool, era: Era): JsonObject =>
    toolDefinition(withApp(inScope(tool, found), offers), names.nameOf(tool), era)
  const pagesOf = (era: Era, exposure: Exposure): Pages => {
    const items = shownAs(exposure).map((tool) => ({ key: tool.id, json: JSON.stringify(definitionOf(tool, era)) }))
    return new Pages(toPages(items.sort(byKey), profile.maxListBytes), era, serverInfo)
  }
  const made: Partial<Record<`${Era} ${Exposure}`, Pages>> = {}
  const pages = (era: Era, exposure: Exposure): Pages => (made[`${era} ${exposure}`] ??= pagesOf(era, exposure))
  let definitions: readonly JsonObject[] | undefined
  return {
    get definitions() {
      definitions ??= shownAs(decided).map((tool) => definitionOf(tool, 'legacy'))
      return definitions
    },
    listResult: (era, cursor, exposure = decided) => pages(era, exposure).result(cursor),
    findBare: (name) => bare?.get(name),
    exposure: decided,
    size: tools.length,
    get bytes() {
      return pages('modern', decided).bytes
    },
  }
}

const byKey = (a: { readonly key: string }, b: { readonly key: string }): number => (a.key < b.key ? -1 : 1)

const inScope = (tool: Tool, tools: readonly Tool[]): Tool => {
  if (!tool.own || tool.name !== 'search_tools') return tool
  return {
    ...tool,
    definition: { ...tool.definition, description: searchDescription(tool.definition.description ?? '', tools) },
  }
}

const singles = (tools: readonly Tool[], nameOf: (tool: Tool) => string): ReadonlyMap<string, Tool> => {
  const found = new Map<string, Tool | undefined>()
  for (const tool of tools) found.set(nameOf(tool), found.has(nameOf(tool)) ? undefined : tool)
  return new Map([...found].filter((entry): entry is [string, Tool] => entry[1] !== undefined))
}

/** A tool that points to its app points to where this client finds it. */
const withApp = (tool: Tool, offers: Offers): Tool => {
  const meta = tool.definition._meta
  if (!meta || (meta.ui === undefined && meta['ui/resourceUri'] === undefined)) return tool
  const _meta = withAppUri(meta, (uri) => offers.shownUri(tool.source, uri))
  return { ...tool, definition: { ...tool.definition, _meta } }
}

/** The definition under the name this client calls it by. Everything else is as its source wrote it. */
const toolDefinition = ({ definition }: Tool, name: string, era: Era): JsonObject => {
  const named = { ...definition, name } as unknown as JsonObject
  return era === 'legacy' ? legacyTool(named) : withLegalHeaders(named)
}

/** HTTP clients drop a tool whose header annotations break the rules; without them it can stay. */
const withLegalHeaders = (tool: JsonObject): JsonObject => {
  if (headerParams(tool.inputSchema).ok) return tool
  const clean = JSON.stringify(tool.inputSchema, (key, value: unknown) => (key === 'x-mcp-header' ? undefined : value))
  return { ...tool, inputSchema: JSON.parse(clean) as JsonObject }
}

class Pages {
  readonly #pages: readonly ListPage[]
  readonly #era: Era
  readonly #serverInfo: Implementation
  readonly #prepared = new Map<ListPage, Buffer>()

  constructor(pages: readonly ListPage[], era: Era, serverInfo: Implementation) {
    this.#pages = pages
    this.#era = era
    this.#serverInfo = serverInfo
  }

  get bytes(): number {
    return this.#pages.reduce(
      (sum, page) => sum + page.items.reduce((each, { json }) => each + Buffer.byteLength(json), 0),
      0,
    )
  }

  result(cursor: unknown): Buffer {
    const page = pageAfter(this.#pages, cursor)
    const prepared = this.#prepared.get(page)
    if (prepared) return prepared
    const bytes = Buffer.from(this.#toJson(page))
    // A cursor into the middle of a page makes a page of its own, which is not worth keeping.
    if (this.#pages.includes(page)) this.#prepared.set(page, bytes)
    return bytes
  }

  #toJson({ items, nextCursor }: ListPage): string {
    const caching = { ttlMs: listTtlMs, cacheScope: 'private' as const }
    const frame = { nextCursor }
    const whole = this.#era === 'modern' ? modernResult(frame, { serverInfo: this.#serverInfo, caching }) : frame
    const rest = JSON.stringify(whole).slice(1)
    const tools = `{"tools":[${items.map((item) => item.json).join(',')}]`
    return rest === '}' ? `${tools}}` : `${tools},${rest}`
  }
}
