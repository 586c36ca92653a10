import type { JsonObject } from '../../model/json.js'
import type { SurfaceOffer } from '../../sources/surface.js'
import { namesOf } from '../names.js'
import {
  type Reviewed,
  type ReviewedKind,
  reviewedPrompt,
  reviewedResource,
  reviewedTemplate,
  withoutWords,
} from '../reviewed.js'
import { normalUri } from './normal-uri.js'
import type { MountedSurface } from './surfaces.js'
import { matchesTemplate } from './template.js'

export type { Reviewed, ReviewedKind } from '../reviewed.js'

/** Of what a source offers besides tools, what may be shown; and what waits for somebody to look at it. */
export interface ReviewedOffer extends Pick<SurfaceOffer, 'prompts' | 'resources' | 'templates'> {
  readonly held?: readonly Reviewed[] | undefined
  /** The prompt that waits, by any name that it would have. */
  heldPrompt?(name: string, at: Pick<MountedSurface, 'namespace' | 'idOf'>): Reviewed | undefined
  /** The template that waits and alone explains this address. */
  heldAt?(uri: string): Reviewed | undefined
}

export type OfferReview = (source: string, offer: SurfaceOffer) => ReviewedOffer

export interface OfferReviewOptions {
  /** False holds it back. */
  readonly review: (item: Reviewed) => boolean
  /** Changes when `review` may say something else. */
  readonly version: () => number
}

// Words of more resources than somebody would read are not shown at all: their addresses are.
const mostWorded = 2000

/**
 * A prompt or template that nobody approved is not there. A listed resource stays, since its content is asked for by people
 * and changes anyway; its words are not shown, and its address stands for its name (S8).
 */
export const createOfferReview = ({ review, version }: OfferReviewOptions): OfferReview => {
  const known = new WeakMap<SurfaceOffer, { readonly version: number; readonly reviewed: ReviewedOffer }>()
  const look = (source: string, offer: SurfaceOffer): ReviewedOffer => {
    const held: Reviewed[] = []
    const passes = (make: () => Reviewed | undefined): boolean => {
      const verdict = attempt(() => {
        const item = make()
        return item === undefined || review(item) || item
      })
      if (verdict !== true && verdict !== 'unusable') held.push(verdict)
      return verdict === true
    }
    let worded = 0
    const shown = (resource: JsonObject): JsonObject => {
      const isWorded = reviewedResource(source, resource) !== undefined
      if (isWorded && (++worded > mostWorded || !passes(() => reviewedResource(source, resource))))
        return withoutWords(resource)
      return resource
    }
    const reviewed = {
      prompts: offer.prompts.filter((prompt) => passes(() => reviewedPrompt(source, prompt))),
      templates: offer.templates.filter((template) => passes(() => reviewedTemplate(source, template))),
      resources: offer.resources.map(shown),
      held,
    }
    return { ...reviewed, ...finding(reviewed) }
  }
  return (source, offer) => {
    const found = known.get(offer)
    if (found?.version === version()) return found.reviewed
    const reviewed = look(source, offer)
    // Asked for last: a first look is remembered, which is no news.
    known.set(offer, { version: version(), reviewed })
    return reviewed
  }
}

const finding = ({
  held = [],
  templates,
  resources,
}: ReviewedOffer): Required<Pick<ReviewedOffer, 'heldPrompt' | 'heldAt'>> => {
  const waiting = (kind: ReviewedKind) => held.filter((item) => item.kind === kind)
  const explains = (uri: string) => (template: string) => template === uri || matchesTemplate(template, uri)
  return {
    heldPrompt: (name, { namespace, idOf }) =>
      waiting('prompt').find((item) => namesOf({ id: idOf(item.name), namespace, name: item.name }).includes(name)),
    heldAt: (uri) => {
      const found = waiting('template').find((item) => explains(uri)(item.name))
      if (!found || templates.some(({ uriTemplate }) => explains(uri)(String(uriTemplate)))) return undefined
      const { plain } = normalUri(uri)
      return resources.some((listed) => normalUri(String(listed.uri)).plain === plain) ? undefined : found
    },
  }
}

/** What cannot even be compared, nested beyond all bounds for one, is not shown. */
const attempt = <T>(make: () => T): T | 'unusable' => {
  try {
    return make()
  } catch {
    return 'unusable'
  }
}
