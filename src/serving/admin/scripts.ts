import type { ScriptDesk } from '../../faces/admin/scripts.js'
import { scriptLimits } from '../../sandbox/limits.js'
import { callOf, declarationOf } from '../../sources/registry/declare.js'
import type { Board } from '../board.js'
import { scriptTermsOf } from '../profiles.js'

/** What the console knows of scripts before it runs one. */
export const createScriptDesk = (board: Pick<Board, 'config' | 'answersOf'>): ScriptDesk => ({
  state: async () => {
    const { scripts, profiles } = board.config
    const those = Object.entries(profiles).flatMap(([name, profile]) => {
      const terms = scriptTermsOf(scripts, profile.scripts)
      if (!terms) return []
      const { timeoutMs, maxCalls, parallel } = scriptLimits(terms.limits)
      return [{ name, timeoutMs, maxCalls, parallel }]
    })
    return { enabled: scripts.enabled, profiles: those }
  },
  wordsOf: async (tools) =>
    tools.map((tool) => ({ declaration: declarationOf(tool, board.answersOf(tool)), call: callOf(tool) })),
})
