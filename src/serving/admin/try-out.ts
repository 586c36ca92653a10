import type { SourceConfig } from '../../config/schema.js'
import { messageOf } from '../../errors.js'
import type { TestReport } from '../../faces/admin/sources.js'
import type { CancelSignal } from '../../model/cancel.js'
import type { ToolSpec } from '../../model/tool.js'
import type { Source } from '../../sources/source.js'
import type { Supervised } from '../../sources/status.js'
import { fetcherOf, startTimeoutOf } from '../../sources/stdio/launcher.js'

/** Of one that may have to download itself first, what its start may take. */
export const patienceOf = (source: SourceConfig): number =>
  source.type === 'stdio' && fetcherOf(source) !== undefined ? startTimeoutOf(source) : 20_000

const shownTools = 200

/** Starts a source apart from the board, asks for its tools, and ends it. Whatever goes wrong is the report. */
export const tryOut = async (source: Source, signal: CancelSignal, patienceMs: number): Promise<TestReport> => {
  const startedAt = performance.now()
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(new Error(`It did not answer within ${patienceMs / 1000} s.`)), patienceMs)
  const leave = (): void => stop.abort(new Error('The test was given up.'))
  signal.addEventListener('abort', leave, { once: true })
  try {
    const tools = (await firstTools(source, stop.signal)).slice(0, shownTools).map(({ definition }) => ({
      name: definition.name,
      description: (definition.description ?? '').slice(0, 200),
    }))
    return { ok: true, reason: undefined, tools, tookMs: performance.now() - startedAt }
  } catch (error) {
    return { ok: false, reason: messageOf(error).slice(0, 2000), tools: [], tookMs: performance.now() - startedAt }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', leave)
    stop.abort()
    await source[Symbol.asyncDispose]()
  }
}

const firstTools = (source: Source, signal: AbortSignal): Promise<readonly ToolSpec[]> =>
  new Promise((resolve, reject) => {
    let tools: readonly ToolSpec[] = []
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    const watching = source.watch((update) => {
      if (update.type === 'all') tools = update.tools
      if (!isSupervised(source)) resolve(tools)
      return []
    }, signal)
    watching.catch(reject)
    // One that is watched over reports an empty list before it has been asked.
    if (isSupervised(source)) source.start().then(() => resolve(tools), reject)
  })

const isSupervised = (source: Source): source is Source & Supervised => 'status' in source
