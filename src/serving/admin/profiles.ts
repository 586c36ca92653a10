import { dirname } from 'node:path'
import { readLayers } from '../../config/layers.js'
import { normaliseConfig } from '../../config/normalise.js'
import { formatPath } from '../../config/problems.js'
import { refuseReferences } from '../../config/referenced.js'
import type { ProfileConfig } from '../../config/schema.js'
import { GatewayError } from '../../errors.js'
import type { ProfileDesk } from '../../faces/admin/profiles.js'
import { defined, isRecord, type JsonObject } from '../../model/json.js'
import type { Board } from '../board.js'
import type { FileInForce } from '../file-in-force.js'
import { previewOf } from '../profile-report.js'

/** Profiles as an operator tries and changes them. */
export const createProfileDesk = (board: Board, inForce: FileInForce): ProfileDesk => ({
  written: (name) => {
    // How tools are shown is looked at and changed tool by tool: what it sets may be a secret.
    const { overrides: _, ...entry } = entryOf(inForce, name)
    return entry
  },
  preview: (name, settings) => previewOf(board, name, parseProfile(board, inForce, name, settings)),
  save: async (name, settings) => {
    // Said before anything is written: the name becomes a key of the file and a part of an address.
    parseProfile(board, inForce, name, settings)
    const { overrides } = entryOf(inForce, name)
    await inForce.change(() => [{ path: ['profiles', name], value: { ...defined({ overrides }), ...settings } }])
  },
  remove: async (name) => {
    if (name === 'default')
      throw new GatewayError('CONFIG_INVALID', "The profile 'default' is always there. Edit it instead.")
    if (!Object.hasOwn(board.config.profiles, name))
      throw new GatewayError(
        'CONFIG_INVALID',
        `There is no profile '${name.slice(0, 64)}' to remove; look at the list.`,
      )
    await inForce.change(() => [{ path: ['profiles', name], value: undefined }])
  },
})

const entryOf = (inForce: FileInForce, name: string): JsonObject => {
  const raw = inForce.raw()
  const profiles = isRecord(raw) && isRecord(raw.profiles) ? raw.profiles : {}
  const entry = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  return isRecord(entry) ? (entry as JsonObject) : {}
}

const parseProfile = (board: Board, inForce: FileInForce, name: string, settings: JsonObject): ProfileConfig => {
  const raw = inForce.raw()
  refuseReferences(settings)
  const { config } = normaliseConfig(
    {
      profiles: { [name]: settings },
      toolManager: { namespaceEnabled: board.config.toolManager.namespaceEnabled },
      // Which names are the default hangs on the shape of the file.
      ...defined({ services: isRecord(raw) && 'services' in raw ? {} : undefined }),
    },
    {
      env: process.env,
      layers: readLayers({}, {}),
      folder: dirname(inForce.target),
      dataFolder: dirname(inForce.target),
      strict: true,
      subject: 'the profile',
      where: formatPath,
    },
  )
  return config.profiles[name]!
}
