import { messageOf } from '../errors.js'
import type { Clock } from '../model/clock.js'
import { temperatureOf } from '../model/temperature.js'
import type { Tool, ToolId } from '../model/tool.js'
import type { Store, StoredTool, ToolUses } from '../storage/store.js'
import type { Logger } from '../telemetry/logger.js'
import type { Catalog } from './catalog.js'

export interface PersistenceOptions {
  readonly catalog: Catalog
  readonly store: Store
  readonly clock: Clock
  readonly logger: Logger
  /** Whether a tool that left the catalog leaves the store too. Default: no, its source may come back. */
  readonly forget?: ((tool: Tool) => boolean) | undefined
  /** False for tools whose definitions somebody else writes; their uses are kept all the same. Default: all are written here. */
  readonly keeps?: ((tool: Tool) => boolean) | undefined
  /** How long counts and changes may wait to be written together. Default 2,000; changes that others wait for less. */
  readonly flushMs?: number | undefined
  /** How often to read what others counted, where others write. Default 60,000. */
  readonly agreeMs?: number | undefined
}

export interface Persistence {
  /** Writes what is waiting now; rejects when it cannot be written. It then waits for the next time. */
  flush(): Promise<void>
  /** Writes what is waiting and stops following. */
  close(): Promise<void>
}

/** Keeps tools and their use in the store: loads counts at start, follows changes, writes them in batches. */
export const keepInStore = async (options: PersistenceOptions): Promise<Persistence> => {
  const { catalog, store, clock, logger, keeps = () => true, flushMs = 2000, agreeMs = 60_000 } = options
  // Where others follow what is written, a changed definition waits only for those that come with it.
  const changesMs = store.follow ? Math.min(flushMs, 50) : flushMs
  for (const { id, count, lastUsed } of await usesIn(store)) catalog.usage.restore(id, { count, lastUsed })

  const changed = new Set<ToolId>()
  const forgotten = new Set<ToolId>()
  let timer: { readonly at: number; readonly cancel: () => void } | undefined
  let writing: Promise<void> = Promise.resolve()

  const erase = async (): Promise<void> => {
    for (const id of [...forgotten]) {
      await store.delete(id)
      forgotten.delete(id)
    }
  }
  const write = async (): Promise<void> => {
    await erase()
    const ids = [...changed]
    changed.clear()
    const uses = catalog.usage.takeNew().filter(({ id }) => isKept(catalog.find(id)))
    // Asked again: what was run here when it changed may be another's by now.
    const tools = ids.map((id) => catalog.find(id)).filter((tool) => isKept(tool) && keeps(tool)) as Tool[]
    if (tools.length + uses.length === 0) return
    try {
      await save(store, catalog, clock.wall(), tools, uses)
    } catch (error) {
      // Calls go on without the disk; what could not be written waits for the next time.
      for (const id of ids) changed.add(id)
      catalog.usage.putBack(uses)
      throw error
    }
  }
  /** Between two writes, so that nothing is on its way that would be counted twice or not at all. */
  const agree = (): Promise<void> => {
    const read = writing.then(async () => catalog.usage.agree(await usesIn(store)))
    // Whoever cannot be asked now is asked the next time.
    writing = read.catch(() => {})
    return writing
  }
  const flush = (): Promise<void> => {
    timer?.cancel()
    timer = undefined
    const written = writing.then(write)
    writing = written.catch(() => {})
    return written
  }
  const tell = (error: unknown): void => logger.log('error', `Could not save tools: ${messageOf(error)}`)
  const soon = (delayMs = flushMs): void => {
    const at = clock.now() + delayMs
    if (timer && timer.at <= at) return
    timer?.cancel()
    const run = (): void =>
      void flush().then(
        () => changed.size + forgotten.size > 0 && soon(),
        (error) => {
          tell(error)
          soon()
        },
      )
    timer = { at, cancel: clock.after(delayMs, run) }
  }

  const follow = (tools: readonly Tool[]): void => {
    for (const tool of tools) if (!tool.own && keeps(tool)) changed.add(tool.id)
    if (changed.size > 0) soon(changesMs)
  }
  follow(catalog.snapshot().tools)
  const stop = catalog.onChange((change) => {
    follow(change.added)
    follow(change.changed)
    for (const tool of change.removed) if (options.forget?.(tool)) forgotten.add(tool.id)
    if (forgotten.size > 0) soon(changesMs)
  })
  const stopCounting = catalog.usage.onCount(() => soon())
  const stopAgreeing = store.follow ? every(clock, agreeMs, agree) : () => {}

  return {
    flush,
    close: async () => {
      stop()
      stopCounting()
      stopAgreeing()
      await flush().catch(tell)
      timer?.cancel()
    },
  }
}

/** Again and again, each time after the one before is done. Returns how to stop. */
const every = (clock: Clock, delayMs: number, work: () => Promise<void>): (() => void) => {
  let isOver = false
  let cancel = () => {}
  const next = (): void => {
    if (!isOver) cancel = clock.after(delayMs, () => void work().then(next))
  }
  next()
  return () => {
    isOver = true
    cancel()
  }
}

const isKept = (tool: Tool | undefined): tool is Tool => tool !== undefined && !tool.own

/** What was counted before. A store that cannot say it apart is read whole. */
const usesIn = async (store: Store): Promise<readonly ToolUses[]> =>
  store.uses
    ? store.uses()
    : (await store.load()).map(({ id, useCount, lastUsed }) => ({ id, count: useCount, lastUsed }))

/** As additions where the store can add: two that write into one store then count together. */
const save = async (
  store: Store,
  catalog: Catalog,
  wallMs: number,
  tools: readonly Tool[],
  uses: readonly ToolUses[],
): Promise<void> => {
  if (store.merge) {
    const fresh = new Map(uses.map((each) => [each.id, each.count]))
    // A tool that is new there brings what was counted before it; the rest is added behind it.
    const stored = tools.map((tool) => toStored(tool, catalog, wallMs, fresh.get(tool.id)))
    return store.merge(stored, uses)
  }
  const ids = new Set([...tools.map(({ id }) => id), ...uses.map(({ id }) => id)])
  const all = [...ids].flatMap((id) => catalog.find(id) ?? [])
  return store.saveMany(all.map((tool) => toStored(tool, catalog, wallMs)))
}

const toStored = (tool: Tool, catalog: Catalog, wallMs: number, uncounted = 0): StoredTool => {
  const { name, ...kept } = tool
  const usage = catalog.usage.of(tool.id)
  const count = usage.count - uncounted
  const lastUsed = count === 0 ? null : usage.lastUsed
  return { ...kept, useCount: count, lastUsed, temperature: temperatureOf({ count, lastUsed }, wallMs) }
}
