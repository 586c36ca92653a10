import type { Storage } from '../storage.js'
import { registeredSource, type Store, type StoredTool } from '../store.js'
import { pickSelection, sortedTools } from '../tool-set.js'
import type { Keeper } from './keeper.js'
import type { KeeperLine, LineMessage } from './line.js'

export type ToolAnswers = Pick<
  Keeper,
  'open' | 'select' | 'saveMany' | 'add' | 'delete' | 'validate' | 'loadByTemperature' | 'loadByTag' | 'uses' | 'merge'
>

/** The tools of several processes in the store of one. */
export class KeptTools {
  readonly #storage: Storage
  readonly #tell: (message: LineMessage, except?: KeeperLine) => void
  #store: Promise<Store> | undefined
  /** Ids of what was registered, once somebody has asked whether one is there. */
  #registered: Promise<Set<string>> | undefined

  constructor(storage: Storage, tell: (message: LineMessage, except?: KeeperLine) => void) {
    this.#storage = storage
    this.#tell = tell
  }

  open(): Promise<Store> {
    this.#store ??= this.#storage.store()
    return this.#store
  }

  async close(): Promise<void> {
    const store = await this.#store?.catch(() => undefined)
    await store?.[Symbol.asyncDispose]()
  }

  answers(line: KeeperLine): ToolAnswers {
    const wrote = async (changed: readonly StoredTool[], gone: readonly string[]): Promise<void> => {
      await this.#note(changed, gone)
      if (changed.length + gone.length === 0) return
      this.#tell({ told: 'tools', changed, gone }, line)
      this.#tell({ told: 'kind', kind: 'tools' })
    }
    return {
      open: async () => void (await this.open()),
      select: async (selection) => {
        const store = await this.open()
        return store.select ? store.select(selection) : pickSelection(sortedTools(await store.load()), selection)
      },
      saveMany: async (tools) => {
        await (await this.open()).saveMany(tools)
        await wrote(tools, [])
      },
      add: async (tools) => {
        const store = await this.open()
        const known = await this.#ids()
        const taken = tools.find(({ id }) => known.has(id))
        if (taken) return taken.id
        // At once: two processes that register the same must not both be told that they were first.
        for (const { id } of tools) known.add(id)
        try {
          await store.saveMany(tools)
        } catch (error) {
          for (const { id } of tools) known.delete(id)
          throw error
        }
        await wrote(tools, [])
        return undefined
      },
      delete: async (id) => {
        const wasThere = await (await this.open()).delete(id)
        if (wasThere) await wrote([], [id])
        return wasThere
      },
      validate: async () => (await this.open()).validate(),
      loadByTemperature: async ({ temperature, limit }) => (await this.open()).loadByTemperature(temperature, limit),
      loadByTag: async (tag) => (await this.open()).loadByTag(tag),
      uses: async () => {
        const store = await this.open()
        if (store.uses) return store.uses()
        return (await store.load()).map(({ id, useCount, lastUsed }) => ({ id, count: useCount, lastUsed }))
      },
      merge: async (tools, uses) => {
        const store = await this.open()
        if (store.merge) await store.merge(tools, uses)
        else await store.saveMany(tools)
        // Counts are nobody's news: each process adds its own.
        await wrote(tools, [])
      },
    }
  }

  #ids(): Promise<Set<string>> {
    this.#registered ??= this.open()
      .then((store) => (store.select ? store.select({ source: registeredSource }) : store.load()))
      .then((tools) => new Set(tools.flatMap(({ id, source }) => (source === registeredSource ? [id] : []))))
    return this.#registered
  }

  async #note(changed: readonly StoredTool[], gone: readonly string[]): Promise<void> {
    const ids = await this.#registered
    for (const { id, source } of changed) source === registeredSource ? ids?.add(id) : ids?.delete(id)
    for (const id of gone) ids?.delete(id)
  }
}
