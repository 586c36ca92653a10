import type { Keys } from '../../access/keys.js'
import { systemClock } from '../../model/clock.js'
import type { ToldEvent } from '../../model/told-event.js'
import type { Logger } from '../../telemetry/logger.js'
import type { Metrics } from '../../telemetry/metrics.js'
import type { Board } from '../board.js'
import { isForOthers } from '../public-address.js'
import type { EventWatch } from './watch-board.js'
import type { WebhookRow, Webhooks } from './webhooks.js'

export interface EventsAround {
  readonly keys?: Pick<Keys, 'active'> | undefined
  /** Takes known secrets out of what is told. */
  readonly clean: (text: string) => string
  readonly metrics: Pick<Metrics, 'counter'>
  readonly logger: Logger
}

/** What happens on a board, for whoever wants to be told. Nothing of it is loaded, and nothing watched, before somebody does. */
export interface OpenedEvents {
  /** From now on told of each event. Returns how to stop. */
  on(listener: (event: ToldEvent) => void): Promise<() => void>
  /** What became of the last messages. */
  webhooks(): readonly WebhookRow[]
  /** From now on browsers reach us. */
  listenAt(base: () => string): void
  close(): Promise<void>
}

export const openEvents = async (board: Board, around: EventsAround): Promise<OpenedEvents> => {
  const { current } = board
  const logger = around.logger.child('events')
  let watch: Promise<EventWatch> | undefined
  let place: (() => string) | undefined
  const open = async (): Promise<EventWatch> =>
    (await import('./watch-board.js')).watchBoard(board, {
      ...{ ...around, logger, clock: systemClock },
    })
  const on = async (listener: (event: ToldEvent) => void): Promise<() => void> =>
    (await (watch ??= open())).on(listener)
  const { host } = current.atStart.server
  // A page of this machine is of no use to whoever is told elsewhere.
  const isReachable = current.reading(
    ['server.publicUrl', 'server.behindProxy'],
    ({ server }) => server.publicUrl !== undefined || !isForOthers({ ...server, host }),
  )
  let webhooks: Webhooks | undefined
  const takeUp = async ({ webhooks: settings }: Board['config']): Promise<void> => {
    if (webhooks) return webhooks.use(settings)
    if (settings.length === 0) return
    webhooks = await openWebhooks()
    webhooks.use(settings)
    // Only now: how things stand is told to the first who listens.
    await on(webhooks.take)
  }
  const openWebhooks = async (): Promise<Webhooks> => {
    const { Webhooks: Opened } = await import('./webhooks.js')
    const counter = around.metrics.counter(
      'pegboard_webhook_messages_total',
      'Messages about events, by host and by what became of them.',
      ['host', 'outcome'],
    )
    return new Opened({
      ...{ clock: systemClock, logger },
      base: () => (place && isReachable() ? place() : undefined),
      count: (at, outcome) => counter.add({ host: at, outcome }),
    })
  }
  current.follow(['webhooks'], takeUp)
  await takeUp(current.now)
  return {
    on,
    webhooks: () => webhooks?.rows() ?? [],
    listenAt: (base) => {
      place = base
    },
    close: async () => {
      const watching = await watch?.catch(() => undefined)
      await watching?.close()
      await webhooks?.close()
    },
  }
}
