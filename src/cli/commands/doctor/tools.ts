import { isGatewayError } from '../../../errors.js'
import { tokensOf } from '../../../model/tokens.js'
import { toldHere } from '../../../serving/error-words.js'
import { exportedTools } from '../../../serving/exported-tools.js'
import { count, say } from '../../../serving/locale.js'
import type { BoardView } from '../../../serving/view.js'
import { type Diagnosis, off, ok, warn } from './diagnosis.js'

const providers: readonly (readonly [string, string])[] = [
  ['openai', 'OpenAI'],
  ['anthropic', 'Anthropic'],
  ['gemini', 'Gemini'],
]

/** A list that costs more than this crowds out the work it is for. */
const manyTokens = 10_000

/** Do the names and schemas of the tools survive the way to each provider, and what do they cost? */
export const checkTools = (board: BoardView): readonly Diagnosis[] => {
  const { gateway } = board
  const tools = gateway.list()
  if (tools.length === 0)
    return [
      ...checkHeld(board),
      warn(
        'tools',
        say('There are no tools', '没有任何工具'),
        say('Add a source: pegboard add NAME -- command', '添加来源：pegboard add NAME -- command'),
      ),
    ]
  return [
    ...checkHeld(board),
    ...Object.keys(board.config.profiles).map((name) => checkCost(name, board)),
    ...providers.map(([format, title]) => checkProvider(gateway, format, title)),
  ]
}

/** Tools that changed since somebody looked at them are missing from every list (U3). */
const checkHeld = (board: BoardView): readonly Diagnosis[] => {
  const { rows, lockFile } = board.heldBack()
  const named = (all: readonly string[]) => `${all.slice(0, 3).join(', ')}${all.length > 3 ? ' …' : ''}`
  const ids = (isMeant: (row: (typeof rows)[number]) => boolean) => rows.filter(isMeant).map(({ id }) => id)
  const changed = ids(({ state, why }) => state === 'pending' && why === 'change')
  const fresh = ids(({ state, why }) => state === 'pending' && why !== 'change')
  const rejected = ids(({ state }) => state === 'rejected')
  const fix = lockFile
    ? 'pegboard lock diff, pegboard lock approve'
    : 'pegboard approvals show, pegboard approvals approve'
  const lines = [
    say(
      `${changed.length} changed since approved, held back: ${named(changed)}`,
      `${changed.length} 个在批准之后有变化，已被扣留：${named(changed)}`,
    ),
    say(
      `${fresh.length} not approved yet, held back: ${named(fresh)}`,
      `${fresh.length} 个尚未批准，已被扣留：${named(fresh)}`,
    ),
    say(`${rejected.length} rejected: ${named(rejected)}`, `${rejected.length} 个已被拒绝：${named(rejected)}`),
  ] as const
  return [
    ...(changed.length > 0 ? [warn('tools', lines[0], fix)] : []),
    ...(fresh.length > 0 ? [warn('tools', lines[1], fix)] : []),
    ...(rejected.length > 0 ? [off('tools', lines[2])] : []),
  ]
}

/** What a client really reads: a profile that lets models search lists a handful, however many tools there are. */
const checkCost = (name: string, board: BoardView): Diagnosis => {
  const { callable, exposure, shownBytes } = board.report(name)!
  const tokens = tokensOf(shownBytes)
  const how = waysOf(exposure)
  const size = say(
    `profile '${name}': ${count(callable, 'tool')}, ${how}, for about ${tokens} tokens`,
    `配置档“${name}”：${callable} 个工具，${how}，约 ${tokens} token`,
  )
  return tokens > manyTokens
    ? warn(
        'tools',
        size,
        say(
          `Let models search instead: "expose": "search" in the profile '${name}'`,
          `改为让模型搜索：在配置档“${name}”中设置 "expose": "search"`,
        ),
      )
    : ok('tools', size)
}

const waysOf = (exposure: string): string => {
  if (exposure === 'flat') return say('listed', '全部列出')
  return exposure === 'search'
    ? say('found by search', '通过搜索找到')
    : say('found by list and search', '通过列表和搜索找到')
}

const checkProvider = (gateway: BoardView['gateway'], format: string, title: string): Diagnosis => {
  try {
    const { losses } = exportedTools(gateway.list(), format)
    if (losses.length === 0)
      return ok(
        'tools',
        say(`${title}: all names and schemas are taken as they are`, `${title}：名称和模式全部原样可用`),
      )
    const named = losses.slice(0, 3).map(({ tool }) => tool)
    return warn(
      'tools',
      say(
        `${title}: ${losses.length} schema${losses.length === 1 ? ' loses' : 's lose'} something: ${named.join(', ')}${losses.length > 3 ? ' …' : ''}`,
        `${title}：${losses.length} 个模式有所简化：${named.join('、')}${losses.length > 3 ? ' …' : ''}`,
      ),
      say(`See what: pegboard export --format ${format}`, `查看详情：pegboard export --format ${format}`),
    )
  } catch (error) {
    if (!isGatewayError(error)) throw error
    return warn(
      'tools',
      `${title}: ${toldHere(error)}`,
      say(
        'Rename one of them, or give its source another "namespace".',
        '重命名其中一个，或给它的来源另一个 "namespace"。',
      ),
    )
  }
}
