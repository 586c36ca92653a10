import { join } from 'node:path'
import { isGatewayError } from '../errors.js'
import { silentLogger } from '../telemetry/logger.js'
import type { Disk } from './disk.js'
import { storeUnreadable } from './problems.js'
import { usedMarker } from './used-marker.js'

/** Where a store keeps its tools in a folder, and the file of another program that is read beside it. */
export interface Placed {
  readonly path: string
  readonly foreign: string | undefined
}

/**
 * `tools.json` or `tools.db`, unless that is RegistryTools' own: then ours is `pegboard-tools.…` beside it, for good. Theirs is
 * never written, so that going back is to start the other program.
 */
export const placeIn = (...asked: Parameters<typeof place>): Promise<Placed> =>
  place(...asked).catch((error: unknown) => {
    throw isGatewayError(error) ? error : storeUnreadable(join(asked[0], asked[1]), error)
  })

const place = async (
  folder: string,
  name: string,
  disk: Disk,
  isForeign: (path: string) => Promise<boolean>,
): Promise<Placed> => {
  const usual = join(folder, name)
  const beside = join(folder, `pegboard-${name}`)
  const foreign = (await disk.identity(usual)) !== undefined && (await isForeign(usual)) ? usual : undefined
  const chosen = (await disk.identity(beside)) !== undefined || (await usedMarker(beside, disk, silentLogger).isSet())
  return { path: foreign !== undefined || chosen ? beside : usual, foreign }
}
