import type { StoreBackend } from './backends.js'
import type { Commons } from './commons.js'
import type { SharedDocuments, Store, StoreReader } from './store.js'

/** Where a process keeps what survives it. One per process: whoever keeps something asks it of this. */
export interface Storage extends AsyncDisposable {
  readonly backend: StoreBackend
  /** Ours to write. Rejects where another process has it for itself. */
  store(): Promise<Store>
  /** For those who only look. */
  reader(): StoreReader
  /** Documents that several processes write. */
  shared(kind: string): SharedDocuments
  /** What replicas share; undefined where one process keeps the data for itself. */
  readonly commons: Commons | undefined
}
