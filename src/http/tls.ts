import { constants, createHash, createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import type { Server, ServerOptions } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import type { Socket } from 'node:net'
import type { SecureContextOptions, TLSSocket } from 'node:tls'
import { GatewayError, messageOf } from '../errors.js'
import type { Clock } from '../model/clock.js'
import type { Logger } from '../telemetry/logger.js'

/** The files of a listener that ends TLS itself. */
export interface TlsFiles {
  /** The certificate and those that vouch for it, in PEM. */
  readonly cert: string
  readonly key: string
  /** Who vouches for the certificates of clients. */
  readonly ca?: string | undefined
  /** Whether clients are asked for a certificate, and whether they must have one. */
  readonly clients: 'none' | 'optional' | 'required'
}

/** What a listener speaks TLS with. Made only where somebody wants it: nothing else loads `node:https`. */
export interface TlsEnd {
  createServer(options: ServerOptions): Server
  /** SHA-256 of the certificate in force, by which programs of this machine know us. */
  readonly pin: string
  /** Told when another pair is in force. */
  onChange(listener: () => void): void
  close(): void
}

export interface TlsSurroundings {
  readonly clock: Clock
  readonly logger: Logger
  /** How often the files are looked at. Default: 2 s. */
  readonly lookMs?: number | undefined
  /** Time for a handshake. Default: 10 s; Node's is 120 s. */
  readonly handshakeMs?: number | undefined
  /** Handshakes that are under way at once; past it the oldest is dropped. Default: 1,000. */
  readonly maxHandshakes?: number | undefined
}

/** A certificate with its key, checked. */
export interface TlsPair {
  readonly options: SecureContextOptions
  readonly leaf: X509Certificate
  /** Of all files together. */
  readonly hash: string
  /** Other users of the machine can read the key. */
  readonly isKeyOpen: boolean
}

/** Reads and checks the pair, and begins to watch its files. */
export const openTls = async (files: TlsFiles, surroundings: TlsSurroundings): Promise<TlsEnd> => {
  const { clock, logger, lookMs = 2000, handshakeMs = 10_000, maxHandshakes = 1000 } = surroundings
  const https = await import('node:https')
  let pair = await readPair(files)
  warnOf(pair, files, clock, logger)
  let server: HttpsServer | undefined
  let listeners: (() => void)[] = []
  let seenStamp = await stampOf(files)
  let failedStamp: string | undefined
  let isClosed = false
  let cancel = () => {}

  const look = async (): Promise<void> => {
    const stamp = await stampOf(files)
    if (stamp !== seenStamp) await take(stamp)
    if (!isClosed) cancel = clock.after(lookMs, () => void look())
  }
  const take = async (stamp: string): Promise<void> => {
    try {
      const next = await readPair(files)
      assertValid(next.leaf, clock)
      seenStamp = stamp
      if (next.hash === pair.hash) return
      // Connections that are open stay as they are; only new ones see it.
      server?.setSecureContext({ ...safe, ...next.options })
      pair = next
      logger.log('info', `The certificate was read anew: ${describe(pair.leaf)}`)
      warnOf(pair, files, clock, logger)
      for (const listener of listeners) listener()
    } catch (error) {
      // One file is written before the other: only what stays wrong is worth a word.
      if (failedStamp !== stamp) return void (failedStamp = stamp)
      seenStamp = stamp
      logger.log('error', `The new certificate is not used, the old one stays in force: ${messageOf(error)}`)
    }
  }
  cancel = clock.after(lookMs, () => void look())

  return {
    createServer: (options) => {
      server = https.createServer({
        ...options,
        ...safe,
        ...pair.options,
        handshakeTimeout: handshakeMs,
        requestCert: files.clients !== 'none',
        // Judged where the request is: programs of this machine prove themselves otherwise, and probes tell nothing.
        rejectUnauthorized: false,
      })
      boundHandshakes(server, maxHandshakes)
      return server as unknown as Server
    },
    get pin() {
      return pair.leaf.fingerprint256
    },
    onChange: (listener) => {
      listeners = [...listeners, listener]
    },
    close: () => {
      isClosed = true
      cancel()
    },
  }
}

/** Forward secrecy and authenticated encryption only; what TLS 1.3 has is all of that kind. */
const safe = {
  minVersion: 'TLSv1.2',
  ciphers: [
    'TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256',
    'ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305',
  ].join(':'),
  // A client may not make us shake hands again and again on one connection.
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  ALPNProtocols: ['http/1.1'],
} as const satisfies SecureContextOptions & { ALPNProtocols: readonly string[] }

/**
 * A handshake costs us more than whoever begins it. One that gets nowhere is most likely the oldest: it goes first, so that
 * a flood of them keeps nobody out who shakes hands at once.
 */
const boundHandshakes = (server: HttpsServer, most: number): void => {
  const underWay = new Map<string, Socket>()
  const nameOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`
  server.on('connection', (socket: Socket) => {
    const name = nameOf(socket)
    underWay.set(name, socket)
    socket.once('close', () => {
      if (underWay.get(name) === socket) underWay.delete(name)
    })
    if (underWay.size <= most) return
    const [oldest] = underWay
    underWay.delete(oldest![0])
    oldest![1].destroy()
  })
  server.on('secureConnection', (socket: TLSSocket) => void underWay.delete(nameOf(socket)))
}

/** The pair of these files, or a CONFIG_INVALID that says which of them is wrong and how. */
export const readPair = async ({ cert, key, ca, clients }: TlsFiles): Promise<TlsPair> => {
  const certificate = await readFileOf('tls.cert', cert)
  const keyText = await readFileOf('tls.key', key)
  const authorities = ca === undefined ? undefined : await readFileOf('tls.ca', ca)
  if (clients !== 'none' && authorities === undefined)
    throw invalid(
      'server.tls.clients asks clients for certificates, but server.tls.ca does not say who vouches for them.',
    )
  const leaf = parse('server.tls.cert', cert, () => new X509Certificate(certificate))
  const privateKey = parse('server.tls.key', key, () => createPrivateKey(keyText))
  if (authorities !== undefined) parse('server.tls.ca', ca!, () => new X509Certificate(authorities))
  if (!leaf.checkPrivateKey(privateKey))
    throw invalid(`The key in ${key} does not belong to the certificate in ${cert} (${describe(leaf)}).`)
  const hash = createHash('sha256').update(certificate).update('\0').update(keyText).update('\0')
  return {
    options: { cert: certificate, key: keyText, ca: authorities },
    leaf,
    hash: hash.update(authorities ?? '').digest('hex'),
    isKeyOpen: process.platform !== 'win32' && ((await stat(key)).mode & 0o004) !== 0,
  }
}

/** Days until it ends; below zero it has ended. */
export const daysLeft = ({ validTo }: X509Certificate, now: number): number =>
  Math.floor((Date.parse(validTo) - now) / 86_400_000)

export const describe = ({ subject, subjectAltName, validTo }: X509Certificate): string =>
  `${subjectAltName ?? subject?.replaceAll('\n', ', ') ?? 'without a name'}, until ${validTo}`

const assertValid = (leaf: X509Certificate, clock: Clock): void => {
  if (Date.parse(leaf.validTo) <= clock.wall()) throw invalid(`The certificate has expired (${describe(leaf)}).`)
}

const warnOf = ({ leaf, isKeyOpen }: TlsPair, { key }: TlsFiles, clock: Clock, logger: Logger): void => {
  const days = daysLeft(leaf, clock.wall())
  if (days < 0) logger.log('error', `The certificate has expired: ${describe(leaf)}. Clients will refuse it.`)
  else if (days < 14) logger.log('warn', `The certificate ends in ${days} days: ${describe(leaf)}.`)
  if (isKeyOpen) logger.log('warn', `Every user of this machine can read the key of our certificate: chmod 600 ${key}`)
}

const stampOf = async ({ cert, key, ca }: TlsFiles): Promise<string> => {
  const stamps = [cert, key, ca].map(async (file) => {
    if (file === undefined) return ''
    const found = await stat(file).catch(() => undefined)
    return found ? `${found.ino} ${found.size} ${found.mtimeMs}` : 'none'
  })
  return (await Promise.all(stamps)).join(' ')
}

const readFileOf = async (setting: string, file: string): Promise<Buffer> => {
  try {
    return await readFile(file)
  } catch (error) {
    throw invalid(`server.${setting}: ${file} cannot be read: ${messageOf(error)}`)
  }
}

const parse = <Parsed>(setting: string, file: string, read: () => Parsed): Parsed => {
  try {
    return read()
  } catch (error) {
    throw invalid(`${setting}: ${file} is not what it should be, PEM without a passphrase: ${messageOf(error)}`)
  }
}

const invalid = (message: string): GatewayError => new GatewayError('CONFIG_INVALID', message)
