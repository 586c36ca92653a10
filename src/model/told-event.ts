import type { JsonObject } from './json.js'

/** What happens on a board that people want to be told of. */
export const toldEventTypes = [
  'source.down',
  'source.back',
  'circuit.open',
  'circuit.closed',
  'approval.waiting',
  'scanner.finding',
  'quota.reached',
  'key.expiring',
] as const

/** `test` is sent by hand, to see that a message arrives. */
export type ToldEventType = (typeof toldEventTypes)[number] | 'test'

/** What an event is about. */
export interface EventSubject {
  readonly type: 'source' | 'tool' | 'call' | 'caller' | 'key' | 'certificate' | 'webhook'
  readonly id: string
}

/** A sentence for people, in both languages. */
export interface EventText {
  readonly en: string
  readonly zh: string
}

/** Something that happened, told once. It holds neither arguments nor secrets. */
export interface ToldEvent {
  /** Its own, by which whoever gets it twice knows it again. */
  readonly id: string
  readonly type: ToldEventType
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly subject: EventSubject
  readonly text: EventText
  /** The page of the console that shows more, and which item of it. */
  readonly page?: { readonly name: string; readonly item?: string | undefined } | undefined
  /** The replica that tells it, where there are several. */
  readonly replica?: string | undefined
  readonly details: JsonObject
}
