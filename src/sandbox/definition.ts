import type { ToolDefinition } from '../model/tool.js'
import { type ScriptLimits, scriptLimits } from './limits.js'

export const runScriptName = 'run_script'

/** What `run_script` says of itself, with the figures that hold where it is shown. */
export const runScriptWords = (wanted: Partial<ScriptLimits> = {}): string => {
  const { resultBytes, maxCalls, parallel } = scriptLimits(wanted)
  return [
    'Runs JavaScript that calls tools, so that their answers need not pass through you. Use it for loops, pages, joins, filters and bulk changes; for a single call use call_tool.',
    `The script is the body of an async function: \`return\` what you need to know, as little as possible (${Math.floor(resultBytes / 1024)} KB at most).`,
    '  const list = await tools.github.list_issues({ owner, repo })   // names as search_tools gave them',
    '  await Promise.all(list.map(i => tools.github.close({ number: i.number })))',
    `Answers are parsed JSON (text where it is not JSON). A failed call throws an error with .code and .tool; catch it to go on. console.log goes to "logs". No network, files, timers or imports; at most ${maxCalls} calls, ${parallel} at once. Nothing is kept between runs. Calls that need a person's approval pause the script.`,
  ].join('\n')
}

/** Short, since every client with scripts pays for it in every conversation. */
export const runScriptDefinition = (limits: Partial<ScriptLimits> = {}): ToolDefinition => ({
  name: runScriptName,
  description: runScriptWords(limits),
  inputSchema: {
    type: 'object',
    properties: {
      script: { type: 'string', description: 'Body of an async function' },
      input: { description: 'Data for the script, there as `input`' },
      timeout_ms: { type: 'integer', description: `Default ${scriptLimits(limits).timeoutMs}` },
      resume: { type: 'string', description: 'A paused run, instead of script' },
    },
  },
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
})
