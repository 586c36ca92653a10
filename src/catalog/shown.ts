import { GatewayError } from '../errors.js'
import type { Caller } from '../model/caller.js'
import type { Tool } from '../model/tool.js'
import type { Catalog, CatalogChange } from './catalog.js'
import type { MisfitOverride, Overrides, ShownTools } from './overriding.js'

/** What is said anew must fit the tools that are here; what does not fit any more since one of them changed is held back. */
export const refuseMisfits = (before: Overrides | undefined, next: Overrides | undefined): void => {
  const problems = freshMisfits(before, next)
  if (problems.length === 0) return
  const told = problems.slice(0, mostTold).map(inWords).join('; ')
  throw new GatewayError('CONFIG_INVALID', `The overrides do not fit the tools: ${told}.`, { details: { problems } })
}

/** Of what does not fit, what was not so before. */
export const freshMisfits = (before: Overrides | undefined, next: Overrides | undefined): readonly MisfitOverride[] => {
  const known = new Set(before?.problems().map(inWords))
  return (next?.problems() ?? []).filter((problem) => !known.has(inWords(problem)))
}

const mostTold = 8

const inWords = ({ tool, profile, path, message }: MisfitOverride): string =>
  `${tool}${profile === undefined ? '' : ` (profile ${profile})`} ${path} ${message}`

interface Seeing {
  decide(caller: Caller, tool: Tool, action: 'see'): { readonly allowed: boolean }
  onChange(listener: () => void): () => void
}

interface Finding {
  readonly results: readonly { readonly tool: Tool }[]
  readonly areas?: readonly { readonly examples: readonly Tool[] }[] | undefined
}

const unseen = Object.freeze({ allowed: false })

type Changes = Pick<CatalogChange, 'added' | 'changed' | 'removed'>

/**
 * What callers are shown of a catalog: itself, or what the overrides make of it for their profile. The catalog stays as
 * sources report it, since approvals, lock files and records are about that.
 */
export class Shown {
  readonly #catalog: Catalog
  /** Where nothing is overridden: the catalog itself. */
  readonly plain: ShownTools
  readonly #listeners = new Set<(change: Changes) => void>()
  #overrides: Overrides | undefined
  /** What is searched of each overridden tool, by upstream id. */
  #documents = new Map<string, readonly Tool[]>()
  readonly #upstreamIds = new Map<string, string>()

  constructor(catalog: Catalog) {
    this.#catalog = catalog
    this.plain = {
      get tools() {
        return catalog.snapshot().tools
      },
      find: catalog.find,
      names: catalog.names,
      shownOf: (tool) => tool,
      withheld: () => undefined,
    }
    catalog.onChange((change) => {
      if (this.#listeners.size > 0) this.#tell(this.#overrides ? this.#translated(change) : change)
      // Nobody has heard of them: they are made when somebody asks.
      else this.#documents.clear()
    })
  }

  /** From now on tools are shown so. */
  use(overrides: Overrides | undefined): void {
    const before = this.#listeners.size > 0 ? this.#allDocuments() : []
    this.#overrides = overrides
    this.#documents = new Map()
    this.#upstreamIds.clear()
    if (this.#listeners.size === 0) return
    const now = this.#allDocuments()
    const kept = new Set(now)
    const known = new Set(before)
    const removed = before.filter((tool) => !kept.has(tool))
    const ids = new Set(removed.map(({ id }) => id))
    const fresh = now.filter((tool) => !known.has(tool))
    const stays = new Set(fresh.map(({ id }) => id))
    this.#tell({
      removed: removed.filter(({ id }) => !stays.has(id)),
      changed: fresh.filter(({ id }) => ids.has(id)),
      added: fresh.filter(({ id }) => !ids.has(id)),
    })
  }

  /** What is searched: one index for everybody, with a document more where a profile shows a tool in other words. */
  readonly feed = {
    snapshot: () => ({ tools: this.#allDocuments() }),
    onChange: (listener: (change: Changes) => void) => {
      this.#listeners.add(listener)
      return () => void this.#listeners.delete(listener)
    },
  }

  /** Who may see what is searched: of several documents of one tool, the one that is shown to them. */
  seeing<Rules extends Seeing>(rules: Rules): Seeing & Pick<Rules, 'onChange'> {
    return {
      decide: (caller, document, action) => {
        const shown = this.#overrides ? this.#overrides.shownBy(document, caller.profile) : document
        return shown ? rules.decide(caller, shown, action) : unseen
      },
      onChange: (listener) => rules.onChange(listener),
    }
  }

  /** What was found, as it is shown to who searched. */
  async found<Outcome extends Finding>(finding: Promise<Outcome>, { profile }: Caller): Promise<Outcome> {
    const outcome = await finding
    const overrides = this.#overrides
    if (!overrides) return outcome
    const shown = (tool: Tool): Tool => overrides.shownBy(tool, profile) ?? tool
    const results = outcome.results.map((each) => ({ ...each, tool: shown(each.tool) }))
    if (!outcome.areas) return { ...outcome, results }
    const areas = outcome.areas.map((area) => ({ ...area, examples: area.examples.map(shown) }))
    return { ...outcome, results, areas }
  }

  /** By the id of a document; that of any other tool is its own. */
  readonly upstreamId = (id: string): string => this.#upstreamIds.get(id) ?? id

  #allDocuments(): readonly Tool[] {
    const { tools } = this.#catalog.snapshot()
    return this.#overrides ? tools.flatMap((tool) => this.#documentsOf(tool)) : tools
  }

  #documentsOf(tool: Tool): readonly Tool[] {
    const known = this.#documents.get(tool.id)
    if (known) return known
    const made = this.#overrides!.documentsOf(tool)
    if (made.length === 1 && made[0] === tool) return made
    this.#documents.set(tool.id, made)
    for (const { id } of made) this.#upstreamIds.set(id, tool.id)
    return made
  }

  #translated({ added, changed, removed }: Changes): Changes {
    const before = (tool: Tool): readonly Tool[] => this.#documents.get(tool.id) ?? [tool]
    const gone = [...removed, ...changed].flatMap(before)
    for (const tool of [...removed, ...changed]) this.#documents.delete(tool.id)
    const now = [...changed, ...added].flatMap((tool) => this.#documentsOf(tool))
    const stays = new Set(now.map(({ id }) => id))
    return { removed: gone.filter(({ id }) => !stays.has(id)), changed: [], added: now }
  }

  #tell(change: Changes): void {
    for (const listener of this.#listeners) listener(change)
  }
}
