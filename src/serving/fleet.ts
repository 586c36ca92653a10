import { randomBytes } from 'node:crypto'
import { hostname, networkInterfaces } from 'node:os'
import type { Config } from '../config/schema.js'
import { aloneFleet, type Fleet } from '../fleet/fleet.js'
import { isWildcardHost } from '../http/admit.js'
import { systemClock } from '../model/clock.js'
import { createSeals, fingerprintOf, type Secret } from '../model/seal.js'
import { keptSecret } from '../storage/kept-secret.js'
import type { Storage } from '../storage/storage.js'
import type { Logger } from '../telemetry/logger.js'
import { implementation } from './version.js'
import type { Part } from './workers/part.js'

export interface FleetSurroundings {
  readonly storage: Storage
  readonly logger: Logger
  /** Others can ask this process. */
  readonly listens: boolean
  /** Where it is one of several behind a port. */
  readonly part?: Pick<Part, 'replica' | 'takes'> | undefined
  /** Told the secret that was found, so that nothing shows it. */
  readonly onSecret: (secret: string) => void
}

/**
 * The fleet that this process is a part of; by itself unless its storage is shared and others can ask it: a command that comes
 * and goes takes nothing from those who stay.
 */
export const openFleet = async (config: Config, around: FleetSurroundings): Promise<Fleet> => {
  const secret = await secretOf(config, around)
  const { leaseMs, previousSecrets } = config.fleet
  const { replica = replicaOf(config), takes } = around.part ?? {}
  const seals = createSeals(secret, previousSecrets)
  const { commons } = around.storage
  if (!commons || !around.listens || secret === undefined) return aloneFleet(seals)
  const { joinFleet } = await import('../fleet/join.js')
  return joinFleet({
    ...{ commons, seals, replica, takes, leaseMs, clock: systemClock, version: implementation.version },
    secrets: [secret, ...previousSecrets].map((each) => fingerprintOf(typeof each === 'function' ? each() : each)),
    logger: around.logger.child('fleet'),
  })
}

/** How the others reach us: what the operator says, else where we listen, by an address that other machines know. */
export const addressForPeers = ({ fleet, server }: Config, listensAt: string): string => {
  if (fleet.address !== undefined) return fleet.address.replace(/\/+$/, '')
  const url = new URL(listensAt)
  if (isWildcardHost(server.host)) url.hostname = ownAddress() ?? '127.0.0.1'
  return url.origin
}

const ownAddress = (): string | undefined => {
  const known = Object.values(networkInterfaces()).flatMap((each) => (each ?? []).filter(({ internal }) => !internal))
  const four = known.find(({ family }) => family === 'IPv4')
  if (four) return four.address
  // Addresses of one cable alone mean nothing to others.
  const six = known.find(({ address }) => !/^fe80:/i.test(address))
  return six && `[${six.address}]`
}

/** The name that the operator gave, or one that no other has. */
export const replicaOf = ({ fleet }: Pick<Config, 'fleet'>): string => fleet.replica ?? defaultName()

const defaultName = (): string => {
  const machine = hostname()
    .replaceAll(/[^A-Za-z0-9._-]/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
  return `${(machine || 'replica').slice(0, 58)}-${randomBytes(2).toString('hex')}`
}

/**
 * What everything is sealed under: the operator's word, else what is kept where the data is.
 */
export const secretOf = async (
  { fleet, storage: { backend, path } }: Config,
  { storage, logger, onSecret }: FleetSurroundings,
): Promise<Secret | undefined> => {
  if (fleet.secret !== undefined) return fleet.secret
  const told = (secret: string): string => {
    onSecret(secret)
    return secret
  }
  if (storage.commons) return told(await storage.commons.secret())
  if (backend === 'memory') return undefined
  const kept = (): string => told(keptSecret(path, logger))
  // Made when something is first sealed: a start that is refused before leaves no folder behind.
  return kept
}
