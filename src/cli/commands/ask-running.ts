import type { CommonFlags } from '../../serving/read-config.js'
import { openLine } from '../../serving/running/line.js'
import { locate } from '../../serving/running/place.js'
import type { QuestionName, Questions } from '../../serving/running/questions.js'

/** One question to the gateway that runs with this configuration; undefined where none does. */
export const askRunning = async <Q extends QuestionName>(
  flags: CommonFlags,
  question: Q,
  asks: Questions[Q]['asks'],
): Promise<Questions[Q]['answer'] | undefined> => {
  const place = await locate(flags)
  const { line } = place ? await openLine(place) : {}
  if (!line) return undefined
  try {
    return await line.ask(question, asks)
  } finally {
    line.close()
  }
}
