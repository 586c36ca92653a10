import { isIP } from 'node:net'
import { GatewayError } from '../errors.js'
import { bracketed, isLoopbackHost, isWildcardHost } from './addresses.js'

export interface HostRules {
  /** Whether this Host header may name us. */
  accepts(host: string | undefined): boolean
}

export interface HostRulesOptions {
  /** The address we are bound to, as the operator wrote it. */
  readonly host: string
  readonly port: number
  readonly allowedHosts: readonly string[]
}

const shape = /^(\[[0-9a-f:.]+\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)(?::(\d{1,5}))?$/
const loopbackNames = ['localhost', '127.0.0.1', '[::1]']

/**
 * A page that rebinds its own DNS name to us still sends that name as Host (T1), so only known names pass: loopback
 * with our port, the address we are bound to, and what the operator added. A trailing dot makes another name.
 *
 * Bound to all interfaces, any IP literal passes too: rebinding needs a name, such a bind has credentials anyway, and
 * behind a container's port mapping neither address nor port of the Host are ours.
 */
export const createHostRules = ({ host, port, allowedHosts }: HostRulesOptions): HostRules => {
  const wildcard = isWildcardHost(host)
  const exact = new Set(ownNames(host).flatMap((name) => withPort(name, port)))
  const anyPort = new Set<string>()
  for (const entry of allowedHosts) {
    const [lower, , entryPort] = parseEntry(entry)
    ;(entryPort === undefined ? anyPort : exact).add(lower)
  }
  return {
    accepts: (value) => {
      if (value === undefined) return false
      if (exact.has(value)) return true
      const lower = value.toLowerCase()
      const name = shape.exec(lower)?.[1]
      if (name === undefined) return false
      return exact.has(lower) || anyPort.has(name) || (wildcard && isLiteralOrLocal(name))
    },
  }
}

const ownNames = (host: string): string[] => [...loopbackNames, bracketed(host.toLowerCase())]

// Clients leave out the port that is HTTP's own.
const withPort = (name: string, port: number): string[] => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`])

const isLiteralOrLocal = (name: string): boolean =>
  isLoopbackHost(name) || isIP(name) === 4 || isIP(name.replace(/^\[|\]$/g, '')) === 6

const parseEntry = (entry: string): [string, string | undefined, string | undefined] => {
  const match = shape.exec(entry.toLowerCase())
  if (match) return [match[0], match[1], match[2]]
  throw new GatewayError(
    'CONFIG_INVALID',
    `"${entry}" is not a host name that can be allowed; write a name or address with an optional port, as in gw.example.com:8443, without scheme, path or wildcard.`,
  )
}
