import { dirname } from 'node:path'
import { isGatewayError, messageOf } from '../errors.js'
import type { ClientFile, ClientProgram, HostEnvironment } from './client.js'
import { clients as known } from './known.js'
import { parseClientText } from './parse.js'
import { readClientFile } from './read-file.js'
import { type ClientServer, serversIn } from './servers.js'

/** A client's file that is there, with what is in it or why it cannot be read. */
export interface FoundServers {
  readonly client: ClientProgram
  readonly file: ClientFile
  readonly servers: readonly ClientServer[]
  readonly problem: string | undefined
}

/** Every file of these clients that exists. One that is broken is reported, and never hides the others. */
export const findClientFiles = async (
  place: HostEnvironment,
  clients: readonly ClientProgram[] = known,
): Promise<readonly FoundServers[]> => {
  const found: FoundServers[] = []
  const seen = new Set<string>()
  for (const client of clients)
    for (const file of client.files(place)) {
      if (seen.has(file.path)) continue
      seen.add(file.path)
      const read = await readServers(client, file)
      if (read) found.push(read)
    }
  return found
}

/** One file, or undefined where there is none. */
export const readServers = async (client: ClientProgram, file: ClientFile): Promise<FoundServers | undefined> => {
  try {
    const bytes = await readClientFile(file.path)
    if (bytes === undefined) return undefined
    const value = await parseClientText(client, bytes.toString('utf8'), file.path)
    const folder = file.scope === 'project' ? projectFolder(file.path) : undefined
    return { client, file, servers: serversIn(value, client, folder), problem: undefined }
  } catch (error) {
    if (!isGatewayError(error)) throw error
    return { client, file, servers: [], problem: messageOf(error) }
  }
}

/** `.vscode/mcp.json` and its like belong to the folder above theirs. */
const projectFolder = (path: string): string => {
  const folder = dirname(path)
  return /[/\\]\.[^/\\]+$/.test(folder) ? dirname(folder) : folder
}
