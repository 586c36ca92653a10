import { BlockList, isIP } from 'node:net'

// Networks that are not the public internet: what a document from outside must not make us talk to (T10, T11). IANA's
// registries of special addresses, whole: what is global there by name (AS112, AMT) is nobody's API either.
const v4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]
const v6: readonly (readonly [string, number])[] = [
  // Public addresses are all in 2000::/3. Below it lie this host, every IPv4 address inside IPv6 (mapped, translated,
  // compatible, NAT64) and the discard prefix; above it what nobody was given yet, unique local, link-local, site-local
  // (deprecated, still routed in places: CVE-2026-44430), segment routing and multicast.
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  // Protocol assignments: Teredo, benchmarking, ORCHID, drones. Each of the first can carry a private IPv4 address.
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
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
