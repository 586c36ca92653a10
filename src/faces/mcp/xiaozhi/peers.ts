import type { RpcId } from '../../../mcp/rpc-error.js'
import { isRecord } from '../../../model/json.js'

/** Who speaks through the link. A relay puts several robots and a console onto one connection (X5–X7). */
export interface Peers {
  /** From an `initialize`. */
  introduce(id: RpcId, clientInfo: unknown): void
  /** It asked for a page after the first. */
  paged(id: RpcId): void
  /** True when it is known to read all pages; others may read the first only (X6). */
  pages(id: RpcId): boolean
  /** The name and version of whoever came last. */
  readonly last: string | undefined
}

/** xiaozhi-esp32-server's client, which asks until there is no cursor (X6). */
const paging = /^XiaozhiMCPEndpointClient\b/
const mostPeers = 64

export const createPeers = (): Peers => {
  const readers = new Map<string, boolean>()
  let last: string | undefined
  const remember = (id: RpcId, pages: boolean): void => {
    const key = keyOf(id)
    readers.delete(key)
    readers.set(key, pages)
    if (readers.size > mostPeers) readers.delete(readers.keys().next().value as string)
  }
  return {
    introduce: (id, clientInfo) => {
      last = nameOf(clientInfo)
      remember(id, last !== undefined && paging.test(last))
    },
    paged: (id) => remember(id, true),
    pages: (id) => readers.get(keyOf(id)) ?? false,
    get last() {
      return last
    },
  }
}

// The relay's `<uuid>_n_<int>` and `<uuid>_s_<str>` (X7): one uuid per connection at its other side.
const keyOf = (id: RpcId): string => (typeof id === 'string' ? (/^([\w-]{1,64})_[ns]_/.exec(id)?.[1] ?? '') : '')

// It comes from a stranger and goes to a terminal.
const nameOf = (clientInfo: unknown): string | undefined => {
  if (!isRecord(clientInfo) || typeof clientInfo.name !== 'string') return undefined
  const version = typeof clientInfo.version === 'string' ? ` ${clientInfo.version}` : ''
  return `${clientInfo.name}${version}`.replace(/[^\p{L}\p{N} ._/-]/gu, '').slice(0, 80)
}
