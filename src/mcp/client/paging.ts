import { GatewayError } from '../../errors.js'
import type { JsonObject } from '../../model/json.js'
import type { Era } from '../eras.js'
import type { RpcResult } from '../message.js'
import { invalidAnswer } from './failure.js'

export interface PagingLimits {
  /** Default: 1,000 (R66). */
  readonly maxPages?: number | undefined
  /** Default: 100,000. */
  readonly maxItems?: number | undefined
  /** Of all pages together, as they came. Default: 64 MiB. */
  readonly maxBytes?: number | undefined
}

/** A whole list. `ttlMs` and `cacheScope` are the narrowest of its pages; absent means 0 and private. */
export interface Listing {
  readonly items: readonly JsonObject[]
  readonly pages: number
  readonly ttlMs: number
  readonly cacheScope: 'public' | 'private'
}

/** Follows cursors to the end of a list; every way of not ending is bounded. */
export const readPages = async (
  key: string,
  era: Era,
  limits: PagingLimits,
  readPage: (cursor: string | undefined) => Promise<RpcResult>,
): Promise<Listing> => {
  const { maxPages = 1000, maxItems = 100_000, maxBytes = 64 * 1024 * 1024 } = limits
  const seen = new Set<string>()
  const items: JsonObject[] = []
  let bytes = 0
  let ttlMs = Number.POSITIVE_INFINITY
  let cacheScope: Listing['cacheScope'] = 'public'
  let cursor: string | undefined
  for (let pages = 1; ; pages++) {
    const page = await readPage(cursor)
    const result = page.result as JsonObject
    bytes += page.bytes
    for (const item of itemsOf(result, key)) items.push(item)
    if (items.length > maxItems || bytes > maxBytes) throw tooLong(key, items.length, bytes)
    ttlMs = Math.min(ttlMs, typeof result.ttlMs === 'number' && result.ttlMs >= 0 ? result.ttlMs : 0)
    if (result.cacheScope !== 'public') cacheScope = 'private'
    cursor = nextCursor(result, era)
    if (cursor === undefined) return { items, pages, ttlMs, cacheScope }
    if (seen.has(cursor))
      throw invalidAnswer(`The source's list of ${key} names the same cursor twice, so it would never end.`)
    if (pages >= maxPages) throw invalidAnswer(`The source's list of ${key} has more than ${maxPages} pages.`)
    seen.add(cursor)
  }
}

const itemsOf = (result: JsonObject, key: string): readonly JsonObject[] => {
  const items = result?.[key]
  // Objects only: what a source puts between them is not ours to guess at, and the others should still be seen.
  if (Array.isArray(items))
    return items.filter((item) => typeof item === 'object' && item !== null && !Array.isArray(item))
  throw invalidAnswer(`The source answered without a list of ${key}.`)
}

// The empty string is a cursor like any other since 2026-07-28; many legacy servers mean "the end" by it.
const nextCursor = (result: JsonObject, era: Era): string | undefined => {
  const cursor = result.nextCursor
  if (typeof cursor !== 'string' || (cursor === '' && era === 'legacy')) return undefined
  return cursor
}

const tooLong = (key: string, items: number, bytes: number): GatewayError =>
  new GatewayError(
    'LIST_TOO_LARGE',
    `The source's list of ${key} is too long: ${items} items, ${bytes} bytes so far.`,
    {
      details: { items, bytes },
    },
  )
