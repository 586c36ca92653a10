import { GatewayError } from '../errors.js'
import type { ScriptAnswer, ScriptCall } from './protocol.js'

/** A call of a script that was answered. Kept in the order in which the script was given the answers. */
export interface JournalEntry {
  readonly n: number
  readonly tool: string
  /** JSON. */
  readonly args: string
  readonly answer: ScriptAnswer
}

/**
 * What a script was told, so that it can be brought to where it was: the same script over the same input, time and chance is given
 * the same answers in the same order, each after it has come to rest. Then it makes the same calls under the same numbers, whether
 * one after the other or many at once, and only what it was never answered is really called.
 */
export class Journal {
  readonly #entries: JournalEntry[]
  readonly #recorded: ReadonlyMap<number, JournalEntry>
  readonly #made = new Set<number>()
  #played = 0

  constructor(recorded: readonly JournalEntry[] = []) {
    this.#entries = [...recorded]
    this.#recorded = new Map(recorded.map((entry) => [entry.n, entry]))
  }

  get entries(): readonly JournalEntry[] {
    return this.#entries
  }

  /** Whether every recorded answer was given: until then no new one may be. */
  get isPlayed(): boolean {
    return this.#played >= this.#recorded.size
  }

  /** Whether the answer to this call of the script's is known. Throws where it is another call than the one that was answered. */
  knows({ n, tool, args }: ScriptCall): boolean {
    const entry = this.#recorded.get(n)
    if (!entry) return false
    if (entry.tool !== tool || entry.args !== args)
      throw new GatewayError(
        'SCRIPT_FAILED',
        `The script took another way than before: its call ${n} was of '${entry.tool}', and is now ${
          entry.tool === tool ? 'one with other arguments' : `of '${tool}'`
        }. Run it anew.`,
        { details: { n, tool: entry.tool } },
      )
    this.#made.add(n)
    return true
  }

  /** The recorded answer that comes next, if its call has been made. */
  next(): JournalEntry | undefined {
    const entry = this.isPlayed ? undefined : this.#entries[this.#played]
    if (!entry || !this.#made.has(entry.n)) return undefined
    this.#played++
    return entry
  }

  add(entry: JournalEntry): void {
    this.#entries.push(entry)
  }

  get bytes(): number {
    return this.#entries.reduce((sum, { tool, args, answer }) => sum + tool.length + args.length + sizeOf(answer), 0)
  }
}

const sizeOf = (answer: ScriptAnswer): number =>
  answer.ok ? answer.json.length : answer.message.length + (answer.details?.length ?? 0)
