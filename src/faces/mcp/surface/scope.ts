import { advertisedName, type Gateway, type MountedSurface, type SurfaceOffer } from '../../../gateway.js'
import type { JsonObject } from '../../../model/json.js'

import type { Client } from '../exchange.js'
import { matchesTemplate } from './template.js'
import { carriedUri, carryUri } from './uris.js'

/** Something a source offers, under the name or URI this client knows it by. */
export interface Offered {
  readonly mounted: MountedSurface
  /** As the client sees it. */
  readonly shown: string
  /** As its source calls it. */
  readonly own: string
  readonly definition: JsonObject
}

/** Where a resource is: at which source, under which URI there. */
export type Located = Pick<Offered, 'mounted' | 'own'>

/** What one kind of client sees beside the tools. */
export interface Scope {
  /** Sources that are wholly open to it: for what belongs to no single prompt or resource. */
  readonly surfaces: readonly MountedSurface[]
  readonly prompts: readonly Offered[]
  readonly resources: readonly Offered[]
  readonly templates: readonly Offered[]
  findPrompt(name: string): Offered | undefined
  /** By its URI as shown, as its source writes it where only one does, or by a template. */
  findResource(uri: string): Located | undefined
  findTemplate(uri: string): Located | undefined
  /** The URI under which this client sees what the source calls so. */
  shownUri(source: string, uri: string): string
  /** One source under its own names: what stands behind should not be noticed. */
  readonly transparent: boolean
}

/** Made once per set of lists, policy and kind of client. */
export const createScopes = (gateway: Gateway): ((client: Client) => Scope) => {
  const known = new Map<string, { readonly stamp: string; readonly scope: Scope }>()
  return (client) => {
    const { caller, profile } = client
    const key = JSON.stringify([caller.profile, [...caller.rights].sort(), profile.naming])
    const stamp = `${gateway.surfaces.version}/${gateway.policy.version}`
    const found = known.get(key)
    if (found?.stamp === stamp) return found.scope
    const scope = createScope(gateway, client)
    known.delete(key)
    known.set(key, { stamp, scope })
    if (known.size > mostScopes) known.delete(known.keys().next().value as string)
    return scope
  }
}

const mostScopes = 64

const createScope = (gateway: Gateway, { caller, profile }: Client): Scope => {
  const all = gateway.surfaces.all()
  // The same patterns as for tools: a prompt is `namespace.name`, a resource `namespace.uri`, a source `namespace.*`.
  const sees = ({ source, surface, idOf }: MountedSurface, name: string): boolean =>
    gateway.policy.decide(caller, { id: idOf(name), source, own: surface.own }, 'see').allowed
  const collect = (list: keyof Pick<SurfaceOffer, 'prompts' | 'resources' | 'templates'>, key: string): Unnamed[] =>
    all.flatMap((mounted) =>
      (mounted.surface.offer?.[list] ?? [])
        .map((definition) => ({ mounted, own: definition[key] as string, definition }))
        .filter(({ own }) => sees(mounted, own)),
    )

  const prompts = namePrompts(collect('prompts', 'name'), profile)
  const listed = collect('resources', 'uri')
  const offeredTemplates = collect('templates', 'uriTemplate')
  const contested = contestedUris([...listed, ...offeredTemplates])
  const carry = (each: Unnamed): Offered => ({
    ...each,
    shown: contested.has(each.own) ? carryUri(each.mounted.namespace, each.own) : each.own,
  })
  const resources = listed.map(carry)
  const templates = offeredTemplates.map(carry)
  const surfaces = all.filter((mounted) => !mounted.surface.own && sees(mounted, '*'))
  const byName = new Map(prompts.map((prompt) => [prompt.shown, prompt]))
  const byUri = new Map([...templates, ...resources].map((each) => [each.shown, each]))

  const findResource = (uri: string): Located | undefined => {
    const exact = byUri.get(uri) ?? carriedFor(surfaces, uri)
    // What two sources list under one URI has two carried names; the bare one would be a guess.
    if (exact || contested.has(uri)) return exact
    const owners = templates.filter(({ own }) => matchesTemplate(own, uri))
    const sources = new Set((owners.length > 0 ? owners : surfaces.filter(hasResources).map(toLocated)).map(sourceOf))
    const [only] = sources
    const mounted = sources.size === 1 ? all.find(({ source }) => source === only) : undefined
    return mounted && sees(mounted, uri) ? { mounted, own: uri } : undefined
  }

  return {
    surfaces,
    prompts,
    resources,
    templates,
    findPrompt: (name) => byName.get(name),
    findResource,
    findTemplate: (uri) => byUri.get(uri) ?? findResource(uri),
    shownUri: (source, uri) => {
      const mounted = contested.has(uri) ? all.find((each) => each.source === source) : undefined
      return mounted ? carryUri(mounted.namespace, uri) : uri
    },
    transparent: !profile.naming.namespacing && surfaces.length === 1,
  }
}

type Unnamed = Omit<Offered, 'shown'>

/** Names by the profile's naming, as tools have them. A name that two prompts claim answers for neither. */
const namePrompts = (prompts: readonly Unnamed[], { naming }: Client['profile']): readonly Offered[] => {
  const named = prompts.map((each) => {
    const { namespace, idOf } = each.mounted
    return { ...each, shown: advertisedName({ id: idOf(each.own), namespace, name: each.own }, naming) }
  })
  const counts = new Map<string, number>()
  for (const { shown } of named) counts.set(shown, (counts.get(shown) ?? 0) + 1)
  return named.filter(({ shown }) => counts.get(shown) === 1)
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

const carriedFor = (surfaces: readonly MountedSurface[], uri: string): Located | undefined => {
  for (const mounted of surfaces) {
    const own = carriedUri(mounted.namespace, uri)
    if (own !== undefined) return { mounted, own }
  }
  return undefined
}

const hasResources = ({ surface }: MountedSurface): boolean => surface.offer?.capabilities.resources !== undefined
const toLocated = (mounted: MountedSurface): Located => ({ mounted, own: '' })
const sourceOf = ({ mounted }: Located): string => mounted.source
