import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Clock } from '../../model/clock.js'
import type { ToldEvent } from '../../model/told-event.js'
import type { Board } from '../board.js'
import { say } from '../locale.js'
import { quotaListener, tellAsked } from './call-events.js'
import { type EndingCertificate, watchKeys } from './key-events.js'
import type { EventsAround } from './open-events.js'
import { HeldEvents, tellFindings } from './review-events.js'
import { createSourceEvents } from './source-events.js'
import { Standings } from './standings.js'
import { ToldBook, toldKind } from './told-book.js'
import { ToldEvents } from './told-events.js'

export interface WatchParts extends EventsAround {
  readonly clock: Clock
}

export interface EventWatch {
  on(listener: (event: ToldEvent) => void): () => void
  close(): Promise<void>
}

/** Listens at each place that knows of something. */
export const watchBoard = (board: Board, { clock, clean, metrics, logger, keys }: WatchParts): EventWatch => {
  const { gateway, reviewing, approvers, fleet, storage } = board
  const book = new ToldBook(() => storage.shared(toldKind), clock)
  const counter = metrics.counter('pegboard_events_total', 'What happened that people are told of, by type.', [
    'type',
    'outcome',
  ])
  const events = new ToldEvents({
    ...{ clock, book, replica: fleet.isAlone ? undefined : fleet.replica },
    count: (type, outcome) => counter.add({ type, outcome }),
    tooMany: (most) =>
      logger.log(
        'warn',
        say(
          `More than ${most} events in a minute; the rest of them is not told. Look at the console.`,
          `一分钟内事件超过 ${most} 个，其余不再通知。请查看控制台。`,
        ),
      ),
  })
  const standings = new Standings(clock)
  const heard = createSourceEvents({ events, standings, clean, isAlone: fleet.isAlone })
  const held = new HeldEvents(events)
  const lookAtHeld = (): void => held.look([...reviewing.heldTools(), ...reviewing.heldWords()])
  let isWatching = false
  const stops: (() => void)[] = []
  const begin = (): void => {
    isWatching = true
    for (const info of gateway.sources()) heard(info)
    lookAtHeld()
    stops.push(
      gateway.onSource(heard),
      gateway.onCall(quotaListener(events)),
      approvers.approvals.onEvent((event) => tellAsked(events, event)),
      reviewing.onReviewed(lookAtHeld),
      reviewing.onFound((found) => tellFindings(events, found)),
      watchKeys({
        ...{ events, clock },
        keys: () => keys?.active() ?? [],
        certificate: () => ownCertificate(board.current.atStart.server.tls?.cert),
      }),
    )
  }
  return {
    on: (listener) => {
      const stop = events.on(listener)
      // With the first who listens: what stands already is told to them.
      if (!isWatching) begin()
      return stop
    },
    close: async () => {
      for (const stop of stops) stop()
      standings.close()
      await book[Symbol.asyncDispose]()
    },
  }
}

/** As it is in its file: a new one is taken up without a start. */
const ownCertificate = async (file: string | undefined): Promise<EndingCertificate | undefined> => {
  if (file === undefined) return undefined
  const { subject, subjectAltName, validFrom, validTo, fingerprint256 } = new X509Certificate(await readFile(file))
  const name = (subjectAltName ?? subject ?? fingerprint256).replaceAll('\n', ', ')
  return { name, beginsAt: Date.parse(validFrom), endsAt: Date.parse(validTo) }
}
