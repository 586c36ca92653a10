import type { JsonObject, JsonValue } from '../../model/json.js'
import { type Inlined, inlineRefs } from '../inline.js'
import { Losses } from '../losses.js'
import { objectRoot } from './root.js'

/** How a schema is cut for an endpoint. */
export interface EndpointSchemaOptions {
  /** References followed one inside the other. Default 3: the link has little room. */
  readonly maxDepth?: number | undefined
}

const carried = new Set(['type', 'properties', 'required'])

/**
 * For readers that keep nothing of a schema's root but `type`, `properties` and `required`, as xiaozhi's server does
 * (X13): references are inlined and alternatives of the root joined, so that what is dropped there is not missed.
 */
export const toEndpointSafe = (schema: JsonObject, options: EndpointSchemaOptions = {}): Inlined => {
  const inlined = inlineRefs(schema, { maxDepth: options.maxDepth ?? 3 })
  const losses = new Losses()
  for (const loss of inlined.losses) losses.add(loss.path, loss.keyword, loss.reason)
  const root = objectRoot(inlined.schema, losses)
  const entries: [string, JsonValue | undefined][] = []
  for (const [keyword, value] of Object.entries(root)) {
    if (carried.has(keyword)) entries.push([keyword, value])
    else if (!keyword.startsWith('$')) losses.add(`/${keyword}`, keyword, 'the endpoint drops it')
  }
  return { schema: Object.fromEntries(entries), losses: losses.list }
}
