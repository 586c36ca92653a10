import { RpcError, rpcCodes } from '../../mcp/rpc-error.js'

export interface ListItem {
  /** What the list is sorted by; a page starts after one. */
  readonly key: string
  readonly json: string
}

export interface ListPage {
  readonly items: readonly ListItem[]
  readonly nextCursor: string | undefined
}

/** Splits a list into pages of so many bytes. At least one item each: a page of nothing would never end. */
export const toPages = (items: readonly ListItem[], maxBytes: number | undefined): readonly ListPage[] => {
  if (maxBytes === undefined) return [{ items, nextCursor: undefined }]
  const pages: ListItem[][] = [[]]
  let used = 2
  for (const item of items) {
    const size = Buffer.byteLength(item.json) + 1
    const page = pages.at(-1)!
    if (page.length > 0 && used + size > maxBytes) {
      pages.push([item])
      used = 2 + size
    } else {
      page.push(item)
      used += size
    }
  }
  return pages.map((page, index) => ({
    items: page,
    nextCursor: index < pages.length - 1 ? cursorAfter(page.at(-1)!.key) : undefined,
  }))
}

/** The page a cursor asks for; see `placeOf`. */
export const pageAfter = (pages: readonly ListPage[], cursor: unknown): ListPage => {
  const keyed = pages.map((page) => ({ page, keys: page.items.map(({ key }) => key) }))
  const place = placeOf(keyed, cursor)
  if (!place) return { items: [], nextCursor: undefined }
  const { page } = place.page
  return place.first === 0 ? page : { items: page.items.slice(place.first), nextCursor: page.nextCursor }
}

/**
 * Where a cursor goes on: a page, and its first item. A cursor names the item it follows, not a page number: when the list
 * changed in between, the reader goes on where it was and misses nothing that stayed.
 */
export const placeOf = <Page extends { readonly keys: readonly string[] }>(
  pages: readonly Page[],
  cursor: unknown,
): { readonly page: Page; readonly first: number } | undefined => {
  if (cursor === undefined || cursor === null || cursor === '') return { page: pages[0]!, first: 0 }
  const key = fromCursor(cursor)
  for (const page of pages) {
    const first = page.keys.findIndex((each) => each > key)
    if (first >= 0) return { page, first }
  }
  return undefined
}

export const cursorAfter = (key: string): string => `k.${Buffer.from(key).toString('base64url')}`

const fromCursor = (cursor: unknown): string => {
  const match = typeof cursor === 'string' && cursor.length <= 1024 ? /^k\.([A-Za-z0-9_-]+)$/.exec(cursor) : undefined
  if (!match) throw new RpcError(rpcCodes.invalidParams, 'This cursor is not one of ours; list from the beginning.')
  return Buffer.from(match[1]!, 'base64url').toString()
}
