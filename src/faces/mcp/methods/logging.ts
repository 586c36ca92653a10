import { parseLevel } from '../asking/log-levels.js'
import type { Exchange, Reply } from '../exchange.js'

/** `logging/setLevel`, legacy only: from which severity on this session hears of its own calls. */
export const setLevel = ({ request, session }: Exchange): Reply => {
  const level = parseLevel(request.params?.level)
  if (session) session.logLevel = level
  return '{}'
}
