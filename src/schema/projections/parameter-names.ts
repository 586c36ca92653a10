import { isRecord, type JsonObject } from '../../model/json.js'
import type { Losses } from '../losses.js'
import { escapePointer } from '../problems.js'

/** Reports parameter names a provider refuses. They are not renamed: the call's arguments would no longer fit. */
export const reportNames = (schema: JsonObject, allowed: RegExp, losses: Losses): void => {
  const visit = (node: unknown, path: string): void => {
    if (Array.isArray(node)) node.forEach((item, index) => void visit(item, `${path}/${index}`))
    if (!isRecord(node)) return
    for (const [name, child] of Object.entries(isRecord(node.properties) ? node.properties : {})) {
      const at = `${path}/properties/${escapePointer(name)}`
      if (!allowed.test(name)) losses.add(at, 'properties', 'the provider may refuse this parameter name')
      visit(child, at)
    }
    for (const keyword of ['items', 'anyOf']) visit(node[keyword], `${path}/${keyword}`)
  }
  visit(schema, '')
}
