import type { CancelSignal } from './cancel.js'
import type { JsonObject } from './json.js'

/** What a tool asks of whoever called it: `elicitation/create`, `sampling/createMessage` or `roots/list`. */
export interface Question {
  readonly method: string
  readonly params: JsonObject | undefined
  /** The source that asks: names that it gives to what it asks are its own. */
  readonly source?: string | undefined
}

/** A caller that can be asked back while its call runs, and what it said that it can do. */
export interface Asking {
  /** As the client declared them, for the source to see exactly these: more would make it ask what nobody answers. */
  readonly capabilities: JsonObject
  /** The client's answer as it came. Rejects where it refuses, leaves, or takes too long. */
  ask(question: Question, signal: CancelSignal): Promise<JsonObject>
  /** Set for callers that take `input_required` themselves: what they brought with them from the round before. */
  readonly rounds?: Round | undefined
  /** The least severe log message that this caller wants; undefined is none. */
  readonly logLevel?: string | undefined
  readonly onLog?: ((params: JsonObject) => void) | undefined
}

/** A caller's part of a multi round-trip request (MCP 2026-07-28). */
export interface Round {
  readonly inputResponses?: JsonObject | undefined
  readonly requestState?: string | undefined
}
