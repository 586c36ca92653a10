import type { SourceInfo } from '../../gateway.js'
import type { Tool } from '../../model/tool.js'
import { say } from '../../serving/locale.js'
import type { BoardView } from '../../serving/view.js'
import { stateHere, toldReason } from '../terminal/source-words.js'
import { table, toolTable } from '../terminal/table.js'
import { type BoardFlags, tellMissing, withBoard } from './with-board.js'

export interface ListFlags extends BoardFlags {
  readonly sources?: boolean | undefined
  readonly wide?: boolean | undefined
}

/** `pegboard list`: the tools of all sources, or the sources with their states. */
export const list = (flags: ListFlags): Promise<void> =>
  withBoard(flags, async (board) => {
    const sources = board.gateway
      .sources()
      .filter(({ kind, tools }) => !ownKinds.has(kind) || (kind === 'functions' && tools > 0))
    const text = flags.sources ? showSources(sources, board, flags.json) : showTools(board.gateway.list(), board, flags)
    process.stdout.write(`${text}\n`)
    tellMissing(board)
  })

/** Sources that are a part of the board, not mounted on it by anybody. */
const ownKinds: ReadonlySet<string> = new Set(['functions', 'registered', 'registry'])

const showTools = (tools: readonly Tool[], { config }: BoardView, { json, wide }: ListFlags): string => {
  if (json)
    return JSON.stringify(
      tools.map(({ id, source, tags, definition }) => ({ id, source, tags, ...definition })),
      null,
      2,
    )
  if (tools.length === 0) {
    const off = Object.entries(config.sources).flatMap(([name, { enabled }]) => (enabled ? [] : [name]))
    return off.length > 0
      ? say(
          `No tools. Switched off are: ${off.join(', ')}. Switch on: pegboard enable NAME`,
          `没有工具。未启用的来源：${off.join('、')}。启用：pegboard enable NAME`,
        )
      : say(
          'No tools. Add a source: pegboard add NAME -- command, or: pegboard import',
          '没有工具。添加来源：pegboard add NAME -- command，或：pegboard import',
        )
  }
  return toolTable(
    ['TOOL', 'SOURCE', 'DESCRIPTION'],
    tools.map(({ id, source, definition }) => [
      id,
      source,
      wide ? (definition.description ?? '') : firstLine(definition.description),
    ]),
    wide,
  )
}

const showSources = (sources: readonly SourceInfo[], { config }: BoardView, json: boolean | undefined): string => {
  const off = Object.entries(config.sources).filter(([, { enabled }]) => !enabled)
  if (json)
    return JSON.stringify([...sources, ...off.map(([name, { type }]) => ({ name, kind: type, off: true }))], null, 2)
  const rows = sources.map(({ name, kind, status, tools, circuits }) => [
    name,
    kind,
    `${stateHere(status.state, circuits)}${status.replica ? ` (${status.replica})` : ''}${countOf(status)}${waitingFor(status)}`,
    String(tools),
    status.peer ? `${status.peer.version} (${status.peer.era})` : '',
  ])
  const offRows = off.map(([name, source]) => [
    name,
    source.type === 'misconfigured' ? source.declaredType : source.type,
    stateHere('off'),
    '',
    '',
  ])
  if (rows.length + offRows.length === 0)
    return say(
      'No sources. Add one: pegboard add NAME -- command, or: pegboard import',
      '没有来源。添加：pegboard add NAME -- command，或：pegboard import',
    )
  return table(['SOURCE', 'KIND', 'STATE', 'TOOLS', 'PROTOCOL'], [...rows, ...offRows])
}

/** How many processes it has, where each who uses it has one of their own: `3/8`. */
const countOf = ({ processes }: SourceInfo['status']): string =>
  processes ? ` ${processes.running}/${processes.most}` : ''

/** Of one that is not down but takes long: why. */
const waitingFor = ({ state, reason }: SourceInfo['status']): string =>
  state === 'starting' && reason !== undefined ? say(` (${toldReason(reason)})`, `（${toldReason(reason)}）`) : ''

const firstLine = (text: string | undefined): string => (text ?? '').split('\n', 1)[0]!
