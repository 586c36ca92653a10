import type { Approvals, Reviewed } from '../../catalog/approvals.js'
import type { Gateway } from '../../gateway.js'

/** What servers say to every model is approved like the words of a tool (U3): under the name of its source. */
export const instructionTools = ({ surfaces }: Pick<Gateway, 'surfaces'>): readonly Reviewed[] =>
  surfaces.all().flatMap(({ source, surface }) => {
    const text = surface.own ? undefined : surface.offer?.instructions?.trim()
    return text ? [toReviewed(source, text)] : []
  })

/** What a source may say now: its words where they are approved, else those that were. */
export const approvedInstructions =
  (approvals: Approvals) =>
  (source: string, text: string): string | undefined => {
    const tool = toReviewed(source, text)
    return approvals.review(tool) ? text : approvals.recordOf(tool)?.definition.description
  }

const toReviewed = (source: string, text: string): Reviewed => ({
  source,
  // No tool can have this name.
  name: '#instructions',
  id: `${source}#instructions`,
  definition: { name: 'instructions', description: text, inputSchema: { type: 'object' } },
})
