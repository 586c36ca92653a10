import { GatewayError } from '../../errors.js'
import { Cancel, type CancelSignal, toAbortSignal } from '../../model/cancel.js'
import type { Clock } from '../../model/clock.js'
import type { EmbeddingProvider } from './provider.js'
import type { ToolVectors } from './tool-vectors.js'

export interface QueryVectorOptions {
  readonly provider: EmbeddingProvider
  readonly vectors: ToolVectors
  readonly clock: Clock
  /** Time for the query's vector and for tools that still wait for theirs. */
  readonly waitMs: number
}

export interface QueryVectors {
  /** The query's vector, when the tools have theirs or time is up. Rejects when there is none in time. */
  vectorOf(query: string, signal?: CancelSignal): Promise<Float32Array>
  /** The same at once, where the provider can and no tool waits any more; a few that wait are served first. */
  vectorNow(query: string): Float32Array | undefined
}

const longestQuery = 2_000
const mostRemembered = 256

export const createQueryVectors = ({ provider, vectors, clock, waitMs }: QueryVectorOptions): QueryVectors => {
  const remembered = new Map<string, Float32Array>()
  const remember = (query: string, vector: Float32Array | undefined): Float32Array => {
    if (!vector) throw new GatewayError('RESULT_INVALID', 'The embedding provider gave no vector for the query.')
    remembered.set(query, vector)
    for (const oldest of remembered.keys()) {
      if (remembered.size <= mostRemembered) break
      remembered.delete(oldest)
    }
    return vector
  }

  const embed = async (query: string, signal: CancelSignal): Promise<Float32Array> =>
    remembered.get(query) ??
    remember(query, (await provider.embed([query], { kind: 'query', signal: toAbortSignal(signal) }))[0])

  return {
    vectorOf: async (query, signal) => {
      const text = query.slice(0, longestQuery)
      const stop = new Cancel()
      const limit = createLimit(clock, waitMs, stop, signal)
      try {
        // Tools that cannot be embedded now are found by their words; that alone is no reason to give up.
        const filled = vectors.fill().catch(() => {})
        const vector = await Promise.race([embed(text, stop), limit.failed])
        await Promise.race([filled, limit.ended])
        if (signal?.aborted) throw cancelled()
        return vector
      } finally {
        limit.clear()
      }
    },
    vectorNow: (query) => {
      const text = query.slice(0, longestQuery)
      if (!provider.embedSync) return undefined
      vectors.fillSync()
      if (vectors.missing > 0) return undefined
      return remembered.get(text) ?? remember(text, provider.embedSync([text], { kind: 'query' })[0])
    },
  }
}

/** `failed` rejects and `ended` resolves when time is up or the asker leaves; both stop the provider's work. */
const createLimit = (clock: Clock, waitMs: number, stop: Cancel, signal: CancelSignal | undefined) => {
  let end = (_reason: GatewayError): void => {}
  const failed = new Promise<never>((_, reject) => {
    end = (reason) => {
      stop.abort(reason)
      reject(reason)
    }
  })
  const ended = failed.catch(() => {})
  const leave = (): void => end(cancelled())
  const cancelTimer = clock.after(waitMs, () =>
    end(new GatewayError('DEADLINE_EXCEEDED', `No embedding of the query within ${waitMs} ms.`)),
  )
  if (signal?.aborted) leave()
  signal?.addEventListener('abort', leave, { once: true })
  const clear = (): void => {
    cancelTimer()
    signal?.removeEventListener('abort', leave)
  }
  return { failed, ended, clear }
}

const cancelled = (): GatewayError => new GatewayError('CALL_CANCELLED', 'The search was cancelled.')
