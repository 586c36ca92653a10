import type { SourceInfo } from '../../gateway.js'
import { say } from '../../serving/locale.js'
import { CommandFailed, exitCodes } from '../terminal/exit.js'
import { stateHere, toldReason } from '../terminal/source-words.js'
import { print } from '../terminal/terminal.js'
import { meant } from '../terminal/usage.js'
import { type AdminClient, type AdminFlags, openAdminClient } from './admin-client.js'

/** `pegboard restart SOURCE …`: ends and starts sources of the running gateway. */
export const restart = async (names: readonly string[], flags: AdminFlags): Promise<void> => {
  const client = await openAdminClient(flags)
  const done: { name: string; status: SourceInfo['status'] }[] = []
  await requireKnown(names, client)
  for (const name of names) {
    const path = `/sources/${encodeURIComponent(name)}/restart`
    done.push({ name, ...(await client.post<{ status: SourceInfo['status'] }>(path)) })
  }
  print(
    flags,
    done,
    done.map(({ name, status: { state, reason } }) =>
      say(
        `'${name}' is ${stateHere(state)}${reason ? `: ${reason}` : '.'}`,
        `“${name}”：${stateHere(state)}${reason ? `：${toldReason(reason)}` : '。'}`,
      ),
    ),
  )
  const down = done.find(({ status }) => status.state !== 'ready')
  if (down)
    throw new CommandFailed(
      say(
        `'${down.name}' did not come up. Find out why: pegboard doctor`,
        `“${down.name}”没有启动成功。查找原因：pegboard doctor`,
      ),
      exitCodes.unreachable,
    )
}

/** Before any is touched: of three names, two that were right are not restarted for a third that was not. */
const requireKnown = async (names: readonly string[], client: AdminClient): Promise<void> => {
  const { sources } = await client.get<{ sources: readonly { readonly name: string }[] }>('/sources')
  const known = sources.map(({ name }) => name)
  const missing = names.find((name) => !known.includes(name))
  if (missing === undefined) return
  throw new CommandFailed(
    say(
      `The running gateway has no source '${missing}'${meant(missing, known)} It has: ${known.join(', ')}.`,
      `运行中的网关没有来源“${missing}”${meant(missing, known)}现有：${known.join('、')}。`,
    ),
    exitCodes.notFound,
  )
}
