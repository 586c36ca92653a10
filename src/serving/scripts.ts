import type { LearnedShapes } from '../catalog/shapes.js'
import type { Gateway } from '../gateway.js'
import type { Caller } from '../model/caller.js'
import { systemClock } from '../model/clock.js'
import type { Tool } from '../model/tool.js'
import type { Scripts, ScriptTerms } from '../sandbox/scripts.js'
import type { OpenScripts } from '../sources/scripts/script-entry.js'
import type { CurrentConfig } from './current.js'
import { scriptTermsOf } from './profiles.js'

export interface BoardScriptsOptions {
  readonly gateway: Gateway
  readonly current: CurrentConfig
  /** By whatever name this caller may call it. */
  readonly toolNamed: (name: string, caller: Caller) => Tool | undefined
}

/**
 * Scripts over the tools of a board: those of models while the configuration has them on, and those that an operator stored. One
 * sandbox runs both; without either, nothing of them is loaded.
 */
export interface BoardScripts {
  /** Undefined while models may write none. */
  now(): Scripts | undefined
  /** For sources of stored scripts, whether models may write any or not. */
  readonly stored: OpenScripts
  /** Whether this caller may write some. */
  has(caller: Caller): boolean
  /** What a tool was seen to answer, as a type. */
  answersOf(tool: Tool): string | undefined
  /** Ends what runs. */
  close(): Promise<void>
}

export const followScripts = async ({ gateway, current, toolNamed }: BoardScriptsOptions): Promise<BoardScripts> => {
  let shared: Promise<Scripts> | undefined
  let open: Scripts | undefined
  let shapes: LearnedShapes | undefined
  let leave: (() => void) | undefined
  const config = current.reading(['scripts', 'profiles'], (now) => now)
  const termsOf = ({ profile = 'default' }: Caller): ScriptTerms | undefined => {
    const { scripts, profiles } = config()
    return scriptTermsOf(scripts, Object.hasOwn(profiles, profile) ? profiles[profile]?.scripts : undefined)
  }
  const { namespaceSeparator: separator } = current.atStart.toolManager
  // Scripts write a dot between namespace and name, whatever ids have there.
  const find = (name: string, caller: Caller): Tool | undefined =>
    gateway.find(name, caller) ?? toolNamed(name, caller) ?? gateway.find(name.replace('.', separator), caller)
  const openShared = (): Promise<Scripts> =>
    (shared ??= import('../sandbox/scripts.js').then(({ createScripts }) =>
      createScripts(
        { call: (call) => gateway.call(call), find },
        { clock: systemClock, termsOf, maxRunning: () => config().scripts.maxRunning },
      ),
    ))
  const follow = async (): Promise<void> => {
    const { createRunScriptSource, runScriptSourceName } = await import('../sources/run-script/run-script.js')
    leave?.()
    shapes = undefined
    if (!config().scripts.enabled) {
      open = undefined
      await gateway.removeSource(runScriptSourceName)
      return
    }
    if (config().scripts.learnShapes) {
      const { createLearnedShapes } = await import('../catalog/shapes.js')
      shapes = createLearnedShapes((id) => gateway.find(id))
      leave = gateway.onCall(shapes.listener)
    }
    if (open) return
    open = await openShared()
    await gateway.addSource(runScriptSourceName, createRunScriptSource(open), { namespace: '' })
  }
  current.follow(['scripts'], async () => {
    const { enabled, learnShapes } = config().scripts
    if (enabled !== (open !== undefined) || (enabled && learnShapes) !== (shapes !== undefined)) await follow()
  })
  if (config().scripts.enabled) await follow()
  return {
    now: () => open,
    stored: async () => {
      const scripts = await openShared()
      const limits = () => scriptTermsOf({ ...config().scripts, enabled: true }, true)?.limits ?? {}
      return { run: (order, around) => scripts.run(order, around), limits }
    },
    has: (caller) => termsOf(caller) !== undefined,
    answersOf: (tool) => shapes?.of(tool),
    close: async () => (await shared)?.close(),
  }
}
