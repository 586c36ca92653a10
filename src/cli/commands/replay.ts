import type { ReplayAnswer, ReplayedCall } from '../../faces/admin/history.js'
import { say } from '../../serving/locale.js'
import { plainText } from '../../telemetry/plain-text.js'
import { CommandFailed, exitCodes } from '../terminal/exit.js'
import { painted, print } from '../terminal/terminal.js'
import { type AdminFlags, openAdminClient } from './admin-client.js'

/** `pegboard calls replay ID…`: made again by the running gateway, in the name of whoever holds the key. */
export const replayCalls = async (
  ids: readonly string[],
  flags: AdminFlags & { readonly yes?: boolean | undefined },
): Promise<void> => {
  const client = await openAdminClient(flags)
  const answer = await client.post<ReplayAnswer>('/history/replay', { ids, confirm: flags.yes ?? false })
  print(flags, answer, answer.calls.flatMap(linesOf))
  const other = answer.calls.filter(({ verdict }) => verdict !== 'same').length
  if (other > 0)
    throw new CommandFailed(
      say(
        `${other} of ${answer.calls.length} did not end as they did.`,
        `${answer.calls.length} 次调用中有 ${other} 次结果与当时不同。`,
      ),
      exitCodes.failed,
    )
}

const verdicts: Readonly<Record<ReplayedCall['verdict'], readonly ['green' | 'yellow' | 'red', string]>> = {
  same: ['green', say('same', '相同')],
  different: ['yellow', say('different', '不同')],
  failed: ['red', say('fails now', '现在失败')],
  cannot: ['yellow', say('cannot be made again', '无法重放')],
  unconfirmed: ['yellow', say('not made again: add --yes', '未重放：请加 --yes')],
}

const linesOf = ({ id, tool, verdict, reason, latencyMs, keptLatencyMs, differences = [] }: ReplayedCall): string[] => {
  const [colour, word] = verdicts[verdict]
  const times = latencyMs === undefined ? '' : painted('dim', ` ${keptLatencyMs ?? 0} → ${latencyMs.toFixed(1)} ms`)
  return [
    `${painted(colour, word)} ${plainText(tool ?? '')} ${painted('dim', id)}${times}`,
    ...(reason === undefined ? [] : [`  ${plainText(reason)}`]),
    ...differences.map(
      ({ at, change, before, after }) =>
        `  ${change} ${plainText(at || '(all)')}${before === undefined ? '' : ` - ${plainText(before)}`}${after === undefined ? '' : ` + ${plainText(after)}`}`,
    ),
  ]
}
