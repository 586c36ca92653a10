import { extensionsIn, type MountedSurface, type Offers } from '../../../gateway.js'
import type { Era } from '../../../mcp/eras.js'
import { tasksExtension } from '../../../mcp/message.js'
import type { JsonObject } from '../../../model/json.js'

/** Extensions whose objects say by themselves which source they belong to, so that several sources may speak them. */
const routable: ReadonlySet<string> = new Set([tasksExtension, 'io.modelcontextprotocol/ui'])

/**
 * What we can do for this client: tools always, the rest if a source of its does. A source that was not reached yet may
 * offer anything, and a legacy client asks only once: so it counts as offering all lists.
 */
export const capabilitiesFor = ({ surfaces, resources }: Offers, era: Era, ownTasks = false): JsonObject => {
  const offers = (capability: string): boolean =>
    surfaces.some(({ surface }) => !surface.offer || surface.offer.capabilities[capability] !== undefined)
  const says = (capability: string): boolean =>
    surfaces.some(({ surface }) => surface.offer?.capabilities[capability] !== undefined)
  const extensions = era === 'modern' ? extensionsOf(surfaces, ownTasks) : undefined
  return {
    tools: { listChanged: true },
    prompts: offers('prompts') ? { listChanged: true } : undefined,
    // The board's own resources are there without any source.
    resources: offers('resources') || resources.length > 0 ? { listChanged: true, subscribe: true } : undefined,
    completions: says('completions') ? {} : undefined,
    logging: says('logging') ? {} : undefined,
    extensions,
  }
}

const extensionsOf = (surfaces: readonly MountedSurface[], ownTasks: boolean): JsonObject | undefined => {
  const claims = new Map<string, unknown[]>(ownTasks ? [[tasksExtension, [{}]]] : [])
  for (const { surface } of surfaces)
    for (const [id, settings] of Object.entries(extensionsIn(surface.offer?.capabilities)))
      claims.set(id, [...(claims.get(id) ?? []), settings])
  const carried = [...claims].filter(([id, claimed]) => claimed.length === 1 || routable.has(id))
  return carried.length > 0
    ? (Object.fromEntries(carried.map(([id, claimed]) => [id, claimed[0]])) as JsonObject)
    : undefined
}

const mostPerSource = 4000
const mostTogether = 32_000

/** What a source may say, of what it says. */
export type ReviewInstructions = (source: string, text: string) => string | undefined

/** Ours first, then each source's under its name; bounded, since models read all of it. */
export const instructionsFor = (
  { surfaces, transparent }: Offers,
  own: string | undefined,
  review: ReviewInstructions = (_source, text) => text,
): string | undefined => {
  const said = surfaces.flatMap(({ source, namespace, surface }) => {
    const words = surface.offer?.instructions?.trim()
    const text = words && (surface.own ? words : review(source, words))
    return text ? [{ namespace, text }] : []
  })
  if (transparent && own === undefined) return said[0]?.text
  const parts = said.map(({ namespace, text }) => `## ${namespace}\n\n${cut(text, mostPerSource)}`)
  const whole = [...(own ? [own] : []), ...parts].join('\n\n')
  return whole === '' ? undefined : cut(whole, mostTogether)
}

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text)
