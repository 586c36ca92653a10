import type { SharedDocuments } from './store.js'

/**
 * Where credentials lie: sealed at rest, each bound to its kind and id, so that none can be put in another's place. One root;
 * a second one still opens what it sealed while the root is being changed.
 */
export interface Vault {
  /** Names the root that seals now; tells nothing else of it. */
  readonly keyId: string
  /**
   * The same documents with sealed values. One that does not open rejects with CREDENTIAL_UNREADABLE, is left out of `all`,
   * and is never written over, only deleted; what lies there in clear text since before there was a vault is read, and sealed
   * when it is next written.
   */
  sealed(documents: SharedDocuments, kind: string): SealedDocuments
  /** A key for another purpose, made of the root: checkpoints of the audit trail. */
  derive(purpose: string): Buffer
}

export interface SealedDocuments extends SharedDocuments {
  /** The ids of those that do not open, sorted: a sign-out deletes them too. */
  unreadable(): Promise<readonly string[]>
}
