import type { Gateway } from '../../gateway.js'
import type { Tool } from '../../model/tool.js'

/** How a tool is shown, in a word: otherwise than its source says, to nobody, or not as somebody wrote it. */
export const standings = ['changed', 'off', 'misfit'] as const

export interface ToolStanding {
  /** Undefined: everybody is shown it as its source says. */
  readonly shown?: (typeof standings)[number] | undefined
  /** Its id towards callers, where that is another one. */
  readonly shownAs?: string | undefined
}

const plain: ToolStanding = {}

/** How tools stand towards the callers of a profile, the default one or another, asked once for many of them. */
export const standingsIn = (
  { overrides }: Pick<Gateway, 'overrides'>,
  profile?: string,
): ((tool: Tool) => ToolStanding) => {
  if (!overrides) return () => plain
  const shelf = overrides.shelf(profile)
  const misfits = new Set(overrides.problems().map(({ tool }) => tool))
  return (tool) => {
    const shown = shelf.shownOf(tool)
    const isPlain = shown === tool && overrides.documentsOf(tool).every((each) => each === tool)
    if (isPlain) return plain
    if (misfits.has(tool.id)) return { shown: 'misfit' }
    return { shown: shown ? 'changed' : 'off', shownAs: shown && shown.id !== tool.id ? shown.id : undefined }
  }
}
