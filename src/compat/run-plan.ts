import { messageOf } from '../errors.js'
import type { JsonObject } from '../model/json.js'
import type { MCPRegistry } from './mcp-registry.js'

/** A planner's step (000-14). Missing arguments are `{}`. */
export type PlanStep =
  | { readonly type: 'tool'; readonly name: string; readonly arguments?: JsonObject | undefined }
  | { readonly type: 'reply'; readonly text: string }

export interface Observation {
  readonly step: number
  readonly tool: string
  readonly ok: boolean
  readonly latency_ms: number
  readonly result?: unknown
  readonly error?: string | undefined
}

export interface PlanOutcome {
  readonly reply: string
  readonly observations: readonly Observation[]
}

export interface PlanOptions {
  /** Steps beyond this are left out. Default 6, as in the original. */
  readonly maxSteps?: number | undefined
}

/** Runs what a planner wrote: tools in order, each observed, a failed one never ending the run, until a reply. */
export const runPlan = async (
  registry: MCPRegistry,
  steps: readonly PlanStep[],
  { maxSteps = 6 }: PlanOptions = {},
): Promise<PlanOutcome> => {
  const observations: Observation[] = []
  for (const [index, step] of steps.slice(0, maxSteps).entries()) {
    if (step.type === 'reply') return { reply: step.text, observations }
    observations.push(await observe(registry, step.name, step.arguments ?? {}, index))
  }
  return { reply: summary(observations), observations }
}

const observe = async (registry: MCPRegistry, tool: string, args: JsonObject, step: number): Promise<Observation> => {
  const missing = missingFields(registry, tool, args)
  if (missing.length > 0)
    return { step, tool, ok: false, latency_ms: 0, error: `Missing required fields: ${JSON.stringify(missing)}` }
  const startedAt = performance.now()
  const latency = () => Math.round(performance.now() - startedAt)
  try {
    const result = await registry.call(tool, args)
    return { step, tool, ok: true, latency_ms: latency(), result }
  } catch (error) {
    return { step, tool, ok: false, latency_ms: latency(), error: messageOf(error) }
  }
}

/** Only `required` is looked at before a call: the rest is the registry's validation, if it is on. */
const missingFields = (registry: MCPRegistry, tool: string, args: JsonObject): string[] => {
  const required = registry.gateway.find(tool)?.definition.inputSchema.required
  return Array.isArray(required) ? required.filter((field) => !Object.hasOwn(args, String(field))).map(String) : []
}

const summary = (observations: readonly Observation[]): string => {
  if (observations.length === 0) return 'No steps were run.'
  return observations.map(sentence).join('\n')
}

const sentence = ({ step, tool, ok, result, error }: Observation): string =>
  ok ? `Step ${step + 1}: ${tool} succeeded: ${JSON.stringify(result)}` : `Step ${step + 1}: ${tool} failed: ${error}`
