import { stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { expandHome, type ProgramName } from './layers.js'
import type { Environment } from './variables.js'

/** The same by the name we were started by: where RegistryTools kept its data, we take up what is there (002). */
export const ownDataFolder = async (env: Environment, program: ProgramName | undefined): Promise<string> => {
  if (program !== 'registry-tools') return defaultDataFolder(env)
  const folder = expandHome('~/.RegistryTools', env)
  return (await stat(folder).catch(() => undefined))?.isDirectory() ? folder : defaultDataFolder(env)
}

/** Where this user's data goes when nothing else is said: the place that the platform has for it. */
export const defaultDataFolder = (env: Environment, platform: NodeJS.Platform = process.platform): string => {
  const home = env.HOME || env.USERPROFILE || homedir()
  const xdg = env.XDG_DATA_HOME
  // The XDG specification says to ignore a relative one.
  if (xdg && isAbsolute(xdg)) return join(xdg, 'pegboard')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'pegboard')
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'pegboard')
  return join(home, '.local', 'share', 'pegboard')
}

/** Where this user's own configuration is, used wherever nothing else is named: `~/.config/pegboard`. */
export const ownConfigFolder = (env: Environment, platform: NodeJS.Platform = process.platform): string => {
  const home = env.HOME || env.USERPROFILE || homedir()
  const xdg = env.XDG_CONFIG_HOME
  if (xdg && isAbsolute(xdg)) return join(xdg, 'pegboard')
  if (platform === 'win32') return join(env.APPDATA || join(home, 'AppData', 'Roaming'), 'pegboard')
  return join(home, '.config', 'pegboard')
}
