import { isRecord } from '../model/json.js'
import type { ClientProgram } from './client.js'
import { toOurReferences } from './references.js'

/** One server as a client has it. */
export interface ClientServer {
  readonly name: string
  /** Its keys are still the client's, its variables are ours. */
  readonly entry: Readonly<Record<string, unknown>>
  /** The folder it belongs to; undefined where it holds everywhere. */
  readonly project: string | undefined
  /** Variables of which the client asks a person. */
  readonly asked: readonly string[]
}

/** More than anybody has; a file that claims more is not one of these. */
const maxServers = 2000

/** The servers in a parsed file: those at its top, then those of each project. Entries that are no objects are left out. */
export const serversIn = (
  value: unknown,
  client: Pick<ClientProgram, 'section' | 'projectsKey' | 'variables' | 'bareVariables' | 'plainUrlIsSse'>,
  folder?: string,
): readonly ClientServer[] => {
  if (!isRecord(value)) return []
  const projects = client.projectsKey === undefined ? undefined : value[client.projectsKey]
  const found = [
    ...sectionOf(value, client, folder),
    ...(isRecord(projects)
      ? Object.entries(projects).flatMap(([path, settings]) =>
          isRecord(settings) ? sectionOf(settings, client, path) : [],
        )
      : []),
  ]
  return found.slice(0, maxServers)
}

const sectionOf = (
  holder: Readonly<Record<string, unknown>>,
  client: Pick<ClientProgram, 'section' | 'variables' | 'bareVariables' | 'plainUrlIsSse'>,
  project: string | undefined,
): readonly ClientServer[] => {
  // People paste one client's file into another's place: whichever section is there is what they meant.
  const section = [client.section, 'mcpServers', 'servers', 'mcp_servers'].find((key) => isRecord(holder[key]))
  if (section === undefined) return []
  return Object.entries(holder[section] as Record<string, unknown>).flatMap(([name, entry]) => {
    if (!isRecord(entry)) return []
    const { value, asked } = toOurReferences(entry, client, { folder: project })
    return [{ name, entry: typed(value as Record<string, unknown>, client), project, asked }]
  })
}

/** What an address without a type means differs from client to client; here it is said, so that nobody has to guess. */
const typed = (
  entry: Readonly<Record<string, unknown>>,
  { plainUrlIsSse }: Pick<ClientProgram, 'plainUrlIsSse'>,
): Readonly<Record<string, unknown>> => {
  if (['type', 'transport', 'transportType'].some((key) => typeof entry[key] === 'string')) return entry
  const isSse = (plainUrlIsSse && typeof entry.url === 'string') || /\/sse\/?$/.test(String(entry.serverUrl ?? ''))
  return isSse ? { type: 'sse', ...entry } : entry
}
