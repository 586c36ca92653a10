import type { Duplex } from 'node:stream'
import type { Shares } from '../model/shares.js'
import type { DoorRules } from './admit.js'
import type { OpenExchange } from './exchange.js'
import type { LargeRequests } from './large-requests.js'

/** What exchanges need of their host; one object for all of them. */
export interface ExchangeContext {
  readonly maxBodyBytes: number
  /** Answers no longer keep their connections: whoever sends us requests should look elsewhere. */
  readonly draining: boolean
  readonly budget: BodyBudget
  readonly shares: Shares
  readonly largeRequests: LargeRequests
  nextId(): string
  readonly closing: boolean
  /** Known once we are bound. */
  readonly rules: DoorRules
}

/** The memory that all bodies being read share; one counter per host. */
export interface BodyBudget {
  readonly maxBytes: number
  usedBytes: number
}

/** Takes a body once it is whole, or why it is not. */
export interface BodyTaker {
  received(body: Buffer): void
  refused(error: unknown): void
}

/** The open requests: exchanges whose answer has not ended, and sockets that were upgraded. */
export interface Active {
  add(exchange: OpenExchange): void
  addSocket(socket: Duplex, hooks: readonly (() => void)[]): void
  /** Calls the closing hooks of streams, and sends `Connection: close` with every further answer. */
  drain(): void
  /** Arms the socket's timeout under every answer that ended but is not being read. */
  watchStalled(stalledMs: number): void
  /** Ends what is left at once. */
  destroySockets(): void
  /** Resolves when nothing is left. */
  idle(): Promise<void>
}
