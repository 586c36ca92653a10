import { approvals, approve } from './approvals.js'
import { auth, overrides, profiles, rules, stdio, toolManager, vault, xiaozhi } from './callers.js'
import { calls, parking } from './calls.js'
import { children } from './children.js'
import { plugins, webhooks } from './events.js'
import { fleet } from './fleet.js'
import { history, logging, storage, telemetry } from './keeping.js'
import { publish } from './publish.js'
import { recall } from './recall.js'
import { registries } from './registries.js'
import { results } from './results.js'
import { scripts } from './scripts.js'
import { search } from './search.js'
import { outbound, server } from './server.js'
import type { FlagsOf, ValuesOf } from './setting.js'

/**
 * Every setting there is, as the file nests them; the sources alone are not here. The schema of the file, the variables,
 * the flags, the admin API, the console's words and the reference pages are made from it: a new setting is one entry.
 */
export const settings = {
  profiles,
  overrides,
  rules,
  server,
  calls,
  results,
  outbound,
  children,
  storage,
  fleet,
  search,
  scripts,
  registries,
  publish,
  auth,
  approve,
  approvals,
  webhooks,
  plugins,
  vault,
  recall,
  telemetry,
  history,
  parking,
  stdio,
  xiaozhi,
  toolManager,
  logging,
}

export type Settings = ValuesOf<typeof settings>

/** Nothing said on the command line. */
export const noFlags: FlagsOf<typeof settings> = {}
/** What the command line may set; the names are those of the flags (`--data-path` is `dataPath`). */
export type ConfigFlags = typeof noFlags
