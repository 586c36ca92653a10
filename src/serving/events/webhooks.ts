import { isDeepStrictEqual } from 'node:util'
import type { WebhookSettings } from '../../config/webhook-schema.js'
import { messageOf } from '../../errors.js'
import type { Clock } from '../../model/clock.js'
import type { ToldEvent } from '../../model/told-event.js'
import type { Logger } from '../../telemetry/logger.js'
import { Deliveries, type DeliveryOutcome } from '../deliveries.js'
import { say } from '../locale.js'
import { NotTaken } from '../signed-post.js'
import { letterTo } from './webhook-letter.js'

export type Webhook = Readonly<Omit<WebhookSettings, 'events'>> & {
  readonly events?: readonly string[] | undefined
}

export interface WebhooksParts {
  readonly clock: Clock
  readonly logger: Logger
  /** Where people find the console; undefined where no browser of theirs reaches it. */
  readonly base: () => string | undefined
  /** Told what became of each message. */
  readonly count: (host: string, outcome: DeliveryOutcome) => void
}

/** One message, as operators see it. */
export interface SentMessage {
  readonly id: string
  readonly type: string
  readonly subject: string
  readonly at: number
  readonly outcome: DeliveryOutcome | 'waiting'
  readonly tries: number
  /** Of the last try in vain. */
  readonly why?: string | undefined
}

/** One webhook, as operators see it. The address stops at its host: what is behind may be the credential. */
export interface WebhookRow {
  readonly host: string
  readonly events: readonly string[] | 'all'
  readonly language: 'en' | 'zh'
  readonly sent: number
  readonly failed: number
  readonly dropped: number
  /** The latest last. */
  readonly last: readonly SentMessage[]
}

/** Where events go besides the log. What a reload leaves as it was goes on with its row. */
export class Webhooks {
  readonly #parts: WebhooksParts
  #open: readonly OpenWebhook[] = []

  constructor(parts: WebhooksParts) {
    this.#parts = parts
  }

  /** From now on these. */
  use(settings: readonly Webhook[]): void {
    const left = [...this.#open]
    this.#open = settings.map((each) => {
      const at = left.findIndex(({ settings: known }) => isDeepStrictEqual(known, each))
      return at < 0 ? new OpenWebhook(each, this.#parts) : left.splice(at, 1)[0]!
    })
    for (const each of left) void each.close()
  }

  readonly take = (event: ToldEvent): void => {
    for (const each of this.#open) each.take(event)
  }

  rows(): readonly WebhookRow[] {
    return this.#open.map((each) => each.row())
  }

  async close(): Promise<void> {
    await Promise.all(this.#open.map((each) => each.close()))
    this.#open = []
  }
}

const pausesMs = [1000, 5000, 30_000, 120_000]
const longestPauseMs = 10 * 60_000
/** So long a message is sent again while the other end is away. */
export const patienceMs = 24 * 60 * 60_000
const mostShown = 20

class OpenWebhook {
  readonly settings: Webhook
  readonly #parts: WebhooksParts
  readonly #host: string
  readonly #deliveries: Deliveries<ToldEvent>
  readonly #counts = { sent: 0, failed: 0, dropped: 0 }
  readonly #last = new Map<string, SentMessage>()

  constructor(settings: Webhook, parts: WebhooksParts) {
    this.settings = settings
    this.#parts = parts
    this.#host = new URL(settings.url).host
    this.#deliveries = new Deliveries<ToldEvent>({
      write: async (event) => letterTo(settings, event, parts.base()),
      pauseMs: (event, tries, error) => this.#pauseMs(event, tries, error),
      // One by one: whoever reads "back" has read "down" before.
      atOnce: 1,
      trusted: () => settings.url,
      clock: parts.clock,
      troubled: (error) => this.#trouble(error),
      works: () => this.#works(),
      ended: (event, outcome, tries) => {
        this.#counts[outcome] += 1
        parts.count(this.#host, outcome)
        this.#note(event, outcome, tries)
      },
      missed: (event, tries, error) => this.#note(event, 'waiting', tries, messageOf(error)),
    })
  }

  take(event: ToldEvent): void {
    if (this.settings.events && event.type !== 'test' && !this.settings.events.includes(event.type)) return
    this.#note(event, 'waiting', 0)
    this.#deliveries.take(event)
  }

  row(): WebhookRow {
    const { events, language } = this.settings
    return { host: this.#host, events: events ?? 'all', language, ...this.#counts, last: [...this.#last.values()] }
  }

  close(): Promise<void> {
    return this.#deliveries.close()
  }

  /** What the other end refuses, it will refuse again; what it could not take, it may take once it is there. */
  #pauseMs({ at }: ToldEvent, tries: number, error: unknown): number | undefined {
    if (isRefusal(error)) return tries <= 3 ? pausesMs[tries - 1] : undefined
    const ageMs = this.#parts.clock.wall() - at
    return ageMs > patienceMs ? undefined : (pausesMs[tries - 1] ?? longestPauseMs)
  }

  #note({ id, type, subject, at }: ToldEvent, outcome: SentMessage['outcome'], tries: number, why?: string): void {
    const before = this.#last.get(id)
    const shown = { id, type, subject: subject.id, at, outcome, tries }
    this.#last.set(id, { ...shown, why: outcome === 'sent' ? undefined : (why ?? before?.why) })
    while (this.#last.size > mostShown) this.#last.delete(this.#last.keys().next().value as string)
  }

  #trouble(error: unknown): void {
    const why = messageOf(error)
    this.#parts.logger.log(
      'error',
      say(
        `Events cannot be told at ${this.#host}: ${why} They are sent again while it is away. Look at it: pegboard webhooks`,
        `无法向 ${this.#host} 发送事件通知：${why} 恢复前会继续重试。查看：pegboard webhooks`,
      ),
    )
  }

  #works(): void {
    this.#parts.logger.log(
      'info',
      say(`Events are told at ${this.#host} again.`, `已恢复向 ${this.#host} 发送事件通知。`),
    )
  }
}

/** It understood us and said no: by a 4xx, those aside that mean "not now". */
const isRefusal = (error: unknown): boolean =>
  error instanceof NotTaken && error.status >= 400 && error.status < 500 && ![408, 425, 429].includes(error.status)
