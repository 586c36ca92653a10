import { type Clock, systemClock } from '../model/clock.js'
import { makeFolderSync } from '../model/make-folder.js'
import { AuditChain, type AuditSigner, hashOf, noLine, systemLine } from './audit-chain.js'
import type { AuditEntry } from './audit-entry.js'
import { auditLine, deedLine, type LineRules } from './audit-line.js'
import { lastLineOf, type PageKeeping, tidyPages, trailIn } from './audit-pages.js'
import { RefusalFold } from './audit-refusals.js'
import type { AuditAnswer, AuditQuery } from './audit-search.js'
import type { CallListener } from './calls.js'
import type { Note } from './deed.js'
import { LateFile } from './late-file.js'
import type { Logger } from './logger.js'

/** Where lines go besides the file. Takes each without waiting, and never throws. */
export interface AuditShip {
  take(line: string): void
  /** Sends what it has, as far as that can be done in a moment. */
  close(): Promise<void>
}

export interface AuditOptions {
  readonly folder: string
  /** False where lines only go elsewhere. Default: true. */
  readonly file?: boolean | undefined
  readonly ships?: readonly AuditShip[] | undefined
  /** Write arguments as they are. They may hold anything: off unless the operator says so. Default: false. */
  readonly values?: boolean | undefined
  /** Ids of people as names of their own, made with this key. Default: as they are. */
  readonly pseudonym?: ((id: string) => string) | undefined
  /** Addresses of who did it. Default: false. */
  readonly ip?: boolean | undefined
  /** Of one file. Default: 16 MiB. */
  readonly maxBytes?: number | undefined
  /** Files kept, the oldest goes first. Default: 8. */
  readonly maxFiles?: number | undefined
  /** How long; then there is a page a day. Default: as long as there is room. */
  readonly keepDays?: number | undefined
  /** The most that may wait for the disk. Default: 4 MiB. */
  readonly maxWaitingBytes?: number | undefined
  /** Named in the chain, where there are several. */
  readonly replica?: string | undefined
  readonly version?: string | undefined
  /** By what checkpoints are signed; asked when the first is due. */
  readonly signer?: (() => AuditSigner | undefined) | undefined
  readonly clock?: Clock | undefined
  readonly logger: Logger
}

export interface AuditLog {
  readonly listener: CallListener
  readonly note: Note
  /** Newest first, out of what is kept. */
  search(query: AuditQuery): Promise<AuditAnswer>
  read(filter: {
    readonly limit: number
    readonly caller?: string | undefined
    readonly tool?: string | undefined
  }): Promise<readonly AuditEntry[]>
  /** Writes what waits. */
  close(): Promise<void>
}

const minuteMs = 60_000
const dayMs = 24 * 3_600_000

/**
 * An append-only file of chained lines. A line is made while the call ends, and is on the disk 50 ms later at the latest: a
 * killed process loses no more than those, one that ends or crashes by itself loses nothing. Written before each answer, it
 * cost a call as much as reading its message. A disk that takes no more is reported once; what then does not fit into memory
 * costs the line, never the call.
 */
export const openAuditFile = (options: AuditOptions): AuditLog => {
  const { folder, logger, ships = [], clock = systemClock, values = false, pseudonym, ip } = options
  const { maxBytes = 16 * 1024 * 1024, maxFiles = 8, keepDays, signer } = options
  const rules: LineRules = { values, pseudonym, ip }
  const hasFile = options.file ?? true
  const trail = trailIn(folder)
  if (hasFile) makeFolderSync(folder)
  const last = hasFile ? lastLineOf(trail) : undefined
  const chain = new AuditChain({ ...options, prev: last === undefined ? noLine : hashOf(last) })
  const shipped = (line: string): string => {
    for (const ship of ships) ship.take(line)
    return line
  }
  const seal = ships.length === 0 ? (line: string) => chain.seal(line) : (line: string) => shipped(chain.seal(line))
  let isEnded = false
  const ownLines = (where: 'top' | 'end'): readonly string[] => {
    if (isEnded) return []
    isEnded = where === 'end'
    const line = chain.checkpoint(clock.wall(), isEnded ? 'stop' : 'checkpoint')
    return line === undefined ? [] : [shipped(line)]
  }
  const file = hasFile
    ? new LateFile({
        ...{ path: trail, maxBytes, clock, seal, ownLines },
        maxFiles: keepDays === undefined ? maxFiles : maxFiles + keepDays,
        maxWaitingBytes: options.maxWaitingBytes,
        lossLine: (count) => systemLine(clock.wall(), 'loss', { outcome: 'failed', count }),
        on: saidBy(logger),
      })
    : undefined
  const append = file ? (line: string) => file.append(line) : (line: string) => void seal(line)
  const keeping: PageKeeping = { days: keepDays, bytes: maxBytes * maxFiles }
  const tidy = (): void => {
    if (file && keepDays !== undefined) void tidyPages(trail, clock.wall(), keeping).catch(saidBy(logger).untidy)
  }
  let tick: (() => void) | undefined
  let day = Math.floor(clock.wall() / dayMs)
  const onMinute = (): void => {
    tick = undefined
    const line = chain.checkpoint(clock.wall(), 'checkpoint')
    if (line !== undefined) file?.appendSealed(shipped(line))
    const today = Math.floor(clock.wall() / dayMs)
    if (today === day || keepDays === undefined) return
    day = today
    file?.turnPage()
    tidy()
  }
  const ticks = signer !== undefined || keepDays !== undefined
  const keep = (line: string): void => {
    append(line)
    if (ticks) tick ??= clock.after(minuteMs, onMinute)
  }
  const write: Note = (deed) => keep(deedLine(clock.wall(), deed, rules))
  const refusals = new RefusalFold(write, clock)
  tidy()
  keep(chain.start(clock.wall(), { version: options.version, torn: file?.isCut ?? false }))
  const search = async (query: AuditQuery): Promise<AuditAnswer> => {
    if (!file) return { entries: [], places: [] }
    await file.flush()
    return (await import('./audit-search.js')).searchTrail(trail, query)
  }
  return {
    note: (deed) => (deed.kind === 'refusal' ? refusals.add(deed) : write(deed)),
    listener: (record, call, outcome) => keep(auditLine(record, call, outcome, rules)),
    search,
    read: async ({ limit, caller, tool }) => (await search({ limit, person: caller, tool })).entries,
    close: async () => {
      refusals.flush()
      tick?.()
      if (file) await file.close()
      else ownLines('end')
      await Promise.all(ships.map((ship) => ship.close()))
    },
  }
}

const saidBy = (logger: Logger) => ({
  trouble: (message: string) =>
    logger.log('error', `The audit trail cannot be written: ${message}; calls go on without it.`),
  behind: () =>
    logger.log('error', 'The audit trail is written more slowly than calls come: lines are being left out.'),
  lost: (lines: number) => logger.log('error', `The audit trail lacks ${lines} lines.`),
  untidy: (error: unknown) => logger.log('warn', `Old pages of the audit trail cannot be removed: ${String(error)}`),
})
