import { BlockList, isIP } from 'node:net'

// Networks that are not the public internet: what a document from outside must not make us talk to (T10, T11).
const v4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]
const v6: readonly (readonly [string, number])[] = [
  ['::', 128],
  ['::1', 128],
  // Both kinds of IPv4 inside IPv6, NAT64, 6to4 and Teredo: each can carry a private IPv4 address to somewhere.
  ['::ffff:0:0', 96],
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['2001::', 32],
  ['100::', 64],
  ['2001:db8::', 32],
  ['fc00::', 7],
  ['fe80::', 10],
  // Site-local: deprecated, still routed in places (CVE-2026-44430).
  ['fec0::', 10],
  ['ff00::', 8],
]
// Two lists: one would compare IPv4 addresses with the IPv6 networks as well, where all of them lie in ::ffff:0:0/96.
const blockedV4 = new BlockList()
const blockedV6 = new BlockList()
for (const [network, prefix] of v4) blockedV4.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of v6) blockedV6.addSubnet(network, prefix, 'ipv6')

/** Whether this address is none of the public internet's. What is no address at all counts as private. */
export const isPrivateAddress = (address: string): boolean => {
  const plain = address.replace(/^\[|\]$/g, '').split('%', 1)[0]!
  const family = isIP(plain)
  if (family === 0) return true
  return family === 4 ? blockedV4.check(plain, 'ipv4') : blockedV6.check(plain, 'ipv6')
}
