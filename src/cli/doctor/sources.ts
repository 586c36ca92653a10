import type { LoadedConfig } from '../../config/load.js'
import type { SourceInfo } from '../../gateway.js'
import type { Board } from '../board.js'
import { oneLine } from '../with-board.js'
import { type Finding, fail, off, ok, warn } from './finding.js'
import { findBrokenHop } from './hops.js'

/**
 * Each source of the configuration, after it was started: does it answer, and if not, where does the way break? What is
 * wrong with those in `told` is said already.
 */
export const checkSources = async (
  { config }: LoadedConfig,
  board: Board,
  told: ReadonlySet<string | undefined>,
): Promise<readonly Finding[]> => {
  const mounted = new Map(board.gateway.sources().map((info) => [info.name, info]))
  const checks = Object.entries(config.sources).map(async ([name, source]): Promise<Finding> => {
    if (!source.enabled) return off('source', `${name}: switched off. Switch it on: pegboard enable ${name}`)
    const info = mounted.get(name)
    // Why is said where the configuration is checked.
    if (source.type === 'misconfigured' || told.has(name))
      return off('source', `${name}: needs-config; it starts when what is said above is mended`)
    if (!info)
      return fail('source', `${name}: could not be mounted`, `See why: pegboard list --sources --log-level info`)
    if (info.status.state === 'ready') return ready(info)
    if (info.status.state === 'stopped' && source.startOnDemand)
      return off('source', `${name}: sleeps until it is called`)
    const { hop, reason, fix } = await findBrokenHop(source, info.status)
    return fail('source', `${name} fails at its ${hop}: ${oneLine(reason)}`, fix)
  })
  return Promise.all(checks)
}

const ready = ({ name, tools, status: { peer } }: SourceInfo): Finding => {
  const speaks = peer ? `, speaks MCP ${peer.version}` : ''
  return tools > 0
    ? ok('source', `${name}: ready, ${tools} tool${tools === 1 ? '' : 's'}${speaks}`)
    : warn(
        'source',
        `${name}: ready, but has no tools${speaks}`,
        'Check its arguments; some servers list only what they were given.',
      )
}
