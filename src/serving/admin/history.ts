import type { HistoryDesk, HistoryEntry, ReplayedCall } from '../../faces/admin/history.js'
import type { Gateway } from '../../gateway.js'
import { compare } from '../../history/compare.js'
import { type KeptValue, withoutSecrets } from '../../history/values.js'
import { isErrorAnswer, toToolResult } from '../../model/answer.js'
import { type Caller, profileFor, throughProfile } from '../../model/caller.js'
import { isRecord } from '../../model/json.js'
import type { Outcome } from '../../model/outcome.js'
import type { Tool } from '../../model/tool.js'
import type { KeptCalls } from '../history.js'

/** Makes a kept call again against the board as it is now, in the name of whoever asks, and says what became of it. */
export const replayOf =
  (gateway: Gateway, kept: KeptCalls, clean: (text: string) => string): HistoryDesk['replay'] =>
  async (id, order) => {
    const found = order.entry ?? (await entryHere(kept, id))
    if (!found) return cannot(id, 'There is no such call in the history; it may have been let go.')
    const { call } = found
    const told = { tool: call.tool, keptLatencyMs: call.latencyMs }
    const why = whyNot(found)
    if (why !== undefined) return { ...cannot(id, why), ...told }
    const listed = gateway.catalog.snapshot().get(call.tool)
    if (!listed) return { ...cannot(id, `There is no tool '${call.tool}' here any more.`), ...told }
    const caller = seenAs(order.caller, call.profile)
    if (!order.confirm && mayChange(gateway, listed, caller))
      return { id, verdict: 'unconfirmed', ...told, reason: unconfirmedWords }
    const args = found.arguments!.value
    // By the name that this caller is shown: under its own, one that was renamed is unknown.
    const tool = gateway.shown(caller.profile).shownOf(listed)?.id ?? call.tool
    const outcome = await gateway.call({ tool, args, caller, from: { face: 'console' }, signal: order.signal })
    const { latencyMs } = outcome.meta
    return { id, ...told, latencyMs, ...verdictOf(found, outcome, clean) }
  }

const entryHere = async (kept: KeptCalls, id: string): Promise<HistoryEntry | undefined> => {
  const one = await (await kept.reader()).one(id)
  return one && { call: one.call, values: one.values ? 'shown' : 'none', ...one.values }
}

const cannot = (id: string, reason: string): ReplayedCall => ({ id, verdict: 'cannot', reason })

/** Undefined where its arguments are there as they were sent. */
const whyNot = ({ call, values, arguments: args }: HistoryEntry): string | undefined => {
  if (call.kind !== 'tool') return `It asked for a ${call.kind}, and only tools are called again.`
  if (values === 'withheld')
    return 'Another replica keeps it, and tells its arguments only to callers with the right admin.'
  if (!args) return 'Its arguments were not kept: its profile has no keepValues.'
  if (args.cut) return 'Its arguments were longer than what is kept of them.'
  return args.redacted ? 'Some of its arguments were secret, and were not kept.' : undefined
}

/** Through the profile of the call, where the operator may use it: under another, the tool may be shown otherwise. */
const seenAs = (caller: Caller, profile: string): Caller =>
  profileFor(caller, profile) === undefined ? caller : throughProfile(caller, profile)

/** The board's own tools may call any other. */
const mayChange = (gateway: Gateway, tool: Tool, { profile }: Caller): boolean =>
  tool.own === true || !gateway.policy.effectOf(tool, profile).readonly

const unconfirmedWords =
  'Nobody says of this tool that it only reads: it would act again. Ask with confirm, or say so of it: pegboard approvals effect.'

type Verdict = Pick<ReplayedCall, 'verdict' | 'reason' | 'code' | 'differences' | 'more'>

const verdictOf = ({ call, result }: HistoryEntry, outcome: Outcome, clean: (text: string) => string): Verdict => {
  if (!outcome.ok) {
    const { code, message } = outcome.error
    const told = { code, reason: clean(message).slice(0, 500) }
    if (call.ok) return { verdict: 'failed', ...told }
    return call.code === code ? { verdict: 'same', ...told } : { verdict: 'different', ...told }
  }
  if (!call.ok) return { verdict: 'different', reason: `It failed then (${call.code}), and answers now.` }
  if (!result) return { verdict: 'different', reason: 'Its result was not kept, so there is nothing to compare.' }
  const now = toToolResult(outcome.answer)
  if (isErrorAnswer(outcome.answer) && !call.isError)
    return { verdict: 'failed', reason: 'The tool answers with an error now.', ...differencesOf(result, now, clean) }
  const found = differencesOf(result, now, clean)
  return { verdict: found.differences.length === 0 ? 'same' : 'different', ...found }
}

const differencesOf = (
  kept: KeptValue | NonNullable<HistoryEntry['result']>,
  now: unknown,
  clean: (text: string) => string,
) => {
  // As what was kept was made: without secrets, and what is new with every answer apart.
  const shown = withoutSecrets(JSON.parse(JSON.stringify(now)) as unknown, clean).shown
  if (kept.cut) return cutDifferences(String(kept.value), JSON.stringify(shown))
  const { differences, isMore } = compare(withoutMeta(kept.value), withoutMeta(shown))
  return { differences, more: isMore ? (true as const) : undefined }
}

/** Of one that was cut only its beginning can be compared. */
const cutDifferences = (before: string, after: string) => ({
  differences: after.startsWith(before)
    ? []
    : [{ at: '', change: 'changed' as const, before: before.slice(0, 500), after: after.slice(0, 500) }],
})

const withoutMeta = (value: unknown): unknown => {
  if (!isRecord(value)) return value
  const { _meta: _, ...rest } = value
  return rest
}
