import { type KeyRecord, type Permission, roleOfPermission, stateOf } from '../../access/key-record.js'
import type { Keys } from '../../access/keys.js'
import type { Config } from '../../config/schema.js'
import { GatewayError } from '../../errors.js'
import type { HeldRole } from '../../model/role.js'
import { openKeys } from '../../serving/access.js'
import { noteTyped } from '../../serving/audit-deeds.js'
import { say } from '../../serving/locale.js'
import { quietLogger } from '../../serving/logger.js'
import { type CommonFlags, readConfig } from '../../serving/read-config.js'
import { storageOf } from '../../serving/storage.js'
import { assertOwnFolder } from '../../serving/trust/stranger-words.js'
import { CommandFailed, exitCodes } from '../terminal/exit.js'
import { table } from '../terminal/table.js'

export interface CreateKeyFlags extends CommonFlags {
  readonly role?: HeldRole | undefined
  readonly permission?: Permission | undefined
  readonly expiresIn?: string | undefined
  readonly owner?: string | undefined
  readonly profile?: string | undefined
  readonly actsForAccounts?: boolean | undefined
}

/** `pegboard key create NAME`: the key alone on standard output, so that a script can take it. */
export const createKey = (name: string, flags: CreateKeyFlags): Promise<void> =>
  withKeys(flags, async (keys, config) => {
    const { role, permission, expiresIn, owner, profile, actsForAccounts } = flags
    if (profile !== undefined) checkProfile(profile, config)
    const expiresInSeconds = expiresIn === undefined ? undefined : Number(expiresIn)
    const { key, record } = await keys.create({
      name,
      role,
      permission,
      expiresInSeconds,
      owner,
      profile,
      actsForAccounts,
    })
    await noteTyped(config, {
      ...{ kind: 'key', action: 'create', on: { type: 'key', id: record.id }, after: record.role, outcome: 'ok' },
    })
    if (permission !== undefined) process.stderr.write(`${whatItMeans(permission)}\n`)
    if (flags.json) return print(JSON.stringify({ key, ...shown(record) }, null, 2))
    process.stderr.write(
      say(
        `Key ${record.id} (${record.name}, ${record.role}). Keep it now: it is not shown again.\n`,
        `密钥 ${record.id}（${record.name}，${record.role}）。请立即保存：之后不再显示。\n`,
      ),
    )
    print(key)
  })

/** `pegboard key list`. */
export const listKeys = (flags: CommonFlags & { readonly owner?: string | undefined }): Promise<void> =>
  withKeys(flags, async (keys) => {
    const records = await keys.list({ owner: flags.owner })
    if (flags.json) return print(JSON.stringify(records.map(shown), null, 2))
    if (records.length === 0) return print(say('No keys.', '没有密钥。'))
    print(
      table(
        ['ID', 'NAME', 'ROLE', 'STATE', 'KEY', 'OWNER', 'PROFILE', 'EXPIRES', 'USES', 'LAST USED'],
        records.map(row),
      ),
    )
  })

/** `pegboard key revoke ID`: a running gateway refuses the key within a second. */
export const revokeKey = (id: string, flags: CommonFlags): Promise<void> =>
  withKeys(flags, async (keys, config) => {
    if (!(await keys.revoke(id)))
      throw new CommandFailed(
        say(
          `There is no unrevoked key '${id}'. See 'pegboard key list' for their ids.`,
          `没有未吊销的密钥“${id}”。用 pegboard key list 查看 id。`,
        ),
        exitCodes.notFound,
      )
    await noteTyped(config, { kind: 'key', action: 'revoke', on: { type: 'key', id }, outcome: 'ok' })
    print(flags.json ? JSON.stringify({ id, state: 'revoked' }) : say(`Key ${id} is revoked.`, `密钥 ${id} 已吊销。`))
  })

const withKeys = async (flags: CommonFlags, use: (keys: Keys, config: Config) => Promise<void>): Promise<void> => {
  const loaded = await readConfig(flags)
  const { config } = loaded
  if (config.storage.backend === 'memory')
    throw new GatewayError(
      'CONFIG_INVALID',
      say(
        "The memory storage keeps no keys. Choose another with --storage-backend, such as 'json'.",
        '内存存储不保存密钥。请用 --storage-backend 选择别的方式，例如 json。',
      ),
    )
  await assertOwnFolder(config.storage)
  const logger = quietLogger(loaded, flags, 'warn')
  await using storage = await storageOf(config, logger)
  await using keys = await openKeys(storage, logger)
  await use(keys, config)
}

/** The old words keep working, and no longer keep to themselves what they mean. */
const whatItMeans = (permission: Permission): string => {
  const role = roleOfPermission(permission)
  return {
    read: say(
      `--permission read is --role ${role}: it may call every tool it sees, those that change things included. For read-only tools alone: --role reader`,
      `--permission read 即 --role ${role}：可调用它能看到的所有工具，包括会修改数据的。只允许只读工具请用：--role reader`,
    ),
    write: say(
      `--permission write is --role ${role}: it may call every tool it sees and register definitions.`,
      `--permission write 即 --role ${role}：可调用它能看到的所有工具，并可注册定义。`,
    ),
    admin: say(
      `--permission admin is --role ${role}: it may do everything, start processes included.`,
      `--permission admin 即 --role ${role}：可做一切，包括启动进程。`,
    ),
  }[permission]
}

const checkProfile = (profile: string, { profiles }: Config): void => {
  if (Object.hasOwn(profiles, profile)) return
  throw new GatewayError(
    'CONFIG_INVALID',
    say(
      `There is no profile '${profile.slice(0, 128)}'. The configuration has: ${Object.keys(profiles).join(', ')}.`,
      `没有配置档“${profile.slice(0, 128)}”。现有：${Object.keys(profiles).join('、')}。`,
    ),
  )
}

const print = (text: string): void => void process.stdout.write(`${text}\n`)

const shown = (record: KeyRecord) => ({
  ...record,
  state: stateOf(record, Date.now()),
  createdAt: toIso(record.createdAt),
  expiresAt: toIso(record.expiresAt),
  revokedAt: toIso(record.revokedAt),
  lastUsed: toIso(record.lastUsed),
})

const row = (record: KeyRecord): readonly string[] => [
  record.id,
  record.name,
  record.role,
  stateOf(record, Date.now()),
  `${record.hint}…`,
  record.owner ?? '',
  record.profile ?? '',
  toIso(record.expiresAt) ?? say('never', '永不'),
  String(record.useCount),
  toIso(record.lastUsed) ?? say('never', '从未'),
]

const toIso = (time: number | null | undefined): string | null =>
  time === null || time === undefined ? null : new Date(time).toISOString()
