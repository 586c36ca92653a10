import { realpath } from 'node:fs/promises'
import { type Approvals, createApprovals, type Reviewed } from '../../catalog/approvals.js'
import type { LoadedConfig } from '../../config/load.js'
import { newToolsOf } from '../../config/pinning/pinned-by.js'
import type { Config, UsableSource } from '../../config/schema.js'
import { systemClock } from '../../model/clock.js'
import type { Finding } from '../../scanner/finding.js'
import type { Logger } from '../../telemetry/logger.js'
import { ownSources } from '../sources/own-sources.js'
import { targetOf } from '../sources/source-target.js'
import type { Stored } from '../stored.js'

export interface ApprovalsAround {
  readonly stored: Stored
  readonly loaded: LoadedConfig
  readonly configNow: () => Config
  /** What the scanner found in it; undefined while it is being read. */
  readonly findingsOf: (item: Reviewed) => readonly Finding[] | undefined
  readonly logger: Logger
}

const fleetConfig = 'fleet'

/** Which configuration this is, where it is run by itself. */
export const ownConfig = async ({ file }: LoadedConfig): Promise<string> =>
  file === undefined ? `no file in ${process.cwd()}` : realpath(file).catch(() => file)

export const configKey = ({ isShared }: Stored, own: string): string => (isShared ? fleetConfig : own)

export const usableSource = ({ sources }: Config, name: string): UsableSource | undefined => {
  const source = Object.hasOwn(sources, name) ? sources[name] : undefined
  return source?.type === 'misconfigured' ? undefined : source
}

/** What was approved for this configuration: two projects with a source of one name do not judge each other (U3). */
export const openApprovals = async (around: ApprovalsAround): Promise<Approvals> => {
  const { stored, loaded, configNow, findingsOf, logger } = around
  const own = await ownConfig(loaded)
  const sourceOf = (name: string) => usableSource(configNow(), name)
  return createApprovals({
    documents: stored.approvals,
    // Replicas have their files wherever they have them; what they share is one configuration.
    config: configKey(stored, own),
    formerly: stored.isShared ? own : undefined,
    clock: systemClock,
    logger,
    exempt: ({ source }) => ownSources.has(source),
    onChange: (name) => sourceOf(name)?.onChange ?? 'hold',
    newTools: (name) => {
      const source = sourceOf(name)
      // What no configuration names was mounted by the program itself.
      return source ? newToolsOf(source) : 'note'
    },
    targetOf: (name) => {
      const source = sourceOf(name)
      return source ? targetOf(source) : ''
    },
    findingsOf: (item) => (sourceOf(item.source)?.scan === 'off' ? [] : findingsOf(item)),
    onFinding: (name) => (sourceOf(name)?.scan === 'note' ? 'note' : 'hold'),
  })
}
