import { publishedOperations } from '../../faces/registry/operations.js'
import type { PublishedServers } from '../../faces/registry/served.js'
import { systemClock } from '../../model/clock.js'
import type { Operation } from '../../operations/operation.js'
import type { Logger } from '../../telemetry/logger.js'
import type { Board } from '../board.js'
import type { FileInForce } from '../file-in-force.js'

/** This gateway's own registry. What it lists is made when somebody first asks: most gateways never are. */
export const openPublished = (board: Board, inForce: FileInForce, logger: Logger): readonly Operation[] => {
  const config = board.current.reading(['publish'], () => board.current.now)
  let opened: Promise<PublishedServers> | undefined
  const open = async (): Promise<PublishedServers> => {
    const [{ createPublishedServers }, { Ledger }] = await Promise.all([
      import('./published.js'),
      import('./ledger.js'),
    ])
    const documents = board.stored.documents('published')
    const ledger = new Ledger({ documents, clock: systemClock, logger: logger.child('publish') })
    return createPublishedServers(() => ({ config: config(), references: inForce.references }), ledger)
  }
  return publishedOperations({ servers: async () => (await (opened ??= open())).servers() })
}
