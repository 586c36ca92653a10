import type { SharedDocuments } from './store.js'

/**
 * Where credentials lie: sealed at rest, each bound to its kind and id, so that none can be put in another's place. One root;
 * a second one still opens what it sealed while the root is being changed.
 */
export interface Vault {
  /** Names the root that seals now; tells nothing else of it. */
  readonly keyId: string
  /**
   * The same documents with sealed values. One that does not open rejects with CREDENTIAL_UNREADABLE and is never written
   * over; what lies there in clear text is read, and sealed when it is next written.
   */
  sealed(documents: SharedDocuments, kind: string): SharedDocuments
  /** A key for another purpose, made of the root: checkpoints of the audit trail. */
  derive(purpose: string): Buffer
}
