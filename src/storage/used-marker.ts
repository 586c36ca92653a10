import { basename, dirname, join } from 'node:path'
import type { Logger } from '../telemetry/logger.js'
import { type Disk, errnoOf } from './disk.js'

/**
 * Remembers, outside of the data file, that there was data: a missing or empty file then means loss, not a first start.
 * SQLite for one takes a file of 0 bytes for a fresh database without a word.
 */
export interface UsedMarker {
  readonly path: string
  isSet(): Promise<boolean>
  /** Best effort and cheap when already set: data that is safe must not be refused because a note about it failed. */
  set(): Promise<void>
  /** After a damaged file was set aside: the new one has never held anything, so finding it empty is no loss. */
  clear(): Promise<void>
}

export const usedMarker = (file: string, disk: Disk, logger: Logger, holds = 'tools'): UsedMarker => {
  const path = join(dirname(file), `.${basename(file)}.used`)
  let known = false
  return {
    path,
    isSet: async () => {
      known = (await disk.identity(path)) !== undefined
      return known
    },
    clear: async () => {
      known = false
      await disk.remove(path).catch(() => {})
    },
    set: async () => {
      if (known) return
      try {
        await write(disk, path, `${basename(file)} beside this file holds ${holds}`)
        known = true
      } catch (error) {
        if (errnoOf(error) === 'EEXIST') known = true
        else logger.log('warn', 'could not note that the store is in use', { file: path, errno: errnoOf(error) })
      }
    },
  }
}

const write = async (disk: Disk, path: string, what: string): Promise<void> => {
  const handle = await disk.create(path)
  try {
    await handle.write(
      Buffer.from(
        `${what}. Should it go missing or empty, Pegboard says so instead of starting empty.\n` +
          'Delete this file as well to begin afresh on purpose.\n',
      ),
    )
    await handle.sync()
  } finally {
    await handle.close()
  }
}
