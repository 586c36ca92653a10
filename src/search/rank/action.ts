import type { ToolDeed } from '../lexicon/verbs.js'

// One that lists is nearly what is wanted where something is to be got, and the other way round.
const nearly = 0.6

/** Which deeds of a tool speak against it where this is asked for. To send, convert or compute is often said otherwise. */
const against: Readonly<Record<ToolDeed, ReadonlySet<ToolDeed>>> = {
  get: new Set(['create', 'update', 'delete', 'send']),
  list: new Set(['create', 'update', 'delete', 'send']),
  create: new Set(['delete', 'get', 'list']),
  update: new Set(['delete', 'get', 'list']),
  delete: new Set(['create', 'get', 'list', 'update', 'send', 'convert', 'compute']),
  send: new Set(),
  convert: new Set(),
  compute: new Set(),
}

/** Whether a tool does what is asked: 1 where it does, -1 where that contradicts all that is asked for, 0 where nobody can say. */
export const agreement = (asked: ReadonlySet<ToolDeed>, deed: ToolDeed | undefined): number => {
  if (deed === undefined || asked.size === 0) return 0
  if (asked.has(deed)) return 1
  if ((deed === 'get' && asked.has('list')) || (deed === 'list' && asked.has('get'))) return nearly
  for (const wanted of asked) if (!against[wanted].has(deed)) return 0
  return -1
}
