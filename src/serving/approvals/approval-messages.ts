import type { ApprovalWebhook } from '../../config/approval-schema.js'
import { messageOf } from '../../errors.js'
import type { Clock } from '../../model/clock.js'
import type { CallApprovalRow } from '../../operations/call-approvals.js'
import { createGuardedFetch, type GuardedFetch } from '../../sources/guarded-fetch.js'
import type { Logger } from '../../telemetry/logger.js'
import { visibleText } from '../../telemetry/visible-text.js'
import { say } from '../locale.js'
import { post, signatureOf } from '../signed-post.js'

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
  readonly count: (outcome: 'sent' | 'failed' | 'dropped') => void
}

// As many as may be open in all.
const mostWaiting = 256
const mostAtOnce = 8
const pausesMs = [1000, 5000, 30_000]
// At the end, for what is on its way.
const patienceMs = 2000
// Longer than any that can be set: each message has its own.
const longestMs = 60_000

/**
 * Messages about calls that wait, on their way to whoever is to say yes. No call waits for them: a request is open whether or
 * not anybody was told of it, and can be answered elsewhere.
 */
export class ApprovalMessages {
  readonly #parts: MessageParts
  readonly #fetch: GuardedFetch
  readonly #waiting: string[] = []
  readonly #underway = new Set<Promise<void>>()
  readonly #pauses = new Set<() => void>()
  #isTroubled = false
  #isClosed = false

  constructor(parts: MessageParts) {
    this.#parts = parts
    // The operator wrote this address down: it may be on this machine or in this network, but nothing it leads to may.
    this.#fetch = createGuardedFetch({
      isTrusted: ({ origin }) => origin === originOf(parts.settings()?.url),
      timeoutMs: longestMs,
    })
  }

  /** Tells of this request, as soon as there is room. */
  take(id: string): void {
    if (this.#isClosed) return
    if (this.#waiting.length < mostWaiting) this.#waiting.push(id)
    else this.#parts.count('dropped')
    this.#next()
  }

  /** Pauses end; what is on its way has a moment. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const wake of [...this.#pauses]) wake()
    let stop = (): void => {}
    const tooLate = new Promise<void>((resolve) => {
      stop = this.#parts.clock.after(patienceMs, resolve)
    })
    await Promise.race([this.#drained(), tooLate])
    stop()
    await this.#fetch.close()
  }

  async #drained(): Promise<void> {
    while (this.#underway.size > 0) await Promise.all(this.#underway)
  }

  #next(): void {
    while (this.#underway.size < mostAtOnce) {
      const id = this.#waiting.shift()
      if (id === undefined) return
      const telling = this.#tell(id).finally(() => {
        this.#underway.delete(telling)
        this.#next()
      })
      this.#underway.add(telling)
    }
  }

  async #tell(id: string): Promise<void> {
    let url: string | undefined
    for (const pauseMs of [...pausesMs, undefined]) {
      const settings = this.#parts.settings()
      if (!settings) return
      try {
        const row = await this.#parts.look(id)
        // Answered meanwhile: a link to it would lead nowhere.
        if (row?.state !== 'asked') return
        url ??= await this.#parts.linkTo(id)
        await this.#post(settings, JSON.stringify(messageAbout(row, url)))
        return this.#sent(settings)
      } catch (error) {
        this.#trouble(settings, error)
      }
      if (pauseMs === undefined || this.#isClosed) return this.#parts.count('failed')
      await this.#pause(pauseMs)
    }
  }

  #post({ url, secret, timeoutMs }: Readonly<ApprovalWebhook>, body: string): Promise<void> {
    const signature = signatureOf(secret, body, this.#parts.clock.wall())
    const headers = { 'content-type': 'application/json', 'pegboard-signature': signature }
    return post(this.#fetch, new URL(url), { headers, body, timeoutMs })
  }

  #sent({ url }: Readonly<ApprovalWebhook>): void {
    this.#parts.count('sent')
    if (!this.#isTroubled) return
    this.#isTroubled = false
    const { host } = new URL(url)
    this.#parts.logger.log(
      'info',
      say(`Approvers are told at ${host} of calls that wait again.`, `已恢复向 ${host} 发送待批准调用的通知。`),
    )
  }

  /** Once, until it works again. The host alone: what is behind it may be the credential. */
  #trouble({ url }: Readonly<ApprovalWebhook>, error: unknown): void {
    if (this.#isTroubled) return
    this.#isTroubled = true
    const { host } = new URL(url)
    const why = messageOf(error)
    this.#parts.logger.log(
      'error',
      say(
        `Approvers cannot be told at ${host} of calls that wait: ${why} No call passes by it: the requests stay open, in the console and in: pegboard approvals calls. Look at approvals.webhook.`,
        `无法向 ${host} 发送待批准调用的通知：${why} 不会因此放行任何调用：申请仍可在控制台答复，或运行：pegboard approvals calls。请检查 approvals.webhook。`,
      ),
    )
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        cancel()
        this.#pauses.delete(wake)
        resolve()
      }
      const cancel = this.#parts.clock.after(ms, wake)
      this.#pauses.add(wake)
    })
  }
}

const originOf = (url: string | undefined): string | undefined => (url === undefined ? undefined : new URL(url).origin)

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
