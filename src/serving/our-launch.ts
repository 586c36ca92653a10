import { realpathSync } from 'node:fs'
import type { Reach } from '../clients/our-entry.js'
import type { Config } from '../config/schema.js'
import { bracketed, isWildcardHost } from '../http/admit.js'
import { isForOthers, publicBase } from './public-address.js'
import { version } from './version.js'

/** The file that runs as this program. */
export const ownScript = (): string => {
  try {
    return realpathSync(process.argv[1] ?? '')
  } catch {
    return process.argv[1] ?? ''
  }
}

/**
 * How a client starts us. By absolute paths where we are installed: programs with a window do not inherit the PATH of a
 * shell, the commonest reason why a server "does not start". Out of npx's cache, which is emptied at times, by npx and
 * with the version named.
 */
export const launchOf = (args: readonly string[], platform: NodeJS.Platform = process.platform): Reach => {
  const script = ownScript()
  if (!/[/\\]_npx[/\\]/.test(script)) return { via: 'command', command: process.execPath, args: [script, ...args] }
  const npx = ['-y', `pegboard@${version}`, ...args]
  return platform === 'win32'
    ? { via: 'command', command: 'cmd', args: ['/c', 'npx', ...npx] }
    : { via: 'command', command: 'npx', args: npx }
}

/** Where a gateway with this configuration is reached on this machine. */
export const addressOf = ({ server }: Pick<Config, 'server'>): string => {
  const host = isWildcardHost(server.host) ? '127.0.0.1' : bracketed(server.host)
  return `${server.tls?.cert === undefined ? 'http' : 'https'}://${host}:${server.port}`
}

/** Where clients are sent: a certificate is for a name, and a token for an address, which only the public one has. */
export const addressForClients = ({ server, auth }: Pick<Config, 'server' | 'auth'>): string =>
  server.tls?.cert === undefined && signInOf({ auth }) === undefined
    ? addressOf({ server })
    : publicBase(server, addressOf({ server }))

/** How whoever sits before a client signs in: at the identity provider, or by a key; undefined where nobody does. */
export const signInOf = ({ auth: { people, tokens } }: Pick<Config, 'auth'>): WayIn | undefined =>
  people !== undefined && people.issuer === undefined
    ? 'key'
    : people !== undefined || tokens.length > 0
      ? 'provider'
      : undefined

export type WayIn = 'provider' | 'key'

/** The variable that clients take their credential from, where this gateway asks callers for one and nobody signs in. */
export const keyVariableOf = ({ server, auth }: Pick<Config, 'server' | 'auth'>): KeyVariable | undefined => {
  if (signInOf({ auth }) !== undefined) return undefined
  if (server.token !== undefined) return 'PEGBOARD_TOKEN'
  return auth.required || isForOthers(server) ? 'PEGBOARD_KEY' : undefined
}

export type KeyVariable = 'PEGBOARD_TOKEN' | 'PEGBOARD_KEY'

/** Whether an entry starts this program, which then would start itself. */
export const isOurEntry = (entry: Readonly<Record<string, unknown>>): boolean => {
  const { command, args } = entry
  if (typeof command !== 'string') return false
  const words = (Array.isArray(args) ? args : []).filter((word): word is string => typeof word === 'string')
  const script = ownScript()
  return (
    /(?:^|[/\\])(?:pegboard|registry-tools)(?:\.\w+)?$/.test(command) ||
    // As the package that a runner fetches; anywhere else the word may be an argument of somebody else's.
    (/(?:^|[/\\])(?:npx|bunx|pnpx|cmd)(?:\.\w+)?$/.test(command) &&
      words.some((word) => /^pegboard(?:@[\w.^~-]+)?$/.test(word))) ||
    words.some((word) => word === script || /[/\\]pegboard[/\\]dist[/\\]cli[/\\]main\.js$/.test(word))
  )
}
