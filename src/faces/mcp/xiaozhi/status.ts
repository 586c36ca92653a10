/** Where an endpoint stands. `waiting` has a next try planned. */
export type EndpointState = 'stopped' | 'connecting' | 'connected' | 'waiting'

/** One endpoint, ready to be shown: nothing in it is a part of its token. */
export interface EndpointStatus {
  readonly name: string
  readonly host: string
  readonly profile: string
  readonly state: EndpointState
  /** Why it is not connected. */
  readonly reason: string | undefined
  /** The number of document 001 for that reason (4001–4003). */
  readonly code: number | undefined
  /** Waiting alone will not mend it: what to do. */
  readonly alarm: string | undefined
  /** Milliseconds since the epoch. */
  readonly nextTryAt: number | undefined
  readonly connectedAt: number | undefined
  readonly tokenExpiresAt: number | undefined
  /** Who speaks at the other side, as it introduced itself. */
  readonly peer: string | undefined
  readonly pingMs: number | undefined
  readonly connects: number
  readonly calls: number
  readonly running: number
  /** Answers that came after their connection was gone. */
  readonly late: number
  readonly maxResultBytes: number
  readonly maxListBytes: number
  /** The list as the far side last read it on this connection; undefined when it has not. */
  readonly list:
    | { readonly tools: number; readonly bytes: number; readonly pages: number; readonly tokens: number }
    | undefined
}
