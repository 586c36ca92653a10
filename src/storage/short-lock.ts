import { isGatewayError } from '../errors.js'
import type { Clock } from '../model/clock.js'
import type { Logger } from '../telemetry/logger.js'
import type { Disk } from './disk.js'
import { type FileLock, lockFile } from './file-lock.js'
import { pause } from './pause.js'

/** How long a write waits for another process that is writing. A write takes some milliseconds. */
export const shortLockTimeoutMs = 5000

export interface ShortLockOptions {
  readonly disk: Disk
  readonly logger: Logger
  readonly clock: Clock
}

/** Runs `work` while nobody else, in this process or another, runs theirs for the same file. */
export const withShortLock = async <T>(file: string, options: ShortLockOptions, work: () => Promise<T>): Promise<T> => {
  const lock = await takeWhenFree(file, options)
  try {
    return await work()
  } finally {
    await lock.release()
  }
}

const takeWhenFree = async (file: string, { disk, logger, clock }: ShortLockOptions): Promise<FileLock> => {
  const giveUpAt = clock.now() + shortLockTimeoutMs
  for (;;) {
    try {
      return await lockFile(file, disk, logger)
    } catch (error) {
      if (!isTaken(error) || clock.now() >= giveUpAt) throw error
    }
    await pause(clock)
  }
}

// Held by a process that lives, or changing hands too fast; an error of the disk has a number and stays one.
const isTaken = (error: unknown): boolean => isGatewayError(error) && error.details?.errno === undefined
