import type { StepTime } from '../telemetry/calls.js'
import type { StepMark } from './passage.js'

// A call that is asked again and again must not fill the memory.
const mostMarks = 64

/** Writes down that this begins: a step, `source` when it is asked, or `answer` when it is left for the way back. */
export const mark = (marks: StepMark[], name: string, at: number): void => {
  if (marks.length < mostMarks) marks.push({ name, at })
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
