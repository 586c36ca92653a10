import type { JsonObject } from '../../model/json.js'
import { type Inlined, inlineRefs } from '../inline.js'

// More than any of the nine thousand schemas we have seen; past it a definition costs a model more than it tells.
const enough = 1_000
const depths = [Number.POSITIVE_INFINITY, 3, 1]

/**
 * A schema without references at a size that a model can be given: whole where that is small, else with references cut
 * off earlier. Definitions that refer to each other in circles would otherwise be written out along every path.
 */
export const inlineForModel = (schema: JsonObject): Inlined => {
  for (const maxDepth of depths) {
    const inlined = inlineRefs(schema, { maxDepth, maxNodes: enough })
    if (!inlined.outgrown) return inlined
  }
  // It is large by itself, not by its references.
  return inlineRefs(schema, { maxDepth: 1 })
}
