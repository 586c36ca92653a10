import { basename, isAbsolute, resolve } from 'node:path'
import { cautionsAbout } from '../../clients/cautions.js'
import type { FoundServers } from '../../clients/find.js'
import type { ClientServer } from '../../clients/servers.js'
import { lookAlikeKey, nameProblem, toNamespace } from '../../config/namespaces.js'
import { toSourceEntry } from '../../config/source-entry.js'
import { type SourceType, sourceSchemas } from '../../config/source-schema.js'
import { canonicalJson } from '../../schema/canonical.js'
import type { WrittenSources } from '../config-file.js'
import { say } from '../locale.js'

export type Written = Readonly<Record<string, unknown>>

/** What becomes of one server that was found. */
export interface PlannedSource {
  /** Under which name it would be ours. */
  readonly name: string
  /** The name it has in the client. */
  readonly theirName: string
  /** `Cursor (.cursor/mcp.json)` and the like; several when clients agree. */
  readonly from: readonly string[]
  readonly outcome: 'add' | 'rename' | 'present' | 'ours' | 'unusable'
  /** As it would be written, without `enabled`. */
  readonly entry: Written
  /** The client has it switched off. */
  readonly off: boolean
  readonly notes: readonly string[]
  readonly cautions: readonly string[]
}

export interface ImportPlanOptions {
  readonly existing: WrittenSources
  /** Why an entry cannot be used, or undefined. */
  readonly problemOf: (name: string, entry: Written) => string | undefined
  /** An entry that is this gateway itself, which must not mount itself. */
  readonly isOurs: (entry: Written) => boolean
}

/** Every server of every file as a source of ours; the same one found twice is one, two under one name get two names. */
export const planImport = (files: readonly FoundServers[], options: ImportPlanOptions): readonly PlannedSource[] => {
  const taken = new Set([...options.existing.keys()].map(placeOf))
  const byContent = new Map<string, string>()
  for (const [name, entry] of options.existing) byContent.set(contentKey(entry), name)
  const planned = new Map<string, PlannedSource>()
  for (const found of files)
    for (const server of found.servers) {
      const next = planOne(found, server, { ...options, taken, byContent, planned })
      planned.set(next.key, next.source)
    }
  return [...planned.values()]
}

interface Planning extends ImportPlanOptions {
  readonly taken: Set<string>
  readonly byContent: Map<string, string>
  readonly planned: ReadonlyMap<string, PlannedSource>
}

const planOne = (
  found: FoundServers,
  server: ClientServer,
  planning: Planning,
): { readonly key: string; readonly source: PlannedSource } => {
  const { entry, notes, off, problem } = toOurs(server)
  const label = labelOf(found, server)
  const base = { name: server.name, theirName: server.name, from: [label], entry, off, notes, cautions: [] }
  const unusable = problem ?? nameProblem(server.name) ?? planning.problemOf(server.name, entry)
  const aside = (outcome: 'ours' | 'unusable', why: readonly string[]) => ({
    key: `${outcome} ${label} ${server.name}`,
    source: { ...base, outcome, notes: why },
  })
  if (planning.isOurs(entry)) return aside('ours', [say('is this gateway itself', '就是本网关')])
  if (unusable !== undefined) return aside('unusable', [unusable])
  const content = contentKey(entry)
  const twin = planning.byContent.get(content)
  if (twin !== undefined) return joinTwin(twin, label, base, planning)
  const name = freeName(server, found.client.id, planning.taken)
  planning.taken.add(placeOf(name))
  planning.byContent.set(content, name)
  const outcome = name === server.name ? 'add' : 'rename'
  return { key: name, source: { ...base, name, outcome, cautions: cautionsAbout(entry) } }
}

const joinTwin = (
  twin: string,
  label: string,
  base: Omit<PlannedSource, 'outcome'>,
  { planned }: Planning,
): { readonly key: string; readonly source: PlannedSource } => {
  const other = planned.get(twin)
  if (other === undefined) return { key: twin, source: { ...base, name: twin, outcome: 'present' } }
  // Off only where every client that has it switched it off.
  return { key: twin, source: { ...other, off: other.off && base.off, from: [...other.from, label] } }
}

/** Two names that make one namespace cannot stand beside each other, whatever their spelling. */
const placeOf = (name: string): string => lookAlikeKey(toNamespace(name, '.'))

/** `github`, else `github-cursor` or `github-my-project`, else with a number. */
const freeName = ({ name, project }: ClientServer, client: string, taken: ReadonlySet<string>): string => {
  const suffix = project === undefined ? client : basename(project) || client
  const candidates = [name, `${name}-${suffix}`, `${name}-${suffix}-${client}`]
  const free = candidates.find((each) => !taken.has(placeOf(each)))
  for (let number = 2; ; number++) {
    const numbered = free ?? `${name}-${suffix}-${number}`
    if (!taken.has(placeOf(numbered))) return numbered
  }
}

const labelOf = ({ client, file }: FoundServers, { project }: ClientServer): string =>
  project === undefined ? `${client.title} (${file.path})` : `${client.title} (${file.path}, project ${project})`

interface Ours {
  readonly entry: Written
  readonly notes: readonly string[]
  readonly off: boolean
  readonly problem: string | undefined
}

const toOurs = ({ entry, project, asked }: ClientServer): Ours => {
  const { value, problem, skipped, notes } = toSourceEntry(entry, true)
  const { type, enabled, ...rest } = value
  const known = sourceSchemas[type as SourceType]?.shape ?? {}
  const kept = Object.entries(rest).filter(([key, item]) => Object.hasOwn(known, key) && !isEmpty(item))
  const dropped = Object.keys(rest).filter((key) => !Object.hasOwn(known, key))
  const ours = inProject({ type, ...Object.fromEntries(kept) }, project)
  const blame = problem && `${problem.key === undefined ? 'it' : `"${problem.key}"`} ${problem.message}`
  return {
    entry: ours,
    off: enabled === false,
    problem: skipped ?? blame,
    notes: [
      ...notes
        .filter(([, text]) => !/^is (?:read as|ignored: (?:approvals|it only matters))/.test(text))
        .map(([key, text]) => `"${key}" ${text}`),
      ...dropped.map((key) =>
        say(`"${key}" is left out: pegboard has nothing like it`, `略去 "${key}"：pegboard 没有对应的设置`),
      ),
      ...asked.map((name) =>
        say(
          `set ${name} in the environment: the client asks a person for it`,
          `请在环境变量中设置 ${name}：原客户端会向用户询问它`,
        ),
      ),
    ],
  }
}

/** A path that starts at the project starts there with us too. */
const inProject = (entry: Written, project: string | undefined): Written => {
  if (project === undefined || entry.type !== 'stdio') return entry
  if (typeof entry.cwd === 'string')
    return isAbsolute(entry.cwd) || entry.cwd.includes('${') ? entry : { ...entry, cwd: resolve(project, entry.cwd) }
  const words = [entry.command, ...((entry.args as readonly unknown[] | undefined) ?? [])]
  const isRelative = words.some((word) => typeof word === 'string' && /^\.{1,2}(?:[/\\]|$)/.test(word))
  return isRelative ? { ...entry, cwd: project } : entry
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)

/** What makes two entries the same server: all but whether it is on and how long we wait for it. */
const contentKey = (entry: Written): string => {
  const { enabled, timeoutMs, startTimeoutMs, description, tags, namespace, registry, ...rest } = entry
  return canonicalJson(Object.fromEntries(Object.entries(rest).filter(([, value]) => !isEmpty(value))))
}
