import { isLoopbackHost } from './addresses.js'

export interface OriginRules {
  /** Whether a page of this origin may call us; `host` is the request's Host header, checked before. */
  accepts(origin: string | undefined, host: string): boolean
}

export interface OriginRulesOptions {
  /** The address we are bound to, as the operator wrote it. */
  readonly host: string
  readonly allowedOrigins: readonly string[]
}

const shape = /^https?:\/\/((\[[0-9a-f:.]+\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)(?::\d{1,5})?)$/

/**
 * MCP asks for 403 when Origin is present and not allowed; programs send none. Allowed are what the operator listed,
 * our own pages (the origin names the same host as the checked Host header) and, only while we are bound to loopback,
 * pages of this machine on any port: local developer tools live there, and whoever serves them could call us without a
 * browser just as well. `null` (sandboxed frames, files) is nobody's origin and never passes.
 */
export const createOriginRules = ({ host: bound, allowedOrigins }: OriginRulesOptions): OriginRules => {
  const listed = new Set(allowedOrigins.map(normalise))
  listed.delete('null')
  const local = isLoopbackHost(bound)
  return {
    accepts: (origin, host) => {
      if (origin === undefined || listed.has(origin)) return true
      const match = shape.exec(origin)
      if (!match) return false
      if (match[1] === host.toLowerCase()) return true
      return local && isLoopbackHost(match[2]!.replace(/^\[|\]$/g, ''))
    },
  }
}

const normalise = (origin: string): string => {
  const lower = origin.toLowerCase().replace(/\/$/, '')
  // As browsers write it: without the scheme's own port.
  const parsed = URL.canParse(lower) ? new URL(lower).origin : 'null'
  return parsed === 'null' ? lower : parsed
}
