import { messageOf } from '../../errors.js'
import type { Answer } from '../../model/result.js'
import { type Circuits, faultOfAnswer, faultOfError } from '../circuits/circuits.js'
import { isPromise, type Step } from '../passage.js'

/** Stops asking what does not answer. Outside `deadline`, since most broken things fail by silence. */
export const breaker =
  (circuits: Circuits): Step =>
  (next) =>
  (passage) => {
    const { target, kind } = passage
    const isTool = kind === 'tool'
    const began = circuits.enter(target, isTool)
    const succeed = (answer: Answer): Answer => {
      circuits.leave(target, isTool, began, faultOfAnswer(answer), () => answer.failed ?? '')
      return answer
    }
    const fail = (error: unknown): never => {
      circuits.leave(target, isTool, began, faultOfError(error), () => messageOf(error))
      throw error
    }
    let answer: ReturnType<typeof next>
    try {
      answer = next(passage)
    } catch (error) {
      return fail(error)
    }
    return isPromise(answer) ? answer.then(succeed, fail) : succeed(answer)
  }
