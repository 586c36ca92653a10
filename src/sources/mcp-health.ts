import type { Clock } from '../model/clock.js'
import { lookAgainMs } from '../model/open-circuit.js'
import type { McpLink } from './mcp-link.js'
import type { McpSourceOptions } from './mcp-source-options.js'
import type { SourceStatus } from './status.js'

const standard = { interval: 30_000, timeout: 5000 }
// One may be lost on a busy machine.
const mostMisses = 2

/** Whether a server answers: what the health checks found, and when the next is due. */
export class Health {
  readonly #clock: Clock
  readonly #wanted: McpSourceOptions['healthCheck']
  #misses = 0
  #degradedAt: number | undefined
  #asked: { readonly link: McpLink; readonly answers: Promise<boolean> } | undefined

  constructor({ clock, healthCheck = standard }: Pick<McpSourceOptions, 'clock' | 'healthCheck'>) {
    this.#clock = clock
    this.#wanted = healthCheck
  }

  /** Whoever asks meanwhile hears the same: a server that does not answer is asked one thing at a time. */
  check(link: McpLink, judge: (answers: boolean) => Promise<boolean>): Promise<boolean> {
    if (this.#asked?.link === link) return this.#asked.answers
    const answers = link
      .answers(this.#timeoutMs)
      .then(judge)
      .finally(() => {
        if (this.#asked?.link === link) this.#asked = undefined
      })
    this.#asked = { link, answers }
    return answers
  }

  /** It answered, or is another. */
  well(): void {
    this.#misses = 0
    this.#degradedAt = undefined
  }

  /** It did not answer; what that makes of it, if anything. */
  missed(): SourceStatus | undefined {
    this.#misses += 1
    if (this.#misses < mostMisses) return undefined
    this.#degradedAt ??= this.#clock.now()
    const reason = `Did not answer ${this.#misses} health checks in a row within ${this.#timeoutMs} ms each.`
    return { state: 'degraded', reason, nextRetryAt: this.#clock.wall() + this.nextMs! }
  }

  /** Until the next check. One that is degraded is looked at whether checks are wanted or not, or it would stay so. */
  get nextMs(): number | undefined {
    const regularMs = this.#wanted ? this.#wanted.interval : undefined
    if (this.#degradedAt === undefined) return regularMs
    return Math.min(lookAgainMs(this.#clock.now() - this.#degradedAt), regularMs ?? Number.POSITIVE_INFINITY)
  }

  get #timeoutMs(): number {
    return (this.#wanted || standard).timeout
  }
}
