import { type ConfigChange, changesAt, toChanges } from '../config/config-change.js'
import type { Edit } from '../config/edit.js'
import type { LoadedConfig } from '../config/load.js'
import { parseConfig } from '../config/parse.js'
import { readConfigBytes } from '../config/read.js'
import { isGatewayError } from '../errors.js'
import { createSeals } from '../model/seal.js'
import { silentLogger } from '../telemetry/logger.js'
import { refuseNewProblems } from './file-in-force.js'
import { secretOf } from './fleet.js'
import { changedMeanwhile, changeOver, type KeptChanges, openOverlay } from './overlay.js'
import { type CommonFlags, lookAtConfig, readConfig } from './read-config.js'
import { storageOf } from './storage.js'

/** What a fleet runs by: its file, and what was changed over it, for a command that looks at it or changes it. */
export interface FleetConfig extends AsyncDisposable {
  /** The file of this machine; undefined where there is none. */
  readonly file: string | undefined
  /** What the file says. */
  readonly written: Readonly<Record<string, unknown>>
  readonly kept: KeptChanges
  /** Both together, only looked at; throws where that is no good. */
  look(): Promise<LoadedConfig>
  /** For all replicas, at once. */
  change(edits: readonly Edit[]): Promise<void>
  /** Takes out what was changed at a place and below, or everything; the answer is what that was. */
  reset(typed: string | undefined): Promise<readonly ConfigChange[]>
}

/** Undefined where changes go to the file. */
export const openFleetConfig = async (flags: CommonFlags): Promise<FleetConfig | undefined> => {
  const looked = await lookAtConfig(flags).catch(onlyIfThere)
  if (looked?.config.storage.backend !== 'postgres' || looked.config.storage.fileOnly) return undefined
  // Where a file leads to is asked about before anybody goes there (S1).
  const { config, file } = await readConfig(flags)
  const written = file === undefined ? {} : (await parseConfig(await readConfigBytes(file), file)).value
  const storage = await storageOf(config, silentLogger)
  try {
    const around = { storage, logger: silentLogger, serves: false, listens: false, onSecret: () => {} }
    const seals = createSeals(await secretOf(config, around), config.fleet.previousSecrets)
    const overlay = openOverlay(config, storage, seals)!
    let kept = await overlay.read()
    const load = (changes: readonly ConfigChange[]): Promise<LoadedConfig> => lookAtConfig(flags, undefined, changes)
    return {
      file,
      written,
      get kept() {
        return kept
      },
      look: () => load(kept.changes),
      change: async (edits) => {
        const before = await load(kept.changes).catch(() => looked)
        const made = await changeOver(overlay, {
          asked: toChanges(edits),
          file: written,
          seen: kept,
          load: async (changes) => {
            const next = await load(changes)
            refuseNewProblems(before.problems, next)
            return next
          },
        })
        kept = made.kept
      },
      reset: async (typed) => {
        const taken = changesAt(kept.changes, typed)
        const rest = kept.changes.filter((each) => !taken.includes(each))
        // The file by itself may always be gone back to, whatever is wrong with what is over it.
        if (rest.length > 0) await load(rest)
        const isKept = typed === undefined ? kept.revision !== undefined : taken.length > 0
        const revision = isKept ? await overlay.write(rest, kept) : kept.revision
        if (isKept && revision === undefined) throw changedMeanwhile()
        kept = { changes: rest, revision }
        return taken
      },
      [Symbol.asyncDispose]: async () => {
        await overlay[Symbol.asyncDispose]()
        await storage[Symbol.asyncDispose]()
      },
    }
  } catch (error) {
    await storage[Symbol.asyncDispose]()
    throw error
  }
}

/** A file that is about to be made keeps its data where the default says. */
const onlyIfThere = (error: unknown): undefined => {
  if (isGatewayError(error) && error.code === 'CONFIG_UNREADABLE') return undefined
  throw error
}
