import { isGatewayError } from '../../errors.js'
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
  try {
    return inlined(schema)
  } catch (error) {
    // A root that refers to nothing says nothing. It must not take the other tools of the request with it.
    if (!isGatewayError(error) || schema.$ref === undefined) throw error
    const { $ref: _nowhere, ...rest } = schema
    const loss = { path: '/$ref', keyword: '$ref', reason: 'nothing is there; any arguments are allowed' }
    const { losses, ...found } = inlined(rest)
    return { ...found, losses: [loss, ...losses] }
  }
}

const inlined = (schema: JsonObject): Inlined => {
  for (const maxDepth of depths) {
    const found = inlineRefs(schema, { maxDepth, maxNodes: enough })
    if (!found.outgrown) return found
  }
  // It is large by itself, not by its references.
  return inlineRefs(schema, { maxDepth: 1 })
}
