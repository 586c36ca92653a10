import { count, say } from '../../../serving/locale.js'
import { offerWords, scanWords, toolWords } from '../../../serving/scanning.js'
import type { BoardView } from '../../../serving/view.js'
import { type Diagnosis, ok, warn } from './diagnosis.js'

/** Do the words of the sources hold anything that a person should see before a model does? */
export const checkWords = async (board: BoardView): Promise<readonly Diagnosis[]> => {
  const { catalog } = board.gateway
  const tools = [...catalog.snapshot().tools, ...catalog.held()]
  const words = [...toolWords(tools), ...offerWords(board.offered())]
  if (words.length === 0) return []
  const found = await scanWords(words, tools)
  const withA = (severity: 'high' | 'medium') => found.filter(({ findings }) => findings[0]!.severity === severity)
  const [high, medium] = [withA('high'), withA('medium')]
  if (high.length + medium.length === 0)
    return [
      ok(
        'tools',
        say(
          `the scanner found nothing in ${count(words.length, 'definition')}`,
          `扫描 ${words.length} 项定义，没有发现问题`,
        ),
      ),
    ]
  const named = [...high, ...medium].slice(0, 3).map(({ id }) => id)
  const more = high.length + medium.length > 3 ? ' …' : ''
  return [
    warn(
      'tools',
      say(
        `the scanner found ${high.length} grave and ${medium.length} lesser: ${named.join(', ')}${more}`,
        `扫描发现 ${high.length} 项严重、${medium.length} 项一般：${named.join('、')}${more}`,
      ),
      say('Look at them: pegboard scan', '查看：pegboard scan'),
    ),
  ]
}
