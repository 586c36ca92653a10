import type { ProfileReport } from '../../faces/admin/profiles.js'
import { tokensOf } from '../../model/tokens.js'
import { say } from '../../serving/locale.js'
import { CommandFailed, exitCodes } from '../terminal/exit.js'
import { stateHere } from '../terminal/source-words.js'
import { table } from '../terminal/table.js'
import { print } from '../terminal/terminal.js'
import { meant } from '../terminal/usage.js'
import { type BoardFlags, withBoard } from './with-board.js'

/** `pegboard profile list`: what each profile shows, and what its list costs a model. */
export const listProfiles = (flags: BoardFlags): Promise<void> =>
  withReports(flags, async (names, report) => {
    const rows = names.flatMap((name) => report(name) ?? [])
    const lines = table(
      ['PROFILE', 'EXPOSES', 'CALLABLE', 'LISTED', 'TOKENS', 'FLAT', 'SAVED'],
      rows.map((row) => [
        row.name,
        stateHere(row.exposure),
        String(row.callable),
        String(row.listed),
        String(tokensOf(row.shownBytes)),
        String(tokensOf(row.flatBytes)),
        saved(row),
      ]),
    )
    print(flags, rows.map(toJson), [lines])
  })

/** `pegboard profile show NAME`: the tools that a client of this profile reads. */
export const showProfile = (name: string, flags: BoardFlags): Promise<void> =>
  withReports(flags, async (names, report) => {
    const found = report(name)
    if (!found)
      throw new CommandFailed(
        say(
          `There is no profile '${name}'${meant(name, names)} The profiles are: ${names.join(', ')}.`,
          `没有配置档“${name}”${meant(name, names)}现有：${names.join('、')}。`,
        ),
        exitCodes.notFound,
      )
    const shown = found.shown()
    const cost = (tool: unknown): number => tokensOf(Buffer.byteLength(JSON.stringify(tool)))
    print(flags, { ...toJson(found), settings: found.settings, shown }, [
      summaryOf(found),
      '',
      table(
        ['TOOL', 'TOKENS', 'DESCRIPTION'],
        shown.map((tool) => [String(tool.name), String(cost(tool)), String(tool.description ?? '').split('\n', 1)[0]!]),
      ),
    ])
  })

const summaryOf = (found: ProfileReport): string => {
  const { name, callable, listed } = found
  const tokens = tokensOf(found.shownBytes)
  const share = saved(found)
  return say(
    `${name}: ${found.exposure}; ${callable} callable, ${listed} listed, about ${tokens} tokens${share === '0 %' ? '' : ` (${share} fewer than all of them)`}`,
    `${name}：${stateHere(found.exposure)}；可调用 ${callable} 个，列出 ${listed} 个，约 ${tokens} token${share === '0 %' ? '' : `（比全部列出少 ${share}）`}`,
  )
}

type Report = (name: string) => ProfileReport | undefined

const withReports = (
  flags: BoardFlags,
  use: (names: readonly string[], report: Report) => Promise<void>,
): Promise<void> =>
  withBoard(flags, (board) => use(Object.keys(board.config.profiles), board.report), { profiles: true })

const saved = ({ shownBytes, flatBytes }: ProfileReport): string =>
  flatBytes === 0 ? '0 %' : `${Math.max(0, Math.round((1 - shownBytes / flatBytes) * 100))} %`

const toJson = ({ name, exposure, callable, listed, shownBytes, flatBytes }: ProfileReport) => ({
  name,
  exposure,
  callable,
  listed,
  tokens: tokensOf(shownBytes),
  flatTokens: tokensOf(flatBytes),
})
