import { type Catalog, createCatalog } from '../catalog/catalog.js'
import { OverridesInForce } from '../catalog/overrides.js'
import type { Config } from '../config/schema.js'
import type { Overrides } from '../gateway.js'
import type { Tool } from '../model/tool.js'
import { createSchemas } from '../schema/schemas.js'
import { overrideRulesOf } from './overrides.js'

/** The overrides that a catalog would have by this configuration: nothing of it comes into force. */
export const overridesIn = (config: Config, catalog: Catalog): Overrides | undefined => {
  const rules = overrideRulesOf(config)
  const separator = config.toolManager.namespaceSeparator
  return rules && new OverridesInForce(rules, { catalog, schemas: createSchemas(), separator })
}

/** The same over tools that somebody else has listed: what a command sees of a board. */
export const overridesOver = (tools: readonly Tool[], config: Config): Overrides | undefined => {
  if (!overrideRulesOf(config)) return undefined
  const catalog = createCatalog({ separator: config.toolManager.namespaceSeparator })
  for (const [source, own] of grouped(tools)) {
    catalog.mount({ source, namespace: own[0]!.namespace })
    catalog.apply(source, { type: 'all', tools: own })
  }
  return overridesIn(config, catalog)
}

const grouped = (tools: readonly Tool[]): ReadonlyMap<string, readonly Tool[]> => {
  const groups = new Map<string, Tool[]>()
  for (const tool of tools) groups.set(tool.source, [...(groups.get(tool.source) ?? []), tool])
  return groups
}
