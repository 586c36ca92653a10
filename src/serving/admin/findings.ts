import type { FindingDesk, ScannedItem } from '../../faces/admin/findings.js'
import type { Gateway } from '../../gateway.js'
import { offeredBy, offerWords, scanTool, scanWords, toolWords } from '../scanning.js'

/** The scanner for the operator's pages: a page that looks every few seconds has a source read once. */
export const createFindingDesk = (gateway: Gateway): FindingDesk => {
  const known = new Map<string, { readonly mark: string; readonly items: Promise<readonly ScannedItem[]> }>()
  const tools = () => [...gateway.catalog.snapshot().tools.filter(({ own }) => !own), ...gateway.catalog.held()]
  const read = async (name: string): Promise<readonly ScannedItem[]> => {
    const all = tools()
    const offers = (await offeredBy(gateway)).filter(({ source }) => source === name)
    const words = [...toolWords(all.filter(({ source }) => source === name)), ...offerWords(offers)]
    return (await scanWords(words, all)).map(({ id, kind, findings }) => ({ id, kind, findings }))
  }
  return {
    ofTool: (tool) => scanTool(tool, tools()),
    ofSource: (name) => {
      const mark = `${gateway.catalog.version}/${gateway.surfaces.version}/${gateway.catalog.held().length}`
      const before = known.get(name)
      if (before?.mark === mark) return before.items
      const items = read(name)
      if (known.size >= mostSources) known.clear()
      known.set(name, { mark, items })
      return items
    },
  }
}

const mostSources = 1_000
