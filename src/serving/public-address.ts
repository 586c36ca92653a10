import type { Config } from '../config/schema.js'
import { isLoopbackHost } from '../http/admit.js'

type Server = Pick<Config['server'], 'host' | 'publicUrl' | 'behindProxy'>

/** Where others reach a server that listens there: what the operator says, else the address itself. Without a last slash. */
export const publicBase = ({ publicUrl }: Pick<Server, 'publicUrl'>, listening: string): string =>
  publicUrl?.replace(/\/+$/, '') ?? listening

/**
 * Whether other machines reach us, by the address we listen on or through whatever stands at our public one. Then everybody
 * is asked for a key, also those who seem to be local: a tunnel and a proxy end on this machine too.
 */
export const isForOthers = ({ host, publicUrl, behindProxy = false }: Server): boolean =>
  behindProxy !== false || !isLoopbackHost(host) || (publicUrl !== undefined && !isLoopbackHost(hostOf(publicUrl)))

/** The names and pages of the public address, which pass the door like our own. */
export const publicDoor = ({ publicUrl }: Pick<Server, 'publicUrl'>): { hosts: string[]; origins: string[] } =>
  publicUrl === undefined
    ? { hosts: [], origins: [] }
    : { hosts: [new URL(publicUrl).hostname], origins: [new URL(publicUrl).origin] }

const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '')
