import { isIP } from 'node:net'

/** 127.0.0.0/8, `::1` and the former inside IPv6, as peers and bind addresses are written. */
export const isLoopbackAddress = (address: string | undefined): boolean => {
  if (address === undefined) return false
  const plain = address.startsWith('::ffff:') ? address.slice(7) : address
  return plain === '::1' || (plain.startsWith('127.') && isIP(plain) === 4)
}

/** A host as an operator writes it that no other machine can reach. */
export const isLoopbackHost = (host: string): boolean => host.toLowerCase() === 'localhost' || isLoopbackAddress(host)

/** Bound to every interface, or, as the empty host does, to what Node takes for it. */
export const isWildcardHost = (host: string): boolean => host === '' || host === '0.0.0.0' || /^[0:]+$/.test(host)

/** As it stands in a URL or a Host header: IPv6 in brackets. */
export const bracketed = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host)
