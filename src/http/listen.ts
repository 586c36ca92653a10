import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { GatewayError } from '../errors.js'
import { bracketed, isWildcardHost } from './admit.js'

/** Binds, or says in words what is in the way (F30). */
export const listenOn = (server: Server, host: string, port: number, exclusive = false): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) => reject(cannotListen(error, host, port))
    server.once('error', onError)
    try {
      server.listen({ host, port, exclusive }, () => {
        server.off('error', onError)
        resolve(server.address() as AddressInfo)
      })
    } catch (error) {
      onError(error as NodeJS.ErrnoException)
    }
  })

/** An address that can be opened: nobody can connect to a wildcard, though some systems try. */
export const urlOf = (host: string, port: number, scheme: 'http' | 'https' = 'http'): string =>
  `${scheme}://${isWildcardHost(host) ? '127.0.0.1' : bracketed(host)}:${port}`

const cannotListen = (error: NodeJS.ErrnoException, host: string, port: number): GatewayError => {
  const reason = error.code ?? 'UNKNOWN'
  const [what, advice] = (reasons[reason] ?? unknownReason)(host, port)
  return new GatewayError('CONFIG_INVALID', `Cannot listen on ${host}:${port}: ${what}; ${advice}.`, {
    details: { reason, host, port },
    cause: error,
  })
}

type Explain = (host: string, port: number) => readonly [string, string]

const reasons: Readonly<Record<string, Explain | undefined>> = {
  EADDRINUSE: (_, port) => [`port ${port} is in use`, 'stop the program that uses it, or choose another with --port'],
  EACCES: (_, port) => [`this user may not use port ${port}`, 'choose a port above 1023 with --port'],
  EADDRNOTAVAIL: (host) => [`this machine has no address ${host}`, 'use --host 127.0.0.1 or an address it has'],
  ENOTFOUND: (host) => [`no address is known for the name ${host}`, 'check the name, or use --host 127.0.0.1'],
  EAFNOSUPPORT: (host) => [`this machine does not speak the protocol of ${host}`, 'use --host 127.0.0.1'],
  ERR_SOCKET_BAD_PORT: (_, port) => [`${port} is not a port`, 'choose one between 0 and 65535 with --port'],
}

const unknownReason: Explain = () => ['the system refused', 'try another --host or --port']
