import { GatewayError } from '../../errors.js'
import type { EffectRequest, EffectRow, EffectsAnswer } from '../../faces/admin/effects.js'
import { createEffectDesk } from '../../serving/approvals/effect-desk.js'
import { noteTyped } from '../../serving/audit-deeds.js'
import { say } from '../../serving/locale.js'
import { openLogger } from '../../serving/logger.js'
import { openBoard } from '../../serving/open-board.js'
import { readConfig } from '../../serving/read-config.js'
import { silentLogger } from '../../telemetry/logger.js'
import { oneLine } from '../../telemetry/plain-text.js'
import { CommandFailed, exitCodes } from '../terminal/exit.js'
import { settledWithProgress } from '../terminal/progress.js'
import { table } from '../terminal/table.js'
import { painted, print } from '../terminal/terminal.js'
import { openAdminClient } from './admin-client.js'
import { type ApprovalFlags, localDecider, otherConfig } from './approvals.js'

const effects = ['readonly', 'none'] as const

/** `pegboard approvals effect [TOOL] [readonly|none]`: which tools change nothing, by whose word, and the word itself. */
export const toolEffect = (id: string | undefined, word: string | undefined, flags: ApprovalFlags): Promise<void> =>
  withEffects(flags, word === undefined ? 'look' : 'decide', async ({ rows, set }) => {
    if (id === undefined) return list(flags, rows())
    const effect = word === undefined ? undefined : effects.find((each) => each === word)
    if (word !== undefined && effect === undefined)
      throw new GatewayError(
        'ARGUMENTS_INVALID',
        say(
          `'${word.slice(0, 40)}' is no effect: say readonly, or none to take it back.`,
          `“${word.slice(0, 40)}”不是效果：请写 readonly，或用 none 撤回。`,
        ),
      )
    const known = rows().find((row) => row.id === id)
    const row = effect ? await set(id, { effect, hash: known?.hash }) : known
    if (!row) return print(flags, { id, profiles: [] }, [nothingSaid(id)])
    print(flags, row, [lineOf(row), ...hintOf(row)])
  })

const list = (flags: ApprovalFlags, all: readonly EffectRow[]): void => {
  const rows = all.filter(({ source }) => flags.source === undefined || source === flags.source)
  print(flags, rows, [
    rows.length === 0
      ? say('Nobody says of any tool that it is read-only.', '没有任何工具被认定为只读。')
      : table(
          [say('TOOL', '工具'), say('READ-ONLY FOR', '对其只读'), say('SAID BY', '认定者'), say('IT SAYS', '工具自称')],
          rows.map((row) => [row.id, row.profiles.join(', '), saidBy(row), suggestionHere(row)]),
        ),
    painted(
      'dim',
      say(
        'Readers may call what is read-only, and nothing else. Say so: pegboard approvals effect TOOL readonly',
        'reader 只能调用只读工具。认定：pegboard approvals effect TOOL readonly',
      ),
    ),
  ])
}

const lineOf = (row: EffectRow): string =>
  row.profiles.length > 0
    ? say(
        `${row.id}: read-only for readers of ${row.profiles.join(', ')} (${saidBy(row)}).`,
        `${row.id}：对 ${row.profiles.join('、')} 的 reader 是只读的（${saidBy(row)}）。`,
      )
    : say(`${row.id}: may change things; readers may not call it.`, `${row.id}：可能修改数据；reader 不能调用。`)

const nothingSaid = (id: string): string =>
  say(
    `${oneLine(id)}: nobody says anything of it, or there is no such tool; readers may not call it.`,
    `${oneLine(id)}：没有任何认定，或没有这个工具；reader 不能调用。`,
  )

const hintOf = ({ suggestion, profiles }: EffectRow): readonly string[] => {
  if (suggestion === 'destructive')
    return [say('Its server calls it destructive, which stays in force.', '其服务器称它有破坏性，此说法始终有效。')]
  return suggestion === 'readonly' && profiles.length === 0
    ? [say('Its server calls it read-only, which is only a suggestion.', '其服务器称它只读，这只是建议。')]
    : []
}

const saidBy = ({ by, stated }: EffectRow): string => {
  if (by === undefined) return ''
  return {
    board: say('a part of the board', '网关自身'),
    profile: say('the profile', '配置档'),
    approver: stated ? `${oneLine(stated.by)} ${new Date(stated.at).toISOString()}` : '',
    annotations: say('its server, which is trusted', '受信任的服务器'),
  }[by]
}

const suggestionHere = ({ suggestion }: EffectRow): string =>
  suggestion === undefined
    ? ''
    : { readonly: say('read-only', '只读'), destructive: say('destructive', '有破坏性') }[suggestion]

interface Effects {
  rows(): readonly EffectRow[]
  set(id: string, asked: EffectRequest): Promise<EffectRow>
}

/** The running gateway; where none runs, a board of our own on the data folder. */
const withEffects = async (
  flags: ApprovalFlags,
  purpose: 'look' | 'decide',
  use: (effects: Effects) => Promise<void>,
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
    const desk = createEffectDesk(board)
    const set: Effects['set'] = async (id, asked) => {
      const row = await desk.set(id, asked, localDecider())
      const told = { kind: 'approval', action: 'effect', on: { type: 'tool', id }, after: asked.effect } as const
      await noteTyped(loaded.config, { ...told, outcome: 'ok' })
      return row
    }
    await use({ rows: desk.list, set })
  } finally {
    await board.close()
  }
}

const askRunning = async (flags: ApprovalFlags): Promise<Effects | undefined> => {
  const client = await openAdminClient(flags)
  const { file } = await readConfig(flags)
  try {
    const first = await client.get<EffectsAnswer>('/effects')
    if (first.config !== undefined && file !== undefined && first.config !== file)
      throw otherConfig(client.address, first.config)
    return {
      rows: () => first.tools,
      set: (id, asked) => client.post<EffectRow>(`/tools/${encodeURIComponent(id)}/effect`, asked),
    }
  } catch (error) {
    if (error instanceof CommandFailed && error.exitCode === exitCodes.unreachable) return undefined
    throw error
  }
}
