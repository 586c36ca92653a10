import type { ServerResponse } from 'node:http'
import type { GatewayError } from '../errors.js'
import type { Caller } from '../model/caller.js'
import type { Shares } from '../model/shares.js'

/** What is smaller is not counted: it would cost every call something, and connections are bounded. */
export const largeBytes = 16 * 1024

/** A request of a caller who is known, and where what it holds is counted. */
export interface Holder {
  readonly response: ServerResponse
  readonly caller: Caller
  readonly shares: Shares
}

/** A large request has so many bytes by now: counted until its connection is done with it, or the reason why not. */
export const holdRequest = (holder: Holder & { heldBytes: number }, bytes: number): GatewayError | undefined => {
  const { response, caller, shares } = holder
  if (response.closed || response.destroyed) return undefined
  const share = shares.of('requestBytes')
  const refused = share.take(caller.id, bytes - holder.heldBytes)
  if (refused) return refused
  if (holder.heldBytes === 0) response.once('close', () => share.give(caller.id, holder.heldBytes))
  holder.heldBytes = bytes
  return undefined
}

/**
 * A large answer is about to be written: counted until the client has read it. False where its caller leaves so much
 * unread already that nothing more is kept for it; its connection is ended then.
 */
export const countUnread = ({ response, caller, shares }: Holder, bytes: number): boolean => {
  const share = shares.of('unreadBytes')
  if (response.closed || response.destroyed) return false
  // One alone may be as large as it likes: it is there already, and somebody asked for it.
  if (share.of(caller.id) === 0) share.add(caller.id, bytes)
  else if (share.take(caller.id, bytes)) {
    response.destroy()
    return false
  }
  response.once('close', () => share.give(caller.id, bytes))
  return true
}

/** Why a caller gets nothing more for now: half of what it may leave unread is waiting for it. */
export const notReading = ({ caller, shares }: Pick<Holder, 'caller' | 'shares'>): GatewayError | undefined => {
  const share = shares.of('unreadBytes')
  return share.of(caller.id) > share.perCaller / 2 ? share.refuse(caller.id, 'caller') : undefined
}
