import type { SourceConfig } from '../../config/schema.js'
import { messageOf } from '../../errors.js'
import type { Verdict } from '../../mcp/client/handshake.js'
import type { Clock } from '../../model/clock.js'
import { isRecord, type JsonValue } from '../../model/json.js'
import type { DocumentReader, DocumentSet } from '../../storage/store.js'
import type { Logger } from '../../telemetry/logger.js'
import { say } from '../locale.js'
import { targetOf } from './source-target.js'

/** The era in which each source was found to speak, kept over restarts so that nothing is probed twice. */
export interface Verdicts {
  /** What an earlier run found, if the source is still the same one. */
  of(name: string, source: SourceConfig): Verdict | undefined
  keep(name: string, source: SourceConfig, verdict: Verdict): void
}

export interface VerdictsOptions {
  /** Those that can only be read keep nothing. */
  readonly documents: Documents | undefined
  readonly clock: Clock
  readonly logger: Logger
}

type Documents = DocumentReader & Partial<Pick<DocumentSet, 'put'>>

interface Kept {
  readonly target: string
  readonly verdict: Verdict
}

/**
 * A server that learns the modern era often still answers the earlier one, and would be spoken to that way for ever. So
 * a legacy verdict is tried afresh once a week.
 */
export const legacyVerdictMs = 7 * 24 * 60 * 60_000

/** Opens what earlier runs found. Never rejects: without it everything is probed, which only takes longer. */
export const openVerdicts = async ({ documents, clock, logger }: VerdictsOptions): Promise<Verdicts> => {
  const known = await load(documents, logger)
  const isStale = ({ era, at }: Verdict): boolean => era === 'legacy' && !(at + legacyVerdictMs > clock.wall())
  const find = (name: string, source: SourceConfig): Verdict | undefined => {
    const kept = known.get(name)
    return kept && kept.target === targetOf(source) && !isStale(kept.verdict) ? kept.verdict : undefined
  }
  return {
    of: find,
    keep: (name, source, verdict) => {
      const before = find(name, source)
      if (before?.era === verdict.era && before.version === verdict.version) return
      const target = targetOf(source)
      known.set(name, { target, verdict })
      documents
        ?.put?.(name, { target, ...verdict })
        .catch((error: unknown) =>
          logger.log(
            'warn',
            say(
              `The era of '${name}' is not kept: ${messageOf(error)}`,
              `“${name}”的协议版本未能保存：${messageOf(error)}`,
            ),
          ),
        )
    },
  }
}

const load = async (documents: DocumentReader | undefined, logger: Logger): Promise<Map<string, Kept>> => {
  try {
    const all = (await documents?.all()) ?? []
    return new Map(all.flatMap(({ id, value }) => parse(value).map((kept) => [id, kept] as const)))
  } catch (error) {
    logger.log(
      'warn',
      say(
        `What earlier runs found out about sources cannot be read: ${messageOf(error)}`,
        `无法读取以前记录的来源信息：${messageOf(error)}`,
      ),
    )
    return new Map()
  }
}

const parse = (value: JsonValue): readonly Kept[] => {
  if (!isRecord(value)) return []
  const { target, era, version, at } = value
  const whole =
    typeof target === 'string' &&
    (era === 'legacy' || era === 'modern') &&
    typeof version === 'string' &&
    typeof at === 'number'
  return whole ? [{ target, verdict: { era, version, at } }] : []
}
