import { say } from '../../serving/locale.js'
import { quietLogger } from '../../serving/logger.js'
import { type CommonFlags, readConfig } from '../../serving/read-config.js'
import { assertOwnFolder } from '../../serving/trust/stranger-words.js'
import { noteEdited } from '../../serving/typed-deeds.js'
import { openVaultUpkeep, type VaultStatus, type VaultUpkeep } from '../../serving/vault-upkeep.js'
import { CommandFailed, exitCodes } from '../terminal/exit.js'
import { table } from '../terminal/table.js'
import { print } from '../terminal/terminal.js'

export interface RotateFlags extends CommonFlags {
  readonly fromDefault?: boolean | undefined
  readonly forgetUnreadable?: boolean | undefined
}

/** `pegboard vault`: by which key credentials are sealed, and what does not open. */
export const showVault = async (flags: CommonFlags): Promise<void> => {
  await using upkeep = await open(flags)
  const status = await upkeep.status()
  print(flags, status, lines(status))
}

/** `pegboard vault rotate`: everything under the key of now, or under a new one. */
export const rotateVault = async (flags: RotateFlags): Promise<void> => {
  await using upkeep = await open(flags, flags.fromDefault)
  const isTold = process.stderr.isTTY && flags.json !== true
  const rotated = await upkeep.rotate({
    forget: flags.forgetUnreadable === true,
    onProgress: (kind, done, total) => {
      if (isTold) process.stderr.write(`\r${kind} ${done}/${total}${done === total ? '\n' : ''}`)
    },
  })
  const { before, resealed, forgotten, keyId } = rotated
  const told = { kind: 'credential', on: { type: 'vault', id: keyId ?? '(none)' }, outcome: 'ok' } as const
  await noteEdited(
    flags,
    { ...told, action: 'rotate', before, after: keyId },
    ...(forgotten > 0 ? [{ ...told, action: 'forget', count: forgotten }] : []),
  )
  print(flags, rotated, [
    ...lines(rotated),
    ...(keyId === undefined ? [] : [sealedAnew(keyId, before, resealed)]),
    ...(forgotten > 0
      ? [say(`Deleted, since no key opens it: ${forgotten}.`, `无法解密，已删除：${forgotten} 个。`)]
      : []),
  ])
  const left = rotated.kinds.reduce((sum, { unreadable }) => sum + unreadable, 0)
  if (left > 0)
    throw new CommandFailed(
      say(
        `${left} do not open under any key that is here and were left as they are. Set vault.previousKey to the key that sealed them and run this again (from the key of the data folder or the fleet: --from-default), or delete them: pegboard vault rotate --forget-unreadable`,
        `有 ${left} 个无法用现有密钥解密，已原样保留。请在 vault.previousKey 中设置当时的密钥后重试（若当时用的是数据目录或集群的密钥：--from-default），或删除它们：pegboard vault rotate --forget-unreadable`,
      ),
      exitCodes.failed,
    )
}

const sealedAnew = (keyId: string, before: string | undefined, resealed: number): string =>
  before === undefined
    ? say(`Sealed anew by the key '${keyId}': ${resealed}.`, `已用密钥“${keyId}”重新加密：${resealed} 个。`)
    : say(
        `A new key '${keyId}' in the place of '${before}'. Sealed anew: ${resealed}.`,
        `新密钥“${keyId}”代替“${before}”。已重新加密：${resealed} 个。`,
      )

const open = async (flags: CommonFlags, fromDefault = false): Promise<VaultUpkeep> => {
  const loaded = await readConfig(flags)
  await assertOwnFolder(loaded.config.storage)
  return openVaultUpkeep(loaded.config, { logger: quietLogger(loaded, flags, 'warn'), env: process.env, fromDefault })
}

const lines = ({ keyId, place, opens, kinds }: VaultStatus): readonly string[] => [
  keyId === undefined
    ? say(`No key was made yet (${place}): nothing is sealed.`, `尚未生成密钥（${place}）：没有加密的内容。`)
    : say(`Key '${keyId}' from ${place}`, `密钥“${keyId}”，来自 ${place}`),
  ...(opens.length > 1
    ? [
        say(
          `Still opens what was sealed by ${opens.slice(1).join(', ')}`,
          `仍可解密由 ${opens.slice(1).join('、')} 加密的内容`,
        ),
      ]
    : []),
  ...(kinds.length === 0
    ? []
    : [
        table(
          [
            say('WHAT', '内容'),
            say('COUNT', '数量'),
            say('BY THIS KEY', '当前密钥'),
            say('EARLIER', '此前'),
            say('CLEAR', '明文'),
            say('UNREADABLE', '无法解密'),
          ],
          kinds.map(({ kind, count, current, earlier, clear, unreadable }) => [
            kind,
            ...[count, current, earlier, clear, unreadable].map(String),
          ]),
        ),
      ]),
]
