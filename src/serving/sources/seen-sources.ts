import type { SourceConfig } from '../../config/schema.js'
import { messageOf } from '../../errors.js'
import type { Gateway } from '../../gateway.js'
import type { Clock } from '../../model/clock.js'
import { isRecord, type JsonObject, type JsonValue } from '../../model/json.js'
import type { ToolSpec } from '../../model/tool.js'
import { downStates } from '../../sources/status.js'
import type { SurfaceOffer } from '../../sources/surface.js'
import { isWanted, type ToolFilter } from '../../sources/tool-filter.js'
import type { DocumentReader, DocumentSet } from '../../storage/store.js'
import type { Logger } from '../../telemetry/logger.js'
import { say } from '../locale.js'
import { targetOf } from './source-target.js'

/** What a source showed when it was last up. */
export interface SeenSource {
  readonly tools: readonly ToolSpec[]
  /** Undefined for kinds that offer nothing besides tools. */
  readonly offer: SurfaceOffer | undefined
}

/** What each source showed, and how its last start went: kept over restarts, so that the first list needs no source. */
export interface SeenSources {
  /** Undefined where a source as it is configured now was never up, or its definitions are not all there. */
  of(name: string, config: SourceConfig): SeenSource | undefined
  /** Whether its last start, as configured now, hung or failed: nobody waits for it again. */
  failedLast(name: string, config: SourceConfig): boolean
  /** It is started now; from here on it is followed. */
  began(name: string, config: SourceConfig): void
  /** Its start is over, or took too long. */
  ended(name: string, how: StartOutcome): void
  /** Writes what is waiting and stops following. */
  close(): Promise<void>
}

export type StartOutcome = 'ready' | 'failed' | 'hung'

export interface SeenSourcesOptions {
  /** Those that can only be read keep nothing. */
  readonly documents: DocumentReader & Partial<Pick<DocumentSet, 'put'>>
  /** The stored definitions by source. */
  readonly known: ReadonlyMap<string, readonly ToolSpec[]>
  readonly gateway: Gateway
  /** Whether another replica runs it, and writes down what it shows. Default: none does. */
  readonly isElsewhere?: ((source: string) => boolean) | undefined
  /** What is still being read of what sources said, and held back until then. Default: nothing ever is. */
  readonly reading?: (() => Promise<void> | undefined) | undefined
  readonly clock: Clock
  readonly logger: Logger
}

interface Record {
  readonly target: string
  readonly start: StartOutcome
  /** Names of the tools that were listed; the definitions are in the store. */
  readonly tools: readonly string[] | undefined
  readonly offer: SurfaceOffer | undefined
}

// Lists change in bursts, above all at the start.
const quietMs = 1000

/** Opens what earlier runs saw. Never rejects: without it every source is new, which only takes longer. */
export const openSeenSources = async (options: SeenSourcesOptions): Promise<SeenSources> => {
  const { documents, gateway, clock, logger, isElsewhere = () => false, reading = () => undefined } = options
  const records = await load(documents, logger)
  const known = new Map(options.known)
  const targets = new Map<string, string>()
  const changed = new Set<string>()
  let isClosed = false
  let cancelTimer: (() => void) | undefined

  const recordOf = (name: string, target: string | undefined): Record | undefined => {
    const record = records.get(name)
    return record?.target === target ? record : undefined
  }
  const keep = (name: string, record: Record): void => {
    // What ends because we do says nothing of the next start.
    if (isClosed || isElsewhere(name)) return
    const before = records.get(name)
    if (before && JSON.stringify(before) === JSON.stringify(record)) return
    records.set(name, record)
    changed.add(name)
    cancelTimer ??= clock.after(quietMs, () => void flush())
  }
  const flush = async (): Promise<void> => {
    cancelTimer?.()
    cancelTimer = undefined
    for (const name of changed) {
      changed.delete(name)
      await documents
        .put?.(name, records.get(name) as unknown as JsonValue)
        .catch((error: unknown) =>
          logger.log(
            'warn',
            `${say(`What '${name}' showed is not kept:`, `'${name}' 展示的内容未能保存：`)} ${messageOf(error)}`,
          ),
        )
    }
  }
  /** What a source that is up shows now. */
  const look = (name: string, again?: 'again'): void => {
    const target = targets.get(name)
    if (target === undefined || gateway.supervised(name)?.status.state !== 'ready') return
    // Who leaves meanwhile must not leave an empty list behind: the next start would take it for the whole (U1).
    const unread = reading()
    if (unread) return void unread.then(() => look(name, again))
    const tools = gateway.catalog.snapshot().tools.filter((tool) => tool.source === name)
    const surface = gateway.surfaces.all().find(({ source }) => source === name)?.surface
    // A list that is still being read is not what it shows. An empty one announces no change, so it is looked at again.
    if (surface && !surface.isRead) return again ? undefined : void surface.settled().then(() => look(name, 'again'))
    known.set(name, tools)
    keep(name, { target, start: 'ready', tools: tools.map((tool) => tool.name), offer: surface?.offer })
  }
  const ended = (name: string, start: StartOutcome): void => {
    const target = targets.get(name)
    if (target === undefined) return
    if (start === 'ready' && gateway.supervised(name)) return look(name)
    keep(name, { tools: undefined, offer: undefined, ...recordOf(name, target), target, start })
  }
  const stops = [
    gateway.onSource(({ name, status: { state } }) => {
      if (state === 'ready') look(name)
      // What ran and ended did start.
      else if (downStates.has(state) && recordOf(name, targets.get(name))?.start !== 'ready') ended(name, 'failed')
    }),
    gateway.catalog.onChange(({ added, changed: altered, removed }) => {
      for (const name of new Set([...added, ...altered, ...removed].map(({ source }) => source))) look(name)
    }),
    gateway.surfaces.subscribe({
      changed: () => {
        for (const name of targets.keys()) look(name)
      },
      updated: () => {},
    }),
  ]

  return {
    of: (name, config) => {
      const { tools, offer } = recordOf(name, targetOf(config)) ?? {}
      const specs = tools && whole(tools, known.get(name) ?? [])
      return (
        specs && { tools: specs.filter(({ definition }) => isWanted(definition.name, config as ToolFilter)), offer }
      )
    },
    failedLast: (name, config) => ['failed', 'hung'].includes(recordOf(name, targetOf(config))?.start ?? ''),
    began: (name, config) => {
      // One that cannot be read now may be the same again tomorrow: what is known of it stays.
      if (config.type === 'misconfigured') targets.delete(name)
      else targets.set(name, targetOf(config))
    },
    ended,
    close: async () => {
      isClosed = true
      for (const stop of stops) stop()
      await flush()
    },
  }
}

/** The specs of these names, or nothing where one is missing: half a list would be taken for a whole one. */
const whole = (names: readonly string[], specs: readonly ToolSpec[]): readonly ToolSpec[] | undefined => {
  const byName = new Map(specs.map((spec) => [spec.definition.name, spec]))
  const found = names.flatMap((name) => byName.get(name) ?? [])
  return found.length === names.length ? found.map(toSpec) : undefined
}

// What the configuration added last time, time limits for one, it adds anew.
const toSpec = ({ definition, tags }: ToolSpec): ToolSpec => ({ definition, tags })

const load = async (documents: DocumentReader, logger: Logger): Promise<Map<string, Record>> => {
  try {
    return new Map((await documents.all()).flatMap(({ id, value }) => parse(value).map((kept) => [id, kept] as const)))
  } catch (error) {
    logger.log(
      'warn',
      `${say('What sources showed in earlier runs cannot be read:', '无法读取各来源以往展示的内容：')} ${messageOf(error)}`,
    )
    return new Map()
  }
}

const parse = (value: JsonValue): readonly Record[] => {
  if (!isRecord(value) || typeof value.target !== 'string') return []
  const { target, start, tools, offer } = value
  if (start !== 'ready' && start !== 'failed' && start !== 'hung') return []
  const names =
    Array.isArray(tools) && tools.every((name) => typeof name === 'string') ? (tools as string[]) : undefined
  return [{ target, start, tools: names, offer: isOffer(offer) ? offer : undefined }]
}

const isOffer = (value: unknown): value is SurfaceOffer =>
  isRecord(value) &&
  (value.era === 'legacy' || value.era === 'modern') &&
  isRecord(value.capabilities) &&
  (value.instructions === undefined || typeof value.instructions === 'string') &&
  ['prompts', 'resources', 'templates'].every((list) => isListOf(value[list]))

const isListOf = (value: unknown): value is readonly JsonObject[] => Array.isArray(value) && value.every(isRecord)
