import type { Tool } from '../model/tool.js'
import { advertisedName, type Naming } from './names.js'

export interface NameCollision {
  readonly name: string
  readonly tools: readonly string[]
}

/** From advertised names back to tools, for one naming. Follows the catalog's changes tool by tool. */
export interface NameIndex {
  /** The tool of this name; undefined for unknown names and for names that two tools claim. */
  find(name: string): Tool | undefined
  nameOf(tool: Tool): string
  collisions(): readonly NameCollision[]
  add(tool: Tool): void
  remove(tool: Tool): void
}

export const createNameIndex = (naming: Naming, tools: Iterable<Tool>): NameIndex => {
  const single = new Map<string, Tool>()
  // The board's own names are reserved: a source cannot put a tool in their place.
  const own = new Map<string, Tool>()
  // Ambiguous names answer nobody: whichever tool won would inherit what was granted to the other.
  const contested = new Map<string, Map<string, Tool>>()

  const add = (tool: Tool): void => {
    const name = advertisedName(tool, naming)
    if (tool.own) return void own.set(name, tool)
    const rivals = contested.get(name)
    if (rivals) return void rivals.set(tool.id, tool)
    const holder = single.get(name)
    if (!holder || holder.id === tool.id) return void single.set(name, tool)
    single.delete(name)
    contested.set(name, new Map([holder, tool].map((each) => [each.id, each])))
  }

  const remove = (tool: Tool): void => {
    const name = advertisedName(tool, naming)
    if (tool.own) return void own.delete(name)
    const rivals = contested.get(name)
    if (!rivals) return void (single.get(name)?.id === tool.id && single.delete(name))
    rivals.delete(tool.id)
    if (rivals.size > 1) return
    contested.delete(name)
    for (const last of rivals.values()) single.set(name, last)
  }

  for (const tool of tools) add(tool)
  return {
    find: (name) => own.get(name) ?? single.get(name),
    nameOf: (tool) => advertisedName(tool, naming),
    collisions: () => [...contested].map(([name, rivals]) => ({ name, tools: [...rivals.keys()].sort() })),
    add,
    remove,
  }
}
