import { describeCommons } from '../../../test/contracts/commons.js'
import { describeDocuments } from '../../../test/contracts/documents.js'
import { describeStore } from '../../../test/contracts/store.js'
import { describePostgres, newDatabase } from '../../../test/helpers/postgres.js'
import { openStorage, openStore } from '../open.js'
import type { Storage } from '../storage.js'

/** A database per folder of the contract suites, which name what is to be found again by one. */
const databases = new Map<string, Promise<string>>()
const databaseOf = (folder: string): Promise<string> => {
  const url = databases.get(folder) ?? newDatabase()
  databases.set(folder, url)
  return url
}
const open = async (folder: string): Promise<Storage> =>
  openStorage({ backend: 'postgres', url: await databaseOf(folder) })

describePostgres('PostgreSQL', () => {
  describeStore('postgres', async (folder) => openStore({ backend: 'postgres', url: await databaseOf(folder) }), {
    survives: true,
    runs: 12,
  })

  describeDocuments(
    'shared postgres',
    async (folder) => {
      const storage = await open(folder)
      const opened = new Map<string, ReturnType<Storage['shared']>>()
      return {
        documents: (kind) => {
          const set = opened.get(kind) ?? storage.shared(kind)
          opened.set(kind, set)
          return set
        },
        close: async () => {
          for (const set of opened.values()) await set[Symbol.asyncDispose]()
          await storage[Symbol.asyncDispose]()
        },
      }
    },
    { survives: true, runs: 10 },
  )

  describeCommons('postgres', async (replicas) => {
    const url = await newDatabase()
    const storages = await Promise.all(
      Array.from({ length: replicas }, () => openStorage({ backend: 'postgres', url, connections: 2 })),
    )
    return {
      all: storages.map(({ commons }) => commons!),
      [Symbol.asyncDispose]: async () => {
        await Promise.all(storages.map((each) => each[Symbol.asyncDispose]()))
      },
    }
  })
})
