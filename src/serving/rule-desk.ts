import { GatewayError } from '../errors.js'
import type { ExplainAnswer, ExplainRequest, RuleDesk, RuleRow } from '../faces/admin/rules.js'
import type { Gateway } from '../gateway.js'
import type { Caller } from '../model/caller.js'
import type { JsonObject } from '../model/json.js'
import type { Tool } from '../model/tool.js'
import type { PlacedRule } from '../policy/call-rules.js'

/** The rules of a board for whoever looks at them: over the admin API, in the console and at the command line. */
export const createRuleDesk = (gateway: Pick<Gateway, 'policy' | 'catalog'>): RuleDesk => ({
  rows: async () => {
    const all = gateway.policy.calls?.all ?? []
    if (all.length === 0) return []
    const [{ notesBeside }, { classesOf }] = await Promise.all([
      import('../policy/rule-notes.js'),
      import('../policy/rules.js'),
    ])
    const { tools } = gateway.catalog.snapshot()
    return all.map(({ rule, profile }) => {
      const classes = (tool: Tool) => classesOf(tool, 'tool', gateway.policy.effectOf(tool, profile))
      return { ...rowOf({ rule, profile }), ...notesBeside(rule, tools, classes) }
    })
  },
  explain: async (asked) => explain(gateway, asked),
})

const rowOf = ({ rule, profile }: PlacedRule): Omit<RuleRow, 'matching' | 'notes'> => {
  const { when, unless, callers, approval, effect } = rule
  const hides = effect === 'deny' && when === undefined && unless === undefined && callers === undefined
  return { ...rule, profile, hides, approval: approval as JsonObject | undefined }
}

const callerOf = ({ caller = 'anybody', profile }: ExplainRequest): Caller => ({
  ...{ id: caller, name: caller, rights: ['discover', 'call'] },
  profile: profile === 'default' ? undefined : profile,
})

const explain = async (
  { policy, catalog }: Pick<Gateway, 'policy' | 'catalog'>,
  asked: ExplainRequest,
): Promise<ExplainAnswer> => {
  const tool = catalog.find(asked.tool)
  if (!tool)
    throw new GatewayError(
      'TOOL_NOT_FOUND',
      `Tool not found: ${asked.tool.slice(0, 120)}. List the tools to see their ids.`,
    )
  const caller = callerOf(asked)
  const { createSchemas, formatProblems } = await import('../schema/schemas.js')
  const checked = createSchemas()
    .validator(tool.definition.inputSchema)
    .check(asked.args ?? {})
  const invalid = checked.ok ? undefined : formatProblems(checked.problems)
  // As they would be sent: with the tool's defaults.
  const args = checked.ok ? checked.value : asked.args
  const { classesOf } = await import('../policy/rules.js')
  const classes = [...classesOf(tool, 'tool', policy.effectOf(tool, caller.profile))]
  const rules = (policy.calls?.explain(caller, tool, 'tool', args, policy.effectOf) ?? []).map(
    ({ rule: { id, effect }, ...told }) => ({ id, effect, ...told }),
  )
  const verdict = policy.judge(caller, tool, 'tool', args)
  const decided = policy.calls?.hides(tool, caller.profile, policy.effectOf) ? 'hidden' : (verdict?.effect ?? 'allow')
  const by = verdict === undefined ? [] : verdict.effect === 'deny' ? [verdict.rule] : verdict.rules
  return { tool: tool.id, classes, verdict: decided, by, rules, reason: verdict?.reason, invalid }
}
