import { replaceFile } from '../../config/edit.js'
import { GatewayError } from '../../errors.js'
import { count, say } from '../../serving/locale.js'
import {
  comparePins,
  formatPins,
  type Locked,
  lockFileOf,
  type Pin,
  type PinDifference,
  type Pins,
  readLock,
  toPin,
} from '../../serving/lock-file.js'
import { ownSources } from '../../serving/sources/own-sources.js'
import { noteEdited } from '../../serving/typed-deeds.js'
import type { Reviewed } from '../../serving/view.js'
import { CommandFailed, exitCodes } from '../terminal/exit.js'
import { stateHere } from '../terminal/source-words.js'
import { painted, print } from '../terminal/terminal.js'
import { meant } from '../terminal/usage.js'
import { definitionDiff } from './definition-diff.js'
import { type BoardFlags, isDown, withBoard } from './with-board.js'

/** `pegboard lock write`: what the tools say about themselves now, as a file that belongs into version control. */
export const writeLock = (flags: BoardFlags): Promise<void> =>
  withTools(flags, async ({ tools, words }, file, refuseIfDown) => {
    // Without the tools of a source that is down, its next start would look like new tools.
    refuseIfDown()
    if (tools.length === 0) throw nothingToLock()
    await replaceFile(file, formatPins({ tools: pinned(tools), words: pinned(words) }))
    await noteEdited(flags, { kind: 'approval', action: 'lock', on: { type: 'config', id: file }, outcome: 'ok' })
    print(flags, { file, tools: tools.length, words: words.length }, [
      say(
        `Locked ${count(tools.length, 'tool')} in ${file}. Commit it.`,
        `已在 ${file} 中锁定 ${tools.length} 个工具。请提交该文件。`,
      ),
      ...(words.length === 0
        ? []
        : [
            say(
              `With ${count(words.length, 'other definition')}: instructions, prompts, templates of resources.`,
              `另有 ${words.length} 项其他定义：说明、提示词、资源模板。`,
            ),
          ]),
      say(
        'From now on what is new or changes is held back until: pegboard lock approve TOOL',
        '此后新增或有变化的内容会被扣留，直到：pegboard lock approve TOOL',
      ),
      say('A gateway that runs already takes it up at its next start.', '已在运行的网关会在下次启动时采用它。'),
    ])
  })

/** `pegboard lock diff`: what has changed since. Ends with 1 when anything has, for use in CI. */
export const diffLock = (flags: BoardFlags): Promise<void> =>
  withTools(flags, async (now, file) => {
    const difference = compareAll(await requireLock(file), now)
    print(flags, toJson(difference), describe(difference))
    const { added, changed } = difference
    if (added.length + changed.length > 0)
      throw new CommandFailed(
        say(
          'Tools differ from the lock file and are held back. Approve them: pegboard lock approve TOOL (or --all)',
          '有工具与锁文件不同，已被扣留。确认：pegboard lock approve TOOL（或 --all）',
        ),
        exitCodes.failed,
      )
  })

/** `pegboard lock approve TOOL …`: takes the present definition of these tools, and forgets those that are gone. */
export const approveLock = (
  ids: readonly string[],
  flags: BoardFlags & { readonly all?: boolean | undefined },
): Promise<void> =>
  withTools(flags, async (now, file, refuseIfDown) => {
    const locked = await requireLock(file)
    const { added, changed, minor, gone } = compareAll(locked, now)
    const open = [...added, ...[...changed, ...minor].map(({ tool }) => tool)]
    if (ids.length === 0 && !flags.all)
      throw new GatewayError(
        'ARGUMENTS_INVALID',
        say(
          'Name the tools to approve, or give --all. See: pegboard lock diff',
          '请指明要确认的工具，或用 --all。查看：pegboard lock diff',
        ),
      )
    if (flags.all) refuseIfDown()
    const chosen = flags.all ? open : ids.flatMap((id) => findOpen(id, open, locked))
    const next = (pins: Pins, items: readonly Reviewed[]): Pins => {
      const kept = flags.all ? [...pins].filter(([id]) => !gone.includes(id)) : [...pins]
      return new Map<string, Pin>([...kept, ...pinned(chosen.filter((item) => items.includes(item)))])
    }
    const words = locked.words && next(locked.words, now.words)
    await replaceFile(file, formatPins({ tools: next(locked.tools, now.tools), words }))
    const names = chosen.map(({ id }) => id)
    const told = { kind: 'approval', action: 'approve', outcome: 'ok' } as const
    await noteEdited(flags, ...names.map((id) => ({ ...told, on: { type: 'definition', id } })))
    print(flags, { file, approved: names, removed: flags.all ? gone : [] }, [
      names.length === 0
        ? say('Nothing to approve: it is as it was approved.', '没有需要确认的：与上次确认时相同。')
        : say(
            `Approved ${names.join(', ')} in ${file}. Commit it.`,
            `已在 ${file} 中确认 ${names.join('、')}。请提交该文件。`,
          ),
    ])
  })

const pinned = (items: readonly Reviewed[]): Pins => new Map(items.map((item) => [item.id, toPin(item)]))

/** A file of version 1 knows tools alone, and says nothing of the rest. */
const compareAll = (locked: Locked, { tools, words }: Shown): PinDifference<Reviewed> => {
  const one = comparePins(locked.tools, tools)
  const other = comparePins(locked.words ?? new Map(), locked.words ? words : [])
  return {
    added: [...one.added, ...other.added],
    changed: [...one.changed, ...other.changed],
    minor: [...one.minor, ...other.minor],
    gone: [...one.gone, ...other.gone],
    same: one.same + other.same,
  }
}

/** An empty lock would hold back whatever is added later (U3). */
const nothingToLock = (): CommandFailed =>
  new CommandFailed(
    say(
      'There is nothing to lock: no source has tools. Add one first: pegboard add NAME -- command',
      '没有可锁定的内容：没有来源提供工具。请先添加：pegboard add NAME -- command',
    ),
    exitCodes.notFound,
  )

const requireLock = async (file: string): Promise<Locked> => {
  const locked = await readLock(file)
  if (locked) return locked
  throw new CommandFailed(
    say(
      `There is no ${file}. What is held back without one: pegboard approvals. To make one: pegboard lock write`,
      `没有 ${file}。查看在没有锁文件时被扣留的工具：pegboard approvals。创建锁文件：pegboard lock write`,
    ),
    exitCodes.notFound,
  )
}

/** The tool, or none where what it says is approved already: to approve it again is no mistake. */
const findOpen = (id: string, open: readonly Reviewed[], { tools, words }: Locked): readonly Reviewed[] => {
  const found = open.find((tool) => tool.id === id)
  if (found) return [found]
  if (tools.has(id) || words?.has(id)) return []
  const ids = open.map((tool) => tool.id)
  throw new GatewayError(
    'TOOL_NOT_FOUND',
    say(
      `No tool '${id}' waits for approval${meant(id, ids)} See what does: pegboard lock diff`,
      `没有等待确认的工具“${id}”${meant(id, ids)}查看：pegboard lock diff`,
    ),
  )
}

/** What sources say now. */
interface Shown {
  readonly tools: readonly Reviewed[]
  /** Instructions, prompts and templates. */
  readonly words: readonly Reviewed[]
}

/** All that sources report, what is held back included. */
const withTools = (
  flags: BoardFlags,
  use: (shown: Shown, file: string, refuseIfDown: () => void) => Promise<void>,
): Promise<void> =>
  withBoard(
    flags,
    async ({ gateway, words }, loaded) => {
      const tools = [...gateway.catalog.snapshot().tools, ...gateway.catalog.held()].filter(
        ({ own, source }) => !own && !ownSources.has(source),
      )
      const refuseIfDown = (): void => {
        const down = gateway.sources().find(isDown)
        if (!down) return
        throw new GatewayError(
          'SOURCE_UNAVAILABLE',
          say(
            `The source '${down.name}' is ${stateHere(down.status.state)}, so its tools are not known. Repair it (pegboard doctor) or switch it off (pegboard disable ${down.name}).`,
            `来源“${down.name}”的状态为“${stateHere(down.status.state)}”，其工具未知。请修复（pegboard doctor）或停用（pegboard disable ${down.name}）。`,
          ),
        )
      }
      await use({ tools, words: words() }, lockFileOf(loaded), refuseIfDown)
    },
    { words: true },
  )

const describe = ({ added, changed, minor, gone, same }: PinDifference<Reviewed>): readonly string[] => [
  ...added.map(({ id }) => painted('green', say(`+ ${id} (new)`, `+ ${id}（新）`))),
  ...changed.flatMap(({ tool, was }) => [painted('yellow', `~ ${tool.id}`), definitionDiff(was, tool.definition)]),
  ...minor.flatMap(({ tool, was }) => [
    painted(
      'dim',
      say(`≈ ${tool.id} (spelling or narrower; not held back)`, `≈ ${tool.id}（写法不同或更严格；不扣留）`),
    ),
    definitionDiff(was, tool.definition),
  ]),
  ...gone.map((id) => painted('dim', say(`- ${id} (not there now)`, `- ${id}（现在不存在）`))),
  say(
    `${same} unchanged, ${changed.length} changed, ${minor.length} in spelling only, ${added.length} new, ${gone.length} not there.`,
    `${same} 个未变，${changed.length} 个有变化，${minor.length} 个仅写法不同，${added.length} 个新增，${gone.length} 个不存在。`,
  ),
]

const toJson = ({ added, changed, minor, gone, same }: PinDifference<Reviewed>) => {
  const rows = (changes: PinDifference<Reviewed>['changed']) =>
    changes.map(({ tool, was }) => ({ tool: tool.id, was, is: tool.definition }))
  return { added: added.map(({ id }) => id), changed: rows(changed), minor: rows(minor), gone, same }
}
