import { realpath } from 'node:fs/promises'
import type { Config } from '../../config/schema.js'
import { GatewayError } from '../../errors.js'
import type { FileInForce } from '../file-in-force.js'
import { program } from '../version.js'
import type { Claim } from './dial.js'

export interface ServedHere {
  readonly inForce: FileInForce
  /** As it was at the start: none of what is compared can be changed while we run. */
  readonly config: Config
  readonly folder: string
}

/**
 * Throws unless this gateway serves what the caller means: the same file as it is on disk now, and what the caller's own
 * flags and environment say beside it. An edit that we have not noticed yet is taken up first: `add` and then `list` must
 * show what was added.
 */
export const assertServed = async (claim: Claim, served: ServedHere): Promise<void> => {
  const { inForce, config } = served
  if (claim.hash !== inForce.hash) await inForce.catchUp()
  const file = inForce.file === undefined ? undefined : await realpath(inForce.file)
  const isMeant = claim.file === file && (file !== undefined || claim.folder === served.folder)
  if (claim.any === undefined && !isMeant)
    throw notServed(`it serves ${file ?? `the folder ${served.folder}, where there is no file`}`)
  // By another name it has other defaults, and lists other tools.
  if (claim.program !== program) throw notServed(`it was started as ${program ?? 'pegboard'}`)
  const { search, storage, server } = config
  if ((claim.search ?? search.method) !== search.method) throw notServed(`it searches by ${search.method}`)
  if ((claim.backend ?? storage.backend) !== storage.backend) throw notServed(`it keeps data in ${storage.backend}`)
  if ((claim.instructions ?? server.instructions) !== server.instructions)
    throw notServed('it has other instructions for clients')
}

const notServed = (why: string): GatewayError =>
  new GatewayError('CONFIG_INVALID', `Not this configuration: ${why}.`, { details: { isOther: true } })
