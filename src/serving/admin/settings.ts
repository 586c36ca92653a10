import { readLayers } from '../../config/layers.js'
import { redacted } from '../../config/redact.js'
import type { Config } from '../../config/schema.js'
import { GatewayError } from '../../errors.js'
import type { SettingField, SettingsDesk, SettingsReport } from '../../faces/admin/settings.js'
import { isRecord } from '../../model/json.js'
import type { Board } from '../board.js'
import type { ConfigDesk } from '../config-desk.js'
import type { CommonFlags } from '../read-config.js'

type Editable = Pick<SettingField, 'path' | 'kind' | 'choices' | 'live'>

const setting = (path: string, kind: SettingField['kind'], live: boolean, choices?: readonly string[]): Editable => ({
  path,
  kind,
  live,
  choices,
})

/**
 * What can be changed from a browser. Left out on purpose: the address we listen on, folders, files and whatever holds
 * a secret or a URL, which are decided where the gateway runs.
 */
const editable: readonly Editable[] = [
  setting('logging.level', 'choice', true, ['debug', 'info', 'warn', 'error']),
  setting('auth.required', 'switch', true),
  setting('toolManager.whitelist', 'list', true),
  setting('toolManager.blacklist', 'list', true),
  setting('toolManager.namespaceEnabled', 'switch', true),
  setting('toolManager.maxToolListSize', 'number', true),
  setting('toolManager.maxResultSize', 'number', true),
  setting('parking.most', 'number', true),
  setting('parking.mostPerCaller', 'number', true),
  setting('parking.maxBytes', 'number', true),
  setting('parking.waitMs', 'number', true),
  setting('parking.longestMs', 'number', true),
  setting('calls.timeoutMs', 'number', true),
  setting('calls.retry.attempts', 'number', true),
  setting('calls.retry.backoffMs', 'number', true),
  setting('calls.retry.maxBackoffMs', 'number', true),
  setting('calls.breaker.failures', 'number', true),
  setting('calls.breaker.openMs', 'number', true),
  setting('calls.concurrency', 'number', true),
  setting('calls.concurrencyPerTool', 'number', true),
  setting('calls.queue', 'number', true),
  setting('calls.queueWaitMs', 'number', true),
  setting('calls.rate.calls', 'number', true),
  setting('calls.rate.perMs', 'number', true),
  setting('calls.maxDepth', 'number', true),
  setting('server.drainMs', 'number', true),
  setting('server.limits.maxBodyBytes', 'number', true),
  setting('server.limits.maxBufferedBytes', 'number', true),
  setting('server.limits.headersTimeoutMs', 'number', true),
  setting('server.limits.requestTimeoutMs', 'number', true),
  setting('server.limits.keepAliveMs', 'number', true),
  setting('server.limits.stalledMs', 'number', true),
  setting('server.limits.maxConnections', 'number', true),
  setting('server.limits.maxHeaderBytes', 'number', false),
  setting('server.limits.checkIntervalMs', 'number', false),
  setting('stdio.share', 'switch', true),
  setting('stdio.idleExitMs', 'number', true),
  setting('logging.format', 'choice', false, ['line', 'json']),
  setting('search.method', 'choice', false, ['auto', 'bm25', 'embedding', 'regex']),
  setting('search.replyBytes', 'number', true),
  setting('telemetry.audit', 'choice', false, ['off', 'on', 'values']),
  setting('telemetry.otel', 'switch', false),
  setting('server.instructions', 'text', false),
  setting('server.firstListMs', 'number', false),
  setting('server.port', 'number', false),
  setting('server.path', 'text', false),
  setting('storage.backend', 'choice', false, ['json', 'sqlite', 'memory']),
]

export interface SettingsDeskOptions {
  readonly board: Board
  readonly desk: ConfigDesk
  readonly flags: CommonFlags
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Settings as an operator sees and changes them. */
export const createSettingsDesk = ({ board, desk, flags, env }: SettingsDeskOptions): SettingsDesk => {
  const atStart = board.config
  const fixed = new Map(readLayers(flags, env).overrides.map(({ path, from }) => [path.join('.'), from]))
  const toField = (each: Editable): SettingField => ({
    ...each,
    value: valueAt(board.config, each.path) ?? null,
    waits:
      !each.live && JSON.stringify(valueAt(board.config, each.path)) !== JSON.stringify(valueAt(atStart, each.path)),
    fixedBy: fixed.get(each.path),
  })
  return {
    report: () => ({
      file: desk.file,
      config: redacted(board.config, desk.references) as SettingsReport['config'],
      fields: editable.map(toField),
    }),
    save: (changes) => {
      for (const path of Object.keys(changes)) refuseOthers(path, fixed)
      return desk.change(() =>
        Object.entries(changes).map(([path, value]) => ({ path: path.split('.'), value: value ?? undefined })),
      )
    },
  }
}

const valueAt = (config: Config, path: string): unknown =>
  path.split('.').reduce<unknown>((here, key) => (isRecord(here) ? here[key] : undefined), config)

const refuseOthers = (path: string, fixed: ReadonlyMap<string, string>): void => {
  if (!editable.some((each) => each.path === path))
    throw new GatewayError(
      'CONFIG_INVALID',
      `'${path.slice(0, 100)}' cannot be changed here; edit the configuration file where the gateway runs.`,
    )
  const by = fixed.get(path)
  if (by !== undefined)
    throw new GatewayError(
      'CONFIG_INVALID',
      `${path} is set by ${by}, which goes before the file; change it where the gateway is started.`,
    )
}
