import { type ProviderFormat, toProviderTools } from '../../catalog/provider-tools.js'
import { isGatewayError, messageOf } from '../../errors.js'
import { tokensOf } from '../../faces/admin/tokens.js'
import type { Gateway } from '../../gateway.js'
import type { Board } from '../board.js'
import { reportOf } from '../profile-report.js'
import { type Finding, ok, warn } from './finding.js'

const providers: readonly (readonly [ProviderFormat, string])[] = [
  ['openai', 'OpenAI'],
  ['anthropic', 'Anthropic'],
  ['gemini', 'Gemini'],
]

/** A list that costs more than this crowds out the work it is for. */
const manyTokens = 10_000

/** Do the names and schemas of the tools survive the way to each provider, and what do they cost? */
export const checkTools = (board: Board): readonly Finding[] => {
  const { gateway } = board
  const tools = gateway.list()
  if (tools.length === 0) return [warn('tools', 'There are no tools', 'Add a source: pegboard add NAME -- command')]
  return [
    ...Object.keys(board.config.profiles).map((name) => checkCost(name, board)),
    ...providers.map(([format, title]) => checkProvider(gateway, format, title)),
  ]
}

/** What a client really reads: a profile that lets models search lists a handful, however many tools there are. */
const checkCost = (name: string, board: Board): Finding => {
  const { callable, exposure, shownBytes } = reportOf(board, name)!
  const tokens = tokensOf(shownBytes)
  const how = exposure === 'flat' ? 'listed' : `found by ${exposure === 'search' ? 'search' : 'list and search'}`
  const size = `profile '${name}': ${callable} tool${callable === 1 ? '' : 's'}, ${how}, for about ${tokens} tokens`
  return tokens > manyTokens
    ? warn('tools', size, `Let models search instead: "expose": "search" in the profile '${name}'`)
    : ok('tools', size)
}

const checkProvider = (gateway: Gateway, format: ProviderFormat, title: string): Finding => {
  try {
    const { losses } = toProviderTools(gateway.list(), format)
    if (losses.length === 0) return ok('tools', `${title}: all names and schemas are taken as they are`)
    const named = losses.slice(0, 3).map(({ tool }) => tool)
    return warn(
      'tools',
      `${title}: ${losses.length} schema${losses.length === 1 ? ' loses' : 's lose'} something: ${named.join(', ')}${losses.length > 3 ? ' …' : ''}`,
      `See what: pegboard export --format ${format}`,
    )
  } catch (error) {
    if (!isGatewayError(error)) throw error
    return warn('tools', `${title}: ${messageOf(error)}`, 'Rename one of them, or give its source another "namespace".')
  }
}
