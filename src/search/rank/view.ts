import type { Tool } from '../../model/tool.js'
import type { LexicalIndex } from '../index/lexical-index.js'

/** Which slots a caller may see: 1 for yes. */
export interface VisibleSlots {
  readonly visible: Uint8Array
  readonly size: number
}

type Accept = (tool: Tool) => boolean

/** Cached per visibility function until the index changes: asking about 100,000 tools takes a while. */
export const createViews = (index: LexicalIndex): ((accept: Accept | undefined) => VisibleSlots | undefined) => {
  const views = new WeakMap<Accept, { readonly version: number; readonly view: VisibleSlots }>()
  return (accept) => {
    if (!accept) return undefined
    const known = views.get(accept)
    if (known?.version === index.version) return known.view
    const view = lookThrough(index, accept)
    views.set(accept, { version: index.version, view })
    return view
  }
}

/** The tools of a view, or all. */
export const toolsIn = (index: LexicalIndex, view: VisibleSlots | undefined): readonly Tool[] => {
  const tools: Tool[] = []
  for (let slot = 0; slot < index.slots; slot++) {
    const tool = index.tool(slot)
    if (tool && (!view || view.visible[slot] === 1)) tools.push(tool)
  }
  return tools
}

const lookThrough = (index: LexicalIndex, accept: Accept): VisibleSlots => {
  const visible = new Uint8Array(index.slots)
  let size = 0
  for (let slot = 0; slot < index.slots; slot++) {
    const tool = index.tool(slot)
    if (!tool || !accept(tool)) continue
    visible[slot] = 1
    size += 1
  }
  return { visible, size }
}
