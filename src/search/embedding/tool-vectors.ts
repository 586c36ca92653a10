import { setImmediate as nextTurn } from 'node:timers/promises'
import { GatewayError, isGatewayError, messageOf } from '../../errors.js'
import type { Clock } from '../../model/clock.js'
import type { Tool } from '../../model/tool.js'
import type { Logger } from '../../telemetry/logger.js'
import { fieldTexts } from '../index/fields.js'
import type { EmbeddingProvider } from './provider.js'
import { createRowLists } from './row-lists.js'
import { type VectorCache, vectorKey } from './vector-cache.js'
import { createVectorTable, type VectorTable } from './vector-table.js'

/** The vectors of the tools in the index, made in the background and kept up with it. */
export interface ToolVectors {
  put(slot: number, tool: Tool): void
  remove(slot: number): void
  /** Makes what is missing; one run at a time, joined by whoever asks meanwhile. Rejects when the provider fails. */
  fill(): Promise<void>
  /** The same at once for a few, where the provider can; else leaves it to `fill`, which lets others have a turn. */
  fillSync(): void
  /** Whether the tool speaks of itself in Chinese. */
  isChinese(slot: number): boolean
  /** The words of a tool as the provider numbers them; none where it does not compare word by word. */
  rowsOf(slot: number): Uint16Array
  /** Undefined before the first vector. */
  readonly table: VectorTable | undefined
  /** Tools still without a vector. */
  readonly missing: number
}

export interface ToolVectorOptions {
  readonly provider: EmbeddingProvider
  readonly cache: VectorCache
  readonly clock: Clock
  readonly logger: Logger
}

const batchSize = 64
/** As many tools are embedded before an answer, a fraction of a second; for more, answers come without vectors meanwhile. */
export const mostBeforeAnswer = 2_048
// A provider that failed is left alone for a while: each search asking again would only be slow.
const restMs = 15_000

export const createToolVectors = ({ provider, cache, clock, logger }: ToolVectorOptions): ToolVectors => {
  const pending = new Map<number, Tool>()
  const chinese = new Set<number>()
  const rows = createRowLists()
  let table: VectorTable | undefined
  let running: Promise<void> | undefined
  let failed: { readonly error: unknown; readonly at: number } | undefined

  const textOf = (tool: Tool): string => provider.textOf?.(tool) ?? toolText(tool)

  const keep = (slot: number, tool: Tool, vector: Float32Array): void => {
    // Changed or removed while its old text was embedded: the new text waits its turn.
    if (pending.get(slot) !== tool) return
    table ??= createVectorTable(vector.length)
    table.set(slot, vector)
    pending.delete(slot)
  }

  /** Embedding in our own process is quicker than asking any cache, and must let others have a turn. */
  const fillBatchHere = async (batch: readonly (readonly [number, Tool])[]): Promise<void> => {
    embedHere(batch)
    await nextTurn()
  }

  const embedHere = (batch: readonly (readonly [number, Tool])[]): void => {
    const vectors = provider.embedSync!(
      batch.map(([, tool]) => textOf(tool)),
      { kind: 'tool', onRows: (place, own) => rows.set(batch[place]![0], own) },
    )
    checkCount(vectors.length, batch.length)
    for (const [i, [slot, tool]] of batch.entries()) keep(slot, tool, vectors[i]!)
  }

  const fillBatch = async (batch: readonly (readonly [number, Tool])[]): Promise<void> => {
    await provider.prepare?.()
    const texts = batch.map(([, tool]) => textOf(tool))
    const keys = texts.map((text) => vectorKey(provider.id, 'tool', text))
    const known = await cache.get(keys)
    const wanted = batch.flatMap((_, i) => (known[i] ? [] : [i]))
    const made = wanted.length > 0 ? await provider.embed(pick(texts, wanted), { kind: 'tool' }) : []
    checkCount(made.length, wanted.length)
    const fresh = new Map(wanted.map((i, place) => [i, made[place]!]))
    for (const [i, [slot, tool]] of batch.entries()) keep(slot, tool, known[i] ?? fresh.get(i)!)
    await cache.set([...fresh].map(([i, vector]) => [keys[i]!, vector] as const))
  }

  const fillAll = async (): Promise<void> => {
    try {
      const fillSome = provider.embedSync ? fillBatchHere : fillBatch
      while (pending.size > 0) await fillSome(firstOf(pending, batchSize))
      failed = undefined
    } catch (error) {
      failed = { error, at: clock.now() }
      if (!isGatewayError(error) || error.code !== 'CALL_CANCELLED')
        logger.log('warn', `search: tools could not be embedded: ${messageOf(error)}`, { provider: provider.id })
      throw error
    } finally {
      running = undefined
    }
  }

  return {
    put: (slot, tool) => {
      table?.delete(slot)
      rows.delete(slot)
      pending.set(slot, tool)
      if (speaksChinese(tool)) chinese.add(slot)
      else chinese.delete(slot)
    },
    remove: (slot) => {
      table?.delete(slot)
      pending.delete(slot)
      chinese.delete(slot)
      rows.delete(slot)
    },
    fill: async () => {
      if (running) return running
      if (pending.size === 0) return
      if (failed && clock.now() - failed.at < restMs) throw failed.error
      running = fillAll()
      return running
    },
    fillSync: () => {
      if (!provider.embedSync || pending.size === 0) return
      embedHere(firstOf(pending, mostBeforeAnswer))
    },
    isChinese: (slot) => chinese.has(slot),
    rowsOf: rows.at,
    get table() {
      return table
    },
    get missing() {
      return pending.size
    },
  }
}

const han = /\p{Script=Han}/u

const speaksChinese = ({ name, definition }: Tool): boolean =>
  han.test(name) || (typeof definition.description === 'string' && han.test(definition.description))

const firstOf = <K, V>(map: ReadonlyMap<K, V>, count: number): readonly (readonly [K, V])[] => {
  const taken: (readonly [K, V])[] = []
  for (const entry of map) {
    if (taken.length === count) break
    taken.push(entry)
  }
  return taken
}

const checkCount = (given: number, wanted: number): void => {
  if (given === wanted) return
  throw new GatewayError('RESULT_INVALID', `The embedding provider gave ${given} vectors for ${wanted} texts.`)
}

const pick = <T>(items: readonly T[], places: readonly number[]): readonly T[] => places.map((place) => items[place]!)

const longestText = 2_000

/** What a tool is embedded as: its source, its name in words, what it says, and its parameters' names. */
const toolText = (tool: Tool): string => {
  const texts = new Map(fieldTexts(tool).map(({ field, texts }) => [field, texts.join(', ')]))
  const head = [texts.get('source'), inWords(tool.name), texts.get('title')].filter(Boolean).join(': ')
  const more = [texts.get('alias'), texts.get('example'), texts.get('tag'), inWords(texts.get('parameter') ?? '')]
  return [`${head}: ${texts.get('description') ?? ''}`, ...more.filter(Boolean)].join('. ').slice(0, longestText)
}

const inWords = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/[_\-./]+/g, ' ')
