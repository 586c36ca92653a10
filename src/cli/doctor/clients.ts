import type { Place } from '../../clients/client.js'
import { findClientFiles } from '../../clients/find.js'
import { isOurEntry } from '../our-launch.js'
import { type Finding, fail, off, ok, warn } from './finding.js'
import { isFound } from './hops.js'

/** Which clients are here, can their files be read, and do they know us? `address` is where we listen. */
export const checkClients = async (place: Place, address: string): Promise<readonly Finding[]> => {
  const files = await findClientFiles(place)
  if (files.length === 0) return [off('client', 'No configuration of a client was found')]
  return files.map(({ client, file, servers, problem }) => {
    if (problem !== undefined)
      return warn('client', `${client.title}: ${problem}`, `Open ${file.path} in an editor and repair that line.`)
    const ours = servers.find(({ entry }) => isOurEntry(entry) || pointsAt(entry, address))
    if (!ours)
      return off('client', `${client.title}: not connected. Connect it: pegboard connect ${client.id} (${file.path})`)
    const { command } = ours.entry
    if (typeof command === 'string' && !isFound(command, process.env.PATH ?? ''))
      return fail(
        'client',
        `${client.title}: its entry '${ours.name}' starts '${command}', which is not there any more`,
        `Write it anew: pegboard connect ${client.id}`,
      )
    return ok('client', `${client.title}: connected as '${ours.name}' (${file.path})`)
  })
}

const pointsAt = (entry: Readonly<Record<string, unknown>>, address: string): boolean =>
  ['url', 'serverUrl', 'httpUrl', 'baseUrl'].some((key) => {
    const value = entry[key]
    return typeof value === 'string' && value.startsWith(`${address}/`)
  })
