import { comparePins, formatPins, type Pin, type PinDifference, type Pins, toPin } from '../catalog/pins.js'
import { formatDiff, lineDiff } from '../clients/line-diff.js'
import { replaceFile } from '../config/edit.js'
import { didYouMean } from '../config/nearest.js'
import { GatewayError } from '../errors.js'
import type { Tool, ToolDefinition } from '../model/tool.js'
import { ownSources } from './board.js'
import { CommandFailed, exitCodes } from './exit.js'
import type { CommonFlags } from './flags.js'
import { lockFileOf, readLock } from './lock-file.js'
import { painted, say } from './terminal.js'
import { isDown, withBoard } from './with-board.js'

/** `pegboard lock write`: what the tools say about themselves now, as a file that belongs into version control. */
export const writeLock = (flags: CommonFlags): Promise<void> =>
  withTools(flags, async (tools, file, refuseIfDown) => {
    // Without the tools of a source that is down, its next start would look like new tools.
    refuseIfDown()
    const pins = new Map(tools.map((tool) => [tool.id, toPin(tool)]))
    await replaceFile(file, formatPins(pins))
    say(flags, { file, tools: pins.size }, [
      `Locked ${pins.size} tool${pins.size === 1 ? '' : 's'} in ${file}. Commit it.`,
      'From now on a tool that changes is held back until: pegboard lock approve TOOL',
      'A gateway that runs already takes it up at its next start.',
    ])
  })

/** `pegboard lock diff`: what has changed since. Ends with 1 when anything has, for use in CI. */
export const diffLock = (flags: CommonFlags): Promise<void> =>
  withTools(flags, async (tools, file) => {
    const difference = comparePins(await requireLock(file), tools)
    say(flags, toJson(difference), describe(difference))
    const { added, changed } = difference
    if (added.length + changed.length > 0)
      throw new CommandFailed(
        'Tools differ from the lock file and are held back. Approve them: pegboard lock approve TOOL (or --all)',
        exitCodes.failed,
      )
  })

/** `pegboard lock approve TOOL …`: takes the present definition of these tools, and forgets those that are gone. */
export const approveLock = (ids: readonly string[], flags: CommonFlags & { readonly all?: boolean }): Promise<void> =>
  withTools(flags, async (tools, file, refuseIfDown) => {
    const pins = await requireLock(file)
    const { added, changed, gone } = comparePins(pins, tools)
    const open = [...added, ...changed.map(({ tool }) => tool)]
    if (ids.length === 0 && !flags.all)
      throw new GatewayError('ARGUMENTS_INVALID', 'Name the tools to approve, or give --all. See: pegboard lock diff')
    if (flags.all) refuseIfDown()
    const chosen = flags.all ? open : ids.flatMap((id) => findOpen(id, open, pins))
    const next = new Map<string, Pin>([...pins, ...chosen.map((tool) => [tool.id, toPin(tool)] as const)])
    if (flags.all) for (const id of gone) next.delete(id)
    await replaceFile(file, formatPins(next))
    const names = chosen.map(({ id }) => id)
    say(flags, { file, approved: names, removed: flags.all ? gone : [] }, [
      names.length === 0
        ? 'Nothing to approve: it is as it was approved.'
        : `Approved ${names.join(', ')} in ${file}. Commit it.`,
    ])
  })

const requireLock = async (file: string): Promise<Pins> => {
  const pins = await readLock(file)
  if (pins) return pins
  throw new CommandFailed(`There is no ${file} yet. Make it: pegboard lock write`, exitCodes.notFound)
}

/** The tool, or none where what it says is approved already: to approve it again is no mistake. */
const findOpen = (id: string, open: readonly Tool[], pins: Pins): readonly Tool[] => {
  const found = open.find((tool) => tool.id === id)
  if (found) return [found]
  if (pins.has(id)) return []
  const ids = open.map((tool) => tool.id)
  throw new GatewayError(
    'TOOL_NOT_FOUND',
    `No tool '${id}' waits for approval${didYouMean(id, ids) || '.'} See what does: pegboard lock diff`,
  )
}

/** Every tool that sources report, those that are held back included. */
const withTools = (
  flags: CommonFlags,
  use: (tools: readonly Tool[], file: string, refuseIfDown: () => void) => Promise<void>,
): Promise<void> =>
  withBoard(flags, async ({ gateway }, loaded) => {
    const tools = [...gateway.catalog.snapshot().tools, ...gateway.catalog.held()].filter(
      ({ own, source }) => !own && !ownSources.has(source),
    )
    const refuseIfDown = (): void => {
      const down = gateway.sources().find(isDown)
      if (!down) return
      throw new GatewayError(
        'SOURCE_UNAVAILABLE',
        `The source '${down.name}' is ${down.status.state}, so its tools are not known. Repair it (pegboard doctor) or switch it off (pegboard disable ${down.name}).`,
      )
    }
    await use(tools, lockFileOf(loaded), refuseIfDown)
  })

const describe = ({ added, changed, gone, same }: PinDifference): readonly string[] => [
  ...added.map(({ id }) => painted('green', `+ ${id} (new)`)),
  ...changed.flatMap(({ tool, was }) => [
    painted('yellow', `~ ${tool.id}`),
    indented(definitionDiff(was, tool.definition)),
  ]),
  ...gone.map((id) => painted('dim', `- ${id} (not there now)`)),
  `${same} unchanged, ${changed.length} changed, ${added.length} new, ${gone.length} not there.`,
]

const definitionDiff = (was: ToolDefinition, is: ToolDefinition): string =>
  formatDiff(lineDiff(JSON.stringify(was, null, 2), JSON.stringify(is, null, 2)))

const indented = (text: string): string => text.replace(/^/gm, '    ')

const toJson = ({ added, changed, gone, same }: PinDifference) => ({
  added: added.map(({ id }) => id),
  changed: changed.map(({ tool, was }) => ({ tool: tool.id, was, is: tool.definition })),
  gone,
  same,
})
