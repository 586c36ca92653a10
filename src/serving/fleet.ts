import type { Config } from '../config/schema.js'
import { aloneFleet, type Fleet } from '../fleet/fleet.js'
import { createSeals, type Secret } from '../model/seal.js'
import { keptSecret } from '../storage/kept-secret.js'
import type { Storage } from '../storage/storage.js'
import type { Logger } from '../telemetry/logger.js'

export interface FleetSurroundings {
  readonly storage: Storage
  readonly logger: Logger
  /** Whoever serves hears at its start that a secret cannot be had; a command that only looks never asks for it. */
  readonly serves: boolean
  /** Told the secret that was found, so that nothing shows it. */
  readonly onSecret: (secret: string) => void
}

/** The fleet that this process is a part of; by itself unless its storage is shared. */
export const openFleet = async (config: Config, around: FleetSurroundings): Promise<Fleet> =>
  aloneFleet(createSeals(await secretOf(config, around), config.fleet.previousSecrets))

/**
 * What everything is sealed under: the operator's word, else what is kept where the data is.
 */
export const secretOf = async (
  { fleet, storage: { backend, path } }: Config,
  { storage, logger, serves, onSecret }: FleetSurroundings,
): Promise<Secret | undefined> => {
  if (fleet.secret !== undefined) return fleet.secret
  const told = (secret: string): string => {
    onSecret(secret)
    return secret
  }
  if (storage.commons) return told(await storage.commons.secret())
  if (backend === 'memory') return undefined
  const kept = (): string => told(keptSecret(path, logger))
  return serves ? kept() : kept
}
