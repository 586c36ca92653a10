import { messageOf } from '../../errors.js'
import { ownIdentity } from '../../storage/process-identity.js'
import type { Logger } from '../../telemetry/logger.js'
import { say } from '../locale.js'
import { version } from '../version.js'
import { localProtocol, newLocalKey, removeRecord, writeRecord } from './record.js'

export interface AnnounceOptions {
  /** Undefined where nothing is kept: then nobody finds this gateway but by its address. */
  readonly dataFolder: string | undefined
  readonly config: string
  readonly shared: boolean
  /** Default: a new one. */
  readonly key?: string | undefined
  readonly logger: Logger
}

/** Tells this user's other programs that a gateway runs, where, and how to come in. */
export interface Announcement {
  readonly key: string
  /** `pin` is the hash of the certificate there, where it speaks TLS. */
  publish(url: string, pin: string | undefined): Promise<void>
  withdraw(): Promise<void>
}

export const createAnnouncement = (options: AnnounceOptions): Announcement => {
  const { dataFolder, config, shared, key = newLocalKey(), logger } = options
  return {
    key,
    publish: async (url, pin) => {
      if (dataFolder === undefined) return
      const record = { protocol: localProtocol, url, pin, ...ownIdentity(), version, config, shared, key }
      await writeRecord(dataFolder, record).catch((error: unknown) =>
        logger.log(
          'warn',
          say(
            `Other commands will not find this gateway: ${messageOf(error)}`,
            `其他命令将找不到这个网关：${messageOf(error)}`,
          ),
        ),
      )
    },
    withdraw: async () => {
      if (dataFolder !== undefined) await removeRecord(dataFolder, key).catch(() => {})
    },
  }
}
