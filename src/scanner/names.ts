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
  latinForm(name.replace(invisible, '').normalize('NFKC'))
    .toLowerCase()
    .replace(/[\s_\-.]+/g, '')
    .replace(/0/g, 'o')
    .replace(/[1|!]/g, 'l')
    .replace(/rn/g, 'm')

interface NameIndex {
  readonly exact: ReadonlySet<string>
  readonly lower: ReadonlySet<string>
  readonly skeletons: ReadonlyMap<string, string>
}

const indexes = new WeakMap<ReadonlySet<string>, NameIndex>()

/** Lists of names, read once per list: a board of ten thousand tools asks about the same ones each time. */
export const indexOf = (names: ReadonlySet<string>): NameIndex => {
  const known = indexes.get(names)
  if (known) return known
  const lower = new Set<string>()
  const skeletons = new Map<string, string>()
  for (const name of names) {
    lower.add(name.toLowerCase())
    skeletons.set(skeleton(name), name)
  }
  const index = { exact: names, lower, skeletons }
  indexes.set(names, index)
  return index
}

const ownIndex = indexOf(ownToolNames)

/** How a name stands to those of other sources. */
export const nameMarks = (name: string, others: ReadonlySet<string> | undefined): readonly NameMark[] => {
  const marks: NameMark[] = []
  if (ownToolNames.has(name)) marks.push({ rule: 'name.own-tool', severity: 'medium' })
  else if (ownIndex.skeletons.has(skeleton(name))) marks.push({ rule: 'name.own-tool', severity: looks(name) })
  if (others === undefined || others.size === 0) return marks
  const index = indexOf(others)
  if (index.exact.has(name)) return [...marks, { rule: 'name.same', severity: 'low' }]
  if (!index.skeletons.has(skeleton(name))) return marks
  const severity = looks(name) === 'high' || looks(index.skeletons.get(skeleton(name))!) === 'high' ? 'high' : 'low'
  return [...marks, { rule: severity === 'high' ? 'name.look-alike' : 'name.similar', severity }]
}

/** Letters that merely look Latin are no accident; another case or separator may be. */
const looks = (name: string): Severity => (/^[\x20-\x7e]*$/.test(name) ? 'medium' : 'high')
