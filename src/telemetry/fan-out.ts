import type { Clock } from '../model/clock.js'
import type { Sink } from './sinks.js'

export interface FanOutOptions {
  readonly sinks: readonly Sink[]
  readonly clock: Clock
  /** The line that tells the other sinks. */
  warning(sink: string, reason: string, lost: number): string
}

const warnEveryMs = 60_000

/** Every line to every sink. One that fails costs nobody anything but a warning per minute on the others (F5). */
export const createFanOut = ({ sinks, clock, warning }: FanOutOptions): ((line: string) => void) => {
  const states = sinks.map((sink) => ({ sink, lost: 0, warnedAt: Number.NEGATIVE_INFINITY }))

  const failed = (state: (typeof states)[number], error: unknown): void => {
    state.lost += 1
    if (clock.now() - state.warnedAt < warnEveryMs) return
    state.warnedAt = clock.now()
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    const line = warning(state.sink.name, reason, state.lost)
    state.lost = 0
    // Straight to the others: a warning about a warning would go round for ever.
    for (const other of states) if (other !== state) attempt(other, line)
  }
  const attempt = (state: (typeof states)[number], line: string): unknown => {
    try {
      state.sink.write(line)
      return undefined
    } catch (error) {
      return error ?? new Error('unknown')
    }
  }

  for (const state of states) state.sink.onError((error) => failed(state, error))
  return (line) => {
    for (const state of states) {
      const error = attempt(state, line)
      if (error !== undefined) failed(state, error)
    }
  }
}
