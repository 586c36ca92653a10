import type { JsonObject } from '../model/json.js'
import type { Finding } from './finding.js'

/** What else is on the board: words that speak of others' tools, and names that look like theirs, are told by it. */
export interface Neighbours {
  /** The names of this source's own tools. */
  readonly own: ReadonlySet<string>
  /** The names of other sources' tools, and of those sources. */
  readonly others: ReadonlySet<string>
}

/** What a source says of itself: the definition of a tool, prompt, resource or template, or its instructions as `{ instructions }`. */
export type Scannable = JsonObject

/** What a person should look at in these words, the gravest first. The same words always give the same findings. */
export const scan = (_words: Scannable, _neighbours?: Neighbours): readonly Finding[] => []
