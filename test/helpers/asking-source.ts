import type { Question } from '../../src/model/asking.js'
import type { JsonObject } from '../../src/model/json.js'
import { type Answer, resultAnswer, textResult } from '../../src/model/result.js'
import type { Source, SourceCall } from '../../src/sources/source.js'

export const nameQuestion: Question = {
  method: 'elicitation/create',
  params: { message: 'Who?', requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } },
}

/** A source whose tools ask their callers while they run, as a legacy server's do. */
export interface AskingSource extends Source {
  /** Calls that are running now. */
  readonly running: number
  /** Calls that were given up. */
  readonly aborted: number
}

export const createAskingSource = (): AskingSource => {
  let running = 0
  let aborted = 0
  const ask = async (context: SourceCall, times: number): Promise<Answer> => {
    const names: unknown[] = []
    for (let round = 0; round < times; round++) {
      const resume = context.pause?.()
      const answer = await context.call.asking!.ask(nameQuestion, context.signal).finally(() => resume?.())
      names.push((answer.content as JsonObject | undefined)?.name)
    }
    return resultAnswer(textResult(names.join(' ')))
  }
  const times: Readonly<Record<string, number>> = { ask: 1, ask_twice: 2, other: 1, quiet: 0 }
  return {
    kind: 'asking',
    watch: async (onTools, signal) => {
      const tools = Object.keys(times).map((name) => ({
        definition: { name, inputSchema: { type: 'object' } as JsonObject },
      }))
      onTools({ type: 'all', tools })
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    },
    call: async (name, _args, context) => {
      running += 1
      context.signal.addEventListener('abort', () => aborted++, { once: true })
      try {
        return await ask(context, times[name]!)
      } finally {
        running -= 1
      }
    },
    get running() {
      return running
    },
    get aborted() {
      return aborted
    },
    [Symbol.asyncDispose]: async () => {},
  }
}
