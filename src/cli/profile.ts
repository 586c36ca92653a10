import { didYouMean } from '../config/nearest.js'
import type { ProfileReport } from '../faces/admin/board.js'
import { tokensOf } from '../faces/admin/tokens.js'
import { CommandFailed, exitCodes } from './exit.js'
import type { CommonFlags } from './flags.js'
import { table } from './table.js'
import { say } from './terminal.js'
import { withBoard } from './with-board.js'

/** `pegboard profile list`: what each profile shows, and what its list costs a model. */
export const listProfiles = (flags: CommonFlags): Promise<void> =>
  withReports(flags, async (names, report) => {
    const rows = names.flatMap((name) => report(name) ?? [])
    const lines = table(
      ['PROFILE', 'EXPOSES', 'CALLABLE', 'LISTED', 'TOKENS', 'FLAT', 'SAVED'],
      rows.map((row) => [
        row.name,
        row.exposure,
        String(row.callable),
        String(row.listed),
        String(tokensOf(row.shownBytes)),
        String(tokensOf(row.flatBytes)),
        saved(row),
      ]),
    )
    say(flags, rows.map(toJson), [lines])
  })

/** `pegboard profile show NAME`: the tools that a client of this profile reads. */
export const showProfile = (name: string, flags: CommonFlags): Promise<void> =>
  withReports(flags, async (names, report) => {
    const found = report(name)
    if (!found)
      throw new CommandFailed(
        `There is no profile '${name}'${didYouMean(name, names) || '.'} The profiles are: ${names.join(', ')}.`,
        exitCodes.notFound,
      )
    const shown = found.shown()
    const cost = (tool: unknown): number => tokensOf(Buffer.byteLength(JSON.stringify(tool)))
    say(flags, { ...toJson(found), settings: found.settings, shown }, [
      `${found.name}: ${found.exposure}; ${found.callable} callable, ${found.listed} listed, about ${tokensOf(found.shownBytes)} tokens${saved(found) === '0 %' ? '' : ` (${saved(found)} fewer than all of them)`}`,
      '',
      table(
        ['TOOL', 'TOKENS', 'DESCRIPTION'],
        shown.map((tool) => [String(tool.name), String(cost(tool)), String(tool.description ?? '').split('\n', 1)[0]!]),
      ),
    ])
  })

type Report = (name: string) => ProfileReport | undefined

const withReports = (
  flags: CommonFlags,
  use: (names: readonly string[], report: Report) => Promise<void>,
): Promise<void> =>
  withBoard(flags, async (board) => {
    const { reportOf } = await import('./profile-report.js')
    await use(Object.keys(board.config.profiles), (name) => reportOf(board, name))
  })

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
