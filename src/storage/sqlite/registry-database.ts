import { GatewayError } from '../../errors.js'
import { type Clock, systemClock } from '../../model/clock.js'
import type { ToolSpec } from '../../model/tool.js'
import { type Disk, realDisk } from '../disk.js'
import { type Placed, placeIn } from '../own-file.js'
import { type StoredTool, toSpec } from '../store.js'
import { withCopy } from './copy-database.js'
import { type Driver, loadDriver } from './driver.js'
import { isOwnHeader } from './header.js'
import { originOf } from './migrate.js'
import { readProblem } from './problems.js'
import { registryTools } from './registry-rows.js'

export interface ForeignOptions {
  readonly disk?: Disk | undefined
  readonly clock?: Clock | undefined
  readonly driver?: Driver | undefined
}

/** Where the sqlite store of a folder keeps its tools. */
export const placeSqlite = (folder: string, options: ForeignOptions = {}): Promise<Placed> => {
  const { disk = realDisk, clock = systemClock } = options
  return placeIn(folder, 'tools.db', disk, async (path) => {
    try {
      if (isOwnHeader(path)) return false
      return (
        (await withCopy(path, disk, clock, (copy) => look(copy, options, (db) => originOf(db, copy).type))) ===
        'registry-tools'
      )
    } catch {
      // What cannot be read is taken for ours, which then says what is wrong with it.
      return false
    }
  })
}

/** The tools of a database in RegistryTools' format, which is read from a copy and so left as it is, byte for byte (D1). */
export const readRegistryDatabase = async (
  path: string,
  options: ForeignOptions = {},
): Promise<readonly StoredTool[]> => {
  const { disk = realDisk, clock = systemClock } = options
  try {
    return await withCopy(path, disk, clock, (copy) =>
      look(copy, options, (db) => {
        if (originOf(db, path).type !== 'registry-tools') throw notRegistryTools(path)
        return registryTools(db, path)
      }),
    )
  } catch (error) {
    throw readProblem(path, error)
  }
}

/** The same as a source reports them. */
export const readToolDatabase = async (path: string): Promise<readonly ToolSpec[]> =>
  (await readRegistryDatabase(path)).map(toSpec)

const look = <T>(
  copy: string,
  { driver = loadDriver() }: ForeignOptions,
  use: (db: ReturnType<Driver['open']>) => T,
): T => {
  const db = driver.open(copy)
  try {
    return use(db)
  } finally {
    db.close()
  }
}

const notRegistryTools = (path: string): GatewayError =>
  new GatewayError('STORE_UNREADABLE', `${path} holds no tools of RegistryTools. Name its tools.db.`, {
    details: { file: path },
  })
