import { silentLogger } from '../../telemetry/logger.js'
import { type Disk, realDisk } from '../disk.js'
import { readInherited } from '../inherited.js'
import type { StoredTool, StoreReader } from '../store.js'
import { sortedTools } from '../tool-set.js'
import { usedMarker } from '../used-marker.js'
import { placeJson, readForeignJson } from './foreign-json.js'
import { openJsonDocuments } from './json-documents.js'
import { readJsonFile } from './json-file.js'

/** The files are replaced as a whole, so whoever reads one sees all of some state, whatever its owner does meanwhile. */
export const readJsonStore = ({
  folder,
  disk = realDisk,
}: {
  readonly folder: string
  readonly disk?: Disk | undefined
}): StoreReader => {
  const inherited = async (): Promise<readonly StoredTool[]> => {
    const { foreign } = await placeJson(folder, disk)
    return foreign === undefined ? [] : readForeignJson(foreign, disk)
  }
  return readInherited(inherited, {
    load: async () => {
      const { path } = await placeJson(folder, disk)
      const tools = await readJsonFile(path, disk, usedMarker(path, disk, silentLogger))
      return sortedTools(tools.values())
    },
    documents: (kind) => {
      // 'refuse': only its owner sets a damaged file aside.
      const { get, all } = openJsonDocuments({ folder, kind, disk, onCorrupt: 'refuse' })
      return { get, all }
    },
  })
}
