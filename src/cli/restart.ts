import { didYouMean } from '../config/nearest.js'
import type { SourceStatus } from '../sources/status.js'
import { type AdminClient, type AdminFlags, openAdminClient } from './admin-client.js'
import { CommandFailed, exitCodes } from './exit.js'
import { say } from './terminal.js'

/** `pegboard restart SOURCE …`: ends and starts sources of the running gateway. */
export const restart = async (names: readonly string[], flags: AdminFlags): Promise<void> => {
  const client = await openAdminClient(flags)
  const done: { name: string; status: SourceStatus }[] = []
  await requireKnown(names, client)
  for (const name of names) {
    const path = `/sources/${encodeURIComponent(name)}/restart`
    done.push({ name, ...(await client.post<{ status: SourceStatus }>(path)) })
  }
  say(
    flags,
    done,
    done.map(({ name, status }) => `'${name}' is ${status.state}${status.reason ? `: ${status.reason}` : '.'}`),
  )
  const down = done.find(({ status }) => status.state !== 'ready')
  if (down)
    throw new CommandFailed(`'${down.name}' did not come up. Find out why: pegboard doctor`, exitCodes.unreachable)
}

/** Before any is touched: of three names, two that were right are not restarted for a third that was not. */
const requireKnown = async (names: readonly string[], client: AdminClient): Promise<void> => {
  const { sources } = await client.get<{ sources: readonly { readonly name: string }[] }>('/sources')
  const known = sources.map(({ name }) => name)
  const missing = names.find((name) => !known.includes(name))
  if (missing === undefined) return
  throw new CommandFailed(
    `The running gateway has no source '${missing}'${didYouMean(missing, known) || '.'} It has: ${known.join(', ')}.`,
    exitCodes.notFound,
  )
}
