import { invisible } from './characters.js'
import { latinForm } from './confusables.js'
import type { Severity } from './finding.js'

/** Names that people or models may take for another. */
export interface NameMark {
  readonly rule: string
  readonly severity: Severity
}

/** The board's own tools, by which models search it. A test holds the list to what they are called. */
export const ownToolNames: ReadonlySet<string> = new Set([
  'search_tools',
  'get_tool_definition',
  'call_tool',
  'list_tools_by_category',
  'search_hot_tools',
  'register_tool',
  'unregister_tool',
])

/** What is left of a name for the eye: no case, no separators, no scripts. */
export const skeleton = (name: string): string =>
  (/^[\w.-]*$/.test(name) ? name : latinForm(name.replace(invisible, '').normalize('NFKC')))
    .toLowerCase()
    .replace(/[\s_.-]+/g, '')
    .replace(/0/g, 'o')
    .replace(/[1|!]/g, 'l')
    .replace(/rn/g, 'm')

/**
 * Names by how they look. Kept over calls: every source asks about the same ten thousand names, in a list of its own
 * each time. What it knows changes no answer, since whoever asks brings the list that counts.
 */
class LookBook {
  readonly #names = new Map<string, string[]>()
  readonly #known = new Set<string>()
  #lists = new WeakSet<ReadonlySet<string>>()

  /** Those of the list that look like this name. */
  alike(name: string, list: ReadonlySet<string>): readonly string[] {
    this.#learn(list)
    return (this.#names.get(skeleton(name)) ?? []).filter((other) => list.has(other))
  }

  #learn(list: ReadonlySet<string>): void {
    if (this.#lists.has(list)) return
    if (this.#known.size > mostNames) {
      this.#names.clear()
      this.#known.clear()
      this.#lists = new WeakSet()
    }
    for (const name of list) {
      if (this.#known.has(name)) continue
      this.#known.add(name)
      const look = skeleton(name)
      const same = this.#names.get(look)
      if (same) same.push(name)
      else this.#names.set(look, [name])
    }
    this.#lists.add(list)
  }
}

const mostNames = 100_000
const looks = new LookBook()

/** Whether a name that was read in small letters is in the list. */
export const isAmong = (lower: string, list: ReadonlySet<string>): boolean =>
  list.size > 0 && (list.has(lower) || looks.alike(lower, list).some((name) => name.toLowerCase() === lower))

/** How a name stands to those of other sources. */
export const nameMarks = (name: string, others: ReadonlySet<string> | undefined): readonly NameMark[] => {
  const marks: NameMark[] = []
  if (looks.alike(name, ownToolNames).length > 0)
    marks.push({ rule: 'name.own-tool', severity: isForeign(name) ? 'high' : 'medium' })
  if (others === undefined || others.size === 0) return marks
  if (others.has(name)) return [...marks, { rule: 'name.same', severity: 'low' }]
  const alike = looks.alike(name, others)
  if (alike.length === 0) return marks
  // Letters that merely look Latin are no accident; another case or separator may be.
  const isTrick = isForeign(name) || alike.every(isForeign)
  return [...marks, isTrick ? { rule: 'name.look-alike', severity: 'high' } : { rule: 'name.similar', severity: 'low' }]
}

const isForeign = (name: string): boolean => !/^[\x20-\x7e]*$/.test(name)
