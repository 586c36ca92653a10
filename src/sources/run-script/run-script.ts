import type { JsonObject, JsonValue } from '../../model/json.js'
import { type Answer, resultAnswer } from '../../model/result.js'
import { runScriptDefinition } from '../../sandbox/definition.js'
import { scriptCeilings } from '../../sandbox/limits.js'
import type { ScriptReport, Scripts } from '../../sandbox/scripts.js'
import { scriptSurroundings } from '../script-surroundings.js'
import type { Source, SourceCall } from '../source.js'

/** The name of the source; its one tool is shown by its bare name. */
export const runScriptSourceName = 'run-script'

// A script has its own, shorter time, and tells what it did when that is over; this is only there for who never hears of it.
const spareMs = 5000

/** `run_script`, one of the board's own tools: there only where a profile switches it on. */
export const createRunScriptSource = (scripts: Scripts): Source => ({
  kind: 'registry',
  watch: async (onTools, signal) => {
    const timeoutMs = scriptCeilings.timeoutMs + spareMs
    const definition = runScriptDefinition()
    onTools({
      type: 'all',
      tools: [{ definition, own: true, switch: 'scripts', callsOthers: true, timeoutMs }],
    })
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  },
  call: async (_, args, context) => toAnswer(await scripts.run(orderOf(args, context), scriptSurroundings(context))),
  // What runs them is the board's, and stored scripts run there too.
  [Symbol.asyncDispose]: async () => {},
})

const orderOf = ({ script, input, timeout_ms, resume }: JsonObject, { call: { timeoutMs } }: SourceCall) => ({
  script: script as string | undefined,
  input: input as JsonValue | undefined,
  // Whoever waits for less is told in time.
  timeoutMs: least(timeout_ms as number | undefined, timeoutMs === undefined ? undefined : timeoutMs - 100),
  resume: resume as string | undefined,
})

const least = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined ? other : other === undefined ? one : Math.min(one, other)

/** As structure for programs, and the same as text for models. */
const toAnswer = (report: ScriptReport): Answer => {
  const text = JSON.stringify(report)
  return resultAnswer({ content: [{ type: 'text', text }], structuredContent: JSON.parse(text) as JsonValue })
}
