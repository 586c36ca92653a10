import type { SourceStatus } from '../sources/status.js'
import { type AdminFlags, openAdminClient } from './admin-client.js'
import { CommandFailed, exitCodes } from './exit.js'
import { say } from './terminal.js'

/** `pegboard restart SOURCE …`: ends and starts sources of the running gateway. */
export const restart = async (names: readonly string[], flags: AdminFlags): Promise<void> => {
  const client = await openAdminClient(flags)
  const done: { name: string; status: SourceStatus }[] = []
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
