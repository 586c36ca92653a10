import { localSource } from '../../gateway.js'
import { registrySourceName } from '../../sources/registry/registry.js'
import { runScriptSourceName } from '../../sources/run-script/run-script.js'
import { registeredSource } from '../../storage/store.js'

/** What this process brings along itself changes with it, not behind anybody's back. */
export const ownSources: ReadonlySet<string> = new Set([
  localSource,
  registeredSource,
  registrySourceName,
  runScriptSourceName,
  // Not imported: it is loaded where something can be cut.
  'results',
])
