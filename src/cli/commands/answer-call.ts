import { GatewayError } from '../../errors.js'
import type { CallAnswerBody, CallApprovalRow, CallRunAnswer } from '../../faces/admin/call-approvals.js'
import { type CallDeskHere, withCallsOffline } from '../../serving/approvals/calls-offline.js'
import { count, say } from '../../serving/locale.js'
import { readConfig } from '../../serving/read-config.js'
import { oneLine } from '../../telemetry/plain-text.js'
import { CommandFailed, exitCodes } from '../terminal/exit.js'
import { table } from '../terminal/table.js'
import { painted, print } from '../terminal/terminal.js'
import { type AdminFlags, openAdminClient } from './admin-client.js'
import { localDecider } from './approvals.js'

export interface CallListFlags extends AdminFlags {
  /** Those that were answered or are over as well. */
  readonly all?: boolean | undefined
}

export interface CallAnswerFlags extends AdminFlags {
  readonly for?: string | undefined
  readonly note?: string | undefined
}

/** `pegboard approvals calls`: which calls wait until somebody says yes, with exactly what they would send. */
export const listCalls = (flags: CallListFlags): Promise<void> =>
  withDesk(flags, async (desk) => {
    const rows = (await desk.list()).filter(({ state }) => flags.all || state === 'asked')
    print(flags, { calls: rows }, [
      rows.length === 0 ? say('No call waits for approval.', '没有等待批准的调用。') : callTable(rows),
      ...rows.flatMap(argumentLines),
      ...runLines(rows),
      ...(rows.some(({ state }) => state === 'asked') ? [painted('dim', nextStep())] : []),
    ])
  })

/** `pegboard approve ID` and `pegboard deny ID`: the answer to one call, or to all that one script asks for. */
export const answerCall = (verdict: 'approve' | 'deny', id: string, flags: CallAnswerFlags): Promise<void> =>
  withDesk(flags, async (desk) => {
    const told = await desk.answer(id, answerOf(verdict, flags))
    print(flags, told, 'answered' in told ? runAnsweredLines(verdict, told) : [answeredLine(verdict, told)])
  })

const answerOf = (verdict: 'approve' | 'deny', flags: CallAnswerFlags): CallAnswerBody => {
  const { note } = flags
  if (verdict === 'deny') return { decision: 'deny', note }
  return flags.for === undefined ? { decision: 'once', note } : { decision: 'for', forMs: durationMs(flags.for), note }
}

const durationMs = (text: string): number => {
  const [, number, unit] = /^(\d{1,4})([sm])$/.exec(text) ?? []
  if (number !== undefined) return Number(number) * (unit === 'm' ? 60_000 : 1000)
  throw new GatewayError(
    'ARGUMENTS_INVALID',
    say(
      `--for takes a time such as 10m or 90s, at most 60m; '${text.slice(0, 20)}' is none.`,
      `--for 的值如 10m 或 90s，最多 60m；“${text.slice(0, 20)}”不是。`,
    ),
  )
}

const answeredLine = (verdict: 'approve' | 'deny', { id, tool, holds, expiresAt }: CallApprovalRow): string => {
  if (verdict === 'deny') return say(`Denied ${id}: ${tool} is not called.`, `已拒绝 ${id}：不会调用 ${tool}。`)
  const until = new Date(expiresAt).toISOString()
  return holds === 'minutes'
    ? say(
        `Approved ${id}: ${tool} may be called so until ${until}.`,
        `已批准 ${id}：在 ${until} 之前可以这样调用 ${tool}。`,
      )
    : say(
        `Approved ${id}: exactly this call of ${tool} passes once, until ${until}. It has to be sent again.`,
        `已批准 ${id}：对 ${tool} 的这次调用可执行一次，有效至 ${until}，需要再次发送。`,
      )
}

const runAnsweredLines = (
  verdict: 'approve' | 'deny',
  { run, answered, refused }: CallRunAnswer,
): readonly string[] => [
  ...answered.map((row) => answeredLine(verdict, row)),
  ...refused.map(({ id, tool, message }) =>
    say(`Not answered ${id} (${oneLine(tool)}): ${message}`, `未能答复 ${id}（${oneLine(tool)}）：${message}`),
  ),
  verdict === 'approve'
    ? say(
        `${count(answered.length, 'call')} of the script ${run} approved, ${refused.length} not. It goes on with resume: "${run}".`,
        `脚本 ${run} 的 ${answered.length} 次调用已批准，${refused.length} 次未能答复。脚本用 resume: "${run}" 继续。`,
      )
    : say(
        `${count(answered.length, 'call')} of the script ${run} denied, ${refused.length} not.`,
        `脚本 ${run} 的 ${answered.length} 次调用已拒绝，${refused.length} 次未能答复。`,
      ),
]

/** The running gateway; where none runs, what it has kept, and that is said. */
const withDesk = async (flags: AdminFlags, use: (desk: CallDeskHere) => Promise<void>): Promise<void> => {
  const client = await openAdminClient(flags)
  try {
    const { calls } = await client.get<{ readonly calls: readonly CallApprovalRow[] }>('/approvals/calls')
    return await use({
      list: async () => calls,
      answer: (id, answer) => client.post(`/approvals/calls/${encodeURIComponent(id)}`, answer),
    })
  } catch (error) {
    if (!(error instanceof CommandFailed && error.exitCode === exitCodes.unreachable)) throw error
  }
  process.stderr.write(
    say(
      'pegboard: no gateway runs here; looking at what the last one kept\n',
      'pegboard: 没有正在运行的网关；查看上次保存的内容\n',
    ),
  )
  const { config } = await readConfig(flags)
  return withCallsOffline(config, localDecider().id, use)
}

const callTable = (rows: readonly CallApprovalRow[]): string =>
  table(
    [
      'ID',
      say('SCRIPT', '脚本'),
      say('TOOL', '工具'),
      say('CALLER', '调用方'),
      say('RULE', '规则'),
      say('STATE', '状态'),
      say('UNTIL', '截止'),
    ],
    byRun(rows).map(({ id, run, tool, caller, callerName, rules, state, expiresAt }) => [
      id,
      run ?? '',
      oneLine(tool),
      oneLine(callerName ?? caller),
      rules.map(oneLine).join(', '),
      stateHere(state),
      new Date(expiresAt).toISOString(),
    ]),
  )

/** Those of one script beside each other, where the first of them stands. */
const byRun = (rows: readonly CallApprovalRow[]): readonly CallApprovalRow[] => {
  const groups = new Map<string, CallApprovalRow[]>()
  for (const row of rows) groups.set(row.run ?? row.id, [...(groups.get(row.run ?? row.id) ?? []), row])
  return [...groups.values()].flat()
}

const argumentLines = (row: CallApprovalRow): readonly string[] => {
  if (row.arguments === undefined) return []
  const cut = row.isCut ? say(` … (${row.argumentBytes} bytes)`, ` …（共 ${row.argumentBytes} 字节）`) : ''
  return [`${row.id}  ${row.arguments}${cut}`]
}

/** What one script asks for is one question. */
const runLines = (rows: readonly CallApprovalRow[]): readonly string[] => {
  const open = rows.filter(({ state }) => state === 'asked')
  const runs = [...new Set(open.flatMap(({ run }) => run ?? []))]
  return runs.map((each) => {
    const number = open.filter(({ run }) => run === each).length
    return say(
      `${each}: ${count(number, 'call')} of one script; pegboard approve ${each} answers all of them`,
      `${each}：同一脚本的 ${number} 次调用；pegboard approve ${each} 一并答复`,
    )
  })
}

const stateHere = (state: CallApprovalRow['state']): string =>
  ({
    asked: say('waits for an answer', '等待答复'),
    granted: say('approved, not sent yet', '已批准，尚未发送'),
    denied: say('denied', '已拒绝'),
    spent: say('done', '已执行'),
    expired: say('too late', '已过期'),
  })[state]

const nextStep = (): string =>
  say(
    'Answer: pegboard approve ID, or pegboard deny ID --note WHY',
    '答复：pegboard approve ID，或 pegboard deny ID --note 原因',
  )
