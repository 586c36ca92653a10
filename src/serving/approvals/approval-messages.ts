import type { ApprovalWebhook } from '../../config/approval-schema.js'
import { messageOf } from '../../errors.js'
import type { Clock } from '../../model/clock.js'
import type { CallApprovalRow } from '../../operations/call-approvals.js'
import type { Logger } from '../../telemetry/logger.js'
import { visibleText } from '../../telemetry/visible-text.js'
import { Deliveries, type DeliveryOutcome, type Letter } from '../deliveries.js'
import { say } from '../locale.js'

export interface MessageParts {
  /** As they are at the moment; undefined where nobody is to be told. */
  readonly settings: () => Readonly<ApprovalWebhook> | undefined
  /** The request as approvers are shown it. */
  readonly look: (id: string) => Promise<CallApprovalRow | undefined>
  /** The address at which whoever holds it may answer; undefined where no browser reaches us. */
  readonly linkTo: (id: string) => Promise<string | undefined>
  readonly clock: Clock
  readonly logger: Logger
  /** Told what became of each message. */
  readonly count: (outcome: DeliveryOutcome) => void
}

const mostAtOnce = 8
const pausesMs = [1000, 5000, 30_000]

/**
 * Messages about calls that wait, on their way to whoever is to say yes. No call waits for them: a request is open whether or
 * not anybody was told of it, and can be answered elsewhere.
 */
export class ApprovalMessages {
  readonly #parts: MessageParts
  readonly #deliveries: Deliveries<Told>

  constructor(parts: MessageParts) {
    this.#parts = parts
    this.#deliveries = new Deliveries<Told>({
      write: (told) => this.#write(told),
      pauseMs: (_, tries) => pausesMs[tries - 1],
      atOnce: mostAtOnce,
      trusted: () => parts.settings()?.url,
      clock: parts.clock,
      troubled: (error) => this.#trouble(error),
      works: () => this.#works(),
      ended: (_, outcome) => parts.count(outcome),
    })
  }

  /** Tells of this request, as soon as there is room. */
  take(id: string): void {
    this.#deliveries.take({ id, link: undefined })
  }

  close(): Promise<void> {
    return this.#deliveries.close()
  }

  async #write(told: Told): Promise<Letter | undefined> {
    const settings = this.#parts.settings()
    if (!settings) return undefined
    const row = await this.#parts.look(told.id)
    // Answered meanwhile: a link to it would lead nowhere.
    if (row?.state !== 'asked') return undefined
    // One link for all tries: each that is made is one more that opens.
    told.link ??= await this.#parts.linkTo(told.id)
    const { url, secret, timeoutMs } = settings
    return { url, secret, timeoutMs, body: JSON.stringify(messageAbout(row, told.link)) }
  }

  /** The host alone: what is behind it may be the credential. */
  get #host(): string {
    const { url } = this.#parts.settings() ?? {}
    return url === undefined ? '' : new URL(url).host
  }

  #works(): void {
    this.#parts.logger.log(
      'info',
      say(
        `Approvers are told at ${this.#host} of calls that wait again.`,
        `已恢复向 ${this.#host} 发送待批准调用的通知。`,
      ),
    )
  }

  #trouble(error: unknown): void {
    const why = messageOf(error)
    this.#parts.logger.log(
      'error',
      say(
        `Approvers cannot be told at ${this.#host} of calls that wait: ${why} No call passes by it: the requests stay open, in the console and in: pegboard approvals calls. Look at approvals.webhook.`,
        `无法向 ${this.#host} 发送待批准调用的通知：${why} 不会因此放行任何调用：申请仍可在控制台答复，或运行：pegboard approvals calls。请检查 approvals.webhook。`,
      ),
    )
  }
}

interface Told {
  readonly id: string
  link: string | undefined
}

/** What is sent: what the console shows, and where to answer. Names that strangers chose hide nothing either. */
const messageAbout = (row: CallApprovalRow, url: string | undefined) => ({
  id: row.id,
  tool: row.tool,
  title: row.title && visibleText(row.title),
  caller: row.caller,
  callerName: row.callerName && visibleText(row.callerName),
  profile: row.profile,
  rules: row.rules,
  reason: row.reason,
  arguments: row.arguments,
  isCut: row.isCut === true,
  expiresAt: new Date(row.expiresAt).toISOString(),
  url,
})
