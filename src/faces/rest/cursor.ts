import { invalidRequest } from '../../http/http-error.js'

/** A cursor names the tool it follows, not a page number: when the list changes in between, nothing that stayed is missed. */
export const toCursor = (id: string): string => Buffer.from(id).toString('base64url')

export const fromCursor = (cursor: string): string => {
  const id = Buffer.from(cursor, 'base64url').toString()
  if (toCursor(id) !== cursor) throw invalidRequest('This cursor is not one of ours; list from the beginning.')
  return id
}
