import { createMemoryStore } from '../storage/memory/memory-store.js'
import { openStore } from '../storage/open.js'
import type { Store, Temperature } from '../storage/store.js'
import { metadataIn, storedFrom, type ToolMetadata } from './tool-metadata.js'

type Now<T> = T | Promise<T>

/** Document 002's interface of a storage (002-11); one of your own may answer at once or by a promise. */
export interface ToolStorage {
  load_all(): Now<Iterable<ToolMetadata>>
  save(tool: ToolMetadata): Now<void>
  /** Adds or replaces these and leaves the others. */
  save_many(tools: readonly ToolMetadata[]): Now<void>
  /** True if there was such a tool. */
  delete(tool_name: string): Now<boolean>
  /** True if everything can be read. */
  validate(): Now<boolean>
  /** Most used first. A negative limit is an error. */
  load_by_temperature(temperature: Temperature, limit?: number | null): Now<Iterable<ToolMetadata>>
}

/** A storage that is ours: what it keeps is on disk when its promises resolve. */
export interface OpenedStorage extends ToolStorage, AsyncDisposable {
  load_all(): Promise<ToolMetadata[]>
  save(tool: ToolMetadata): Promise<void>
  save_many(tools: readonly ToolMetadata[]): Promise<void>
  delete(tool_name: string): Promise<boolean>
  validate(): Promise<boolean>
  load_by_temperature(temperature: Temperature, limit?: number | null): Promise<ToolMetadata[]>
  close(): Promise<void>
}

/** Document 002's `create_storage`: the tools of a data folder, RegistryTools' own included, which are left as they are. */
export const createToolStorage = async (backend: 'json' | 'sqlite', dataPath: string): Promise<OpenedStorage> => {
  const store = await openStore({ backend, path: dataPath })
  const close = async (): Promise<void> => store[Symbol.asyncDispose]()
  return {
    load_all: async () => (await store.load()).map(metadataIn),
    save: async (tool) => store.save(storedFrom(tool)),
    save_many: async (tools) => store.saveMany(tools.map(storedFrom)),
    delete: (name) => store.delete(name),
    validate: async () => (await store.validate()).length === 0,
    load_by_temperature: async (temperature, limit) =>
      (await store.loadByTemperature(temperature, limit ?? undefined)).map(metadataIn),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** A storage of document 002's kind as a store, for a registry. What is no tool lives as long as the process. */
export const storeOver = (storage: ToolStorage): Store => {
  const { documents } = createMemoryStore()
  const load = async () => [...(await storage.load_all())].map(storedFrom)
  return {
    load,
    save: async (tool) => storage.save(metadataIn(tool)),
    saveMany: async (tools) => storage.save_many(tools.map(metadataIn)),
    delete: async (id) => storage.delete(id),
    validate: async () =>
      (await storage.validate()) ? [] : [{ file: 'storage', reason: 'the storage says that it is not sound' }],
    loadByTemperature: async (temperature, limit) =>
      [...(await storage.load_by_temperature(temperature, limit))].map(storedFrom),
    loadByTag: async (tag) => (await load()).filter(({ tags }) => tags.includes(tag)),
    documents,
    // It is closed by whoever opened it.
    [Symbol.asyncDispose]: async () => {},
  }
}
