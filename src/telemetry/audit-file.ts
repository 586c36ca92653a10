import { closeSync, fstatSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '../errors.js'
import type { Call, RequestKind } from '../model/call.js'
import { makeFolderSync } from '../model/make-folder.js'
import type { Outcome } from '../model/outcome.js'
import { auditLine } from './audit-line.js'
import type { CallListener, CallRecord } from './calls.js'
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
  readonly argBytes: number
  readonly argShape: unknown
  readonly resultBytes: number
  /** Where the answer said so. */
  readonly cost?: number | undefined
  /** Only where values were switched on. */
  readonly args?: unknown
}

export interface AuditOptions {
  readonly folder: string
  /** Write arguments as they are. They may hold anything: off unless the operator says so. Default: false. */
  readonly values?: boolean | undefined
  /** Of one file. Default: 16 MiB. */
  readonly maxBytes?: number | undefined
  /** Files kept, the oldest goes first. Default: 8. */
  readonly maxFiles?: number | undefined
  readonly logger: Logger
}

export interface AuditLog {
  readonly listener: CallListener
  /** Newest first, out of the newest file. */
  read(filter: {
    readonly limit: number
    readonly caller?: string | undefined
    readonly tool?: string | undefined
  }): Promise<readonly AuditEntry[]>
  close(): void
}

const fileName = 'audit.jsonl'
const readBytes = 4 * 1024 * 1024
// Calls that end together share a write; a burst must not hold their arguments for long.
const mostWaiting = 256

// Where a microtask comes from: queueMicrotask makes an async resource of each, which costs ten times as much.
const settled = Promise.resolve()

interface Ended {
  readonly record: CallRecord
  readonly call: Call
  readonly outcome: Outcome
}

/**
 * An append-only file. Each line is handed to the system before the call's answer leaves, so that whoever got an answer
 * is in the trail even if this process is killed the moment after; a timer's buffer would lose exactly those. The
 * microtask that writes is queued before whoever awaits the outcome goes on, so calls that end in one turn (a pipe
 * brings many answers at once) share a write and none overtakes its line. A disk that takes no more is reported once and
 * costs the line, never the call.
 */
export const openAuditFile = (options: AuditOptions): AuditLog => {
  const { folder, logger, values = false, maxBytes = 16 * 1024 * 1024, maxFiles = 8 } = options
  makeFolderSync(folder)
  const path = join(folder, fileName)
  let file: number | undefined = openSync(path, 'a', 0o600)
  let size = fstatSync(file).size
  let broken = false
  let waiting: Ended[] = []

  const rotate = (): void => {
    closeSync(file!)
    rmSync(`${path}.${maxFiles - 1}`, { force: true })
    for (let number = maxFiles - 2; number >= 0; number--)
      renameIfThere(number === 0 ? path : `${path}.${number}`, `${path}.${number + 1}`)
    file = openSync(path, 'a', 0o600)
    size = 0
  }
  const write = (ended: readonly Ended[]): void => {
    if (file === undefined) return
    try {
      // Inside the try: arguments of this process may be anything, getters that throw included.
      const lines = ended.map(({ record, call, outcome }) => auditLine(record, call, outcome, values)).join('')
      size += writeSync(file, lines)
      if (size > maxBytes) rotate()
      broken = false
    } catch (error) {
      if (!broken)
        logger.log('error', `The audit trail cannot be written: ${messageOf(error)}; calls go on without it.`)
      broken = true
    }
  }

  const flush = (): void => {
    if (waiting.length === 0) return
    const ended = waiting
    waiting = []
    write(ended)
  }

  return {
    listener: (record, call, outcome) => {
      const count = waiting.push({ record, call, outcome })
      if (count === 1) void settled.then(flush)
      else if (count >= mostWaiting) flush()
    },
    read: async ({ limit, caller, tool }) => {
      flush()
      const entries = await readTail(path)
      const fits = (entry: AuditEntry) =>
        (caller === undefined || entry.caller === caller) && (tool === undefined || entry.tool === tool)
      return entries.reverse().filter(fits).slice(0, limit)
    },
    close: () => {
      flush()
      if (file !== undefined) closeSync(file)
      file = undefined
    },
  }
}

const renameIfThere = (from: string, to: string): void => {
  try {
    renameSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

/** The whole lines at the end of the file. A line cut by a crash is no line. */
const readTail = async (path: string): Promise<AuditEntry[]> => {
  const handle = await open(path, 'r')
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

const parseLine = (line: string): AuditEntry[] => {
  try {
    return line === '' ? [] : [JSON.parse(line) as AuditEntry]
  } catch {
    return []
  }
}
