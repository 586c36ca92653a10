import type { CallCounts } from './counting.js'
import type { KeptCall } from './kept-call.js'
import type { CallsAsked, CallsFound, StatsAsked } from './query.js'
import type { KeptValues } from './values.js'

/** What calls were there, to whoever asks. */
export interface CallReader {
  find(asked: CallsAsked): Promise<CallsFound>
  count(asked: StatsAsked): Promise<CallCounts>
  /** Undefined where there is no such call, or it was let go. */
  one(id: string): Promise<OneCall | undefined>
  /** When the oldest call ended that is kept. */
  oldest(): Promise<number | undefined>
  /** The same for all who read one folder. */
  folderId(): Promise<string | undefined>
}

export interface OneCall {
  readonly call: KeptCall
  /** Undefined where none were kept, or are left. */
  readonly values: KeptValues | undefined
}
