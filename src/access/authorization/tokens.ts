import type { Seals } from '../../model/seal.js'
import { clientKeyOf } from './client.js'

/** What a code stands for until it is traded, once. */
export interface CodeContent {
  readonly session: string
  readonly client: string
  readonly redirect: string
  readonly challenge: string
  readonly resource: string
  readonly scope: string
  /** Milliseconds since the epoch, as all times here. */
  readonly until: number
}

export interface AccessContent {
  readonly session: string
  readonly client: string
  readonly resource: string
  readonly scope: string
  readonly until: number
}

export interface RefreshContent {
  readonly session: string
  readonly client: string
  readonly generation: number
}

export const accessPrefix = 'pga_'
export const refreshPrefix = 'pgr_'

// Ours have a few hundred characters; whatever is longer is not looked at.
const longestToken = 8192

/** Codes and tokens are sealed: any replica opens them, and nothing is looked up to know what they say. */
export interface SealedTokens {
  code(content: CodeContent): string
  openCode(code: string): CodeContent | undefined
  access(content: AccessContent): string
  /** Whether it is still good is the reader's question. */
  openAccess(token: string): AccessContent | undefined
  refresh(content: RefreshContent): string
  openRefresh(token: string): RefreshContent | undefined
}

export const createSealedTokens = (seals: Seals): SealedTokens => {
  const codes = seals.of('code')
  const accesses = seals.of('access-token')
  const refreshes = seals.of('refresh-token')
  return {
    code: ({ session, client, redirect, challenge, resource, scope, until }) =>
      codes.close({ s: session, c: client, r: redirect, h: challenge, a: resource, o: scope, e: until }),
    openCode: (code) => {
      const content = code.length > longestToken ? undefined : codes.open(code)
      if (!content) return undefined
      const { s, c, r, h, a, o, e } = content as Record<string, string> & { e: unknown }
      return { session: s!, client: c!, redirect: r!, challenge: h!, resource: a!, scope: o!, until: Number(e) }
    },
    access: ({ session, client, resource, scope, until }) =>
      `${accessPrefix}${accesses.close({ s: session, c: client, a: resource, o: scope, e: until })}`,
    openAccess: (token) => {
      if (token.length > longestToken || !token.startsWith(accessPrefix)) return undefined
      const content = accesses.open(token.slice(accessPrefix.length))
      if (!content) return undefined
      const { s, c, a, o, e } = content as Record<string, string> & { e: unknown }
      return { session: s!, client: c!, resource: a!, scope: o!, until: Number(e) }
    },
    refresh: ({ session, client, generation }) =>
      `${refreshPrefix}${refreshes.close({ s: session, c: client, g: generation })}`,
    openRefresh: (token) => {
      if (token.length > longestToken || !token.startsWith(refreshPrefix)) return undefined
      const content = refreshes.open(token.slice(refreshPrefix.length))
      return content && { session: String(content.s), client: String(content.c), generation: Number(content.g) }
    },
  }
}

/** Whether this client is the one that a code or token was given to. */
export const isClientOf = ({ client }: { readonly client: string }, id: string | undefined): boolean =>
  id !== undefined && client === clientKeyOf(id)
