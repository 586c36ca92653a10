import type { StoreBackend } from './backends.js'
import type { Commons } from './commons.js'
import type { SharedDocuments, Store, StoreReader } from './store.js'

/** Where a process keeps what survives it. One per process: whoever keeps something asks it of this. */
export interface Storage extends AsyncDisposable {
  readonly backend: StoreBackend
  /** Where that is, for people: a folder, or host, port and database. Never a password. */
  readonly place: string
  /** Ours to write. Rejects where another process has it for itself. */
  store(): Promise<Store>
  /** For those who only look. */
  reader(): StoreReader
  /** Documents that several processes write. */
  shared(kind: string): SharedDocuments
  /** The kinds of documents that are there, shared ones included; those that belong to this machine alone are not. */
  kinds(store: Store): Promise<readonly string[]>
  /** How much room it takes; undefined where that cannot be said. */
  bytes(): Promise<number | undefined>
  /** What replicas share; undefined where one process keeps the data for itself. */
  readonly commons: Commons | undefined
}
