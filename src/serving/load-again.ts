import type { ConfigChange } from '../config/config-change.js'
import { type LoadedConfig, type LoadOptions, loadConfig } from '../config/load.js'
import { isGatewayError, messageOf } from '../errors.js'
import type { Logger } from '../telemetry/logger.js'
import { toldHere } from './error-words.js'
import { say } from './locale.js'
import { type KeptChanges, type MadeChange, noChanges, type Overlay } from './overlay.js'
import type { CommonFlags, LoadTrusted } from './read-config.js'
import type { OwnWrites } from './trust/own-writes.js'
import { refuseForeign } from './trust/vet.js'
import { program } from './version.js'

/** How a configuration was read, so that it can be read again by the same rules. */
export interface LoadAgain {
  readonly flags: CommonFlags
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Who says what of it may run; undefined where a program gave us the configuration. */
  readonly trust?: { readonly load: LoadTrusted; readonly writes: OwnWrites } | undefined
  /** What operators changed over it; undefined where changes go to the file. */
  readonly overlay?: Overlay | undefined
  readonly logger: Logger
}

/** The configuration that runs, read once more, with these changes over it. */
export const loadAgain = (
  { cwd, env, flags, trust }: LoadAgain,
  before: LoadedConfig,
  changes: readonly ConfigChange[],
): Promise<LoadedConfig> => {
  const { here } = flags
  const file = before.file ?? flags.config
  const foundBy = before.file === undefined ? undefined : before.foundBy
  const asked: LoadOptions = { file, foundBy, here, cwd, env, flags, program, strict: false, before, changes }
  return trust ? trust.load(asked, before) : loadOwn(asked)
}

const loadOwn = async (asked: LoadOptions): Promise<LoadedConfig> => {
  const next = await loadConfig(asked)
  await refuseForeign(next)
  return next
}

/**
 * The same with what is kept over the file now. What is wrong with that is told and leaves the file alone in force: no
 * replica goes down for what somebody changed at another. While it cannot be read, what was known goes on.
 */
export const readOver = async (options: LoadAgain, before: LoadedConfig, known: KeptChanges): Promise<MadeChange> => {
  const { overlay, logger } = options
  if (!overlay) return { loaded: await loadAgain(options, before, []), kept: known }
  const kept = await overlay.read().catch((error: unknown) => {
    logger.log('warn', `What was changed over the configuration file cannot be read: ${messageOf(error)}`)
    return known
  })
  if (kept.problem !== undefined && kept.problem !== known.problem) tellIgnored(logger, kept.problem)
  if (kept.changes.length === 0) return { loaded: await loadAgain(options, before, []), kept }
  try {
    return { loaded: await loadAgain(options, before, kept.changes), kept }
  } catch (error) {
    // Where the file is no good by itself, that is what is thrown.
    const loaded = await loadAgain(options, before, [])
    const problem = isGatewayError(error) ? toldHere(error) : messageOf(error)
    if (problem !== known.problem) tellIgnored(logger, problem)
    return { loaded, kept: { ...kept, changes: [], problem } }
  }
}

/** What to start with; the file was read already. */
export const startOver = async (options: LoadAgain, loaded: LoadedConfig): Promise<MadeChange> => {
  const made = options.overlay ? await readOver(options, loaded, noChanges) : undefined
  return made && made.kept.changes.length > 0 ? made : { loaded, kept: made?.kept ?? noChanges }
}

const tellIgnored = (logger: Logger, problem: string): void =>
  logger.log(
    'error',
    say(
      `What was changed over the configuration file is left out, the file alone counts: ${problem} See: pegboard config diff`,
      `对配置文件的修改未被采用，只采用文件：${problem} 查看：pegboard config diff`,
    ),
  )
