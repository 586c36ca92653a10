import { isGatewayError } from '../../errors.js'
import type { Disk } from '../disk.js'
import { type Placed, placeIn } from '../own-file.js'
import { storeUnreadable } from '../problems.js'
import type { StoredTool } from '../store.js'
import { decodeFile, looksOwn } from './format.js'
import { maxFileBytes } from './json-file.js'

/** Where the json store of a folder keeps its tools. Throws STORE_UNREADABLE when that cannot be told. */
export const placeJson = (folder: string, disk: Disk): Promise<Placed> =>
  placeIn(folder, 'tools.json', disk, async (path) => {
    const bytes = await read(path, disk)
    if (bytes.length === 0 || looksOwn(bytes)) return false
    try {
      return decodeFile(bytes, path).foreign
    } catch {
      // A damaged file is taken for ours, which then says what is wrong with it.
      return false
    }
  })

/** The tools in a file that is not ours, as they are. */
export const readForeignJson = async (path: string, disk: Disk): Promise<readonly StoredTool[]> =>
  decodeFile(await read(path, disk), path).tools

const read = async (path: string, disk: Disk): Promise<Uint8Array> => {
  try {
    return await disk.read(path, maxFileBytes)
  } catch (error) {
    throw isGatewayError(error) ? error : storeUnreadable(path, error)
  }
}
