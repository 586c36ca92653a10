import { type Edit, editFile, sourceSection } from '../../config/edit.js'
import { configError } from '../../config/problems.js'
import type { Config } from '../../config/schema.js'
import { isGatewayError } from '../../errors.js'
import { configFileOf } from '../../serving/config-file.js'
import { type FleetConfig, openFleetConfig } from '../../serving/fleet-config.js'
import { say } from '../../serving/locale.js'
import { type CommonFlags, lookAtConfig } from '../../serving/read-config.js'
import { editAsAsked } from './own-edit.js'

/** Where what is typed here is written: into the file, or over it, for all replicas of a fleet. */
export interface EditPlace extends AsyncDisposable {
  readonly file: string
  /** What people call it. */
  readonly to: string
  /** What programs are told of it. */
  readonly said: { readonly overlay?: true | undefined }
  /** The section for a source of this name, or for new ones. */
  section(name?: string): Promise<string>
  /** The names that are there. */
  sources(): Promise<readonly string[]>
  look(): Promise<Config>
  /** With `added` it is put back where that source would be no good. */
  edit(edits: readonly Edit[], added?: string): Promise<void>
}

export const openPlace = async (flags: CommonFlags): Promise<EditPlace> => {
  const fleet = await openFleetConfig(flags)
  const file = fleet?.file ?? (await configFileOf(flags))
  return fleet ? overFile(fleet, file) : inFile(file, flags)
}

const inFile = (file: string, flags: CommonFlags): EditPlace => ({
  file,
  to: file,
  said: {},
  section: (name) => sourceSection(file, name),
  sources: async () => {
    const { config } = await lookAtConfig(flags).catch((error) => {
      // A file that is about to be made has no sources yet.
      if (isGatewayError(error) && error.code === 'CONFIG_UNREADABLE') return { config: { sources: {} } }
      throw error
    })
    return Object.keys(config.sources)
  },
  look: async () => (await lookAtConfig({ ...flags, config: file })).config,
  edit: (edits, added) =>
    editAsAsked(file, edits, flags, async () => {
      if (added !== undefined) await validOrUndone(file, edits[0]!.path, added, flags)
    }),
  [Symbol.asyncDispose]: async () => {},
})

const overFile = (fleet: FleetConfig, file: string): EditPlace => ({
  file,
  to: say('what the whole fleet runs', '整个集群的配置'),
  said: { overlay: true },
  section: async () => 'sources',
  sources: async () => Object.keys((await fleet.look()).config.sources),
  look: async () => (await fleet.look()).config,
  edit: (edits) => fleet.change(edits),
  [Symbol.asyncDispose]: async () => fleet[Symbol.asyncDispose](),
})

/** What was added must leave the file valid; otherwise it is as before, and the reason is said. */
const validOrUndone = async (
  file: string,
  path: readonly string[],
  name: string,
  flags: CommonFlags,
): Promise<void> => {
  try {
    const { problems } = await lookAtConfig({ ...flags, config: file })
    // A variable that is not set here may be set where the gateway runs; what is wrong elsewhere was so before.
    const own = problems.filter(({ source, code }) => source === name && code !== 'VARIABLE_UNSET')
    if (own.length > 0) throw configError(own, file)
  } catch (error) {
    await editFile(file, [{ path, value: undefined }])
    throw error
  }
}
