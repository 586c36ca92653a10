import { createHash } from 'node:crypto'
import { messageOf } from '../../errors.js'
import type { ServedServer } from '../../faces/registry/served.js'
import type { Clock } from '../../model/clock.js'
import { isRecord, type JsonValue } from '../../model/json.js'
import type { DocumentReader, DocumentSet } from '../../storage/store.js'
import type { Logger } from '../../telemetry/logger.js'

/** What is published now, without its times. */
export type Publication = Pick<ServedServer, 'server' | 'status' | 'statusMessage'>

export interface LedgerOptions {
  /** Those that can only be read keep nothing. */
  readonly documents: DocumentReader & Partial<Pick<DocumentSet, 'put' | 'delete'>>
  readonly clock: Pick<Clock, 'wall'>
  readonly logger: Logger
}

interface Line extends ServedServer {
  readonly hash: string
}

/** What was taken back is remembered, so that who keeps a copy learns of it; the oldest of so many is forgotten. */
const mostDeleted = 500

/** When each version was published, changed and taken back: kept over restarts, or everybody would install everything anew. */
export class Ledger {
  readonly #options: LedgerOptions
  #lines: Map<string, Line> | undefined

  constructor(options: LedgerOptions) {
    this.#options = options
  }

  /** Takes down what is published now, and gives it back with its times; one after the other. */
  async note(publications: readonly Publication[]): Promise<readonly ServedServer[]> {
    const lines = (this.#lines ??= await this.#read())
    const now = this.#options.clock.wall()
    const next = new Map(publications.map((each) => [idOf(each), lineOf(each, lines.get(idOf(each)), now)]))
    for (const [id, line] of lines) if (!next.has(id)) next.set(id, takenBack(line, now))
    const gone = [...next]
      .filter(([, { status }]) => status === 'deleted')
      .toSorted(([, a], [, b]) => b.updatedAt - a.updatedAt)
    const forgotten = gone
      .slice(mostDeleted)
      .map(([id]) => id)
      .filter((id) => !publications.some((each) => idOf(each) === id))
    for (const id of forgotten) next.delete(id)
    await this.#write(
      [...next].filter(([id, line]) => lines.get(id) !== line),
      forgotten,
    )
    this.#lines = next
    return [...next.values()]
  }

  async #read(): Promise<Map<string, Line>> {
    try {
      const documents = await this.#options.documents.all()
      return new Map(documents.flatMap(({ id, value }) => (isLine(value) ? [[id, value as unknown as Line]] : [])))
    } catch (error) {
      this.#options.logger.log('warn', `When servers were published cannot be read: ${messageOf(error)}`)
      return new Map()
    }
  }

  async #write(changed: readonly (readonly [string, Line])[], forgotten: readonly string[]): Promise<void> {
    const { documents, logger } = this.#options
    try {
      for (const [id, line] of changed) await documents.put?.(id, line as unknown as JsonValue)
      for (const id of forgotten) await documents.delete?.(id)
    } catch (error) {
      logger.log('warn', `When servers were published cannot be kept: ${messageOf(error)}`)
    }
  }
}

const idOf = ({ server: { name, version } }: Pick<ServedServer, 'server'>): string => `${name}@${version}`

const lineOf = (each: Publication, before: Line | undefined, now: number): Line => {
  const hash = createHash('sha256')
    .update(JSON.stringify([each.server, each.status, each.statusMessage]))
    .digest('hex')
  if (before?.hash === hash) return before
  return {
    ...each,
    hash,
    publishedAt: before?.publishedAt ?? now,
    updatedAt: now,
    statusChangedAt: before?.status === each.status ? before.statusChangedAt : now,
  }
}

const takenBack = (line: Line, now: number): Line =>
  line.status === 'deleted' ? line : { ...line, hash: '', status: 'deleted', updatedAt: now, statusChangedAt: now }

const isLine = (value: JsonValue): boolean =>
  isRecord(value) &&
  isRecord(value.server) &&
  typeof value.hash === 'string' &&
  [value.publishedAt, value.updatedAt, value.statusChangedAt].every((each) => typeof each === 'number')
