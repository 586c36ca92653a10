import { userInfo } from 'node:os'
import { GatewayError } from '../../errors.js'
import type { ApprovalRow, Decisions, NotedRow } from '../../faces/admin/approvals.js'
import type { Decider } from '../../faces/admin/decider.js'
import { createApprovalDesk } from '../../serving/approvals/approval-desk.js'
import { noteTyped } from '../../serving/audit-deeds.js'
import { count, say } from '../../serving/locale.js'
import { openLogger } from '../../serving/logger.js'
import { openBoard } from '../../serving/open-board.js'
import { readConfig } from '../../serving/read-config.js'
import { silentLogger } from '../../telemetry/logger.js'
import { oneLine } from '../../telemetry/plain-text.js'
import { CommandFailed, exitCodes } from '../terminal/exit.js'
import { settledWithProgress } from '../terminal/progress.js'
import { table } from '../terminal/table.js'
import { painted, print } from '../terminal/terminal.js'
import { meant } from '../terminal/usage.js'
import { type AdminFlags, openAdminClient } from './admin-client.js'
import { shownDiff } from './definition-diff.js'

export interface ApprovalFlags extends AdminFlags {
  readonly source?: string | undefined
  readonly all?: boolean | undefined
}

/** What the gateway answers, or this process where none runs. */
interface Approvals {
  readonly pending: readonly ApprovalRow[]
  readonly noted: readonly NotedRow[]
  readonly lockFile?: string | undefined
}

/** `pegboard approvals`: what changed since somebody looked at it, and is held back. */
export const listApprovals = (flags: ApprovalFlags): Promise<void> =>
  withDecider(flags, 'look', async ({ look }) => {
    const { pending, noted, lockFile } = await look()
    const rows = pending.filter(ofSource(flags))
    print(flags, { pending: rows, noted: noted.filter(ofSource(flags)) }, [
      rows.length === 0 ? say('Nothing is held back.', '没有被扣留的内容。') : approvalTable(rows),
      ...(noted.length === 0 ? [] : [painted('dim', notedLine(noted.length))]),
      ...(rows.length === 0 ? [] : [painted('dim', nextStep(lockFile))]),
    ])
  })

/** `pegboard approvals show [TOOL]`: the difference between what was approved and what is there now. */
export const showApprovals = (id: string | undefined, flags: ApprovalFlags): Promise<void> =>
  withDecider(flags, 'look', async ({ look }) => {
    const { pending, lockFile } = await look()
    const rows = id === undefined ? pending.filter(ofSource(flags)) : [find(id, pending)]
    print(flags, rows, [
      ...(rows.length === 0 ? [say('Nothing is held back.', '没有被扣留的内容。')] : rows.flatMap(describe)),
      ...(rows.length === 0 ? [] : [painted('dim', nextStep(lockFile))]),
    ])
  })

/** `pegboard approvals approve|reject TOOL …`: exactly what `show` shows is decided about. */
export const decideApprovals = (
  verdict: 'approve' | 'reject',
  ids: readonly string[],
  flags: ApprovalFlags,
): Promise<void> =>
  withDecider(flags, 'decide', async ({ look, decide }) => {
    if (ids.length === 0 && !flags.all && flags.source === undefined)
      throw new GatewayError(
        'ARGUMENTS_INVALID',
        say(
          'Name the tools, or give --all or --source NAME. See: pegboard approvals',
          '请指明工具，或用 --all、--source NAME。查看：pegboard approvals',
        ),
      )
    const { pending } = await look()
    // To reject twice is no mistake, but it is nothing to do either.
    const open = pending.filter(ofSource(flags)).filter(({ state }) => verdict === 'approve' || state === 'pending')
    const rows = ids.length > 0 ? ids.map((id) => find(id, pending)) : open
    const done = rows.length === 0 ? [] : await decide(verdict, toDecisions(rows))
    print(flags, { [verdict === 'approve' ? 'approved' : 'rejected']: done }, [outcome(verdict, done)])
  })

const outcome = (verdict: 'approve' | 'reject', done: readonly string[]): string => {
  if (done.length === 0) return say('Nothing to decide.', '没有需要决定的。')
  return verdict === 'approve'
    ? say(`Approved ${done.join(', ')}.`, `已批准 ${done.join('、')}。`)
    : say(
        `Rejected ${done.join(', ')}: held back, and not asked about again until it changes once more.`,
        `已拒绝 ${done.join('、')}：继续扣留，再次变化之前不再询问。`,
      )
}

const toDecisions = (rows: readonly ApprovalRow[]): Decisions => ({
  ids: rows.map(({ id }) => id),
  hashes: Object.fromEntries(rows.map(({ id, hash }) => [id, hash])),
})

interface Judge {
  look(): Promise<Approvals>
  decide(verdict: 'approve' | 'reject', asked: Decisions): Promise<readonly string[]>
}

/** The running gateway; where none runs, a board of our own on the data folder, which must then be free to decide. */
const withDecider = async (
  flags: ApprovalFlags,
  purpose: 'look' | 'decide',
  use: (judge: Judge) => Promise<void>,
): Promise<void> => {
  const running = await askRunning(flags)
  if (running) return use(running)
  const loaded = await readConfig(flags)
  const board = await openBoard(loaded, {
    logger: flags.logLevel === undefined ? silentLogger : openLogger(loaded),
    persist: purpose === 'decide' ? 'always' : 'never',
  })
  try {
    await settledWithProgress(board)
    await board.reviewing.settledWords()
    const desk = createApprovalDesk(board)
    const who = localDecider()
    await use({
      look: async () => ({ pending: desk.list(), noted: desk.noted(), lockFile: desk.lockFile() }),
      decide: async (verdict, asked) => {
        const done = await (verdict === 'approve' ? desk.approve(asked, who) : desk.reject(asked, who))
        for (const id of done)
          await noteTyped(loaded.config, {
            ...{ kind: 'approval', action: verdict, on: { type: 'definition', id }, outcome: 'ok' },
            after: asked.hashes?.[id],
          })
        return done
      },
    })
  } finally {
    await board.close()
  }
}

/** Whoever is at the keyboard. */
export const localDecider = (): Decider => {
  const name = userInfo().username || 'command line'
  return { id: `local:${name}`, name }
}

const askRunning = async (flags: ApprovalFlags): Promise<Judge | undefined> => {
  const client = await openAdminClient(flags)
  const { file } = await readConfig(flags)
  try {
    const first = await client.get<Approvals & { readonly config?: string | undefined }>('/approvals')
    if (first.config !== undefined && file !== undefined && first.config !== file)
      throw otherConfig(client.address, first.config)
    return {
      look: async () => first,
      decide: async (verdict, asked) => {
        const path = verdict === 'approve' ? '/approvals' : '/approvals/reject'
        const { approved, rejected } = await client.post<{
          approved?: string[] | undefined
          rejected?: string[] | undefined
        }>(path, asked)
        return approved ?? rejected ?? []
      },
    }
  } catch (error) {
    if (error instanceof CommandFailed && error.exitCode === exitCodes.unreachable) return undefined
    throw error
  }
}

export const otherConfig = (address: string, config: string): CommandFailed =>
  new CommandFailed(
    say(
      `The gateway at ${address} serves another configuration. Name that one: --config ${config}`,
      `${address} 的网关使用另一份配置。请指明：--config ${config}`,
    ),
    exitCodes.failed,
  )

const ofSource =
  ({ source }: ApprovalFlags) =>
  (row: { readonly source: string }): boolean =>
    source === undefined || row.source === source

const find = (id: string, rows: readonly ApprovalRow[]): ApprovalRow => {
  const found = rows.find((row) => row.id === id)
  if (found) return found
  const end = meant(
    id,
    rows.map((row) => row.id),
  )
  throw new CommandFailed(
    say(
      `Nothing named '${id.slice(0, 100)}' is held back${end} See what is: pegboard approvals`,
      `没有被扣留的“${id.slice(0, 100)}”${end}查看：pegboard approvals`,
    ),
    exitCodes.notFound,
  )
}

const approvalTable = (rows: readonly ApprovalRow[]): string =>
  table(
    [say('TOOL', '工具'), say('SOURCE', '来源'), say('STATE', '状态'), say('WHY', '原因')],
    rows.map((row) => [row.id, row.source, stateOf(row), whyOf(row)]),
  )

const stateOf = ({ state }: ApprovalRow): string =>
  state === 'rejected' ? say('rejected', '已拒绝') : say('waits for a decision', '等待决定')

const mostShown = 3

/** Why it is held back, in a few words. */
const whyOf = (row: ApprovalRow): string => {
  const why = {
    change: changesOf(row),
    newcomer: say('new: not in the first report of its source', '新增：不在其来源的首次报告中'),
    finding: say('the scanner warns of it', '扫描器发出警告'),
    unreadable: say('what was approved cannot be read', '无法读取已批准的内容'),
  }[row.why]
  const [gravest] = row.findings
  return gravest ? `${why}; ${severityHere(gravest.severity)}: ${oneLine(gravest.rule)}` : why
}

const severityHere = (severity: ApprovalRow['findings'][number]['severity']): string =>
  ({ low: say('low', '低'), medium: say('medium', '中'), high: say('HIGH', '高') })[severity]

const findingLines = ({ findings }: Pick<ApprovalRow, 'findings'>): readonly string[] =>
  findings.map(({ severity, rule, place, reason, excerpt }) => {
    const line = `    ! ${severityHere(severity)} ${oneLine(rule)} ${oneLine(place)}: ${say(reason.en, reason.zh)} ${oneLine(excerpt)}`
    return painted(severity === 'high' ? 'red' : 'yellow', line.trimEnd())
  })

const changesOf = ({ changes }: ApprovalRow): string => {
  const shown = changes.slice(0, mostShown).map(({ path, kind }) => `${oneLine(path).slice(0, 60)} (${kindHere(kind)})`)
  return `${shown.join(', ')}${changes.length > mostShown ? ` +${changes.length - mostShown}` : ''}`
}

const kindHere = (kind: ApprovalRow['changes'][number]['kind']): string =>
  ({
    words: say('words', '文字'),
    widening: say('takes more', '接受更多'),
    other: say('unclear', '不明'),
    opened: say('takes unknown properties', '接受未知属性'),
    narrowing: say('takes less', '接受更少'),
    cosmetic: say('spelling', '写法'),
  })[kind]

const describe = (row: ApprovalRow): readonly string[] => [
  `${painted('yellow', `~ ${row.id}`)}  ${stateOf(row)}`,
  painted('dim', `    ${approvedLine(row)}`),
  `    ${whyOf(row)}`,
  ...findingLines(row),
  shownDiff(row.before, row.after),
]

const approvedLine = ({ approvedBy, approvedAt }: ApprovalRow): string => {
  const when = approvedAt === undefined ? '' : new Date(approvedAt).toISOString()
  if (approvedBy === undefined) return say('never approved', '从未批准')
  if (approvedBy === 'first-seen') return say(`as first seen ${when}`, `首次见到于 ${when}`)
  return say(`approved by ${oneLine(approvedBy)} ${when}`, `由 ${oneLine(approvedBy)} 批准 ${when}`)
}

const notedLine = (number: number): string =>
  say(
    `${count(number, 'change')} in spelling or to take less, noted and let through (--json shows them)`,
    `${number} 处变化仅写法不同或更严格，已记录并放行（--json 可查看）`,
  )

const nextStep = (lockFile: string | undefined): string =>
  lockFile === undefined
    ? say(
        'Look: pegboard approvals show TOOL. Decide: pegboard approvals approve TOOL (or --all), or reject',
        '查看：pegboard approvals show TOOL。决定：pegboard approvals approve TOOL（或 --all），或 reject',
      )
    : say(
        `The lock file ${lockFile} decides: pegboard lock diff, pegboard lock approve TOOL`,
        `由锁文件 ${lockFile} 决定：pegboard lock diff、pegboard lock approve TOOL`,
      )
