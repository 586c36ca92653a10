import { hostname, networkInterfaces } from 'node:os'
import type { Config } from '../config/schema.js'

/** Tells whether an address leads to this gateway, however it is spelled: by what is configured and by where it listens. */
export const createOwnAddress = (
  server: () => Config['server'],
  listening: () => string,
): ((url: string) => boolean) => {
  return (text) => {
    const url = parse(text)
    if (!url) return false
    const { host, port, publicUrl } = server()
    const known = publicUrl === undefined ? undefined : parse(publicUrl)
    if (known && nameOf(known) === nameOf(url) && portOf(known) === portOf(url)) return true
    const bound = parse(listening())
    const ports = new Set([...(port === 0 ? [] : [String(port)]), ...(bound ? [portOf(bound)] : [])])
    return ports.has(portOf(url)) && isOurHost(nameOf(url), host)
  }
}

const parse = (url: string): URL | undefined => (URL.canParse(url) ? new URL(url) : undefined)

const portOf = ({ port, protocol }: URL): string => port || (/^(?:https|wss):$/.test(protocol) ? '443' : '80')

/** Without brackets and the last dot. `URL` has already turned `0x7f.1`, `127.1` and the like into four numbers. */
const nameOf = ({ hostname: name }: URL): string =>
  name
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()

/** Loopback is always ours; this machine's other names only where we listen beyond loopback. */
const isOurHost = (name: string, listens: string): boolean =>
  isLoopback(name) || name === listens.toLowerCase() || (!staysHere(listens) && machineNames().has(name))

const staysHere = (listens: string): boolean => isLoopback(listens) && !anyAddress.has(listens)

const anyAddress: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

const isLoopback = (name: string): boolean =>
  name === 'localhost' ||
  name.endsWith('.localhost') ||
  /^127(?:\.\d+){3}$/.test(name) ||
  name === '::1' ||
  // Whoever dials "any address" reaches their own machine.
  anyAddress.has(name) ||
  /^::ffff:7f/.test(name)

const machineNames = (): ReadonlySet<string> => {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address))
  const own = hostname().toLowerCase()
  return new Set([own, `${own}.local`, ...addresses.map((address) => address.replace(/%.*$/, '').toLowerCase())])
}
