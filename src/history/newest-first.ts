import { GatewayError } from '../errors.js'
import { placeOfCall } from './folder.js'
import type { KeptCall } from './kept-call.js'

/** The one order of all calls, whoever keeps them: by time, then by id. So a place in it means the same to all replicas. */
export const newerFirst = (one: Pick<KeptCall, 'at' | 'id'>, other: Pick<KeptCall, 'at' | 'id'>): number =>
  other.at - one.at || (placeInOrder(one.id) < placeInOrder(other.id) ? 1 : -1)

/** An id as a text that can be compared: by segment, then by place there. */
export const placeInOrder = (id: string): string => {
  const place = placeOfCall(id)
  return place ? `${place.segment}-${place.index.toString(36).padStart(8, '0')}` : id
}

/** Where to go on behind this call. */
export const cursorBehind = ({ at, id }: Pick<KeptCall, 'at' | 'id'>): string => `${at.toString(36)}.${id}`

export const parseCursor = (cursor: string): { readonly at: number; readonly id: string } => {
  const [, at, id] = /^([0-9a-z]{1,12})\.([0-9a-z-]{1,32})$/.exec(cursor) ?? []
  const time = at === undefined ? Number.NaN : Number.parseInt(at, 36)
  if (id !== undefined && placeOfCall(id) && Number.isSafeInteger(time)) return { at: time, id }
  throw new GatewayError('ARGUMENTS_INVALID', "'cursor' must be the 'next' of an answer.")
}
