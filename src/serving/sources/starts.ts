import type { SourceConfig } from '../../config/schema.js'
import type { Gateway } from '../../gateway.js'
import type { Clock } from '../../model/clock.js'
import { say } from '../locale.js'
import { createFirstList } from './first-list.js'
import { addSource, type MountSurroundings } from './mount-source.js'

/** Starts sources, and knows which of them are under way and for which of those the first lists wait. */
export interface Starts {
  /** The board begins with these. */
  begin(sources: readonly (readonly [string, SourceConfig])[]): void
  /** One more, by an operator's doing; lists do not wait for it. */
  mount(name: string, source: SourceConfig): void
  /** Takes these away, with all that is remembered of why they could not be mounted. */
  unmount(names: readonly string[]): Promise<void>
  /** What could not be made before may be mended by now, though nothing in the file has changed. */
  retry(): void
  /** Resolves when every source that starts at once has reported or failed. */
  settled(): Promise<void>
  /** What lists wait for; undefined when nothing is awaited. */
  firstList(): Promise<void> | undefined
  /** Nobody waits any longer, and what was seen is kept. */
  close(): Promise<void>
}

export interface StartsOptions {
  readonly gateway: Gateway
  readonly around: MountSurroundings
  readonly clock: Clock
  /** For the first lists. */
  readonly waitMs: number
}

export const createStarts = ({ gateway, around, clock, waitMs }: StartsOptions): Starts => {
  const { seen, signIns, problems, retries, logger } = around
  const starting = new Map<string, Promise<void>>()
  const awaited = createFirstList({
    clock,
    waitMs,
    onLate: (names) => {
      for (const name of names) seen.ended(name, 'hung')
      const late = names.join(', ')
      logger.log(
        'info',
        say(
          `Lists go out without what is still starting, it is announced when it is there: ${late}`,
          `列表先行发出，尚未启动的来源就绪后会另行通知：${late}`,
        ),
      )
    },
  })
  const mount = (name: string, source: SourceConfig): void => {
    if (!source.enabled) return
    const added = addSource(gateway, name, source, around)
    starting.set(
      name,
      added.finally(() => starting.delete(name)),
    )
  }
  return {
    begin: (sources) => {
      const fresh = sources.filter(([name, source]) => !seen.of(name, source) && !seen.failedLast(name, source))
      for (const [name, source] of sources) mount(name, source)
      awaited.begin(new Map(fresh.flatMap(([name]) => (starting.has(name) ? [[name, starting.get(name)!]] : []))))
    },
    mount,
    unmount: async (names) => {
      for (const name of names) {
        problems.delete(name)
        retries.delete(name)
        signIns.drop(name)
      }
      await Promise.all(names.map((name) => gateway.removeSource(name)))
    },
    retry: () => {
      for (const again of retries.values()) void again()
    },
    settled: async () => void (await Promise.all(starting.values())),
    firstList: awaited.pending,
    close: async () => {
      awaited.release()
      await seen.close()
    },
  }
}
