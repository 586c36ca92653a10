import { isDeepStrictEqual } from 'node:util'
import { type ConfigChange, withChanges } from '../../config/config-change.js'
import { valueAt } from '../../config/overlay.js'
import { redacted } from '../../config/redact.js'
import type { Config } from '../../config/schema.js'
import { messageOf } from '../../errors.js'
import { defined } from '../../model/json.js'
import { type FleetConfig, openFleetConfig } from '../../serving/fleet-config.js'
import { count, say } from '../../serving/locale.js'
import type { CommonFlags } from '../../serving/read-config.js'
import { noteEdited } from '../../serving/typed-deeds.js'
import { CommandFailed, exitCodes } from '../terminal/exit.js'
import { table } from '../terminal/table.js'
import { confirm, isInteractive, print } from '../terminal/terminal.js'

export interface ResetFlags extends CommonFlags {
  readonly yes?: boolean | undefined
}

/** `pegboard config diff`: what was changed from the console, over the file. */
export const diff = async (flags: CommonFlags): Promise<void> => {
  await using fleet = await openFleetConfig(flags)
  if (!fleet)
    return print(flags, { overlay: false, changes: [] }, [
      say(
        'Nothing can be over the file here: changes go to the file itself. That is otherwise with storage.backend "postgres".',
        '这里没有叠加在文件之上的修改：修改直接写入文件。storage.backend 为 "postgres" 时才有叠加。',
      ),
    ])
  const rows = shownChanges(fleet)
  const problem = await problemOf(fleet)
  print(flags, defined({ overlay: true, file: fleet.file, changes: rows, problem }), [
    rows.length === 0 && problem === undefined
      ? say('Nothing was changed over the file.', '文件之上没有修改。')
      : table(
          ['PLACE', 'FILE', 'NOW'],
          rows.map(({ path, file, value }) => [path, short(file), value === undefined ? removed() : short(value)]),
        ),
    ...(problem === undefined
      ? []
      : [
          '',
          say(
            `It is left out, and the file alone counts: ${problem} Take it back: pegboard config reset`,
            `它未被采用，只采用文件：${problem} 撤销：pegboard config reset`,
          ),
        ]),
  ])
}

/** `pegboard config reset [PLACE]`: the file counts again. */
export const reset = async (place: string | undefined, flags: ResetFlags): Promise<void> => {
  await using fleet = await openFleetConfig(flags)
  const rows = fleet ? shownChanges(fleet) : []
  if (place === undefined && rows.length > 0 && !flags.yes && !(await isMeant(rows.length)))
    throw new CommandFailed(
      say('Nothing was taken back. Say it with --yes.', '没有撤销任何修改。加 --yes 表示确认。'),
      exitCodes.failed,
    )
  const taken = (await fleet?.reset(place)) ?? []
  if (place !== undefined && taken.length === 0)
    throw new CommandFailed(
      say(
        `Nothing was changed at '${place.slice(0, 100)}'. See: pegboard config diff`,
        `“${place.slice(0, 100)}”处没有修改。查看：pegboard config diff`,
      ),
      exitCodes.notFound,
    )
  const paths = taken.map(({ path }) => path.join('.'))
  const told = { kind: 'setting', action: 'reset', outcome: 'ok' } as const
  if (paths.length > 0) await noteEdited(flags, ...paths.map((id) => ({ ...told, on: { type: 'setting', id } })))
  print(flags, { reset: paths }, [
    paths.length === 0
      ? say('Nothing was changed over the file.', '文件之上没有修改。')
      : say(
          `${count(paths.length, 'change')} taken back; the file counts there: ${paths.join(', ')}`,
          `已撤销 ${paths.length} 处修改，以文件为准：${paths.join('、')}`,
        ),
  ])
}

interface ShownChange {
  readonly path: string
  /** What the file has there, secrets left out. */
  readonly file?: unknown
  /** Undefined where it is taken out. */
  readonly value?: unknown
  /** What differs is a secret: both look alike here. */
  readonly secretChanged?: true | undefined
}

const shownChanges = ({ kept: { changes }, written }: FleetConfig): readonly ShownChange[] => {
  const before = masked(pickedFrom(written, changes))
  const now = masked(withChanges({}, changes))
  return changes.map(({ path, value }) => {
    const own = value === undefined ? undefined : valueAt(now, path)
    const file = valueAt(before, path)
    // What was masked in both is another secret all the same: who reads it must not think that they are alike.
    const isHidden = own !== undefined && isDeepStrictEqual(own, file)
    return defined({ path: path.join('.'), file, value: own, secretChanged: isHidden || undefined })
  })
}

/** The sources of a file stand in whichever section it likes; changes name one. */
const pickedFrom = (
  written: Readonly<Record<string, unknown>>,
  changes: readonly ConfigChange[],
): Readonly<Record<string, unknown>> => {
  const found = changes.flatMap(({ path: [section, ...rest] }) => {
    const places = section === 'sources' ? ['sources', 'mcpServers', 'servers', 'services'] : [section!]
    const value = places.map((each) => valueAt(written, [each, ...rest])).find((each) => each !== undefined)
    return value === undefined ? [] : [{ path: [section!, ...rest], value }]
  })
  return withChanges({ sources: {} }, found)
}

const masked = (fields: Readonly<Record<string, unknown>>): unknown => redacted(fields as unknown as Config)

const problemOf = async (fleet: FleetConfig): Promise<string | undefined> => {
  if (fleet.kept.problem !== undefined) return `${fleet.kept.problem}.`
  if (fleet.kept.changes.length === 0) return undefined
  return fleet.look().then(() => undefined, messageOf)
}

const isMeant = async (changes: number): Promise<boolean> =>
  isInteractive() &&
  (await confirm(
    say(`Take back ${count(changes, 'change')}, for the whole fleet?`, `撤销整个集群的 ${changes} 处修改吗？`),
  ))

const removed = (): string => say('(removed)', '（已移除）')

const longest = 60
const short = (value: unknown): string => {
  if (value === undefined) return '–'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text
}
