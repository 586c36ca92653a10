import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Keys } from '../access/keys.js'
import type { LoadedConfig } from '../config/load.js'
import { redacted } from '../config/redact.js'
import type { AdminBoard, ProfileReport } from '../faces/admin/board.js'
import { consoleRoutes } from '../faces/admin/console-files.js'
import { createAdminFace } from '../faces/admin/face.js'
import type { LogRing } from '../faces/admin/log-ring.js'
import type { View } from '../faces/mcp/view.js'
import type { Route } from '../http/route.js'
import type { Caller } from '../model/caller.js'
import { systemClock } from '../model/clock.js'
import type { JsonObject } from '../model/json.js'
import { createSourceDesk } from './admin-sources.js'
import type { Board } from './board.js'
import type { CommonFlags } from './flags.js'
import { version } from './version.js'
import type { XiaozhiLinks } from './xiaozhi-links.js'

export interface AdminSurroundings {
  readonly loaded: LoadedConfig
  readonly flags: CommonFlags
  readonly keys: Keys
  readonly xiaozhi: Pick<XiaozhiLinks, 'status'>
  readonly ring: LogRing
  readonly clean: (text: string) => string
  reload(next: LoadedConfig): Promise<void>
}

/** What `serve` offers to its operator: the admin API, and the console in front of it. */
export const openAdmin = (
  board: Board,
  around: AdminSurroundings,
): { readonly routes: readonly Route[]; close(): void } => {
  const { loaded, flags, keys, xiaozhi, ring, clean, reload } = around
  const file = loaded.file ?? resolve('pegboard.json')
  let { references } = loaded
  const follow = async (next: LoadedConfig): Promise<void> => {
    references = next.references
    await reload(next)
  }
  const admin: AdminBoard = {
    gateway: board.gateway,
    version,
    sources: createSourceDesk({ board, file, flags, reload: follow }),
    keys,
    approvals: board.approvals,
    profileNames: () => Object.keys(board.config.profiles),
    profile: (name) => reportOf(board, name),
    xiaozhi: xiaozhi.status,
    settings: () => ({ file: loaded.file, config: redacted(board.config, references) }),
    logs: ring.lines,
  }
  const face = createAdminFace({ board: admin, clock: systemClock, clean })
  return { routes: [...face.routes, ...consoleRoutes(consoleFolder)], close: face.close }
}

/** Beside the compiled command line; `scripts/build.mjs` puts it there. */
const consoleFolder = fileURLToPath(new URL('../console', import.meta.url))

/** What a client of this profile is shown and what it costs; undefined when there is no such profile. */
export const reportOf = (board: Board, name: string): ProfileReport | undefined => {
  const settings = board.findProfile(name)
  const config = Object.hasOwn(board.config.profiles, name) ? board.config.profiles[name] : undefined
  if (!settings || !config) return undefined
  const caller: Caller = {
    id: 'console',
    rights: ['discover', 'call'],
    ...(name === 'default' ? {} : { profile: name }),
  }
  const view = board.face.view({ caller, profile: settings })
  return {
    name,
    description: config.description,
    exposure: view.exposure,
    callable: view.size,
    listed: view.exposure === 'flat' ? view.size : toolsOf(view).length,
    shown: () => toolsOf(view),
    shownBytes: view.bytes,
    flatBytes: board.face.view({ caller, profile: { ...settings, expose: 'flat' } }).bytes,
    settings: config as unknown as JsonObject,
  }
}

const mostPages = 1000

const toolsOf = (view: View): readonly JsonObject[] => {
  const tools: JsonObject[] = []
  let cursor: unknown
  for (let page = 0; page < mostPages; page++) {
    const { tools: more, nextCursor } = JSON.parse(view.listResult('modern', cursor).toString()) as {
      readonly tools: readonly JsonObject[]
      readonly nextCursor?: string
    }
    tools.push(...more)
    if (nextCursor === undefined) break
    cursor = nextCursor
  }
  return tools
}
