import type { X509Certificate } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { Caller } from '../model/caller.js'
import type { Clock } from '../model/clock.js'
import { type HeldRole, rightsOfRole } from '../model/role.js'
import { type Permission, roleOfPermission } from './key-record.js'

/** Which certificates are whose. Exactly one of the first four says how it is known. */
export interface CertificateHolder {
  /** SHA-256 of the certificate, with or without colons. */
  readonly fingerprint?: string | undefined
  /** One of its names as it stands there: `DNS:build.example.com`, `URI:spiffe://…`, `email:…`. */
  readonly san?: string | undefined
  /** The common name of its subject. */
  readonly cn?: string | undefined
  /** Whatever `tls.ca` vouches for. */
  readonly any?: boolean | undefined
  /** What they may do. Default: caller. */
  readonly role?: HeldRole | undefined
  /** The same in document 002's words. */
  readonly permission?: Permission | undefined
  readonly profile?: string | undefined
}

export type CertificateHolders = Readonly<Record<string, CertificateHolder>>

/** Clients by the certificate they showed, which their side of the handshake has proved to be theirs. */
export interface ClientCertificates {
  /** A certificate that our authorities vouch for and that has not ended. */
  isVerified(request: IncomingMessage): boolean
  /** Who its holder is, where the configuration says so. */
  callerOf(request: IncomingMessage): Caller | undefined
}

interface Judged {
  readonly holders: CertificateHolders
  readonly caller: Caller | undefined
  readonly until: number
}

/** `holders` is asked at each request, so that a changed configuration counts at once. */
export const createClientCertificates = (holders: () => CertificateHolders, clock: Clock): ClientCertificates => {
  // Once per connection: reading a certificate costs more than the rest of a request's checks.
  const judged = new WeakMap<object, Judged>()

  const judge = ({ socket }: IncomingMessage): Judged | undefined => {
    const secure = socket as TLSSocket
    if (secure.authorized !== true) return undefined
    const now = holders()
    const known = judged.get(secure)
    if (known?.holders === now) return known.until > clock.wall() ? known : undefined
    const certificate = secure.getPeerX509Certificate()
    if (!certificate) return undefined
    const fresh = { holders: now, caller: holderOf(certificate, now), until: Date.parse(certificate.validTo) }
    judged.set(secure, fresh)
    return fresh.until > clock.wall() ? fresh : undefined
  }
  return {
    isVerified: (request) => judge(request) !== undefined,
    callerOf: (request) => judge(request)?.caller,
  }
}

/** The first in the order of the file that it fits; one that names it comes before `any`. */
const holderOf = (certificate: X509Certificate, holders: CertificateHolders): Caller | undefined => {
  const entries = Object.entries(holders)
  const [name, holder] =
    entries.find(([, each]) => fits(certificate, each)) ?? entries.find(([, { any }]) => any === true) ?? []
  if (name === undefined || !holder) return undefined
  const { permission = 'read', role = roleOfPermission(permission), profile } = holder
  return Object.freeze({ id: `cert:${name}`, rights: rightsOfRole(role), profile })
}

const fits = (certificate: X509Certificate, { fingerprint, san, cn }: CertificateHolder): boolean => {
  if (fingerprint !== undefined) return plain(fingerprint) === plain(certificate.fingerprint256)
  if (san !== undefined) return namesOf(certificate).includes(san)
  return cn !== undefined && commonNameOf(certificate) === cn
}

const plain = (fingerprint: string): string => fingerprint.replaceAll(':', '').toUpperCase()

/** Node quotes a name that holds a comma or a quote, so that nobody's name can look like two; such a one fits nothing here. */
const namesOf = ({ subjectAltName = '' }: X509Certificate): readonly string[] =>
  subjectAltName.includes('"') ? [] : subjectAltName.split(', ')

/** None where there are two: two readers could take two. */
const commonNameOf = (certificate: X509Certificate): string | undefined => {
  const { CN } = certificate.toLegacyObject().subject as unknown as { CN?: unknown }
  return typeof CN === 'string' ? CN : undefined
}
