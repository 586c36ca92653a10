import { messageOf } from '../errors.js'
import type { Clock } from '../model/clock.js'
import type { Tool, ToolId } from '../model/tool.js'
import type { Store, StoredTool } from '../storage/store.js'
import type { Logger } from '../telemetry/logger.js'
import type { Catalog } from './catalog.js'
import { temperatureOf } from './temperature.js'

export interface PersistenceOptions {
  readonly catalog: Catalog
  readonly store: Store
  readonly clock: Clock
  readonly logger: Logger
  /** Whether a tool that left the catalog leaves the store too. Default: no, its source may come back. */
  readonly forget?: (tool: Tool) => boolean
  /** How long counts and changes may wait to be written together. Default 2,000. */
  readonly flushMs?: number
}

export interface Persistence {
  /** Writes what is waiting now. */
  flush(): Promise<void>
  /** Writes what is waiting and stops following. */
  close(): Promise<void>
}

/** Keeps tools and their use in the store: loads counts at start, follows changes, writes them in batches. */
export const keepInStore = async (options: PersistenceOptions): Promise<Persistence> => {
  const { catalog, store, clock, logger, flushMs = 2000 } = options
  for (const tool of await store.load())
    catalog.usage.restore(tool.id, { count: tool.useCount, lastUsed: tool.lastUsed })

  const changed = new Set<ToolId>()
  const forgotten = new Set<ToolId>()
  let cancelTimer: (() => void) | undefined
  let writing: Promise<void> = Promise.resolve()

  const erase = async (): Promise<void> => {
    for (const id of [...forgotten]) {
      await store.delete(id)
      forgotten.delete(id)
    }
  }
  const write = async (): Promise<void> => {
    await erase().catch((error: unknown) =>
      logger.log('error', `Could not remove a tool from the store: ${messageOf(error)}`),
    )
    const ids = new Set([...changed, ...catalog.usage.takeDirty()])
    changed.clear()
    const tools = [...ids].map((id) => catalog.find(id)).filter((tool): tool is Tool => tool !== undefined && !tool.own)
    if (tools.length === 0) return
    try {
      await store.saveMany(tools.map((tool) => toStored(tool, catalog, clock.wall())))
    } catch (error) {
      // Calls go on without the disk; what could not be written waits for the next time.
      for (const tool of tools) changed.add(tool.id)
      logger.log('error', `Could not save tools: ${messageOf(error)}`, { tools: tools.length })
    }
  }
  const flush = (): Promise<void> => {
    cancelTimer?.()
    cancelTimer = undefined
    writing = writing.then(write)
    return writing
  }
  const soon = (): void => {
    cancelTimer ??= clock.after(flushMs, () => void flush().then(() => changed.size + forgotten.size > 0 && soon()))
  }

  const follow = (tools: readonly Tool[]): void => {
    for (const { id, own } of tools) if (!own) changed.add(id)
    if (changed.size > 0) soon()
  }
  follow(catalog.snapshot().tools)
  const stop = catalog.onChange((change) => {
    follow(change.added)
    follow(change.changed)
    for (const tool of change.removed) if (options.forget?.(tool)) forgotten.add(tool.id)
    if (forgotten.size > 0) soon()
  })
  const stopCounting = catalog.usage.onCount(soon)

  return {
    flush,
    close: async () => {
      stop()
      stopCounting()
      await flush()
      cancelTimer?.()
    },
  }
}

const toStored = (tool: Tool, catalog: Catalog, wallMs: number): StoredTool => {
  const { name, ...kept } = tool
  const { count, lastUsed } = catalog.usage.of(tool.id)
  return { ...kept, useCount: count, lastUsed, temperature: temperatureOf({ count, lastUsed }, wallMs) }
}
