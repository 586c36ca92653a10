import { isIP } from 'node:net'

/** One place that may be reached. */
export interface AllowedPlace {
  /** Lower case, without brackets; of `*.example.com` what follows the star. */
  readonly host: string
  readonly below: boolean
  readonly port: number
}

/** `host:port`, `[::1]:443`, `*.example.com:443`; without a port it is 443. */
export const parsePlace = (entry: string): AllowedPlace | undefined => {
  const [, bracketed, plain, port] = /^(?:\[([0-9a-f:.]+)\]|([^:[\]/\s]+))(?::(\d{1,5}))?$/i.exec(entry) ?? []
  const name = (bracketed ?? plain ?? '').toLowerCase().replace(/\.$/, '')
  const number = port === undefined ? 443 : Number(port)
  if (number < 1 || number > 65_535) return undefined
  if (bracketed !== undefined) return isIP(name) === 6 ? { host: name, below: false, port: number } : undefined
  const below = name.startsWith('*.')
  const host = below ? name.slice(2) : name
  if (below && isIP(host) !== 0) return undefined
  // A name that ends in a number is read as an address by URLs and by resolvers: 127.1 is 127.0.0.1.
  if (isIP(host) === 0 && (!hostName.test(host) || /(?:^|\.)(?:\d+|0x[\da-f]*)$/.test(host))) return undefined
  return { host, below, port: number }
}

const hostName = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_](?:[a-z0-9_-]{0,62}))*$/

/** Why an entry of the list cannot be used. */
export const networkProblem = (entry: string): string | undefined =>
  parsePlace(entry) ? undefined : 'must be a host with its port, as "api.example.com:443" or "*.example.com:443"'

export interface AllowList {
  /** `named`: the address or localhost itself stands in the list, so it may lie inside a private network. */
  judge(host: string, port: number): 'no' | 'yes' | 'named'
}

export const createAllowList = (entries: readonly string[]): AllowList => {
  const places = entries.flatMap((entry) => parsePlace(entry) ?? [])
  return {
    judge: (written, port) => {
      const host = written
        .toLowerCase()
        .replace(/^\[|\]$/g, '')
        .replace(/\.$/, '')
      const found = places.some((place) => place.port === port && covers(place, host))
      if (!found) return 'no'
      return isIP(host) !== 0 || host === 'localhost' ? 'named' : 'yes'
    },
  }
}

const covers = ({ host, below }: AllowedPlace, asked: string): boolean =>
  below ? asked.endsWith(`.${host}`) && isIP(asked) === 0 : asked === host
