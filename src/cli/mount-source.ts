import type { SourceConfig } from '../config/schema.js'
import { isGatewayError, messageOf } from '../errors.js'
import type { Gateway } from '../gateway.js'
import { systemClock } from '../model/clock.js'
import type { ToolSpec } from '../model/tool.js'
import type { SignIns } from '../sources/oauth/sign-ins.js'
import type { StdioHost } from '../sources/stdio/sessions.js'
import type { Logger } from '../telemetry/logger.js'
import { makeSource } from './make-source.js'
import type { Verdicts } from './verdicts.js'
import { implementation } from './version.js'

/** What every source of a board is made with. */
export interface MountSurroundings {
  readonly stdio: StdioHost
  readonly known: ReadonlyMap<string, readonly ToolSpec[]>
  readonly verdicts: Verdicts
  readonly signIns: SignIns
  readonly folder: string
  readonly logger: Logger
  /** Filled when a source cannot be mounted. */
  readonly problems: Map<string, string>
}

/** The same for one that is only tried out. */
export const surroundingsOf = ({ stdio, signIns, folder, logger }: MountSurroundings) => ({
  stdio,
  signIns,
  clientInfo: implementation,
  clock: systemClock,
  logger,
  folder,
})

/** Makes a configured source and mounts it. Never rejects: what went wrong is among the problems. */
export const addSource = async (
  gateway: Gateway,
  name: string,
  config: SourceConfig,
  around: MountSurroundings,
): Promise<void> => {
  const { known, verdicts, logger, problems } = around
  try {
    const source = makeSource(name, config, {
      ...surroundingsOf(around),
      knownTools: known.get(name),
      verdict: verdicts.of(name, config),
      onVerdict: (verdict) => verdicts.keep(name, config, verdict),
    })
    const timeoutMs = config.type === 'misconfigured' ? undefined : config.timeoutMs
    const added = gateway.addSource(name, source, {
      namespace: config.namespace,
      tags: config.tags,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    })
    logger
      .child('registry')
      .log('info', `Service registered: ${name}`, { namespace: config.namespace, type: config.type })
    await added
  } catch (error) {
    // One bad source never takes the others with it.
    problems.set(name, messageOf(error))
    logger.log(
      'error',
      `Source '${name}' is not mounted: ${messageOf(error)}`,
      isGatewayError(error) ? { code: error.code } : {},
    )
  }
}
