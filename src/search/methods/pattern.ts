import type { Clock } from '../../model/clock.js'
import type { Tool } from '../../model/tool.js'
import { notices } from '../notices.js'
import { type RegexHit, searchByPattern } from '../regex/regex-search.js'
import { finish, type Request } from '../request.js'
import type { SearchOutcome } from '../tool-search.js'

/** `regex`: which texts hold this pattern, ranked by the field they stand in. */
export const answerByPattern = (request: Request, tools: readonly Tool[], clock: Clock): SearchOutcome => {
  const { hits, literal, complete } = searchByPattern(request.query, tools, clock)
  const { usage } = request.given
  const order = (a: RegexHit, b: RegexHit): number =>
    b.score - a.score || used(usage, b) - used(usage, a) || (a.tool.id < b.tool.id ? -1 : 1)
  const results = [...hits]
    .sort(order)
    .slice(0, request.limit)
    .map(({ tool, score, fields }) => ({ tool, score, matchReason: fields.join(', ') }))
  const said = [...(literal ? [notices.literal] : []), ...(complete ? [] : [notices.slowPattern])].join(' ')
  return finish(results, request, { notice: said || undefined })
}

const used = (usage: Request['given']['usage'], { tool }: RegexHit): number => usage?.(tool.id) || 0
