import { join } from 'node:path'
import { auditWishes } from '../config/audit-schema.js'
import type { Config } from '../config/schema.js'
import { messageOf } from '../errors.js'
import type { RefusedRequest } from '../http/serve.js'
import { type AuditLog, openAuditFile } from '../telemetry/audit-file.js'
import { actorOf, type Note } from '../telemetry/deed.js'
import type { Logger } from '../telemetry/logger.js'
import { say } from './locale.js'
import { version } from './version.js'

/** Where the trail lies. */
export const auditFolder = ({ storage }: Pick<Config, 'storage'>): string => join(storage.path, 'audit')

/** The trail as the configuration wants it; undefined where it wants none, or where none can be kept. */
export const openAuditTrail = (config: Config, logger: Logger): AuditLog | undefined => {
  const wishes = auditWishes(config.telemetry.audit)
  if (!wishes || config.storage.backend === 'memory') return undefined
  const { values, ip, keepDays, keepMegabytes } = wishes
  try {
    return openAuditFile({
      ...{ folder: auditFolder(config), values, ip, keepDays, logger, version },
      maxFiles: Math.max(2, Math.round(keepMegabytes / 16)),
    })
  } catch (error) {
    // A trail that cannot be kept is worth a loud word, not a gateway that does not start.
    logger.log('error', say(`There is no audit trail: ${messageOf(error)}`, `没有审计记录：${messageOf(error)}`))
    return undefined
  }
}

/** Every process that carries calls is in the trail, also one that only reads what others keep. */
export const lateAuditTrail = (config: Config, logger: Logger): AuditLog => {
  let opened: AuditLog | undefined
  let isTried = false
  const open = (): AuditLog | undefined => {
    if (!isTried) opened = openAuditTrail(config, logger)
    isTried = true
    return opened
  }
  return {
    listener: (...ended) => open()?.listener(...ended),
    note: (deed) => open()?.note(deed),
    search: async (query) => (await open()?.search(query)) ?? { entries: [] },
    read: async (filter) => (await open()?.read(filter)) ?? [],
    close: async () => opened?.close(),
  }
}

/** Who was sent away; folded by the trail. */
export const refusalsTo =
  (note: Note) =>
  ({ code, caller, path = '(none)', ip }: RefusedRequest): void =>
    note({
      ...{ kind: 'refusal', action: 'refuse', outcome: 'refused', code, on: { type: 'route', id: path } },
      actor: { ...actorOf(caller), ip },
    })
