import { messageOf } from '../../errors.js'
import type { Answer } from '../../model/result.js'
import type { Circuits } from '../circuits/circuits.js'
import { faultOfAnswer, faultOfError } from '../circuits/fault.js'
import { isPromise, type Step } from '../compose.js'

/** Stops asking what does not answer. Outside `deadline`, since most broken things fail by silence. */
export const breaker =
  (circuits: Circuits): Step =>
  (next) =>
  (passage) => {
    const { tool } = passage
    const began = circuits.enter(tool)
    const succeed = (answer: Answer): Answer => {
      circuits.leave(tool, began, faultOfAnswer(answer), () => answer.failed ?? '')
      return answer
    }
    const fail = (error: unknown): never => {
      circuits.leave(tool, began, faultOfError(error), () => messageOf(error))
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
