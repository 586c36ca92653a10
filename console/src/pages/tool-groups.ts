import type { ToolRow } from '../../../src/faces/admin/tools.js'

/** What the reader wants to see of the list. */
export interface ToolFilter {
  readonly words: string
  readonly source: string
  readonly does: string
  readonly state: string
}

export const noFilter: ToolFilter = { words: '', source: '', does: '', state: '' }

/** A row of the list: a source, or a tool of it. */
export type ToolListRow =
  | {
      readonly kind: 'group'
      readonly source: string
      readonly count: number
      readonly off: number
      readonly tokens: number
      readonly folded: boolean
    }
  | { readonly kind: 'tool'; readonly tool: ToolRow }

/** The tools that fit. */
export const filtered = (tools: readonly ToolRow[], filter: ToolFilter): readonly ToolRow[] => {
  const words = filter.words.toLowerCase().trim().split(/\s+/).filter(Boolean)
  return tools.filter(
    (tool) =>
      (filter.source === '' || tool.source === filter.source) &&
      fitsDoes(tool, filter.does) &&
      fitsState(tool, filter.state) &&
      fitsWords(tool, words),
  )
}

/** Grouped by source, in the order of names; a folded source is one row. */
export const grouped = (tools: readonly ToolRow[], folded: ReadonlySet<string>): readonly ToolListRow[] => {
  const bySource = new Map<string, ToolRow[]>()
  for (const tool of tools) {
    const own = bySource.get(tool.source)
    if (own) own.push(tool)
    else bySource.set(tool.source, [tool])
  }
  return [...bySource]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([source, own]): readonly ToolListRow[] => {
      const isFolded = folded.has(source)
      const head: ToolListRow = {
        kind: 'group',
        source,
        count: own.length,
        off: own.filter(({ shown }) => shown === 'off').length,
        tokens: own.reduce((sum, { tokens }) => sum + tokens, 0),
        folded: isFolded,
      }
      return isFolded ? [head] : [head, ...own.map((tool) => ({ kind: 'tool', tool }) as const)]
    })
}

const fitsDoes = ({ hints }: ToolRow, does: string): boolean =>
  does === '' || (does === 'unsaid' ? hints === undefined : (hints?.some((each) => each.does === does) ?? false))

const fitsState = ({ shown, held, leftOut }: ToolRow, state: string): boolean => {
  if (state === '') return true
  if (state === 'held') return held
  if (state === 'leftOut') return leftOut === true
  if (state === 'on') return !held && shown !== 'off' && leftOut !== true
  return shown === state
}

const fitsWords = ({ id, title = '', source, summary, shownAs = '' }: ToolRow, words: readonly string[]): boolean => {
  if (words.length === 0) return true
  const where = `${id} ${title} ${source} ${summary} ${shownAs}`.toLowerCase()
  return words.every((word) => where.includes(word))
}
