import type { Config } from '../../config/schema.js'
import { heldBackOf } from '../../serving/approvals/approval-desk.js'
import { openLogger } from '../../serving/logger.js'
import { openBoard } from '../../serving/open-board.js'
import { reportOf } from '../../serving/profile-report.js'
import { readConfig } from '../../serving/read-config.js'
import { createRuleDesk } from '../../serving/rule-desk.js'
import { offeredBy } from '../../serving/scanning.js'
import type { BoardNeeds, OpenedView } from '../../serving/view.js'
import { silentLogger } from '../../telemetry/logger.js'
import { settledWithProgress } from '../terminal/progress.js'
import type { BoardFlags } from './with-board.js'

// Made of a board's parts: imported apart from it, each of them would be one more file for every start.
export { overridesOver } from '../../serving/overrides-over.js'

/**
 * A board of its own for one look, its sources started; closed again afterwards. What a source says while it fails is
 * told as its state, not as lines between the answer's.
 */
export const openOwnBoard = async (flags: BoardFlags, needs: BoardNeeds): Promise<OpenedView> => {
  const loaded = needs.loaded ?? (await readConfig(flags))
  const board = await openBoard(loaded, {
    logger: flags.logLevel === undefined ? silentLogger : openLogger(loaded),
    persist: 'never',
    only: needs.name === undefined ? undefined : needed(needs.name, loaded.config),
  })
  await settledWithProgress(board)
  if (needs.words) await board.reviewing.settledWords()
  const offered = needs.words ? await offeredBy(board.gateway) : []
  const view = {
    ...board,
    config: board.config,
    heldBack: () => heldBackOf(board),
    words: board.reviewing.words,
    offered: () => offered,
    report: (profile: string) => reportOf(board, profile),
    rules: createRuleDesk(board.gateway),
  }
  return { board: view, loaded, close: board.close }
}

/**
 * The sources that a tool of this id can come from: those whose namespace it begins with, in either spelling, and those
 * without one. Where it begins with none it may be misspelt, and only all of them together tell what was meant.
 */
export const needed = (word: string, { sources, toolManager }: Config): ((source: string) => boolean) => {
  const beginnings = (namespace: string) => [`${namespace}${toolManager.namespaceSeparator}`, `${namespace}__`]
  const wanted = Object.entries(sources).flatMap(([name, { namespace }]) =>
    name === word || beginnings(namespace).some((beginning) => word.startsWith(beginning)) ? [name] : [],
  )
  const nameless = Object.entries(sources).flatMap(([name, { namespace }]) => (namespace === '' ? [name] : []))
  const all = new Set([...wanted, ...nameless])
  return (name) => wanted.length === 0 || all.has(name)
}
