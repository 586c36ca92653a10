import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { RequestKind } from '../model/call.js'
import { type Clock, systemClock } from '../model/clock.js'
import { makeFolderSync } from '../model/make-folder.js'
import { auditLine, lossLine } from './audit-line.js'
import type { CallListener, CallSecrets } from './calls.js'
import type { Deed, Note } from './deed.js'
import { LateFile } from './late-file.js'
import type { Logger } from './logger.js'

/** One line of the trail (T40): who, what, when, how it ended, how large; never what was said, unless asked for. */
export interface AuditEntry {
  readonly at: string
  readonly caller: string
  readonly profile?: string | undefined
  /** What was asked for where it was no tool: `prompt`, `resource`, `completion` or `other`. */
  readonly kind?: RequestKind | undefined
  readonly tool: string
  readonly source?: string | undefined
  readonly outcome: string
  readonly code?: string | undefined
  readonly ms: number
  readonly attempts: number
  /** Of the message that carried the arguments; without one, of the arguments as JSON. 0 where there were none. */
  readonly argBytes: number
  readonly argShape: unknown
  /** Of the result as its source sent it; without a message, as JSON. 0 where there was none. */
  readonly resultBytes: number
  /** Where the answer said so. */
  readonly cost?: number | undefined
  /** Credentials that were found, where somebody looked. */
  readonly secrets?: CallSecrets | undefined
  /** Only where values were switched on. */
  readonly args?: unknown
}

/** Stands where lines are missing: the disk was slower than calls came, or took nothing for long. */
export interface AuditLoss {
  readonly at: string
  readonly lost: number
}

export interface AuditOptions {
  readonly folder: string
  /** Write arguments as they are. They may hold anything: off unless the operator says so. Default: false. */
  readonly values?: boolean | undefined
  /** Of one file. Default: 16 MiB. */
  readonly maxBytes?: number | undefined
  /** Files kept, the oldest goes first. Default: 8. */
  readonly maxFiles?: number | undefined
  /** The most that may wait for the disk. Default: 4 MiB. */
  readonly maxWaitingBytes?: number | undefined
  readonly clock?: Clock | undefined
  readonly logger: Logger
}

export interface AuditLog {
  readonly listener: CallListener
  readonly note: Note
  /** Newest first, out of the newest file. */
  read(filter: {
    readonly limit: number
    readonly caller?: string | undefined
    readonly tool?: string | undefined
  }): Promise<readonly (AuditEntry | AuditLoss)[]>
  /** Writes what waits. */
  close(): Promise<void>
}

const fileName = 'audit.jsonl'
const readBytes = 4 * 1024 * 1024

/**
 * An append-only file. A line is made while the call ends, and is on the disk 50 ms later at the latest: a killed process
 * loses no more than those, one that ends or crashes by itself loses nothing. Written before each answer, it cost a call
 * as much as reading its message. A disk that takes no more is reported once; what then does not fit into memory costs the
 * line, never the call.
 */
export const openAuditFile = (options: AuditOptions): AuditLog => {
  const { folder, logger, values = false, clock = systemClock } = options
  const { maxBytes = 16 * 1024 * 1024, maxFiles = 8, maxWaitingBytes } = options
  makeFolderSync(folder)
  const path = join(folder, fileName)
  const file = new LateFile({
    ...{ path, maxBytes, maxFiles, maxWaitingBytes, clock },
    lossLine: (lost) => lossLine(clock.wall(), lost),
    on: {
      trouble: (message) =>
        logger.log('error', `The audit trail cannot be written: ${message}; calls go on without it.`),
      behind: () =>
        logger.log('error', 'The audit trail is written more slowly than calls come: lines are being left out.'),
      lost: (lines) => logger.log('error', `The audit trail lacks ${lines} lines.`),
    },
  })
  return {
    note: (deed: Deed) => file.append(`${JSON.stringify({ at: new Date(clock.wall()).toISOString(), ...deed })}\n`),
    listener: (record, call, outcome) => file.append(auditLine(record, call, outcome, values)),
    read: async ({ limit, caller, tool }) => {
      await file.flush()
      const entries = await readTail(path)
      const fits = (entry: Partial<AuditEntry>) =>
        (caller === undefined || entry.caller === caller) && (tool === undefined || entry.tool === tool)
      return entries.reverse().filter(fits).slice(0, limit)
    },
    close: () => file.close(),
  }
}

/** The whole lines at the end of the file. A line cut by a crash is no line. */
const readTail = async (path: string): Promise<(AuditEntry | AuditLoss)[]> => {
  // Between two pages there is none for a moment.
  const handle = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (!handle) return []
  try {
    const { size } = await handle.stat()
    const start = Math.max(0, size - readBytes)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - start), 0, size - start, start)
    const lines = buffer.subarray(0, bytesRead).toString('utf8').split('\n')
    return (start > 0 ? lines.slice(1) : lines).flatMap(parseLine)
  } finally {
    await handle.close()
  }
}

const parseLine = (line: string): (AuditEntry | AuditLoss)[] => {
  try {
    return line === '' ? [] : [JSON.parse(line) as AuditEntry]
  } catch {
    return []
  }
}
