import type { Config } from '../config/schema.js'
import type { Gateway } from '../gateway.js'
import type { Clock } from '../model/clock.js'
import { type ResultKeeper, readResultName } from '../model/kept-result.js'
import type { cutAnswer } from '../sources/results/cut-answer.js'
import type { KeptResults } from '../sources/results/kept-results.js'
import type { CurrentConfig } from './current.js'

/** What is cut on a board, kept for whoever was given a part. Where nothing can be cut, nothing of it is loaded. */
export interface BoardResults extends ResultKeeper {
  /** Mounts what reads on, now or when a configuration comes by which something can be cut. */
  follow(gateway: Gateway): Promise<void>
}

export const createBoardResults = (current: CurrentConfig, clock: Clock): BoardResults => {
  const limits = current.reading(['results'], ({ results }) => results)
  let kept: KeptResults | undefined
  let cut: typeof cutAnswer | undefined
  let board: Gateway | undefined
  const mount = async (gateway: Gateway): Promise<void> => {
    const [{ KeptResults: Kept }, { cutAnswer }, { createResultsSource, resultsSourceName }] = await Promise.all([
      import('../sources/results/kept-results.js'),
      import('../sources/results/cut-answer.js'),
      import('../sources/results/results-source.js'),
    ])
    kept = new Kept(clock, limits)
    cut = cutAnswer
    const mayRead = (caller: Parameters<KeptResults['find']>[1]): boolean =>
      gateway.find(readResultName, caller) !== undefined
    await gateway.addSource(resultsSourceName, createResultsSource({ kept, mayRead }), { namespace: '' })
  }
  const anyCuts = (config: Config): boolean => Object.keys(config.profiles).some((profile) => canCut(config, profile))
  return {
    cut: (answer, limit, caller, moreMs) =>
      board?.find(readResultName, caller)
        ? cut?.(answer, limit, (whole) => kept?.keep(whole, caller, moreMs))
        : undefined,
    follow: async (gateway) => {
      board = gateway
      current.follow(['results', 'profiles', 'overrides', 'sources', 'xiaozhi.endpoints'], async (now) => {
        if (now.results.keepMs === 0) kept?.clear()
        if (!kept && anyCuts(now)) await mount(gateway)
      })
      if (anyCuts(current.now)) await mount(gateway)
    },
  }
}

/** Whether something of what callers of this profile are given can be cut, and is kept then. */
export const canCut = (config: Config, profile: string): boolean => {
  const { results, profiles, overrides, sources, xiaozhi } = config
  if (results.keepMs === 0) return false
  const own = Object.hasOwn(profiles, profile) ? profiles[profile] : undefined
  if (own?.limits.maxResultBytes !== undefined) return true
  if (xiaozhi.endpoints.some((endpoint) => endpoint.profile === profile)) return true
  const caps = [
    overrides,
    own?.overrides,
    ...Object.values(sources).map((source) => (source.type === 'misconfigured' ? undefined : source.overrides)),
  ]
  return caps.some((each) => Object.values(each ?? {}).some((override) => override.result?.maxBytes !== undefined))
}
