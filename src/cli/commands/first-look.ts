import type { ApprovalRow } from '../../faces/admin/approvals.js'
import { createApprovalDesk } from '../../serving/approvals/approval-desk.js'
import { count, say } from '../../serving/locale.js'
import { openBoard } from '../../serving/open-board.js'
import { type CommonFlags, readConfig } from '../../serving/read-config.js'
import { silentLogger } from '../../telemetry/logger.js'
import { oneLine } from '../../telemetry/plain-text.js'
import { settledWithProgress } from '../terminal/progress.js'
import { shortReason } from '../terminal/short-reason.js'

/** What a source that was just added shows: approved by the act of adding it, but for what the scanner warns of. */
export interface FirstLook {
  readonly state: string
  readonly reason?: string | undefined
  readonly tools: number
  readonly prompts: number
  readonly templates: number
  readonly held: readonly Pick<ApprovalRow, 'id' | 'kind' | 'why' | 'findings'>[]
}

/** Starts it once, on the data folder where that is free, and says what it showed. A gateway that runs sees it by itself. */
export const firstLook = async (name: string, flags: CommonFlags): Promise<FirstLook> => {
  const board = await openBoard(await readConfig(flags), {
    logger: silentLogger,
    persist: 'if-free',
    only: (source) => source === name,
  })
  try {
    await settledWithProgress(board)
    await board.reviewing.settledWords()
    const status = board.gateway.sources().find((source) => source.name === name)?.status
    const words = board.reviewing.words().filter(({ source }) => source === name)
    const of = (kind: string) => words.filter((item) => item.kind === kind).length
    const held = createApprovalDesk(board)
      .list()
      .filter(({ source }) => source === name)
    return {
      state: status?.state ?? 'stopped',
      reason: status?.reason,
      tools: board.gateway.catalog.countOf(name),
      prompts: of('prompt'),
      templates: of('template'),
      held: held.map(({ id, kind, why, findings }) => ({ id, kind, why, findings })),
    }
  } finally {
    await board.close()
  }
}

export const firstLookLines = (name: string, look: FirstLook): readonly string[] => {
  if (look.state !== 'ready')
    return [
      say(
        `It did not start: ${oneLine(shortReason(look.reason ?? look.state))}. What to do about it: pegboard doctor`,
        `未能启动：${oneLine(shortReason(look.reason ?? look.state))}。如何解决：pegboard doctor`,
      ),
    ]
  const { tools, prompts, templates, held } = look
  const also = [
    ...(prompts > 0 ? [say(count(prompts, 'prompt'), `${prompts} 个提示词`)] : []),
    ...(templates > 0 ? [say(count(templates, 'template'), `${templates} 个模板`)] : []),
  ]
  const all = [say(count(tools, 'tool'), `${tools} 个工具`), ...also].join(say(', ', '、'))
  return [
    say(`It shows ${all}, approved by adding it.`, `它提供 ${all}，添加即视为批准。`),
    ...held.map(({ id, findings: [gravest] }) =>
      say(
        `Held back: ${oneLine(id)} (${gravest ? `${gravest.rule}: ${gravest.reason.en}` : 'not approved'}). Look: pegboard approvals show ${oneLine(id)}`,
        `已扣留：${oneLine(id)}（${gravest ? `${gravest.rule}：${gravest.reason.zh}` : '未批准'}）。查看：pegboard approvals show ${oneLine(id)}`,
      ),
    ),
    say(`Look at it: pegboard inspect ${name}`, `查看：pegboard inspect ${name}`),
  ]
}
