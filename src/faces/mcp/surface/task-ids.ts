import { notOurs, openOwn, type WaitingRoom } from '../../../gateway.js'
import type { Exchange } from '../exchange.js'

/** A source's task under an id that says where it is and whose, to us alone. */
export interface TaskIds {
  toShown(exchange: Exchange, source: string, taskId: string): string
  /** Throws -32602 for an id that is not ours or not this caller's. */
  open(exchange: Exchange, shown: unknown): { readonly source: string; readonly taskId: string }
}

export const createTaskIds = ({ seal }: WaitingRoom): TaskIds => ({
  toShown: (exchange, source, taskId) => seal.close({ task: taskId, source, owner: ownerOf(exchange) }),
  open: (exchange, shown) => {
    const { task, source, owner } = openOwn(seal, shown)
    if (typeof task !== 'string' || typeof source !== 'string' || owner !== ownerOf(exchange)) throw notOurs()
    return { source, taskId: task }
  },
})

const ownerOf = ({ caller }: Exchange): string => JSON.stringify([caller.id, caller.profile ?? null])
