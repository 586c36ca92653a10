import { randomUUID } from 'node:crypto'
import { notOurs, openOwn, type WaitingRoom, WaitsElsewhere } from '../../../gateway.js'
import { RpcError, rpcCodes } from '../../../mcp/rpc-error.js'
import type { Client } from '../exchange.js'

/** Where a task is: at its source, or with us. */
export type OpenedTask =
  | { readonly source: string; readonly taskId: string }
  | { readonly source?: undefined; readonly taskId: string }

/** A task under an id that says where it is and whose, to us alone. */
export interface TaskIds {
  toShown(client: Client, source: string, taskId: string): string
  /** The same of one of ours, which is in the memory of this process and of no other. */
  toOwn(client: Client, taskId: string): string
  /** Throws -32602 for an id that is not ours or not this caller's, and for one of ours that is gone with its process. */
  open(client: Client, shown: unknown): OpenedTask
}

export const createTaskIds = ({ seal, replica }: Pick<WaitingRoom, 'seal' | 'replica'>): TaskIds => {
  const place = randomUUID()
  return {
    toShown: (client, source, taskId) => seal.close({ task: taskId, source, owner: ownerOf(client) }),
    toOwn: (client, taskId) => seal.close({ task: taskId, place, replica, owner: ownerOf(client) }),
    open: (client, shown) => {
      const opened = openOwn(seal, shown)
      const { task, source, owner } = opened
      if (typeof task !== 'string' || owner !== ownerOf(client)) throw notOurs()
      if (typeof source === 'string') return { source, taskId: task }
      if (opened.place === place) return { taskId: task }
      const { replica: where } = opened
      if (typeof where === 'string' && where !== replica) throw new WaitsElsewhere(where, goneWords)
      throw typeof opened.place === 'string' ? new RpcError(rpcCodes.invalidParams, goneWords) : notOurs()
    },
  }
}

const goneWords =
  'The gateway was started anew since, and this task ended with it. Make the call again with the same arguments: if somebody said yes to it, that is kept.'

const ownerOf = ({ caller }: Client): string => JSON.stringify([caller.id, caller.profile ?? null])
