import type { SourceInfo } from '../gateway.js'
import type { Tool } from '../model/tool.js'
import { openBoard } from './board.js'
import { type CommonFlags, readConfig } from './flags.js'
import { quietLogger } from './logger.js'
import { settledWithProgress } from './progress.js'
import { table } from './table.js'

export interface ListFlags extends CommonFlags {
  readonly sources?: boolean
}

/** `pegboard list`: the tools of all sources, or the sources with their states. */
export const list = async (flags: ListFlags): Promise<void> => {
  const loaded = await readConfig(flags)
  const logger = quietLogger(loaded, flags, 'error')
  const board = await openBoard(loaded, { logger, env: process.env, persist: 'never' })
  try {
    await settledWithProgress(board)
    const sources = board.gateway
      .sources()
      .filter(({ kind, tools }) => !ownKinds.has(kind) || (kind === 'functions' && tools > 0))
    const text = flags.sources ? showSources(sources, flags.json) : showTools(board.gateway.list(), flags.json)
    process.stdout.write(`${text}\n`)
    const held = board.gateway.catalog.held().length
    if (held > 0) process.stderr.write(`pegboard: ${held} held back by the lock file. Look: pegboard lock diff\n`)
    // A source that is down must not look like a source without tools.
    for (const { name, status } of sources)
      if (status.state !== 'ready')
        process.stderr.write(`pegboard: source '${name}' is ${status.state}: ${status.reason ?? 'no reason given'}\n`)
  } finally {
    await board.close()
  }
}

/** Sources that are a part of the board, not mounted on it by anybody. */
const ownKinds: ReadonlySet<string> = new Set(['functions', 'registered', 'registry'])

const showTools = (tools: readonly Tool[], json: boolean | undefined): string => {
  if (json)
    return JSON.stringify(
      tools.map(({ id, source, tags, definition }) => ({ id, source, tags, ...definition })),
      null,
      2,
    )
  if (tools.length === 0) return 'No tools.'
  return table(
    ['TOOL', 'SOURCE', 'DESCRIPTION'],
    tools.map(({ id, source, definition }) => [id, source, firstLine(definition.description)]),
  )
}

const showSources = (sources: readonly SourceInfo[], json: boolean | undefined): string => {
  if (json) return JSON.stringify(sources, null, 2)
  return table(
    ['SOURCE', 'KIND', 'STATE', 'TOOLS', 'SPEAKS'],
    sources.map(({ name, kind, status, tools }) => [
      name,
      kind,
      status.state,
      String(tools),
      status.peer ? `${status.peer.version} (${status.peer.era})` : '',
    ]),
  )
}

const firstLine = (text: string | undefined): string => (text ?? '').split('\n', 1)[0]!
