import { isErrorAnswer } from '../../model/answer.js'
import type { Clock } from '../../model/clock.js'
import { isRecord } from '../../model/json.js'
import { type Answer, resultAnswer, type ToolResult, valueAnswer } from '../../model/result.js'
import type { Tool } from '../../model/tool.js'
import { stableHash } from '../../schema/canonical.js'
import type { Source } from '../../sources/source.js'
import { Known, type Passage, type Step } from '../passage.js'

const mostEntries = 256
const mostBytes = 4 * 1024 * 1024

interface Kept {
  readonly until: number
  /** As text, so that nobody can change it for the next. */
  readonly text: string
  readonly type: Answer['type']
}

/**
 * Answers that are good for a while, of tools that change nothing, where an operator says how long: for the same caller,
 * profile and arguments, and session where its source keeps those apart. After all checks and the quota, before anybody is asked; kept as it went out.
 */
export const kept = (clock: Clock, isolationOf: (source: string) => Source['isolation'] = () => undefined): Step => {
  // With the tool as it is shown: another definition or override has answers of its own.
  const shelves = new WeakMap<Tool, Drawer>()
  const drawerOf = (tool: Tool): Drawer => {
    const known = shelves.get(tool) ?? new Drawer()
    shelves.set(tool, known)
    return known
  }
  return {
    enter: (passage) => {
      const { shown } = passage
      if (!shown?.applied.cacheMs || passage.kind !== 'tool' || passage.ownAnswer) return
      passage.keepAs = keyOf(passage, isolationOf(passage.target.source) === 'session')
      const found = passage.keepAs === undefined ? undefined : drawerOf(shown).get(passage.keepAs, clock.now())
      if (!found) return
      passage.cached = true
      return new Known(answerOf(found))
    },
    leave: (passage, answer) => {
      const { keepAs, shown } = passage
      if (keepAs === undefined || !shown || !isWhole(answer)) return answer
      const text = textOf(answer)
      if (text !== undefined)
        drawerOf(shown).put(keepAs, { until: clock.now() + shown.applied.cacheMs!, text, type: answer.type })
      return answer
    },
  }
}

/** What an operator adds is no part of the question: a time or an id that is new each time would never be asked twice. */
const keyOf = (
  { args, added = [], call: { caller, maxResultBytes, session } }: Passage,
  bySession: boolean,
): string | undefined => {
  if (!isRecord(args)) return undefined
  const asked = Object.fromEntries(Object.entries(args).filter(([name]) => !added.includes(name)))
  try {
    const whose = bySession ? session?.key : undefined
    return stableHash([caller.id, caller.identity?.id, caller.profile, maxResultBytes, asked, whose])
  } catch {
    return undefined
  }
}

/** Neither a failure nor the beginning of a talk: those are not the tool's answer to the question. */
const isWhole = (answer: Answer): boolean => {
  if (answer.failed !== undefined || isErrorAnswer(answer)) return false
  if (answer.type === 'value') return answer.value !== undefined
  const { requestState, inputRequests, task } = answer.result
  return requestState === undefined && inputRequests === undefined && task === undefined
}

const textOf = (answer: Answer): string | undefined => {
  try {
    return JSON.stringify(answer.type === 'value' ? answer.value : answer.result)
  } catch {
    return undefined
  }
}

const answerOf = ({ type, text }: Kept): Answer => {
  const value = JSON.parse(text) as unknown
  return type === 'value' ? valueAnswer(value) : resultAnswer(value as ToolResult)
}

/** The answers of one tool, the oldest given up first. */
class Drawer {
  readonly #entries = new Map<string, Kept>()
  #bytes = 0

  get(key: string, now: number): Kept | undefined {
    const found = this.#entries.get(key)
    if (!found || found.until > now) return found
    this.#remove(key, found)
    return undefined
  }

  put(key: string, entry: Kept): void {
    if (entry.text.length > mostBytes / 4) return
    const before = this.#entries.get(key)
    if (before) this.#remove(key, before)
    this.#entries.set(key, entry)
    this.#bytes += entry.text.length
    for (const [oldest, old] of this.#entries) {
      if (this.#entries.size <= mostEntries && this.#bytes <= mostBytes) return
      this.#remove(oldest, old)
    }
  }

  #remove(key: string, entry: Kept): void {
    this.#entries.delete(key)
    this.#bytes -= entry.text.length
  }
}
