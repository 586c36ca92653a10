import type { StepTime } from '../telemetry/calls.js'
import { isPromise, type Passage, type Run, type Step, type StepMark } from './passage.js'

/** Wraps a step so that the time at which it is entered is recorded. */
export const marked =
  (name: string, step: Step, now: () => number): Step =>
  (next) => {
    const run = step(next)
    return (passage) => {
      mark(passage, name, now)
      return run(passage)
    }
  }

/** The same for the innermost step, which also records when it is left: the time after that is the way back. */
export const markedLast =
  (run: Run, now: () => number): Run =>
  (passage) => {
    mark(passage, 'source', now)
    const leave = (): void => mark(passage, 'answer', now)
    try {
      const answer = run(passage)
      if (isPromise(answer)) return answer.finally(leave)
      leave()
      return answer
    } catch (thrown) {
      leave()
      throw thrown
    }
  }

/** What each step took by itself, in the order of the call; retries of one name are added up. */
export const toStepTimes = (marks: readonly StepMark[], endedAt: number): readonly StepTime[] => {
  const times = new Map<string, number>()
  marks.forEach(({ name, at }, index) => {
    const until = marks[index + 1]?.at ?? endedAt
    times.set(name, (times.get(name) ?? 0) + Math.max(0, until - at))
  })
  return [...times].map(([name, ms]) => ({ name, ms }))
}

// A call that is asked again and again must not fill the memory.
const mostMarks = 64

const mark = (passage: Passage, name: string, now: () => number): void => {
  const marks = (passage.marks ??= [])
  if (marks.length < mostMarks) marks.push({ name, at: now() })
}
