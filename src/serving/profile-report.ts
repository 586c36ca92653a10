import type { Config, ProfileConfig } from '../config/schema.js'
import type { ProfileReport } from '../faces/admin/profiles.js'
import { inOnePiece } from '../faces/mcp/exchange.js'
import type { ProfileSettings } from '../faces/mcp/profile.js'
import type { View } from '../faces/mcp/view.js'
import type { Caller } from '../model/caller.js'
import type { JsonObject } from '../model/json.js'
import { createPolicy } from '../policy/policy.js'
import type { Board } from './board.js'
import { profileOf, rulesOf } from './profiles.js'

/** What a client of this profile is shown and what it costs; undefined when there is no such profile. */
export const reportOf = (board: Board, name: string): ProfileReport | undefined => {
  const settings = board.findProfile(name)
  const config = Object.hasOwn(board.config.profiles, name) ? board.config.profiles[name] : undefined
  if (!settings || !config) return undefined
  const caller = callerOf(name)
  return toReport(name, config, settings, (profile) => board.face.view({ caller, profile }))
}

/** The same for a profile as it would be: its rules are asked of a policy of their own, nobody else sees them. */
export const previewOf = (board: Board, name: string, profile: ProfileConfig): ProfileReport => {
  const config: Config = { ...board.config, profiles: { ...board.config.profiles, [name]: profile } }
  const policy = createPolicy({ ...rulesOf(config), calls: board.gateway.policy.calls })
  const caller = callerOf(name)
  const { tools } = board.gateway.shown(caller.profile)
  const seen = tools.filter((tool) => !tool.own && policy.decide(caller, tool, 'see').allowed)
  return toReport(name, profile, profileOf(config, name)!, (settings) =>
    board.face.preview({ caller, profile: settings }, seen),
  )
}

const callerOf = (name: string): Caller => ({
  id: 'console',
  rights: ['discover', 'call'],
  profile: name === 'default' ? undefined : name,
})

const toReport = (
  name: string,
  config: ProfileConfig,
  settings: ProfileSettings,
  viewOf: (settings: ProfileSettings) => View,
): ProfileReport => {
  const view = viewOf(settings)
  // What it sets may be a secret, and stands on the pages of tools.
  const { overrides: _, ...plain } = config
  return {
    name,
    description: config.description,
    exposure: view.exposure,
    callable: view.size,
    listed: view.exposure === 'flat' ? view.size : toolsOf(view).length,
    shown: () => toolsOf(view),
    shownBytes: view.bytes,
    flatBytes: viewOf({ ...settings, expose: 'flat' }).bytes,
    settings: plain as unknown as JsonObject,
  }
}

const mostPages = 1000

const toolsOf = (view: View): readonly JsonObject[] => {
  const tools: JsonObject[] = []
  let cursor: unknown
  for (let page = 0; page < mostPages; page++) {
    const { tools: more, nextCursor } = JSON.parse(inOnePiece(view.listResult('modern', cursor)).toString()) as {
      readonly tools: readonly JsonObject[]
      readonly nextCursor?: string | undefined
    }
    tools.push(...more)
    if (nextCursor === undefined) break
    cursor = nextCursor
  }
  return tools
}
