import type { Target } from '../../model/call.js'
import type { Caller } from '../../model/caller.js'
import { isRecord, type JsonObject } from '../../model/json.js'
import type { OwnSwitch } from '../../model/tool.js'
import type { SurfaceOffer } from '../../sources/surface.js'
import { advertisedName, type Naming } from '../names.js'
import type { Reviewed } from '../reviewed.js'
import { carriedUri, carryUri } from './carried-uri.js'
import { type NormalUri, normalUri } from './normal-uri.js'
import type { OfferReview, ReviewedOffer } from './review-offer.js'
import type { MountedSurface, Surfaces } from './surfaces.js'
import { matchesTemplate } from './template.js'

/** Something a source offers, under the name or URI this kind of caller knows it by. */
export interface Offered {
  readonly mounted: MountedSurface
  /** As the caller sees it. */
  readonly shown: string
  /** As its source calls it. */
  readonly own: string
  readonly definition: JsonObject
}

/** Where a request goes, under which name there, and what the rules are asked about. */
export interface Located extends Target {
  readonly mounted: MountedSurface
  /** A part of the board itself. */
  readonly own: boolean | undefined
  /** What a profile has to switch on for it. */
  readonly switch?: OwnSwitch | undefined
  /** Other spellings of the id that say the same. */
  readonly also?: readonly string[] | undefined
  /** The id with the address as the caller wrote it: enough to deny it, not to allow it. */
  readonly written?: string | undefined
}

/** What one kind of caller sees beside the tools. */
export interface Offers {
  /** Sources that are wholly open to it: for what belongs to no single prompt or resource. */
  readonly surfaces: readonly MountedSurface[]
  readonly prompts: readonly Offered[]
  readonly resources: readonly Offered[]
  readonly templates: readonly Offered[]
  // Where something is; whether the caller may have it is the policy's question, asked by whoever asks these.
  prompt(name: string): Located | undefined
  /** By its URI as shown, as its source writes it where only one does, or by a template. */
  resource(uri: string): Located | undefined
  /** What this caller asks for and could see, if it waits for somebody to approve it. */
  held(kind: 'prompt' | 'resource', name: string): Reviewed | undefined
  /** The one source that can answer a method that nobody here knows, if it is one. */
  answerer(method: string, era?: SurfaceOffer['era']): Located | undefined
  at(source: string, method: string): Located | undefined
  /** The URI under which this caller sees what the source calls so. */
  shownUri(source: string, uri: string): string
  /** One source under its own names: what stands behind should not be noticed. */
  readonly transparent: boolean
}

export interface OffersOptions {
  readonly surfaces: Surfaces
  readonly sees: (caller: Caller, subject: Located) => boolean
  /** Changes when `sees` may say something else. */
  readonly rulesVersion: () => number
  /** What may be shown of what a source offers. Default: all of it. */
  readonly review?: OfferReview | undefined
}

/** Made once per set of lists, rules and kind of caller. */
export const createOffers = (options: OffersOptions): ((caller: Caller, naming: Naming) => Offers) => {
  const known = new Map<string, { readonly stamp: string; readonly offers: Offers }>()
  return (caller, naming) => {
    const key = JSON.stringify([caller.profile, [...caller.rights].sort(), naming])
    const stamp = `${options.surfaces.version}/${options.rulesVersion()}`
    const found = known.get(key)
    if (found?.stamp === stamp) return found.offers
    const offers = offersFor(options, caller, naming)
    known.delete(key)
    known.set(key, { stamp, offers })
    if (known.size > mostKinds) known.delete(known.keys().next().value as string)
    return offers
  }
}

const mostKinds = 64

type List = keyof Pick<SurfaceOffer, 'prompts' | 'resources' | 'templates'>

const offersFor = ({ surfaces: rack, sees, review }: OffersOptions, caller: Caller, naming: Naming): Offers => {
  const all = rack.all()
  const approved = new Map(all.map((mounted) => [mounted, approvedOf(mounted, review)]))
  // The same patterns as for tools: a prompt is `namespace.name`, a resource `namespace.uri`, a source `namespace.*`.
  const collect = (list: List, key: string): Unnamed[] =>
    all.flatMap((mounted) =>
      (approved.get(mounted)?.[list] ?? []).map((definition) => ({
        mounted,
        own: definition[key] as string,
        definition,
      })),
    )
  const seen = (each: Unnamed): boolean => sees(caller, atListed(each.mounted, each.own))
  const prompts = namePrompts(
    collect('prompts', 'name').filter(({ mounted, own }) => sees(caller, named(mounted, own))),
    naming,
  )
  const listed = collect('resources', 'uri').filter(seen)
  const offeredTemplates = collect('templates', 'uriTemplate').filter(seen)
  const contested = contestedUris([...listed, ...offeredTemplates])
  const carry = (each: Unnamed): Offered => ({
    ...each,
    shown: contested.has(each.own) ? carryUri(each.mounted.namespace, each.own) : each.own,
  })
  const resources = listed.map(carry)
  const templates = offeredTemplates.map(carry)
  const surfaces = all.filter((mounted) => !mounted.surface.own && sees(caller, named(mounted, '*')))
  const byName = new Map(prompts.map((prompt) => [prompt.shown, prompt]))
  const byUri = new Map([...templates, ...resources].map((each) => [each.shown, each]))

  // All that is listed, seen or not, by normal form; made when somebody asks for an address that is not listed so.
  let spellings: ReadonlyMap<string, readonly Unnamed[]> | undefined
  const speltAs = ({ plain }: NormalUri): readonly Unnamed[] => {
    spellings ??= grouped(collect('resources', 'uri'), ({ own }) => normalUri(own).plain)
    return spellings.get(plain) ?? []
  }
  /** The only source that lists it in some spelling, has a template for it, or has resources at all. */
  const ownerOf = (uri: string, normal: NormalUri): MountedSurface | undefined => {
    const spelt = speltAs(normal).filter(seen)
    const fitting = spelt.length > 0 ? spelt : templates.filter(({ own }) => matchesTemplate(own, uri))
    const owners = fitting.length > 0 ? fitting.map(({ mounted }) => mounted) : surfaces.filter(hasResources)
    const [only, ...others] = new Set(owners)
    return others.length === 0 ? only : undefined
  }
  /** As the source lists the same resource, if it does, else as the caller wrote it. */
  const atAddress = (mounted: MountedSurface, uri: string, normal: NormalUri): Located => {
    const listedThere = speltAs(normal).flatMap((each) => (each.mounted === mounted ? [each.own] : []))
    const [own] = listedThere.includes(uri) ? [uri] : listedThere
    if (own !== undefined) return atListed(mounted, own)
    const { plain, encoded } = normal
    return { ...named(mounted, plain), name: uri, also: [mounted.idOf(encoded)], written: mounted.idOf(uri) }
  }
  const resource = (uri: string): Located | undefined => {
    const found = located(uri)
    return found && approved.get(found.mounted)?.heldAt?.(found.name) ? undefined : found
  }
  const located = (uri: string): Located | undefined => {
    const exact = byUri.get(uri)
    if (exact) return atListed(exact.mounted, exact.own)
    const carried = carriedFor(surfaces, uri)
    if (carried) return atAddress(carried.mounted, carried.own, normalUri(carried.own))
    // What two sources list under one URI has two carried names; the bare one would be a guess.
    if (contested.has(uri)) return undefined
    const normal = normalUri(uri)
    const mounted = ownerOf(uri, normal)
    return mounted && atAddress(mounted, uri, normal)
  }

  return {
    surfaces,
    prompts,
    resources,
    templates,
    prompt: (name) => {
      const prompt = byName.get(name)
      return prompt && named(prompt.mounted, prompt.own)
    },
    resource,
    held: (kind, name) => {
      const found = kind === 'resource' && located(name)
      if (found) return approved.get(found.mounted)?.heldAt?.(found.name)
      for (const mounted of all) {
        const prompt = kind === 'prompt' && approved.get(mounted)?.heldPrompt?.(name, mounted)
        if (prompt && sees(caller, named(mounted, prompt.name))) return prompt
      }
      return undefined
    },
    answerer: (method, era) => {
      const mounted = answererOf(surfaces, method, era)
      return mounted && named(mounted, method)
    },
    at: (source, method) => {
      const mounted = surfaces.find((each) => each.source === source)
      return mounted && named(mounted, method)
    },
    shownUri: (source, uri) => {
      const mounted = contested.has(uri) ? all.find((each) => each.source === source) : undefined
      return mounted ? carryUri(mounted.namespace, uri) : uri
    },
    transparent: !naming.namespacing && surfaces.length === 1,
  }
}

type Unnamed = Omit<Offered, 'shown'>

const approvedOf = (
  { source, surface }: MountedSurface,
  review: OfferReview | undefined,
): ReviewedOffer | undefined => {
  const { offer, own } = surface
  return offer && review && !own ? review(source, offer) : offer
}

const named = (mounted: MountedSurface, name: string): Located => ({
  id: mounted.idOf(name),
  name,
  source: mounted.source,
  timeoutMs: mounted.timeoutMs,
  own: mounted.surface.own,
  switch: mounted.surface.switch,
  mounted,
})

/** An address that its source lists is its own word for it. */
const atListed = (mounted: MountedSurface, uri: string): Located => {
  const { plain, encoded } = normalUri(uri)
  return { ...named(mounted, plain), name: uri, also: [mounted.idOf(encoded), mounted.idOf(uri)] }
}

/** Names by the profile's naming, as tools have them. A name that two prompts claim answers for neither. */
const namePrompts = (prompts: readonly Unnamed[], naming: Naming): readonly Offered[] => {
  const all = prompts.map((each) => {
    const { namespace, idOf } = each.mounted
    return { ...each, shown: advertisedName({ id: idOf(each.own), namespace, name: each.own }, naming) }
  })
  const counts = new Map<string, number>()
  for (const { shown } of all) counts.set(shown, (counts.get(shown) ?? 0) + 1)
  return all.filter(({ shown }) => counts.get(shown) === 1)
}

const grouped = <T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> => {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

const contestedUris = (all: readonly Unnamed[]): ReadonlySet<string> => {
  const owners = new Map<string, string>()
  const contested = new Set<string>()
  for (const { own, mounted } of all) {
    const owner = owners.get(own)
    if (owner !== undefined && owner !== mounted.source) contested.add(own)
    owners.set(own, mounted.source)
  }
  return contested
}

const carriedFor = (
  surfaces: readonly MountedSurface[],
  uri: string,
): { readonly mounted: MountedSurface; readonly own: string } | undefined => {
  for (const mounted of surfaces) {
    const own = carriedUri(mounted.namespace, uri)
    if (own !== undefined) return { mounted, own }
  }
  return undefined
}

const hasResources = ({ surface }: MountedSurface): boolean => surface.offer?.capabilities.resources !== undefined

/** The only source that says it speaks such things; or, if none says so, the only source there is. */
const answererOf = (
  surfaces: readonly MountedSurface[],
  method: string,
  era: SurfaceOffer['era'] | undefined,
): MountedSurface | undefined => {
  const reached = surfaces.filter(({ surface }) => surface.offer && (era === undefined || surface.offer.era === era))
  const claiming = reached.filter((mounted) => claims(mounted, method))
  if (claiming.length > 0) return claiming.length === 1 ? claiming[0] : undefined
  return surfaces.length === 1 ? reached[0] : undefined
}

const claims = ({ surface }: MountedSurface, method: string): boolean => {
  const family = method.split('/', 1)[0]!
  const capabilities = surface.offer?.capabilities ?? {}
  return (
    Object.hasOwn(capabilities, family) ||
    Object.keys(extensionsIn(capabilities)).some((id) => id === family || id.endsWith(`/${family}`))
  )
}

export const extensionsIn = (capabilities: JsonObject | undefined): Readonly<Record<string, unknown>> => {
  const extensions = capabilities?.extensions
  return isRecord(extensions) ? extensions : {}
}
