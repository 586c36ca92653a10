import type { ServerJson, ServerStatus } from '../../registries/server-json.js'

/** One version of one server, as this gateway's own registry lists it. */
export interface ServedServer {
  readonly server: ServerJson
  readonly status: ServerStatus
  readonly statusMessage?: string | undefined
  /** Milliseconds since the epoch, as all times here. */
  readonly statusChangedAt: number
  readonly publishedAt: number
  readonly updatedAt: number
}

/** What an operator chose to publish. */
export interface PublishedServers {
  /** All of it, those that were taken back included. */
  servers(): Promise<readonly ServedServer[]>
}

/** Which of them somebody asks for. */
export interface ServedQuery {
  readonly search?: string | undefined
  readonly version?: string | undefined
  readonly updatedSince?: number | undefined
  readonly includeDeleted: boolean
}

/** Those that are meant, by name and then by version, oldest first. */
export const selectServers = (all: readonly ServedServer[], query: ServedQuery): readonly ServedServer[] => {
  const newest = newestOf(all)
  const words = query.search?.toLowerCase()
  return all
    .filter(
      (each) =>
        (query.includeDeleted || query.updatedSince !== undefined || each.status !== 'deleted') &&
        (words === undefined || each.server.name.toLowerCase().includes(words)) &&
        (query.updatedSince === undefined || each.updatedAt >= query.updatedSince) &&
        (query.version === undefined ||
          (query.version === 'latest' ? newest.has(each) : each.server.version === query.version)),
    )
    .toSorted(inOrder)
}

/** The newest version of each name; a version that was taken back only where no other is left. */
export const newestOf = (all: readonly ServedServer[]): ReadonlySet<ServedServer> => {
  const byName = new Map<string, ServedServer>()
  for (const each of all) {
    const before = byName.get(each.server.name)
    if (!before || isNewer(each, before)) byName.set(each.server.name, each)
  }
  return new Set(byName.values())
}

const isNewer = (one: ServedServer, other: ServedServer): boolean => {
  const [a, b] = [one, other].map(({ status }) => (status === 'deleted' ? 0 : 1)) as [number, number]
  if (a !== b) return a > b
  return compareVersions(one.server.version, other.server.version) > 0
}

/** The order of pages. */
export const inOrder = (a: ServedServer, b: ServedServer): number =>
  compareText(a.server.name, b.server.name) || compareVersions(a.server.version, b.server.version)

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** As semantic versions where both are, any other before those. */
export const compareVersions = (a: string, b: string): number => {
  const [one, other] = [parts(a), parts(b)]
  if (!one || !other) return one ? 1 : other ? -1 : compareText(a, b)
  for (let at = 0; at < 3; at++) if (one.numbers[at] !== other.numbers[at]) return one.numbers[at]! - other.numbers[at]!
  if (one.early === other.early) return compareText(a, b)
  if (one.early === undefined || other.early === undefined) return one.early === undefined ? 1 : -1
  return compareEarly(one.early.split('.'), other.early.split('.'))
}

const parts = (version: string) => {
  const match = /^v?(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+.*)?$/.exec(version)
  return match && { numbers: match.slice(1, 4).map(Number), early: match[4] }
}

/** `alpha.2` before `alpha.10`, numbers before words, the shorter first. */
const compareEarly = (a: readonly string[], b: readonly string[]): number => {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const [one, other] = [a[at], b[at]]
    if (one === other) continue
    if (one === undefined || other === undefined) return one === undefined ? -1 : 1
    const [isNumber, isOther] = [/^\d+$/.test(one), /^\d+$/.test(other)]
    if (isNumber && isOther) return Number(one) - Number(other)
    return isNumber === isOther ? compareText(one, other) : isNumber ? -1 : 1
  }
  return 0
}
