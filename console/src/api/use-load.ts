import { useCallback, useEffect, useState } from 'react'
import { get } from './client.js'

export interface Loaded<Answer> {
  readonly data: Answer | undefined
  readonly error: Error | undefined
  reload(): Promise<void>
}

/** What this path answers; asked again when `stamp` changes, keeping what is shown until the answer is there. */
export const useLoad = <Answer>(path: string | undefined, stamp: unknown = 0): Loaded<Answer> => {
  const [state, setState] = useState<{ path?: string; data?: Answer; error?: Error }>({})
  const load = useCallback(
    async (signal?: AbortSignal): Promise<void> => {
      if (path === undefined) return
      try {
        const data = await get<Answer>(path, signal)
        setState({ path, data })
      } catch (error) {
        if (!signal?.aborted) setState((before) => ({ ...before, path, error: error as Error }))
      }
    },
    [path],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: the stamp is not read, only followed
  useEffect(() => {
    const leaving = new AbortController()
    void load(leaving.signal)
    return () => leaving.abort()
  }, [load, stamp])
  const current = state.path === path
  return {
    data: current ? state.data : undefined,
    error: current ? state.error : undefined,
    reload: () => load(),
  }
}
