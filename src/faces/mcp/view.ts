import { type Gateway, type Offers, withAppUri } from '../../gateway.js'
import type { Era } from '../../mcp/eras.js'
import { legacyTool, modernResult } from '../../mcp/eras.js'
import { headerParams } from '../../mcp/headers.js'
import type { Implementation } from '../../mcp/message.js'
import type { Caller } from '../../model/caller.js'
import type { Clock } from '../../model/clock.js'
import type { JsonObject } from '../../model/json.js'
import type { Tool } from '../../model/tool.js'
import type { Client, Prepared } from './exchange.js'
import {
  type Exposure,
  exposedTools,
  exposureOf,
  type HotSet,
  isPinned,
  ownTools,
  searchDescription,
} from './exposure.js'
import type { ListItem } from './list-pages.js'
import type { ProfileSettings } from './profile.js'
import { ToolList } from './tool-list.js'

/** The tools one kind of client sees, as bytes. Made once per catalog version, policy and profile; read by everybody. */
export interface View {
  /** The whole result of `tools/list` for this page, in the shape that `exposure` says. Default: as it is decided now. */
  listResult(era: Era, cursor: unknown, exposure?: Exposure): Prepared
  /** The same as definitions for a legacy client, unpaged: the same list for as long as this view is. */
  readonly definitions: readonly JsonObject[]
  /** The tool of this bare name among those this client sees; nothing where names have namespaces. */
  findBare(name: string): Tool | undefined
  /** The shape for a client that lists for the first time. */
  readonly exposure: Exposure
  /** How many tools can be called, listed or not. */
  readonly size: number
  readonly bytes: number
  /** Lets lists go that nobody asked for since then; true while it still holds some. */
  letGo(unusedSince: number): boolean
}

export type ViewOf = (client: Client) => View

/** What views are made for and by. */
export interface ViewOptions {
  readonly gateway: Gateway
  readonly serverInfo: Implementation
  readonly clock: Clock
  readonly hot?: HotSet | undefined
  /** Told when a view comes to hold a list. */
  readonly onList?: (() => void) | undefined
}

/** Clients without listening streams ask again after this; with them a change reaches them at once. */
export const listTtlMs = 10_000
const mostViews = 64

// A list of ten thousand tools is five megabytes, and made in a tenth of a second: not worth keeping for who never asks again.
const unusedMs = 120_000

export const createViews = (options: ViewOptions): ViewOf => {
  const { gateway, hot, clock } = options
  const known = new Map<string, { readonly stamp: string; readonly view: View }>()
  let isTidying = false
  // One timer here and none in a view: it would keep each view that a change replaced.
  const tidyLater = (): void => {
    if (isTidying) return
    isTidying = true
    clock.after(unusedMs, () => {
      isTidying = false
      const holding = [...known.values()].filter(({ view }) => view.letGo(clock.now() - unusedMs))
      if (holding.length > 0) tidyLater()
    })
  }
  return (client) => {
    const { caller, profile } = client
    const key = keyOf(caller, profile)
    const stamp = `${gateway.catalog.version}/${gateway.policy.version}/${gateway.surfaces.version}/${hot?.version ?? 0}`
    const found = known.get(key)
    if (found?.stamp === stamp) return found.view
    const view = createView({ onList: tidyLater, ...options }, client)
    known.delete(key)
    known.set(key, { stamp, view })
    if (known.size > mostViews) known.delete(known.keys().next().value as string)
    return view
  }
}

/** Callers of one profile and the same rights see the same: that is all the policy looks at. */
const keyOf = (
  { rights, profile: name }: Caller,
  { naming, maxListBytes, expose, pin, registry, ownWords }: ProfileSettings,
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
    ownWords,
  ])

const createView = (options: ViewOptions, { caller, profile }: Client): View => {
  const { gateway, serverInfo, hot } = options
  const names = gateway.shown(caller.profile).names(profile.naming)
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
  const definitionOf = (tool: Tool): JsonObject =>
    namedDefinition(withApp(inScope(tool, found, profile), offers), names.nameOf(tool))
  const lists = new Lists(options, (era, exposure) => {
    const tools = [...shownAs(exposure)].sort(byId)
    let isShared = true
    function* items(): Generator<ListItem> {
      for (const tool of tools) {
        const named = definitionOf(tool)
        const shown = inEra(named, era)
        isShared &&= shown === named && inEra(named, otherEra[era]) === named
        yield { key: tool.id, json: JSON.stringify(shown) }
      }
    }
    const list = new ToolList(items(), profile.maxListBytes)
    return { list, isShared }
  })
  // Most lists are one page, which ends the same for everybody.
  const lastEndings: Partial<Record<Era, Buffer>> = {}
  const endingOf = (era: Era, nextCursor: string | undefined): Buffer => {
    if (nextCursor !== undefined) return ending(era, nextCursor, serverInfo)
    lastEndings[era] ??= ending(era, undefined, serverInfo)
    return lastEndings[era]
  }
  let definitions: readonly JsonObject[] | undefined
  return {
    get definitions() {
      definitions ??= shownAs(decided).map((tool) => inEra(definitionOf(tool), 'legacy'))
      return definitions
    },
    listResult: (era, cursor, exposure = decided) => {
      const { bytes, nextCursor } = lists.of(era, exposure).after(cursor)
      return [bytes, endingOf(era, nextCursor)]
    },
    findBare: (name) => bare?.get(name),
    exposure: decided,
    size: tools.length,
    get bytes() {
      return lists.of('modern', decided).itemBytes
    },
    letGo: (unusedSince) => lists.letGo(unusedSince),
  }
}

const byId = (a: Tool, b: Tool): number => (a.id < b.id ? -1 : 1)

const inScope = (tool: Tool, tools: readonly Tool[], { ownWords }: ProfileSettings): Tool => {
  if (!tool.own) return tool
  const { description = '' } = tool.definition
  const words = tool.name === 'search_tools' ? searchDescription(description, tools) : ownWords?.[tool.name]
  return words === undefined ? tool : { ...tool, definition: { ...tool.definition, description: words } }
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
const namedDefinition = ({ definition }: Tool, name: string): JsonObject =>
  ({ ...definition, name }) as unknown as JsonObject

/** The same object where nothing in it has to be said in another way, which is nearly always. */
const inEra = (named: JsonObject, era: Era): JsonObject =>
  era === 'legacy' ? legacyTool(named) : withLegalHeaders(named)

const otherEra: Readonly<Record<Era, Era>> = { legacy: 'modern', modern: 'legacy' }

/** HTTP clients drop a tool whose header annotations break the rules; without them it can stay. */
const withLegalHeaders = (tool: JsonObject): JsonObject => {
  if (headerParams(tool.inputSchema).ok) return tool
  const clean = JSON.stringify(tool.inputSchema, (key, value: unknown) => (key === 'x-mcp-header' ? undefined : value))
  return { ...tool, inputSchema: JSON.parse(clean) as JsonObject }
}

/** What stands behind the tools. */
const ending = (era: Era, nextCursor: string | undefined, serverInfo: Implementation): Buffer => {
  const frame = { nextCursor }
  const caching = { ttlMs: listTtlMs, cacheScope: 'private' as const }
  const whole = era === 'modern' ? modernResult(frame, { serverInfo, caching }) : frame
  const rest = JSON.stringify(whole).slice(1)
  return Buffer.from(rest === '}' ? ']}' : `],${rest}`)
}

type MakeList = (era: Era, exposure: Exposure) => { readonly list: ToolList; readonly isShared: boolean }

/** The lists of one view, made when they are asked for. */
class Lists {
  readonly #options: Pick<ViewOptions, 'clock' | 'onList'>
  readonly #make: MakeList
  readonly #made = new Map<string, ToolList>()
  #usedAt = 0

  constructor(options: Pick<ViewOptions, 'clock' | 'onList'>, make: MakeList) {
    this.#options = options
    this.#make = make
  }

  of(era: Era, exposure: Exposure): ToolList {
    this.#usedAt = this.#options.clock.now()
    const known = this.#made.get(`${era} ${exposure}`)
    if (known) return known
    const { list, isShared } = this.#make(era, exposure)
    this.#made.set(`${era} ${exposure}`, list)
    if (isShared) this.#made.set(`${otherEra[era]} ${exposure}`, list)
    this.#options.onList?.()
    return list
  }

  letGo(unusedSince: number): boolean {
    if (this.#usedAt <= unusedSince) this.#made.clear()
    return this.#made.size > 0
  }
}
