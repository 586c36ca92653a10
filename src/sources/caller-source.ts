import { until } from '../model/cancel.js'
import type { JsonObject } from '../model/json.js'
import type { Answer } from '../model/result.js'
import type { CallerCredentials, SignedByCaller } from './caller-signing.js'
import type { LinkRequest } from './mcp-link.js'
import type { McpSource } from './mcp-source.js'
import { remoteOnly } from './remote-only.js'
import type { SourceCall, SourceUpdate, ToolProblem } from './source.js'
import type { SourceStatus } from './status.js'
import type { McpSurface } from './surface.js'

/**
 * A server at which each caller signs in for themselves. Who has nothing there hears so before anybody is asked; who has, may
 * be the first one who can say what the server offers, and lends their sign-in for that.
 */
export class CallerSource implements McpSource {
  readonly kind: string
  readonly #inner: McpSource
  readonly #signing: SignedByCaller
  readonly #personal: CallerCredentials
  readonly #leave: () => void

  constructor(inner: McpSource, signing: SignedByCaller, personal: CallerCredentials) {
    this.kind = inner.kind
    this.#inner = inner
    this.#signing = signing
    this.#personal = personal
    this.#leave = personal.onNews((identity, news) => {
      // Who leaves takes along what was opened in their name; who is the first to come shows what there is.
      if (news === 'signed-out' && personal.own.takeBack(identity)) void this.#inner.restart().catch(() => {})
      if (news === 'signed-in' && this.#inner.status.state === 'needs-auth') void this.#inner.start().catch(() => {})
    })
  }

  get surface(): McpSurface | undefined {
    return this.#inner.surface
  }

  get status(): SourceStatus {
    return this.#inner.status
  }

  onStatus(listener: (status: SourceStatus) => void): () => void {
    return this.#inner.onStatus(listener)
  }

  start(): Promise<void> {
    return this.#inner.start()
  }

  stop(): Promise<void> {
    return this.#inner.stop()
  }

  restart(): Promise<void> {
    return this.#inner.restart()
  }

  check(): Promise<boolean> {
    return this.#inner.check()
  }

  watch(onTools: (update: SourceUpdate) => readonly ToolProblem[], signal: AbortSignal): Promise<void> {
    return this.#inner.watch(onTools, signal)
  }

  call(name: string, args: JsonObject, context: SourceCall): Promise<Answer> {
    if (context.sync) throw remoteOnly(name)
    return this.#signedIn(context).then(() => this.#inner.call(name, args, context))
  }

  ask(request: LinkRequest & Parameters<NonNullable<McpSource['ask']>>[0], context: SourceCall): Promise<JsonObject> {
    return this.#signedIn(context).then(() => this.#inner.ask!(request, context))
  }

  async #signedIn({ call, cancel }: SourceCall): Promise<void> {
    const { identity, credentials } = await until(this.#signing.of(call.caller), cancel)
    if (this.#inner.status.state !== 'needs-auth') return
    if (credentials) this.#personal.own.lend(identity.id, credentials)
    await until(this.#inner.start(), cancel)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#leave()
    await this.#inner[Symbol.asyncDispose]()
  }
}
