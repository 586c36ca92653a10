import { messageOf } from '../errors.js'
import type { Deed } from '../telemetry/deed.js'
import { say } from './locale.js'
import { type CommonFlags, readConfig } from './read-config.js'
import { assertOwnFolder } from './trust/stranger-words.js'

/** What somebody typed. */
export type TypedDeed = Omit<Deed, 'actor'>

/**
 * For a command that changes a configuration file: in the trail of that file where it may run, else in the user's own. Where
 * a file that nobody said yes to keeps its trail, or sends it, is a stranger's word (S1).
 */
export const noteEdited = (flags: CommonFlags, ...deeds: readonly TypedDeed[]): Promise<void> =>
  written(deeds, () => readConfig(flags).catch(() => ownConfig(flags)))

/** For an answer about a file, which is the user's and none of that file's: in the user's own trail, where answers are kept too. */
export const noteOwn = (flags: CommonFlags, ...deeds: readonly TypedDeed[]): Promise<void> =>
  written(deeds, () => ownConfig(flags))

const ownConfig = (flags: CommonFlags) => readConfig({ ...flags, config: undefined, here: false })

/** The command has done what it was asked to by then: that it could not be written down is told, and is no failure of it. */
const written = async (deeds: readonly TypedDeed[], find: () => ReturnType<typeof readConfig>): Promise<void> => {
  if (deeds.length === 0) return
  try {
    const { config } = await find()
    await assertOwnFolder(config.storage)
    // Most of what asks about files never comes here.
    await (await import('./audit-deeds.js')).noteTyped(config, ...deeds)
  } catch (error) {
    const why = messageOf(error)
    process.stderr.write(
      say(
        `pegboard: done, but it is not in the audit trail: ${why}\n`,
        `pegboard: 已完成，但未能写入审计记录：${why}\n`,
      ),
    )
  }
}

export const sourceDeed = (action: string, name: string): TypedDeed => ({
  ...{ kind: 'source', action, on: { type: 'source', id: name }, source: name, outcome: 'ok' },
})
