import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { GatewayError } from '../errors.js'

/** Proxies that stand in front of us: `true` for those on this machine, else their addresses and networks. */
export type BehindProxy = boolean | readonly string[]

/** Tells the proxies that are trusted from everybody else; undefined where none stands in front of us. */
export const trustedProxies = (
  behindProxy: BehindProxy | undefined,
): ((address: string | undefined) => boolean) | undefined => {
  if (behindProxy === undefined || behindProxy === false) return undefined
  const list = new BlockList()
  for (const entry of behindProxy === true ? ['127.0.0.0/8', '::1'] : behindProxy) addTo(list, entry)
  return (address) => {
    const plain = plainAddress(address ?? '')
    const family = isIP(plain)
    return family !== 0 && list.check(plain, family === 6 ? 'ipv6' : 'ipv4')
  }
}

/** What is wrong with an address or network, or undefined. */
export const networkProblem = (entry: string): string | undefined => {
  const [address = '', bits, ...rest] = entry.split('/')
  const family = isIP(address)
  const fits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32))
  if (family === 0 || !fits || rest.length > 0 || address.includes('%'))
    return 'must be an IP address or a network such as 10.0.0.0/8'
  // Whoever trusts everybody trusts what everybody writes.
  return Number(bits) === 0 ? 'must not be the whole internet; name the proxies' : undefined
}

const addTo = (list: BlockList, entry: string): void => {
  const problem = networkProblem(entry)
  if (problem) throw new GatewayError('CONFIG_INVALID', `"${entry}" cannot be trusted as a proxy: it ${problem}.`)
  const [address = '', bits] = entry.split('/')
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  if (bits === undefined) list.addAddress(address, family)
  else list.addSubnet(address, Number(bits), family)
}

/**
 * Whose request a trusted proxy passed on: the last address in its header that is not a trusted proxy's own. What stands
 * before that is the client's word. Two headers that disagree are no proxy's work, and whoever wrote one of them is counted
 * as the proxy itself.
 */
export const clientAddressOf = (
  headers: IncomingHttpHeaders,
  peer: string,
  isTrusted: (address: string) => boolean,
): string => {
  const [plain, standard] = [headers['x-forwarded-for'], headers.forwarded]
  const byPlain = plain === undefined ? undefined : walk(split(String(plain)), peer, isTrusted)
  const byStandard = standard === undefined ? undefined : walk(forwardedFor(standard), peer, isTrusted)
  if (byPlain !== undefined && byStandard !== undefined) return byPlain === byStandard ? byPlain : peer
  return byPlain ?? byStandard ?? peer
}

// Far more hops than there are; the rest is somebody's invention.
const mostHops = 32

const walk = (hops: readonly string[], peer: string, isTrusted: (address: string) => boolean): string => {
  let known = peer
  for (const hop of hops.slice(-mostHops).reverse()) {
    const address = addressIn(hop)
    // "unknown", a name or rubbish: whoever wrote it is the last we know.
    if (address === undefined) return known
    known = address
    if (!isTrusted(address)) return known
  }
  return known
}

const split = (text: string): string[] => text.split(',').map((part) => part.trim())

/** The `for` of each element (RFC 7239); none counts as unknown. */
const forwardedFor = (text: string): string[] =>
  split(text).map(
    (element) =>
      /(?:^|;)\s*for\s*=\s*(?:"([^"\\]*)"|([^";\s]*))\s*(?=;|$)/i
        .exec(element)
        ?.slice(1)
        .find((each) => each) ?? '',
  )

/** An address as proxies write it: bare, with a port, or IPv6 in brackets. */
const addressIn = (hop: string): string | undefined => {
  const [, bracketed, dotted] = /^(?:\[([0-9a-fA-F:.]+)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(hop) ?? []
  const address = plainAddress(bracketed ?? dotted ?? hop)
  return isIP(address) === 0 || address.includes('%') ? undefined : address
}

/** IPv4 inside IPv6 is IPv4. */
export const plainAddress = (address: string): string => (/^::ffff:[\d.]+$/i.test(address) ? address.slice(7) : address)
