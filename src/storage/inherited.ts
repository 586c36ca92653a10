import type { Store, StoredTool, StoreReader } from './store.js'
import { pickTag, pickTemperature, sortedTools, type ToolSet, toToolSet, usesIn } from './tool-set.js'

/** The documents of our own that name what was taken away from another program's tools. */
const withdrawnKind = 'withdrawn'

/**
 * A store over tools that are kept in another program's file, which is read and never written: what changes about them is
 * in our own file. One that was taken away is noted there, since it cannot be deleted where it is.
 */
export const withInherited = async (own: Store, inherited: readonly StoredTool[]): Promise<Store> => {
  if (inherited.length === 0) return own
  const theirs = toToolSet(inherited)
  const withdrawn = own.documents(withdrawnKind)
  const gone = new Set((await withdrawn.all()).map(({ id }) => id))
  const all = async (): Promise<ToolSet> => joined(theirs, gone, await own.load())
  // Joined as a whole each time, so a part of it costs as much as all.
  const { select: _, ...rest } = own
  return {
    ...rest,
    load: async () => sortedTools((await all()).values()),
    delete: async (id) => {
      if (!theirs.has(id) || gone.has(id)) return own.delete(id)
      // The note first: should the second step fail, the tool is still there and nobody was told otherwise.
      await withdrawn.put(id, true)
      await own.delete(id)
      gone.add(id)
      return true
    },
    loadByTemperature: async (temperature, limit) => pickTemperature(await all(), temperature, limit),
    loadByTag: async (tag) => pickTag(await all(), tag),
    uses: async () => usesIn(await all()),
    merge: async (tools, uses) => {
      // What is only theirs comes into our file first: counts are added to what is there.
      const known = new Set([...(await own.load()).map(({ id }) => id), ...gone])
      const needed = new Set([...tools, ...uses].map(({ id }) => id).filter((id) => !known.has(id)))
      const taken = [...needed].flatMap((id) => theirs.get(id) ?? [])
      if (taken.length > 0) await own.saveMany(taken)
      await own.merge?.(tools, uses)
    },
    [Symbol.asyncDispose]: () => own[Symbol.asyncDispose](),
  }
}

/** The same for those who only look. */
export const readInherited = (inherited: () => Promise<readonly StoredTool[]>, own: StoreReader): StoreReader => ({
  ...own,
  load: async () => {
    const theirs = await inherited()
    if (theirs.length === 0) return own.load()
    const gone = new Set((await own.documents(withdrawnKind).all()).map(({ id }) => id))
    return sortedTools(joined(toToolSet(theirs), gone, await own.load()).values())
  },
})

const joined = (theirs: ToolSet, gone: ReadonlySet<string>, ours: readonly StoredTool[]): ToolSet =>
  toToolSet([...[...theirs.values()].filter(({ id }) => !gone.has(id)), ...ours])
