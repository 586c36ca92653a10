import type { Tool, ToolId } from '../model/tool.js'
import type { OverrideProblem } from './narrow.js'
import { type ShownTool, showAs, type ToolOverride } from './override.js'
import type { MisfitOverride, OverrideRules, Overrides, OverridesRooms, ShownTools } from './overriding.js'
import { OverriddenShelf } from './shelf.js'

/** What an override makes of one tool. */
export type Showing = { readonly shown: ShownTool } | { readonly problems: readonly OverrideProblem[] }

/** The overrides in force: who says what of which tool, each definition made once. */
export class OverridesInForce implements Overrides {
  readonly rules: OverrideRules
  readonly rooms: OverridesRooms
  readonly #shelves = new Map<string, OverriddenShelf>()
  /** One object for one set of words, so that profiles with the same share one definition. */
  readonly #merged = new Map<string, ToolOverride | undefined>()
  readonly #made = new WeakMap<Tool, Map<ToolOverride, Showing>>()
  readonly #unnamed = new WeakMap<ToolOverride, ToolOverride>()
  readonly #documents = new WeakMap<Tool, Tool>()

  constructor(rules: OverrideRules, rooms: OverridesRooms) {
    this.rules = rules
    this.rooms = rooms
  }

  /** Profiles without words of their own are all shown the same. */
  shelf(profile = 'default'): ShownTools {
    return this.#shelfOf(profile)
  }

  #shelfOf(profile: string): OverriddenShelf {
    const key = this.#saysMore(profile) ? profile : ''
    const known = this.#shelves.get(key)
    if (known) return known
    const made = new OverriddenShelf(this, key === '' ? undefined : key)
    this.#shelves.set(key, made)
    return made
  }

  #saysMore(profile: string): boolean {
    const { profiles = {} } = this.rules
    return Object.hasOwn(profiles, profile) && Object.keys(profiles[profile]!).length > 0
  }

  /** The profiles with words of their own. */
  get profiles(): readonly string[] {
    return Object.keys(this.rules.profiles ?? {}).filter((profile) => this.#saysMore(profile))
  }

  /** All that is said of a tool towards a profile, the nearest last: source, everybody, profile. */
  overrideOf(tool: Tool, profile: string | undefined): ToolOverride | undefined {
    if (tool.own) return undefined
    const { tools, sources, profiles } = this.rules
    const own = profile === undefined ? undefined : said(said(profiles, profile), tool.id)
    const layers = [said(said(sources, tool.source), tool.name), said(tools, tool.id), own]
    if (!layers.some(Boolean)) return undefined
    const key = `${own ? profile : ''}\0${tool.source}\0${tool.id}`
    if (this.#merged.has(key)) return this.#merged.get(key)
    const merged = layers.reduce((under, over) => (under && over ? mergeOverrides(under, over) : (over ?? under)))
    this.#merged.set(key, merged)
    return merged
  }

  #speaksOf(tool: Tool): boolean {
    const profiles = Object.keys(this.rules.profiles ?? {})
    return [undefined, ...profiles].some((profile) => this.overrideOf(tool, profile) !== undefined)
  }

  /** Made once for each definition and override. */
  show(tool: Tool, override: ToolOverride): Showing {
    const known = this.#made.get(tool) ?? new Map<ToolOverride, Showing>()
    this.#made.set(tool, known)
    const made = known.get(override) ?? showAs(tool, override, this.rooms)
    known.set(override, made)
    return made
  }

  /** The same words without a name: one object for each. */
  withoutName(override: ToolOverride): ToolOverride {
    const known = this.#unnamed.get(override) ?? { ...override, name: undefined }
    this.#unnamed.set(override, known)
    return known
  }

  problems(): readonly MisfitOverride[] {
    const everybody = this.#shelfOf('').problems
    const known = new Set(everybody.map(keyOf))
    const more = this.profiles.flatMap((profile) =>
      this.#shelfOf(profile)
        .problems.filter((problem) => !known.has(keyOf(problem)))
        .map((problem) => ({ ...problem, profile })),
    )
    return [...everybody, ...more]
  }

  absent(): readonly ToolId[] {
    const { catalog } = this.rooms
    const { tools = {}, sources = {}, profiles = {} } = this.rules
    const ids = [...Object.keys(tools), ...Object.values(profiles).flatMap((each) => Object.keys(each))]
    const here = [...catalog.snapshot().tools, ...catalog.held()]
    const known = new Set(here.map(({ id }) => id))
    const bySource = new Set(here.map(({ source, name }) => `${source}\0${name}`))
    const ofSources = Object.entries(sources).flatMap(([source, each]) =>
      Object.keys(each)
        .filter((name) => !bySource.has(`${source}\0${name}`))
        .map((name) => `${source}: ${name}`),
    )
    return [...new Set([...ids.filter((id) => !known.has(id)), ...ofSources])].sort()
  }

  documentsOf(tool: Tool): readonly Tool[] {
    if (!this.#speaksOf(tool)) return [tool]
    const everybody = this.#shelfOf('').shownOf(tool)
    const others = this.profiles.flatMap((profile) => {
      const shown = this.#shelfOf(profile).shownOf(tool)
      return shown && shown !== everybody ? [this.#documentOf(shown, profile)] : []
    })
    return everybody ? [everybody, ...others] : others
  }

  /** Two profiles may show one tool under one id in different words: each is found by its own. */
  #documentOf(shown: Tool, profile: string): Tool {
    const document = { ...shown, id: `${shown.id}\0${profile}` }
    Object.defineProperty(document, 'upstream', { value: shown.upstream ?? shown })
    this.#documents.set(document, shown)
    return document
  }

  shownBy(document: Tool, profile = 'default'): Tool | undefined {
    const shown = this.#documents.get(document) ?? document
    const mine = this.shelf(profile).shownOf(shown.upstream ?? shown)
    return mine === shown ? shown : undefined
  }
}

const keyOf = ({ tool, path, message }: MisfitOverride): string => `${tool}\0${path}\0${message}`

const said = <T>(by: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  by && Object.hasOwn(by, name) ? by[name] : undefined

/** The nearer word counts: member by member, of an argument the whole of it. */
export const mergeOverrides = (under: ToolOverride, over: ToolOverride): ToolOverride => {
  const plain = Object.fromEntries(Object.entries(over).filter(([, value]) => value !== undefined))
  return {
    ...under,
    ...plain,
    annotations: merged(under.annotations, over.annotations),
    arguments: merged(under.arguments, over.arguments),
    result: merged(under.result, over.result),
  }
}

const merged = <T extends object>(under: T | undefined, over: T | undefined): T | undefined =>
  under && over ? { ...under, ...over } : (over ?? under)
