import { GatewayError } from '../../errors.js'
import type { CallLink } from '../../model/call.js'
import { isRecord, type JsonObject, type JsonValue } from '../../model/json.js'
import { type Answer, resultAnswer, valueAnswer } from '../../model/result.js'
import { scriptLimits } from '../../sandbox/limits.js'
import type { ScriptReport } from '../../sandbox/scripts.js'
import { stableHash } from '../../schema/canonical.js'
import { createSchemas, formatProblems } from '../../schema/schemas.js'
import { scriptSurroundings } from '../script-surroundings.js'
import type { SourceCall } from '../source.js'
import type { StoredScript } from './read-script.js'
import type { StoredScripts } from './script-entry.js'

/** Scripts that call scripts, and what is between them: each of them has a thread. */
const deepest = 8

const schemas = createSchemas()

/**
 * Runs a stored script as its caller. Where a person has to be asked it ends with APPROVAL_REQUIRED; the same call by the same
 * caller then goes on with it, so that what it did is not done again.
 */
export const runStored = async (
  script: StoredScript,
  args: JsonObject,
  context: SourceCall,
  runner: StoredScripts,
  timeoutMs: number | undefined,
): Promise<{ readonly answer: Answer; readonly report: ScriptReport }> => {
  const { call, link } = context
  refuseRings(link)
  const limits = runner.limits()
  const wholeMs = script.timeoutMs ?? timeoutMs ?? scriptLimits(limits).timeoutMs
  const report = await runner.run(
    {
      script: script.text,
      input: args,
      // Whoever waits for less is told in time.
      timeoutMs: call.timeoutMs === undefined ? wholeMs : Math.min(wholeMs, call.timeoutMs - 100),
      terms: { limits: { ...limits, timeoutMs: wholeMs }, tools: script.tools },
      again: stableHash([link.tool, script.hash, args]),
    },
    { ...scriptSurroundings(context), within: call.run, step: call.step },
  )
  if (report.paused) throw waits(report, link.tool)
  return { answer: toAnswer(report, script, link.tool), report }
}

const refuseRings = ({ tool, depth, parent }: CallLink): void => {
  for (let link = parent; link; link = link.parent)
    if (link.tool === tool) throw looped(tool, 'it is called by itself, or by a script that it calls')
  if (depth > deepest) throw looped(tool, `calls are nested ${depth} deep, the limit for scripts is ${deepest}`)
}

const looped = (tool: string, why: string): GatewayError =>
  new GatewayError('LOOP_DETECTED', `'${tool}' was refused to stop a loop of scripts: ${why}.`, {
    details: { tool },
    notSent: true,
  })

/** The first approval is told as that of any call, so that whoever can ask for one asks for it, and sends the call again. */
const waits = ({ approvals = [], asked, calls, run }: ScriptReport, tool: string): GatewayError => {
  const named = [...new Set(approvals.map((each) => `'${each.tool}'`))].join(', ')
  const done = calls.made - calls.failed
  return new GatewayError(
    'APPROVAL_REQUIRED',
    `'${tool}' waits for a person to approve its call of ${named}. Make the same call again when they have answered: it goes on where it is${
      done === 0
        ? ''
        : `, and the ${done} ${done === 1 ? 'call' : 'calls'} that it made before ${done === 1 ? 'is' : 'are'} not repeated`
    }.`,
    { details: { ...asked, tool, approvals, calls, run }, notSent: done === 0 },
  )
}

const toAnswer = ({ result = null, calls }: ScriptReport, { spec }: StoredScript, tool: string): Answer => {
  const { outputSchema } = spec.definition
  const found = outputSchema && schemas.validator(outputSchema).check(result)
  if (found && !found.ok)
    throw new GatewayError(
      'RESULT_INVALID',
      `'${tool}' returned what its output schema does not allow: ${formatProblems(found.problems)}. The ${calls.made} calls that it made stay made; do not repeat them blindly.`,
      { details: { tool, problems: found.problems, calls } },
    )
  if (typeof result === 'string' || result === null) return valueAnswer(result)
  // As text and, where MCP takes it, as structure: what looks like a result of MCP's is still the script's own value.
  const content = [{ type: 'text', text: JSON.stringify(result) }]
  return resultAnswer(isRecord(result) ? { content, structuredContent: result as JsonValue } : { content })
}
