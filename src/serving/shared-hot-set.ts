import { messageOf } from '../errors.js'
import { type HotSet, hotNow, hotRefreshMs } from '../faces/mcp/exposure.js'
import type { Fleet } from '../fleet/fleet.js'
import type { Gateway } from '../gateway.js'
import { createCatchUp } from '../model/catch-up.js'
import { type Clock, systemClock } from '../model/clock.js'
import { isRecord, type JsonValue } from '../model/json.js'
import { upstreamOf } from '../model/tool.js'
import type { DocumentSet, Store } from '../storage/store.js'
import type { Logger } from '../telemetry/logger.js'

export interface SharedHotSetOptions {
  readonly gateway: Gateway
  /** Where the one set of all replicas is kept. */
  readonly documents: DocumentSet
  readonly fleet: Pick<Fleet, 'hold'>
  readonly clock: Clock
  readonly logger: Logger
  /** Default: once an hour. */
  readonly refreshMs?: number | undefined
}

/** Undefined where nobody else is there, and each face goes by what is counted here. */
export const sharedHotSet = async (
  gateway: Gateway,
  store: Store | undefined,
  { fleet, logger }: Pick<SharedHotSetOptions, 'logger'> & { readonly fleet: Fleet },
): Promise<HotSet | undefined> => {
  if (!store || fleet.isAlone) return undefined
  return openSharedHotSet({ gateway, documents: store.documents('hot'), fleet, clock: systemClock, logger })
}

const id = 'set'
// More would be no list that anybody reads; the most used stay.
const mostHot = 5000

/**
 * The hot set of several replicas: one of them looks, all follow what it wrote, so that a client that is sent from one to the
 * other sees one list. Until somebody has written it, each goes by the counts that all of them read.
 */
export const openSharedHotSet = async (options: SharedHotSetOptions): Promise<HotSet> => {
  const { gateway, documents, fleet, clock, logger, refreshMs = hotRefreshMs } = options
  const listeners = new Set<() => void>()
  let hot: ReadonlySet<string> = new Set()
  let version = 1
  let writtenAt: number | undefined
  let isClosed = false
  let cancel = () => {}

  const show = (next: ReadonlySet<string>): void => {
    if (next.size === hot.size && [...next].every((each) => hot.has(each))) return
    hot = next
    version += 1
    for (const listener of listeners) listener()
  }
  const read = async (): Promise<void> => {
    const kept = parse(await documents.get(id))
    if (!kept) return
    writtenAt = kept.at
    show(new Set(kept.ids))
  }
  const others = createCatchUp(read, {
    clock,
    onFailure: (error) =>
      logger.log('warn', `The list of tools that are used often cannot be read anew: ${messageOf(error)}`),
  })
  const write = async (): Promise<void> => {
    const ids = mostUsed(gateway, hotNow(gateway, clock))
    const at = clock.wall()
    await documents.put(id, { at, ids: [...ids] })
    writtenAt = at
    show(new Set(ids))
    // A reading that began before may still come back with what was there.
    void others.run()
  }
  /** While it is ours: once an hour from when it was last written, by whomever. */
  const plan = (): void => {
    cancel()
    if (isClosed || holding.place.at !== 'here') return
    const age = writtenAt === undefined ? refreshMs : Math.max(0, clock.wall() - writtenAt)
    cancel = clock.after(Math.max(0, refreshMs - age), () => void writing.run())
  }
  const writing = createCatchUp(
    async () => {
      if (holding.place.at === 'here') await write()
      plan()
    },
    {
      clock,
      onFailure: (error) =>
        logger.log('warn', `The list of tools that are used often cannot be written: ${messageOf(error)}`),
    },
  )

  const leave = documents.follow?.(others.run)
  await others.run()
  if (writtenAt === undefined) hot = hotNow(gateway, clock)
  const holding = fleet.hold('hot-set')
  const leavePlace = holding.onPlace((place) => {
    if (place.at !== 'here') {
      cancel()
      holding.ended()
      return
    }
    // Another may have written it since we last looked.
    void others.run().then(plan)
  })
  plan()

  return {
    has: (tool) => hot.has(upstreamOf(tool).id),
    get version() {
      return version
    },
    onChange: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: () => {
      isClosed = true
      cancel()
      leave?.()
      leavePlace()
      others.close()
      writing.close()
      void holding.release().catch(() => {})
    },
  }
}

const mostUsed = ({ catalog }: Gateway, hot: ReadonlySet<string>): readonly string[] => {
  if (hot.size <= mostHot) return [...hot].sort()
  const byUse = [...hot].sort((one, other) => catalog.usage.of(other).count - catalog.usage.of(one).count)
  return byUse.slice(0, mostHot).sort()
}

const parse = (value: JsonValue | undefined): { readonly at: number; readonly ids: readonly string[] } | undefined => {
  if (!isRecord(value) || typeof value.at !== 'number' || !Array.isArray(value.ids)) return undefined
  return { at: value.at, ids: value.ids.filter((each) => typeof each === 'string') as string[] }
}
