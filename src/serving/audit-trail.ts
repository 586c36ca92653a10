import { join } from 'node:path'
import { type AuditWishes, auditWishes } from '../config/audit-schema.js'
import type { Config } from '../config/schema.js'
import { messageOf } from '../errors.js'
import type { RefusedRequest } from '../http/serve.js'
import { type AuditLog, openAuditFile } from '../telemetry/audit-file.js'
import { actorOf, type Note } from '../telemetry/deed.js'
import type { Logger } from '../telemetry/logger.js'
import { auditKeys, pseudonymsOf } from './audit-keys.js'
import type { OpenShip } from './audit-ships.js'
import { say } from './locale.js'
import { version } from './version.js'

/** Where the trail lies. */
export const auditFolder = ({ storage }: Pick<Config, 'storage'>): string => join(storage.path, 'audit')

export interface AuditSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Its name, where there are several. */
  readonly replica?: string | undefined
  /** Standard output is free for lines: nobody speaks MCP over it, and no command prints there. */
  readonly listens: boolean
}

interface TrailParts extends AuditSurroundings {
  readonly wishes: AuditWishes | undefined
  readonly openShip: OpenShip
}

/** The trail as the configuration wants it; undefined where it wants none, or where none can be kept. */
const openAuditTrail = (config: Config, logger: Logger, around: TrailParts): AuditLog | undefined => {
  const { wishes, openShip } = around
  if (!wishes) return undefined
  const hasFile = wishes.to.includes('file') && config.storage.backend !== 'memory'
  const elsewhere = wishes.to.filter((target) => target !== 'file' && (target !== 'stdout' || around.listens))
  if (!hasFile && elsewhere.length === 0) return undefined
  const { values, ip, keepDays, keepMegabytes } = wishes
  const keys = auditKeys(config, around.env, logger)
  let note: Note = () => {}
  try {
    const audit = openAuditFile({
      ...{ folder: auditFolder(config), file: hasFile, values, ip, keepDays, logger, version, replica: around.replica },
      maxFiles: Math.max(2, Math.round(keepMegabytes / 16)),
      pseudonym: wishes.people === 'hash' ? pseudonymsOf(keys.made()) : undefined,
      signer: keys.signer,
      ships: elsewhere.map((target) =>
        openShip(target, { logger, replica: around.replica, note: (deed) => note(deed) }),
      ),
    })
    note = audit.note
    return audit
  } catch (error) {
    // A trail that cannot be kept is worth a loud word, not a gateway that does not start.
    logger.log('error', say(`There is no audit trail: ${messageOf(error)}`, `没有审计记录：${messageOf(error)}`))
    return undefined
  }
}

const noShip: OpenShip = () => ({ take: () => {}, close: async () => {} })

/** A trail that begins with its first line, or when it is told to. */
export interface LateAuditTrail extends AuditLog {
  /** The trail itself; undefined where none can be kept. */
  begin(): AuditLog | undefined
}

/** Every process that carries calls is in the trail, also one that only reads what others keep. */
export const lateAuditTrail = async (
  config: Config,
  logger: Logger,
  around: AuditSurroundings,
): Promise<LateAuditTrail> => {
  const wishes = auditWishes(config.telemetry.audit)
  // Loaded where lines go elsewhere, since the trail itself begins in the middle of a call.
  const openShip = wishes?.to.some((target) => target !== 'file') ? (await import('./audit-ships.js')).openShip : noShip
  let opened: AuditLog | undefined
  let isTried = false
  const open = (): AuditLog | undefined => {
    if (!isTried) opened = openAuditTrail(config, logger, { ...around, wishes, openShip })
    isTried = true
    return opened
  }
  return {
    begin: open,
    listener: (...ended) => open()?.listener(...ended),
    note: (deed) => open()?.note(deed),
    search: async (query) => (await open()?.search(query)) ?? { entries: [], places: [] },
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
