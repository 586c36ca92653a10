import { join } from 'node:path'
import { silentLogger } from '../../telemetry/logger.js'
import { type Disk, realDisk } from '../disk.js'
import type { StoreReader } from '../store.js'
import { sortedTools } from '../tool-set.js'
import { usedMarker } from '../used-marker.js'
import { openJsonDocuments } from './json-documents.js'
import { readJsonFile } from './json-file.js'

/** The files are replaced as a whole, so whoever reads one sees all of some state, whatever its owner does meanwhile. */
export const readJsonStore = ({
  folder,
  disk = realDisk,
}: {
  readonly folder: string
  readonly disk?: Disk
}): StoreReader => {
  const path = join(folder, 'tools.json')
  const marker = usedMarker(path, disk, silentLogger)
  return {
    load: async () => sortedTools((await readJsonFile(path, disk, marker)).values()),
    documents: (kind) => {
      // 'refuse': only its owner sets a damaged file aside.
      const { get, all } = openJsonDocuments({ folder, kind, disk, onCorrupt: 'refuse' })
      return { get, all }
    },
  }
}
