import type { Config } from '../config/schema.js'
import type { ReplicaSeen } from '../storage/commons.js'
import { silentLogger } from '../telemetry/logger.js'
import { storageOf } from './storage.js'

/** The fleet as its database knows it, for those who are no part of it. */
export interface FleetView {
  readonly replicas: readonly SeenReplica[]
  readonly leases: readonly SeenLease[]
}

export interface SeenReplica extends Pick<ReplicaSeen, 'name' | 'state' | 'version' | 'silentMs'> {
  readonly address?: string | undefined
  /** False once it was silent for longer than a lease: what it held is another's. */
  readonly lives: boolean
}

export interface SeenLease {
  readonly name: string
  readonly holder?: string | undefined
  readonly epoch: number
  readonly isFree: boolean
}

/** Undefined where the data is kept by one process for itself: there is no fleet then. */
export const lookAtFleet = async (config: Config): Promise<(FleetView & { readonly storeMs: number }) | undefined> => {
  const storage = await storageOf(config, silentLogger)
  try {
    const { leaseMs } = config.fleet
    const heard = await storage.commons?.leases.read(leaseMs)
    return (
      heard && {
        storeMs: heard.storeMs,
        replicas: heard.replicas.map(({ name, state, version, silentMs, address }) => ({
          ...{ name, state, version, address, silentMs: Math.round(silentMs) },
          lives: silentMs <= leaseMs,
        })),
        leases: heard.leases.map(({ name, holder, epoch, isFree }) => ({ name, holder, epoch, isFree })),
      }
    )
  } finally {
    await storage[Symbol.asyncDispose]()
  }
}

/** False where nobody holds it. */
export const takeLeaseAway = async (config: Config, lease: string): Promise<boolean> => {
  const storage = await storageOf(config, silentLogger)
  try {
    return (await storage.commons?.leases.release(lease)) ?? false
  } finally {
    await storage[Symbol.asyncDispose]()
  }
}
