import { checkKind } from '../documents.js'
import type { Storage } from '../storage.js'
import type { Store } from '../store.js'
import { type DatabaseOptions, Postgres, whole } from './connection.js'
import { openPostgresDocuments } from './documents.js'
import { Heads } from './heads.js'
import { createPostgresCommons } from './postgres-commons.js'
import { openPostgresStore } from './postgres-store.js'
import { readPostgresStore } from './read-postgres.js'

/** All that a process keeps in one database, over one pool. Nothing is asked of it until somebody asks for something. */
export const openPostgresStorage = (options: DatabaseOptions): Storage => {
  const database = new Postgres(options)
  const heads = new Heads(database)
  return {
    backend: 'postgres',
    place: database.place,
    kinds: async (store) => (await store.kinds?.()) ?? [],
    bytes: async () => {
      const sizes = `select sum(pg_total_relation_size(c.oid)) as bytes from pg_class c where c.relnamespace = to_regnamespace($1) and c.relkind = 'r'`
      const [row] = await database.look(sizes, [database.tables.schema])
      return row?.bytes == null ? undefined : whole(row.bytes)
    },
    store: () => openPostgresStore(database, heads),
    reader: () => readPostgresStore(database),
    shared: (kind) => openPostgresDocuments(database, heads, checkKind(kind)),
    commons: createPostgresCommons(database, heads),
    [Symbol.asyncDispose]: async () => {
      await heads[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

/** A store with a pool of its own, for programs. */
export const openLonePostgresStore = async (options: DatabaseOptions): Promise<Store> => {
  const storage = openPostgresStorage(options)
  try {
    const store = await storage.store()
    return {
      ...store,
      [Symbol.asyncDispose]: async () => {
        await store[Symbol.asyncDispose]()
        await storage[Symbol.asyncDispose]()
      },
    }
  } catch (error) {
    await storage[Symbol.asyncDispose]()
    throw error
  }
}
