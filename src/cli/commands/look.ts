import { stripVTControlCharacters } from 'node:util'
import type { LoadedConfig } from '../../config/load.js'
import { redacted } from '../../config/redact.js'
import { configJsonSchema } from '../../config/schema.js'
import { GatewayError, messageOf } from '../../errors.js'
import { type AreaRecord, noticeZh, toAreaRecord } from '../../faces/search-words.js'
import { toldHere } from '../../serving/error-words.js'
import { exportedTools } from '../../serving/exported-tools.js'
import { say } from '../../serving/locale.js'
import { type CommonFlags, lookAtConfig } from '../../serving/read-config.js'
import { tellDoubt } from '../terminal/doubt.js'
import { CommandFailed, exitCodes } from '../terminal/exit.js'
import { toolTable } from '../terminal/table.js'
import { type BoardFlags, tellMissing, withBoard } from './with-board.js'

export interface SearchFlags extends BoardFlags {
  readonly method?: string | undefined
  readonly limit?: string | undefined
  readonly wide?: boolean | undefined
}

/** `pegboard search WORDS`: which tools fit, how well and why. */
export const search = async (words: readonly string[], flags: SearchFlags): Promise<void> =>
  withBoard(
    flags,
    async (board) => {
      const { gateway } = board
      const limit = flags.limit === undefined ? 10 : Number(flags.limit)
      if (!Number.isInteger(limit) || limit < 1)
        throw new GatewayError(
          'ARGUMENTS_INVALID',
          say('--limit must be a whole number above 0.', '--limit 必须是大于 0 的整数。'),
        )
      const { results, notice, method, match, parts, areas } = await gateway.search(words.join(' '), {
        limit,
        method: flags.method || undefined,
      })
      const hits = results.map(({ tool, score, matchReason, match, part }) => ({
        tool: tool.id,
        score,
        matchReason,
        match,
        part,
        description: tool.definition.description ?? '',
      }))
      const records = areas?.map(toAreaRecord)
      if (flags.json)
        return print(
          JSON.stringify({ method, notice: notice || undefined, match, parts, areas: records, results: hits }, null, 2),
        )
      if (hits.length > 0)
        print(
          toolTable(
            ['TOOL', 'SCORE', ...(parts ? ['FOR'] : []), 'DESCRIPTION', 'MATCHED'],
            hits.map((hit) => [
              hit.tool,
              scoreText(hit),
              ...(parts ? [hit.part ?? ''] : []),
              hit.description,
              hit.matchReason,
            ]),
            flags.wide,
          ),
        )
      tellMissing(board)
      if (notice && hits.length > 0)
        process.stderr.write(say(`pegboard: ${notice}\n`, `pegboard: 提示：${noticeZh(notice)}\n`))
      if (hits.length === 0) throw nothingFound(notice, records)
    },
    { tools: false },
  )

const scoreText = ({ score, match }: { readonly score: number; readonly match?: 'weak' | undefined }): string =>
  match ? `${score.toFixed(2)} ${say('weak', '弱')}` : score.toFixed(2)

const nothingFound = (notice: string | undefined, areas: readonly AreaRecord[] = []): CommandFailed => {
  const why = notice?.replace(/^No tool matches\. /, '')
  const advice = why ? say(why, noticeZh(why)) : say('Try other words.', '换个说法试试。')
  const lines = areas.map(({ category, tools, examples }) => {
    const more = tools > examples.length ? ', …' : ''
    return stripVTControlCharacters(`${category} (${tools}): ${examples.join(', ')}${more}`).replace(/\s+/g, ' ')
  })
  const there = lines.length === 0 ? ' ' : `${say(' There is, to ask for:', '可以询问：')}\n  ${lines.join('\n  ')}\n`
  return new CommandFailed(
    say(
      `No tool found. ${advice}${there}All of them: pegboard list`,
      `没有找到工具。${advice}${there}全部工具：pegboard list`,
    ),
    exitCodes.notFound,
  )
}

export interface ExportFlags extends BoardFlags {
  readonly format?: string | undefined
}

/** `pegboard export`: the catalog as JSON, or the tool list in a provider's words. */
export const exportTools = async (flags: ExportFlags): Promise<void> =>
  withBoard(flags, async (board) => {
    const { gateway } = board
    tellMissing(board)
    const { written, losses } = exportedTools(gateway.list(), flags.format)
    print(JSON.stringify(written, null, 2))
    for (const { tool, losses: lost } of losses)
      process.stderr.write(
        say(
          `pegboard: ${tool}: ${lost.map(({ reason }) => reason).join('; ')}\n`,
          `pegboard: ${tool} 的模式有所简化：${lost.map(({ reason }) => reason).join('；')}\n`,
        ),
      )
  })

/** `pegboard config schema | show`. */
export const showSchema = (): void => print(JSON.stringify(configJsonSchema(), null, 2))

export const showConfig = async (flags: CommonFlags): Promise<void> => {
  await tellDoubt(flags)
  const { config, references } = await inForce(flags)
  print(JSON.stringify(redacted(config, references), null, 2))
}

/** In a fleet with what was changed over the file; while that cannot be had, the file is what there is to show. */
const inForce = async (flags: CommonFlags): Promise<LoadedConfig> => {
  const file = await lookAtConfig(flags)
  if (file.config.storage.backend !== 'postgres') return file
  try {
    const { openFleetConfig } = await import('../../serving/fleet-config.js')
    await using fleet = await openFleetConfig(flags)
    return (await fleet?.look()) ?? file
  } catch (error) {
    process.stderr.write(
      say(
        `pegboard: This is the file alone; what was changed over it cannot be used: ${messageOf(error)}\n`,
        `pegboard: 以下只是文件内容；无法采用在它之上的修改：${toldHere(error)}\n`,
      ),
    )
    return file
  }
}

const print = (text: string): void => void process.stdout.write(`${text}\n`)
