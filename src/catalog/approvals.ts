import { messageOf } from '../errors.js'
import type { Clock } from '../model/clock.js'
import { isRecord, type JsonObject, type JsonValue } from '../model/json.js'
import type { Tool, ToolDefinition, ToolId } from '../model/tool.js'
import { definitionHash } from '../schema/definition-hash.js'
import type { DocumentSet } from '../storage/store.js'
import type { Logger } from '../telemetry/logger.js'

export interface ApprovalsOptions {
  /** Where the approved definitions survive a restart (A13). */
  readonly documents: DocumentSet
  readonly clock: Clock
  readonly logger: Logger
  /** Tools that need nobody's approval: functions of this process, what models register. Default: none. */
  readonly exempt?: (tool: Tool) => boolean
  /** How long first approvals may wait to be written together. Default 1,000. */
  readonly flushMs?: number
}

/** What was approved of one tool. */
export interface Approved {
  readonly hash: string
  readonly definition: ToolDefinition
  /** Milliseconds since the epoch. */
  readonly at: number
  /** A caller's id, or `first-seen`. */
  readonly by: string
}

/** Which definitions somebody has looked at. A tool is trusted as it was first seen; a change waits (T17). */
export interface Approvals {
  /** For the catalog: false while the tool is not what was approved. */
  review(tool: Tool): boolean
  approvedOf(id: ToolId): Approved | undefined
  /** Approves this definition. Resolves when it is on disk. */
  approve(tool: Tool, by: string): Promise<void>
  /** Writes what is waiting. */
  close(): Promise<void>
}

export const createApprovals = async (options: ApprovalsOptions): Promise<Approvals> => {
  const { documents, clock, logger, exempt = () => false, flushMs = 1000 } = options
  const approved = new Map<ToolId, Approved>()
  for (const { id, value } of await documents.all()) {
    const read = parseApproved(value)
    if (read) approved.set(id, read)
  }
  const fresh = new Set<ToolId>()
  let cancelTimer: (() => void) | undefined

  const flush = async (): Promise<void> => {
    cancelTimer?.()
    cancelTimer = undefined
    const ids = [...fresh]
    fresh.clear()
    if (ids.length === 0) return
    try {
      await documents.putMany(ids.map((id) => ({ id, value: toValue(approved.get(id)!) })))
    } catch (error) {
      // Calls go on without the disk; what could not be written waits for the next time.
      for (const id of ids) fresh.add(id)
      logger.log('error', `Could not save approvals: ${messageOf(error)}`, { tools: ids.length })
    }
  }
  const pin = (tool: Tool, by: string): void => {
    approved.set(tool.id, { hash: definitionHash(tool.definition), definition: tool.definition, at: clock.wall(), by })
    fresh.add(tool.id)
  }

  return {
    review: (tool) => {
      if (tool.own || exempt(tool)) return true
      const known = approved.get(tool.id)
      if (known) return isApproved(known, tool, logger)
      pin(tool, 'first-seen')
      cancelTimer ??= clock.after(flushMs, () => void flush())
      return true
    },
    approvedOf: (id) => approved.get(id),
    approve: async (tool, by) => {
      pin(tool, by)
      await documents.put(tool.id, toValue(approved.get(tool.id)!))
      fresh.delete(tool.id)
    },
    close: flush,
  }
}

const isApproved = ({ hash }: Approved, tool: Tool, logger: Logger): boolean => {
  if (hash === definitionHash(tool.definition)) return true
  logger.log('warn', `'${tool.id}' has changed since it was approved and is held back; look at it under Approvals.`, {
    source: tool.source,
    tool: tool.id,
  })
  return false
}

const toValue = ({ hash, definition, at, by }: Approved): JsonObject => ({
  hash,
  definition: definition as unknown as JsonValue,
  at,
  by,
})

/** What cannot be read is as if never seen: the tool is trusted anew, which is what a lost file would do. */
const parseApproved = (value: JsonValue): Approved | undefined => {
  if (!isRecord(value)) return undefined
  const { hash, definition, at, by } = value
  const whole = typeof hash === 'string' && isRecord(definition) && typeof at === 'number' && typeof by === 'string'
  return whole ? (value as unknown as Approved) : undefined
}
