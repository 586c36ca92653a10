import type { Gateway } from '../../gateway.js'
import type { Tool } from '../../model/tool.js'
import { choice, list, shape, type ValueOf } from '../../operations/shape.js'

/** What a tool does, in a word. */
export const hintNames = ['readonly', 'destructive', 'openWorld', 'idempotent'] as const

/** One of them, and whose word it is: the operator's, an approver's, or only the source's own. */
export const toolHint = shape({ does: choice(hintNames), by: choice(['operator', 'approver', 'source']) })

export const toolHints = list(toolHint)

export type ToolHint = ValueOf<typeof toolHint>

const written = [
  ['destructive', 'destructiveHint'],
  ['openWorld', 'openWorldHint'],
  ['idempotent', 'idempotentHint'],
] as const

/** What somebody says that tools do, in the eyes of a profile; undefined where nobody says anything. */
export const hintsIn = (
  { policy, shown }: Pick<Gateway, 'policy' | 'shown'>,
  profile?: string,
): ((tool: Tool) => readonly ToolHint[] | undefined) => {
  const shelf = shown(profile)
  return (tool) => {
    const own = tool.definition.annotations
    const said = shelf.shownOf(tool)?.definition.annotations ?? own
    const effect = policy.effectOf(tool, profile)
    const wordOn = (name: 'readOnlyHint' | (typeof written)[number][1]): ToolHint['by'] =>
      own?.[name] === said?.[name] ? 'source' : 'operator'
    const found: ToolHint[] = []
    if (effect.readonly) found.push({ does: 'readonly', by: effectBy[effect.by] })
    else if (said?.readOnlyHint === true && said.destructiveHint !== true)
      found.push({ does: 'readonly', by: wordOn('readOnlyHint') })
    for (const [does, name] of written) if (said?.[name] === true) found.push({ does, by: wordOn(name) })
    return found.length > 0 ? found : undefined
  }
}

const effectBy = { board: 'operator', profile: 'operator', approver: 'approver', annotations: 'source' } as const
