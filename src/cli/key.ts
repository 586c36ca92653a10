import { type KeyRecord, type Permission, stateOf } from '../access/key-record.js'
import type { Keys } from '../access/keys.js'
import type { Config } from '../config/schema.js'
import { GatewayError } from '../errors.js'
import { openKeys } from './access.js'
import { CommandFailed, exitCodes } from './exit.js'
import { type CommonFlags, readConfig } from './flags.js'
import { quietLogger } from './logger.js'
import { table } from './table.js'

export interface CreateKeyFlags extends CommonFlags {
  readonly permission?: Permission
  readonly expiresIn?: string
  readonly owner?: string
  readonly profile?: string
}

/** `pegboard key create NAME`: the key alone on standard output, so that a script can take it. */
export const createKey = (name: string, flags: CreateKeyFlags): Promise<void> =>
  withKeys(flags, async (keys, config) => {
    const { permission, expiresIn, owner, profile } = flags
    if (profile !== undefined) checkProfile(profile, config)
    const expiresInSeconds = expiresIn === undefined ? undefined : Number(expiresIn)
    const { key, record } = await keys.create({ name, permission, expiresInSeconds, owner, profile })
    if (flags.json) return print(JSON.stringify({ key, ...shown(record) }, null, 2))
    process.stderr.write(
      `Key ${record.id} (${record.name}, ${record.permission}). Keep it now: it is not shown again.\n`,
    )
    print(key)
  })

/** `pegboard key list`. */
export const listKeys = (flags: CommonFlags & { readonly owner?: string }): Promise<void> =>
  withKeys(flags, async (keys) => {
    const records = await keys.list({ owner: flags.owner })
    if (flags.json) return print(JSON.stringify(records.map(shown), null, 2))
    if (records.length === 0) return print('No keys.')
    print(
      table(
        ['ID', 'NAME', 'PERMISSION', 'STATE', 'KEY', 'OWNER', 'PROFILE', 'EXPIRES', 'USES', 'LAST USED'],
        records.map(row),
      ),
    )
  })

/** `pegboard key revoke ID`: a running gateway refuses the key within a second. */
export const revokeKey = (id: string, flags: CommonFlags): Promise<void> =>
  withKeys(flags, async (keys) => {
    if (!(await keys.revoke(id)))
      throw new CommandFailed(
        `There is no unrevoked key '${id}'. See 'pegboard key list' for their ids.`,
        exitCodes.notFound,
      )
    print(flags.json ? JSON.stringify({ id, state: 'revoked' }) : `Key ${id} is revoked.`)
  })

const withKeys = async (flags: CommonFlags, use: (keys: Keys, config: Config) => Promise<void>): Promise<void> => {
  const loaded = await readConfig(flags)
  const { config } = loaded
  if (config.storage.backend === 'memory')
    throw new GatewayError(
      'CONFIG_INVALID',
      "The memory storage keeps no keys. Choose another with --storage-backend, such as 'json'.",
    )
  await using keys = await openKeys(config, quietLogger(loaded, flags, 'warn'))
  await use(keys, config)
}

const checkProfile = (profile: string, { profiles }: Config): void => {
  if (Object.hasOwn(profiles, profile)) return
  throw new GatewayError(
    'CONFIG_INVALID',
    `There is no profile '${profile.slice(0, 128)}'. The configuration has: ${Object.keys(profiles).join(', ')}.`,
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
  record.permission,
  stateOf(record, Date.now()),
  `${record.hint}…`,
  record.owner ?? '',
  record.profile ?? '',
  toIso(record.expiresAt) ?? 'never',
  String(record.useCount),
  toIso(record.lastUsed) ?? 'never',
]

const toIso = (time: number | null | undefined): string | null =>
  time === null || time === undefined ? null : new Date(time).toISOString()
